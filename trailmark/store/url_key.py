"""A key under which different spellings of one URL meet: archives and links do not always write it the same way."""

from __future__ import annotations

import re
from posixpath import normpath
from urllib.parse import quote, urlsplit

_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_SAFE = "!#$%&'()*+,/:;=?@[]~"
_BARE_PERCENT = re.compile(r"%(?![0-9a-fA-F]{2})")
_DEFAULT_PORT = {"http": ":80", "https": ":443"}


def url_key(url: str) -> str:
    """Fragment and default port dropped, scheme and host in lower case, no dot segments, escapes written one way.

    What is no http or https URL is its own key.
    """
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


def _escape(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else found[0].upper()
