"""The portal as files: seconds and memory for many items, and how many files a second against plain writing of the same bytes.

    python -m benchmarks.publish [--items 50000] [--jobs 2]

Items are written straight into organised.db, each with an abstract, and cite earlier ones; the peer writes files of the same sizes and does nothing else.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.search import Row, Writer


def fill(folder: Path, rows: Sequence[Row]) -> None:
    """A workspace with these items, each citing the one before and the one twice as early."""
    from trailmark.store.full_text import refresh_index
    from trailmark.store.organised import Organised
    from trailmark.workspace import Workspace

    Workspace.create(folder).close()
    with Organised.open(folder) as organised, organised.transaction() as connection:
        connection.executemany(f"INSERT INTO items VALUES (NULL, {', '.join('?' * 14)})", rows)
        connection.executemany(
            "INSERT INTO sources VALUES (?, ?, ?, ?, ?, ?, ?)",
            ((row[0], number, row[5], row[0], row[1], row[2], row[0]) for number, row in enumerate(rows, 1)),
        )
        connection.executemany(
            "INSERT INTO citations VALUES (?, ?, '', ?, ?, ?, ?, ?)",
            (
                (2 * at + n, rows[at][0], cited, cited, rows[cited][0], "As was shown [1].", rows[cited][2])
                for at in range(1, len(rows))
                for n, cited in enumerate({at - 1, at // 2})
            ),
        )
        refresh_index(connection)


def plain_seconds(folder: Path, sizes: Sequence[int]) -> float:
    """The same files, filled with one letter."""
    began = time.perf_counter()
    for number, size in enumerate(sizes):
        path = folder / f"{number % 256:02x}" / f"{number}.html"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"x" * size)
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--items", type=int, default=50_000)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    from trailmark.serve.portal.publishing import publish
    from trailmark.workspace import Workspace

    writer = Writer()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fill(folder / "w", [writer.item(number) for number in range(chosen.items)])
        for turn in ("first time", "once more"):
            began = time.perf_counter()
            with Workspace.open(folder / "w") as workspace:
                report = publish(workspace, folder / "site", address="https://a.example/", jobs=chosen.jobs)
            seconds = time.perf_counter() - began
            print(
                f"{turn}: {report.items} items, {report.files} files, {report.bytes / 1e6:.0f} MB, {report.written} written, "
                f"{report.links} links, {len(report.broken)} broken: {seconds:.1f} s, {1000 * seconds / report.items:.2f} ms an item"
            )
        sizes = [path.stat().st_size for path in (folder / "site").rglob("*") if path.is_file()]
        (folder / "plain").mkdir()
        plain = plain_seconds(folder / "plain", sizes)
        print(f"plain writing of {len(sizes)} files: {plain:.1f} s")
        own, children = (
            resource.getrusage(who).ru_maxrss / 1000 for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        print(f"most memory: {own:.0f} MB here, {children:.0f} MB in one of the processes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
