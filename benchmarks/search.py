"""Searching generated items beside a plain scan with LIKE of the same table: one process, one run, processor time.

    python -m benchmarks.search [--items 100000] [--queries 200]

Words are drawn as they are in languages, a few often and most of them hardly ever; one item in ten is Chinese. The queries have one to three words of an item that is
there, as readers look for something, a third of them with a year, a topic or an author beside. Aims: the slowest twentieth of the queries begins below 50 ms, one more
item is found within a second. What counts on a shared machine is the ratio to the scan.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

SYLLABLES = ("ba", "ne", "ri", "to", "mu", "la", "ke", "so", "di", "pa", "cha", "ver", "lin", "gos", "tra", "mex", "ul", "or", "an", "est")  # fmt: skip
VOCABULARY = 100_000
COMMON = 100
"""Words that stand in more than about a fifth of the items, as `the` does: readers leave them out; the first ten have a row of their own."""
SCANS = 10
"""Queries that are answered by the plain scan too, which is slow."""
Row = tuple[Any, ...]


class Writer:
    """Texts with words as frequent as in a language."""

    def __init__(self, seed: int = 1) -> None:
        self.dice = np.random.default_rng(seed)
        self.words = [self._word(n) for n in range(VOCABULARY)]
        self.signs = [chr(0x4E00 + n) for n in range(3000)]

    def _word(self, number: int) -> str:
        number, word = number + len(SYLLABLES), ""
        while number:
            word += SYLLABLES[number % len(SYLLABLES)]
            number //= len(SYLLABLES)
        return word

    def ranks(self, count: int, most: int) -> Sequence[int]:
        """Numbers below `most`, each about as often as the inverse of itself."""
        drawn: list[int] = (
            (np.exp(self.dice.random(count) * np.log(most + 2)) - 2).clip(0, most - 1).astype(int).tolist()
        )
        return drawn

    def text(self, count: int, *, chinese: bool = False) -> str:
        """So many words."""
        if chinese:
            return "".join(self.signs[n] for n in self.ranks(2 * count, len(self.signs)))
        return " ".join(self.words[n] for n in self.ranks(count, len(self.words)))

    def item(self, number: int) -> Row:
        """A paper with an abstract, references, a venue."""
        chinese = number % 10 == 9
        abstract, year = self.text(120, chinese=chinese), 1950 + number % 77
        fields = json.dumps({"venue": [self.text(4)], "abstract": [abstract]})
        return (
            *(f"{number:016x}", "paper", self.text(9, chinese=chinese), "; ".join(self.text(2) for _ in range(3))),
            *(year if number % 9 else None, f"http://s{number % 500}.test/{number}", f"s{number % 500}.test"),
            *(f"Science/T{number % 10}/L{number % 70}", 1.0, int(1000 / (1 + number % 997)), "", fields),
            *(f"{abstract} {self.text(120, chinese=chinese)}", None),
        )


def queries(writer: Writer, rows: Sequence[Row], count: int) -> Iterator[str]:
    """What readers would type to find items that are there."""
    common = set(writer.words[:COMMON])
    for number in range(count):
        row = rows[int(writer.dice.integers(len(rows)))]
        if row[2].isascii():
            title = [word for word in row[2].split() if word not in common] or row[2].split()
            words = list(dict.fromkeys(title[at] for at in writer.ranks(1 + number % 3, len(title))))
        else:
            words = [row[2][4:6]]
        more = ("", "", "", "", "1980..2000", f"topic:{row[7].split('/')[1]}", f"author:{row[3].split()[0]}")[
            number % 7
        ]
        yield " ".join([*words, more]).strip()


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Milliseconds of the processor: others work on the machine too."""
    began = time.process_time()
    work(*arguments)
    return (time.process_time() - began) * 1000


def print_times(name: str, times: Sequence[float], scan: float) -> None:
    ordered = sorted(times)
    half, slow = statistics.median(ordered), ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
    print(
        f"{name:44s} p50 {half:8.2f} ms  p95 {slow:8.2f} ms  slowest {ordered[-1]:8.2f} ms  {half / scan:8.5f} of the scan"
    )


def add_index(path: Path, connection: sqlite3.Connection) -> None:
    """Index all items, and say how long it took and how much it takes."""
    from trailmark.store.full_text import refresh_index

    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = path.stat().st_size
    connection.execute("BEGIN")
    seconds = timed(refresh_index, connection) / 1000
    connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = path.stat().st_size - before
    print(
        f"indexed in {seconds:.1f} s; items {before / 1e6:.0f} MB, index {size / 1e6:.0f} MB ({size / before:.2f} of the items)"
    )


def add_one(connection: sqlite3.Connection, row: Row) -> None:
    """Write an item, and find it."""
    from trailmark.store.full_text import refresh_index

    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"INSERT OR REPLACE INTO items VALUES (NULL, {', '.join('?' * 14)})", row)
    refresh_index(connection)
    connection.execute("COMMIT")


def scan_items(connection: sqlite3.Connection, text: str) -> None:
    """The peer: every word of the query somewhere in title, authors or text."""
    words = [word.partition(":")[2] or word for word in text.split() if ".." not in word]
    each = "(title LIKE ? OR authors LIKE ? OR text LIKE ?)"
    where = " AND ".join([each] * len(words))
    values = [f"%{word}%" for word in words for _ in range(3)]
    connection.execute(f"SELECT key FROM items WHERE {where} ORDER BY cited DESC LIMIT 10", values).fetchall()


def measure(connection: sqlite3.Connection, folder: Path, writer: Writer, rows: Sequence[Row], count: int) -> None:
    from trailmark.organise.query import read_query
    from trailmark.store.search_file import open_to_search
    from trailmark.store.search_match import plan_query
    from trailmark.store.search_results import find_items
    from trailmark.store.search_vocabulary import complete_word, meant_query

    asked = list(queries(writer, rows, count))
    scan = statistics.median(timed(scan_items, connection, text) for text in asked[:SCANS])
    print(f"{'plain scan with LIKE':44s} p50 {scan:8.2f} ms")
    with open_to_search(folder) as index:
        assert index is not None
        reader = index.connection

        def find(text: str, **options: Any) -> object:
            return find_items(reader, plan_query(reader, read_query(text).query), **options)

        kinds: list[tuple[str, list[str], Callable[[str], object]]] = [
            ("queries, ten hits with snippets", asked, find),
            ("  sorted by times cited", asked, lambda text: find(text, sort="cited")),
            ("  with facets", asked, lambda text: find(text, facets=True)),
            ("  ranked by the paper's log frequency", asked[: count // 4], lambda text: find(text, ranking="log-frequency")),
            ("Chinese words of two characters", [row[2][2:4] for row in rows[9::10][: count // 4]], find),
            ("the ten most frequent words", writer.words[:10], find),
            ("did you mean, two letters wrong", [f"{row[2].split()[0][:4]}xq{row[2].split()[0][4:]}" for row in rows[: count // 4]],
             lambda text: meant_query(reader, read_query(text).query)),
            ("completion of three letters", [row[2][:3] for row in rows[: count // 2] if row[2].isascii()], lambda text: complete_word(reader, text)),
        ]  # fmt: skip
        for name, texts, work in kinds:
            print_times(name, [timed(work, text) for text in texts], scan)
    more = [writer.item(len(rows) + n) for n in range(50)]
    print_times("one more item, until it can be found", [timed(add_one, connection, row) for row in more], scan)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    chosen = parser.parse_args()
    writer = Writer()
    rows = [writer.item(number) for number in range(chosen.items)]
    print(f"{len(rows)} items, {len(os.sched_getaffinity(0))} cores, SQLite {sqlite3.sqlite_version}")
    from trailmark.store.organised import FILE, Organised

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / FILE
        connection = Organised.open(folder).connection
        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO items VALUES (NULL, {', '.join('?' * 14)})", rows)
        connection.execute("COMMIT")
        add_index(path, connection)
        measure(connection, folder, writer, rows, chosen.queries)
        connection.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
