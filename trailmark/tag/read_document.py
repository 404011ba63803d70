"""Bytes of any kind of document -> a `Document`. It may take long or die on hostile bytes: call it in a `TimedCrew`."""

from __future__ import annotations

from dataclasses import replace

from trailmark.datatypes import Document, Response
from trailmark.errors import DocumentError
from trailmark.read.document_kind import document_kind
from trailmark.read.html_document import read_html, read_text
from trailmark.read.pdf_document import read_pdf
from trailmark.read.unpacked import unpacked
from trailmark.settings import TagSettings
from trailmark.tag.postscript import pdf_of_postscript


def read_document(response: Response, settings: TagSettings = TagSettings()) -> Document:  # noqa: B008 - frozen
    """What a server answered, or a file in its place -> its document; DocumentError says why there is none."""
    url, body = response.url, response.body
    if len(body) > settings.max_bytes:
        raise DocumentError(
            f"{url}: it has more than {settings.max_bytes:,} bytes; raise max_bytes in [tag] to read it."
        )
    kind = document_kind(body, response.content_type, url)
    if kind == "packed":
        body = unpacked(body, url, most=settings.max_bytes)
        kind = document_kind(body)
    return replace(_read(kind, body, response, settings), content_hash=response.content_hash)


def _read(kind: str, body: bytes, response: Response, settings: TagSettings) -> Document:
    url = response.url
    if kind == "postscript":
        body = pdf_of_postscript(body, url, seconds=settings.seconds * 0.8, most=settings.max_bytes)
        return replace(read_pdf(body, url, most_pages=settings.max_pages), kind="postscript")
    if kind == "pdf":
        return read_pdf(body, url, most_pages=settings.max_pages)
    if kind == "html":
        return read_html(body, url, response.header("content-type"))
    if kind == "text":
        return read_text(body, url, response.header("content-type"))
    raise DocumentError(f"{url}: it is no PDF, PostScript, HTML or plain text; such files are not read.")
