"""URLs: made absolute and normalised, and split into the words that PathLearner section 4.2 takes from them.

What is normalised is what can't change the page: fragment, case of scheme and host, default port, dot segments, tabs and
line ends. Percent-escapes, `index.html`, the order of a query and a closing slash are left as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import unquote

# RFC 3986, appendix B, without the fragment: it is cut off before.
_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?]*))?([^?]*)(\?.*)?", re.DOTALL)
_HOST = re.compile(r"[a-z0-9_](?:[a-z0-9_.\-]*[a-z0-9_.])?|\[[0-9a-f:.]+\]")
_UNPRINTABLE = re.compile(r"[^\x21-\x7e]")
_DOTS = re.compile(r"/\.{1,2}(?:/|$)")
# Three shapes that are normal already, and by far the most frequent: absolute, from the root, and relative (told from the
# others by what stands first, and free of colons). Behind that, printable ASCII without fragment and backslash.
_NORMAL = re.compile(
    r"(?:https?://[a-z0-9][a-z0-9\-]*(?:\.[a-z0-9\-]*[a-z0-9])*(/)|(/)(?!/)|([\w~%\-])(?=[^:]*\Z))[!-\"$-\[\]-~]*",
    re.ASCII,
)
_TRIMMED = "".join(map(chr, range(0x21)))
_DROPPED = str.maketrans("", "", "\t\n\r")
_PORTS = {"http": "80", "https": "443"}
_LONGEST_NAME = 255  # of a host in DNS; a longer one is not worth the work of spelling it out
_WORD = re.compile(r"~?[^\W_]{1,40}|~")

Parts = tuple[str, str, str, str]
"""Scheme, authority, path, and the query with its question mark."""


def normalise_url(url: str, base: str | None = None) -> str | None:
    """The absolute, normalised URL; None for what can't be fetched over HTTP: mailto, javascript, broken URLs."""
    return resolve(url, split(base) if base is not None else None)


def split(url: str) -> Parts | None:
    """The parts of an absolute URL, normalised, to resolve others against; None where it is not one."""
    return _absolute(_cleaned(url), None)


def resolve(url: str, base: Parts | None) -> str | None:
    """As `normalise_url`, for many links of one page: the base is split once."""
    match = _NORMAL.fullmatch(url)
    if match and "/." not in url:
        shape = match.lastindex
        if shape == 1:
            return url
        if base is not None:
            return f"{base[0]}://{base[1]}{url}" if shape == 2 else f"{base[0]}://{base[1]}{_directory(base[2])}{url}"
    parts = _absolute(_cleaned(url), base)
    return None if parts is None else f"{parts[0]}://{parts[1]}{parts[2]}{parts[3]}"


@lru_cache(maxsize=64)
def _directory(path: str) -> str:
    return path.rpartition("/")[0] + "/"


def url_words(url: str) -> tuple[str, ...]:
    """Words of the path and the query in lower case; `~` once more on its own at the end, as it marks home pages."""
    absolute = url if "://" in url else f"http://-/{url.lstrip('/')}"
    relative = absolute.split("#", 1)[0].split("://", 1)[1].partition("/")[2]
    words = _WORD.findall(unquote(relative).lower())
    if any(word[0] == "~" for word in words):
        words = [word for word in words if word != "~"] + ["~"]
    return tuple(words)


def _cleaned(url: str) -> str:
    """Blanks around it, tabs and line ends in it, and the fragment taken away."""
    return url.strip(_TRIMMED).translate(_DROPPED).partition("#")[0].rstrip(" ")


def _absolute(url: str, base: Parts | None) -> Parts | None:
    match = _PARTS.fullmatch(url)
    if match is None:
        return None
    scheme, authority, path, query = match.groups()
    scheme = scheme.lower() if scheme else ""
    if scheme and scheme not in _PORTS:
        return None
    if "\\" in path or (authority and "\\" in authority):  # browsers read a backslash before the query as a slash
        return _absolute(url[: len(url) - len(query or "")].replace("\\", "/") + (query or ""), base)
    if authority is not None:
        scheme = scheme or (base[0] if base else "")
        host = _authority(authority, scheme)
        return (scheme, host, _path(path), _escaped(query or "")) if host else None
    if base is None or (scheme and scheme != base[0]):
        return None
    return _relative(path, query, base)


def _relative(path: str, query: str | None, base: Parts) -> Parts:
    if not path:
        return base[0], base[1], base[2], base[3] if query is None else _escaped(query)
    if not path.startswith("/"):
        path = base[2].rpartition("/")[0] + "/" + path
    return base[0], base[1], _path(path), _escaped(query or "")


def _path(path: str) -> str:
    if _DOTS.search(path):
        path = _without_dots(path)
    return _escaped(path) or "/"


def _without_dots(path: str) -> str:
    """RFC 3986, section 5.2.4."""
    segments: list[str] = []
    steps = path.split("/")[1:]
    for step in steps:
        if step == "..":
            del segments[-1:]
        elif step != ".":
            segments.append(step)
    if steps[-1] in (".", ".."):
        segments.append("")
    return "/" + "/".join(segments)


def _escaped(text: str) -> str:
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    return _UNPRINTABLE.sub(_percent, text)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogatepass"))


def _authority(authority: str, scheme: str) -> str:
    """Host in lower case, with its port unless that is the default; empty where it is no authority."""
    user, at, place = authority.rpartition("@")
    host, colon, port = place.lower().rpartition(":") if not place.endswith("]") else (place.lower(), "", "")
    if not colon:
        host, port = place.lower(), ""
    if port and not (port.isascii() and port.isdigit() and int(port[:9]) < 65536 and len(port) < 10):
        return ""
    if not host.isascii():
        host = _punycode(host) if len(host) <= _LONGEST_NAME else ""
    if not scheme or not _HOST.fullmatch(host):
        return ""
    port = str(int(port)) if port else ""
    return _escaped(user) + at + host + (f":{port}" if port and port != _PORTS[scheme] else "")


def _punycode(host: str) -> str:
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""
