"""Where the documents that are tagged come from: files, archives, or all that the workspace fetched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.read.document_kind import document_kind, is_document_name
from trailmark.store.archive import packing_of, read_archive
from trailmark.store.archive_index import ArchiveIndex
from trailmark.store.archive_names import archives_named, path_named
from trailmark.workspace import Workspace


def documents_of(
    workspace: Workspace, files: Sequence[str | Path], archives: Sequence[str | Path], *, every_kind: bool
) -> Iterator[Response]:
    """Files first, then the documents of archives; an address in several archives is taken as it was last."""
    paths = [Path(file) for file in files]
    chosen = [path_named(archive) for archive in archives] or ([] if files else workspace.archives())
    if not paths and not chosen:
        raise InputError("There is no document to tag: name a file, or an archive with --archive.")
    for path in paths:
        if not path.is_file():
            raise InputError(f"{path} is no file; name a PDF, PostScript, HTML or text file.")
    chosen = archives_named(chosen)
    for archive in chosen:
        packing_of(archive)
    return _read(workspace, paths, chosen, every_kind=every_kind)


def _read(
    workspace: Workspace, paths: Iterable[Path], archives: Sequence[Path], *, every_kind: bool
) -> Iterator[Response]:
    most = workspace.settings.tag.max_bytes
    for path in paths:
        yield _file(path, most)
    if not archives:
        return
    settings = workspace.settings.store
    with closing(ArchiveIndex(archives, workspace.folder / "archive" / "index.db", settings=settings)) as index:
        repeated = {places[0].url: places for places in index.repeated()}
        for archive in archives:
            for response in read_archive(archive, settings=settings):
                if response.url not in repeated and _is_wanted(response, every_kind=every_kind):
                    yield response
        for places in repeated.values():
            versions = map(index.read, places)
            yield from islice((each for each in versions if _is_wanted(each, every_kind=every_kind)), 1)


def _is_wanted(response: Response, *, every_kind: bool) -> bool:
    return response.status == 200 and _is_document(response, every_kind=every_kind)


def _file(path: Path, most: int) -> Response:
    """A file as if a server had sent it; status 0 and the reason as its body where it can't be opened any more."""
    try:
        with path.open("rb") as file:
            return Response(path.resolve().as_uri(), 200, body=file.read(most + 1))
    except OSError as error:
        return Response(path.absolute().as_uri(), 0, body=f"it can't be opened ({error.strerror}).".encode())


def _is_document(response: Response, *, every_kind: bool) -> bool:
    kind = document_kind(response.body, response.content_type, response.url)
    if kind == "packed":
        return is_document_name(response.url.partition("?")[0])
    return kind in ("pdf", "postscript") or (every_kind and kind in ("html", "text"))
