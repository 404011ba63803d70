"""A key under which different spellings of one URL meet: archives and links do not always write it the same way."""

from __future__ import annotations

import re
from posixpath import normpath
from urllib.parse import quote, urlsplit

_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}


def url_key(url: str) -> str:
    """Fragment and default port dropped, scheme and host in lower case, no dot segments, escapes written one way.

    What can't be taken apart is its own key.
    """
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url
    scheme = parts.scheme.lower()
    host = parts.netloc.lower().removesuffix(_DEFAULT_PORTS.get(scheme, ":")).removesuffix(":")
    query = f"?{_one_spelling(parts.query)}" if parts.query else ""
    return f"{scheme}://{host}{_path_key(parts.path)}{query}"


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
    return _ESCAPE.sub(_escape, quote(text, safe=_SAFE, errors="replace"))


def _escape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else found[0].upper()
