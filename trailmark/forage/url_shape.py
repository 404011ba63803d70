"""What a URL looks like when what can't tell pages apart, or only counts them, is taken out."""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

from trailmark.url_key import url_key

_LONG = 500
"""Characters of a URL whose key is not kept: pages that list endless ones must not fill memory."""
_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r"=[^&;]*")
_ENDING = re.compile(r"(?i)\.[a-z0-9]{1,5}$")


def hash_of(text: str) -> int:
    """64 bits, signed as SQLite wants them; two of a billion texts collide with a chance of three per cent."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def link_key(url: str) -> int:
    """The key of a URL as a number, for queues."""
    return _kept_key(url) if len(url) <= _LONG else hash_of(url_key(url))


@lru_cache(maxsize=20_000)
def _kept_key(url: str) -> int:
    """Most links of a page stand on many pages of its site, so keys are kept for a while."""
    return hash_of(url_key(url))


def url_pattern(url: str) -> str:
    """The shape of a URL: folders as they are but for their numbers, the last name starred, values of the query too."""
    host, slash, rest = url.partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    if query:
        return f"{host}/{_NUMBER.sub('#', path)}?{_VALUE.sub('=*', query)}"
    folder, _, name = path.rstrip("/").rpartition("/")
    if not name:
        return f"{host}{slash}"
    ending = _ENDING.search(name)
    mark = "~" if name.startswith("~") else ""
    above = f"{_NUMBER.sub('#', folder)}/" if folder else ""
    return f"{host}/{above}{mark}*{ending.group() if ending else ''}{'/' if path.endswith('/') else ''}"


def numbered_shape(url: str) -> str:
    """The URL with all its numbers taken as one; empty where it has none: then it can't be counted up without end."""
    place = url.partition("://")[2]
    host, _, path = place.partition("/")
    shape, count = _NUMBER.subn("#", path)
    return f"{host}/{shape}" if count else ""
