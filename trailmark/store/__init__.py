"""What rests on disk: the database, the web archives and replay from them. The only room that touches either."""

from trailmark.store.archive import ArchiveWarning, archives_in, read_archive
from trailmark.store.archive_index import ArchiveIndex
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.benchmark_web import BenchmarkWeb, read_webs, write_web
from trailmark.store.database import Database
from trailmark.store.page_table import StoredPage
from trailmark.store.replay import Replay

__all__ = [
    "ArchiveIndex",
    "ArchiveWarning",
    "ArchiveWriter",
    "BenchmarkWeb",
    "Database",
    "Replay",
    "StoredPage",
    "archives_in",
    "read_archive",
    "read_webs",
    "write_web",
]
