"""What a URL looks like when what can't tell pages apart, or only counts them, is taken out."""

from __future__ import annotations

import hashlib
import re

_SESSION_NAMES = (
    "jsessionid", "phpsessid", "sessionid", "session_id", "sessid", "sid", "aspsessionid[a-z]*", "cfid", "cftoken", "s_id",
    "zenid", "oscsid", "session", "sess",
)  # fmt: skip
# A value that a person or a programme would choose as a name for something is short and readable; a session's is neither.
_SESSION = re.compile(rf"(?i)(?<=[?&;])(?:{'|'.join(_SESSION_NAMES)})=[^&;/?#]*[&;]?|;(?:jsessionid|sid)=[^?&;/]*")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_NUMBER = re.compile(r"\d+")
_VALUE = re.compile(r"=[^&;]*")
_ENDING = re.compile(r"(?i)\.[a-z0-9]{1,5}$")


def hash_of(text: str) -> int:
    """64 bits, signed as SQLite wants them; two of a billion texts collide with a chance of three per cent."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def link_key(url: str) -> int:
    """The same for all spellings of one page: session numbers left out, escapes written one way, no fragment."""
    return hash_of(canonical_url(url))


def canonical_url(url: str) -> str:
    """The URL without what can't tell pages apart; it is a key, and never asked for.

    A folder without its slash, or with `index.html`, stays another page: relative links lead elsewhere from there.
    """
    url = url.partition("#")[0]
    if "%" in url:
        url = _ESCAPE.sub(_unescaped, url)
    if "sid=" in url.lower() or "sess" in url.lower() or "cftoken" in url.lower() or "cfid" in url.lower():
        url = _SESSION.sub("", url).rstrip("?&;")
    return url


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


def _unescaped(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else found[0].upper()
