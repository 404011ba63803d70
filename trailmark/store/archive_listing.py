"""A list of what an archive holds, beside it: `x.warc.gz.cdxj`, as other tools for web archives read and write it.

A line a response, sorted: a key in which sites come together, the time, and as JSON the address, its place and length in the archive, status,
type and digest. The first line says of which archive it is, by its size: a list of another is not believed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from trailmark.store.placed_file import bytes_of

SUFFIX = ".cdxj"
_META = "!meta "
_FORMAT = "CDXJ 1.0"
_NOT_DIGITS = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class ListedResponse:
    """A response of an archive, and where it stands."""

    url: str
    time: str
    """As `20261116120000`."""
    offset: int
    length: int
    status: int
    mime: str
    digest: str

    @property
    def key(self) -> str:
        """`org,example,www)/path?query`: what is of one site, and of one domain, comes together."""
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return self.url.lower()
        name = ",".join(reversed(host.removeprefix("www.").split(".")))
        place = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
        return f"{name}{f':{port}' if port not in (None, 80, 443) else ''}){place}".lower().replace(" ", "%20")


def listing(responses: Iterable[ListedResponse], archive: str, size: int) -> bytes:
    """Responses of an archive of so many bytes -> its list."""
    lines = [_line(each, archive) for each in responses]
    meta = _META + json.dumps({"format": _FORMAT, "filename": archive, "size": size}, sort_keys=True)
    return "\n".join([meta, *sorted(lines), ""]).encode()


def _line(each: ListedResponse, archive: str) -> str:
    told = {
        "url": each.url,
        "mime": each.mime,
        "status": str(each.status),
        "digest": each.digest,
        "length": str(each.length),
        "offset": str(each.offset),
        "filename": archive,
    }
    return f"{each.key} {_NOT_DIGITS.sub('', each.time)[:14]} {json.dumps(told)}"


def listed_addresses(archive: Path, size: int) -> list[tuple[str, int]] | None:
    """URL and offset of each response, in the order of the archive, as the list beside it has them; None where there is none for it as it is now."""
    data = bytes_of(archive.with_name(archive.name + SUFFIX))
    if data is None:
        return None
    try:
        lines = data.decode().removesuffix("\n").split("\n")  # an address may hold other ends of lines
        meta = json.loads(lines[0].removeprefix(_META))
        if (meta["format"], meta["size"]) != (_FORMAT, size):
            return None
        found = [json.loads(line.split(" ", 2)[2]) for line in lines[1:]]
        return sorted(((str(each["url"]), int(each["offset"])) for each in found), key=lambda each: each[1])
    except (ValueError, KeyError, IndexError, TypeError):
        return None  # somebody else's, or damaged: the archive itself says it too
