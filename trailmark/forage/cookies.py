"""Cookies for the length of one run, each returned only to the very host that set it.

Many old sites set a cookie and redirect to themselves until it comes back, so having none is no choice. `Domain` is
left out of account on purpose: a cookie is never shared, not even with a sister host.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from urllib.parse import urlsplit

from scrapy.http import Request, Response

MAX_HOSTS = 4_000
MAX_COOKIES = 30
MAX_COOKIE_BYTES = 4096
MAX_JAR_BYTES = 8192
"""Of all cookies of a host: more than most servers take in a header."""

_NAME = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
_GONE = re.compile(rb";\s*max-age\s*=\s*(0|-\d+)\s*(;|\Z)", re.IGNORECASE)
_SECURE = re.compile(rb";\s*secure\s*(;|\Z)", re.IGNORECASE)


class HostCookies:
    """Downloader middleware with one small jar a host."""

    def __init__(self) -> None:
        self._jars: OrderedDict[tuple[str, str], dict[bytes, bytes]] = OrderedDict()

    def process_request(self, request: Request) -> None:
        # A redirect copies headers, so what the last host got must go first.
        request.headers.pop(b"Cookie", None)
        cookies: dict[bytes, bytes] = {}
        for scheme in ("http", "https") if request.url.startswith("https:") else ("http",):
            cookies |= self._jars.get((scheme, _host(request)), {})
        if cookies:
            request.headers[b"Cookie"] = b"; ".join(b"=".join(pair) for pair in cookies.items())

    def process_response(self, request: Request, response: Response) -> Response:
        for line in response.headers.getlist(b"Set-Cookie"):
            self._keep(_host(request), line)
        return response

    def _keep(self, host: str, line: bytes) -> None:
        name, _, value = line.partition(b";")[0].partition(b"=")
        name, value = name.strip(), value.strip()
        if not _NAME.match(name) or len(name) + len(value) > MAX_COOKIE_BYTES or not _is_sendable(value):
            return
        jar = self._jar("https" if _SECURE.search(line) else "http", host)
        jar.pop(name, None)
        held = sum(len(known) + len(jar[known]) for known in jar)
        if not _GONE.search(line) and len(jar) < MAX_COOKIES and held + len(name) + len(value) <= MAX_JAR_BYTES:
            jar[name] = value

    def _jar(self, scheme: str, host: str) -> dict[bytes, bytes]:
        if (scheme, host) not in self._jars and len(self._jars) >= MAX_HOSTS:
            self._jars.popitem(last=False)
        return self._jars.setdefault((scheme, host), {})


def _is_sendable(value: bytes) -> bool:
    return all(32 < byte < 127 and byte not in b";," for byte in value)


def _host(request: Request) -> str:
    return urlsplit(request.url).hostname or ""
