"""The gate that every request passes, redirects and robots.txt included: which URLs are asked at all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any
from urllib.parse import urlsplit

from scrapy.http import Request

from trailmark.forage.failures import Refused

NO_WEB_PORTS = frozenset((
    0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
    113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548,
    554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566,
    6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
))  # fmt: skip
"""Ports of other services, which no browser asks either (the Fetch standard, section "bad port")."""

_USUAL = {"http": 80, "https": 443}


def refusal(url: str, *, max_length: int, ports: Collection[int] | None = None) -> str | None:
    """Why a URL is not asked for, whatever its host; None where nothing speaks against it.

    `ports` are those that may be asked beside 80 and 443; without it any but those of other services.
    """
    if len(url) > max_length:
        return f"it is longer than {max_length} characters"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return "it is not a valid URL"
    scheme = parts.scheme.lower()
    if scheme not in _USUAL:
        return "only http and https are fetched"
    if not host or port == 0:
        return "it is not a valid URL"
    if "@" in parts.netloc:
        return "it carries a user name, and none is sent"
    return _port_refusal(port or _USUAL[scheme], ports)


def _port_refusal(port: int, ports: Collection[int] | None) -> str | None:
    if port in NO_WEB_PORTS:
        return "its port belongs to another service than the web"
    if ports is not None and port not in ports and port not in _USUAL.values():
        return "its port is none of 'ports' under [forage], and no seed names it"
    return None


def named_ports(urls: Iterable[str]) -> set[int]:
    """Ports that URLs name; those that can't be read name none."""
    ports = set()
    for url in urls:
        try:
            port = urlsplit(url).port
        except ValueError:
            continue
        if port:
            ports.add(port)
    return ports


class Gate:
    """Downloader middleware next to the engine."""

    def __init__(self, max_url_length: int, ports: Collection[int] | None) -> None:
        self._max_url_length, self._ports = max_url_length, ports

    @classmethod
    def from_crawler(cls, crawler: Any) -> Gate:
        ports = frozenset(map(int, crawler.settings.getlist("TRAILMARK_PORTS")))
        return cls(crawler.settings.getint("TRAILMARK_MAX_URL_LENGTH"), ports)

    def process_request(self, request: Request) -> None:
        # Scrapy copies the slot to a redirected request, which would then keep the pace of the wrong host.
        request.meta.pop("download_slot", None)
        reason = refusal(request.url, max_length=self._max_url_length, ports=self._ports)
        if reason:
            raise Refused(reason)
