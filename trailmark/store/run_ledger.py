"""The books of one run: nothing that was fetched is lost, whenever the process is killed.

A page is archived, and a line about it goes to the journal in one unbuffered write, before anything else is made of it.
Rows are written in one transaction for many pages, which also notes how far the journal was read. After a crash the rows
are those of the last commit; what the journal says beyond is not fetched again but taken from the archive.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from trailmark.datatypes import Response
from trailmark.errors import TrailmarkError
from trailmark.store.archive import entries_of, open_archive
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.database import Database
from trailmark.store.page_table import StoredPage, stored_page
from trailmark.store.replay import REASON_HEADER


class RunLedger:
    """Archive, journal and the table of pages, for one run."""

    def __init__(self, database: Database, writer: ArchiveWriter, journal: Path, *, start: int) -> None:
        self._database, self._writer, self._folder = database, writer, writer.path.parent
        self._path, self._start = journal, start
        self._file = os.open(journal, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        self._cut_torn_line()
        self._pages: list[StoredPage] = []

    def keep(self, url: str, response: Response | None, failure: str) -> None:
        """What came for a URL: the page is archived; then the journal knows of it."""
        line: dict[str, object] = {"url": url}
        if response is None:
            line["failure"] = failure
        elif response.header(REASON_HEADER):  # said by replay in place of a server: there is nothing to archive
            line |= {"answer": response.url, "status": response.status, "redirects": response.redirects}
        else:
            path, offset = self._writer.write(response)
            line |= {"archive": path.name, "offset": offset, "redirects": response.redirects}
            self._pages.append(stored_page(url, response, path.name, offset))
        os.write(self._file, json.dumps(line).encode() + b"\n")

    def flush(self) -> int:
        """Write the rows of pages into the open transaction; how far the journal goes, to be committed with it."""
        self._database.begin()
        self._database.add_pages(self._pages)
        self._pages.clear()
        return os.fstat(self._file).st_size

    def left_over(self) -> Iterator[tuple[str, Response | None, str]]:
        """What was kept after the last commit, in order: (URL, response or None, failure).

        A page that its archive no longer has is left out, and so fetched again.
        """
        with self._path.open("rb") as lines:
            lines.seek(self._start)
            for line in lines:
                entry = json.loads(line)
                if "failure" in entry:
                    yield entry["url"], None, entry["failure"]
                elif "answer" in entry:
                    redirects = tuple(entry["redirects"])
                    yield entry["url"], Response(entry["answer"], entry["status"], redirects=redirects), ""
                else:
                    response = self._read(entry)
                    if response is None:
                        continue
                    self._pages.append(stored_page(entry["url"], response, entry["archive"], entry["offset"]))
                    yield entry["url"], response, ""

    def page(self, url: str) -> Response | None:
        """A page that was committed, without the redirects that led to it; None where it is no longer in its archive."""
        row = self._database.connection.execute("SELECT archive, offset FROM pages WHERE url = ?", (url,)).fetchone()
        if row is None:
            return None
        return self._read({"archive": row[0], "offset": row[1], "redirects": []})

    def forget_journal(self) -> None:
        """The run has ended and everything is committed: nothing can be left over any more."""
        self._path.unlink()

    def close(self) -> None:
        os.close(self._file)

    def _read(self, place: dict[str, object]) -> Response | None:
        path = self._folder / str(place["archive"])
        try:
            with open_archive(path) as stream:
                stream.seek(int(str(place["offset"])))
                entry = next(entries_of(stream, path))
        except (OSError, StopIteration, TrailmarkError):
            return None
        redirects = place["redirects"]
        assert isinstance(redirects, list)
        return replace(entry.response, redirects=tuple(redirects))

    def _cut_torn_line(self) -> None:
        """A line that was being written when the process was killed: its page was still in flight."""
        size = os.fstat(self._file).st_size
        tail = os.pread(self._file, max(0, size - self._start), self._start)
        os.ftruncate(self._file, self._start + tail.rfind(b"\n") + 1)
