"""The key of a URL: one text for all spellings of one page, wherever the project asks whether two URLs are the same page.

It stands beside the datatypes because the queue of a walk (`forage`) and the index of archives (`store`) must agree, and neither
knows the other: a page that counts as fetched is then found under every name that counts as its own. A key is never asked for.
A folder without its slash, or with `index.html`, stays another page: relative links lead elsewhere from there.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from posixpath import normpath
from urllib.parse import quote, urlsplit

_LONG = 500
"""Characters of a URL whose key is not kept: pages that list endless ones must not fill memory."""
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_BARE_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")
_DEFAULT_PORT = {"http": ":80", "https": ":443"}
# Most URLs are spelt like their keys: no port, nothing escaped or to be escaped, no empty query.
_PLAIN = re.compile(r"https?://[a-z0-9.\-]+/[A-Za-z0-9\-._~!$&'()*+,/:;=?@]*(?<!\?)")
_SESSION_NAMES = (
    "jsessionid", "phpsessid", "sessionid", "session_id", "sessid", "sid", "aspsessionid[a-z]*", "cfid", "cftoken", "s_id",
    "zenid", "oscsid", "session", "sess",
)  # fmt: skip
_SESSION = re.compile(rf"(?i)(?<=[?&;])(?:{'|'.join(_SESSION_NAMES)})=[^&;/?#]*[&;]?|;(?:jsessionid|sid)=[^?&;/]*")
_HINT = re.compile(r"(?i)s_?id=|sess|cfid=|cftoken=|zenid=")
"""Stands in every URL that holds a session number."""


def url_key(url: str) -> str:
    """A URL -> its key: no fragment, default port or session number; host in lower case, no dot segments, escapes one way.

    What is no http or https URL is its own key.
    """
    if not _PLAIN.fullmatch(url) or "/." in url:
        url = _one_url(url)
    return _without_session(url) if _HINT.search(url) else url


def _one_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        host = _host_key(parts.netloc)
    except ValueError:
        return url
    if parts.scheme not in _DEFAULT_PORT or not host:
        return url
    host = _without_port(host, _DEFAULT_PORT[parts.scheme])
    query = f"?{_one_spelling(parts.query)}" if parts.query else ""
    return f"{parts.scheme}://{host}{_path_key(parts.path)}{query}"


def _without_session(url: str) -> str:
    """Session numbers taken out; what is left of a query may end in nothing."""
    start, _, rest = url.partition("://")
    if start not in _DEFAULT_PORT:
        return url
    shorter = _SESSION.sub("", rest)
    return url if shorter == rest else f"{start}://{shorter.rstrip('?&;')}"


def _host_key(host: str) -> str:
    """In lower case; a name in another script as the network writes it."""
    return (host if host.isascii() else host.encode("idna").decode()).lower()


def _without_port(host: str, port: str) -> str:
    """The host without the ports, and the colons without one, that it ends in; from the end, so that each is seen once."""
    end = len(host)
    while host.endswith((port, ":"), 0, end):
        end -= len(port) if host.endswith(port, 0, end) else 1
    return host[:end]


def _path_key(path: str) -> str:
    path = _one_spelling(path) or "/"
    if "/." in path:
        ends_in_folder = path.endswith(("/", "/.", "/.."))
        # normpath takes doubled slashes together, which only makes more spellings meet.
        path = normpath(path)
        path = path + "/" if ends_in_folder and not path.endswith("/") else path
    return path


def _one_spelling(text: str) -> str:
    """Escapes in upper case, none for a character that needs none, all others as UTF-8."""
    return _ESCAPE.sub(_escape, quote(_BARE_PERCENT.sub("%25", text), safe=_SAFE, errors="replace"))


def _escape(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()


def hash_of(text: str) -> int:
    """64 bits, signed as SQLite wants them; two of a billion texts collide with a chance of three per cent."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)


def link_key(url: str) -> int:
    """A URL -> its key as a number, for queues."""
    return _kept_key(url) if len(url) <= _LONG else hash_of(url_key(url))


@lru_cache(maxsize=20_000)
def _kept_key(url: str) -> int:
    """Most links of a page stand on many pages of its site, so keys are kept for a while."""
    return hash_of(url_key(url))
