"""A notice to an address that a person named, under the address rule of everything that is fetched (see addresses.py).

The host is looked up once, and the connection is made to the address that was checked. Redirects are not followed, certificates are checked,
proxies are not used: what is sent goes where it was meant to, or nowhere.
"""

from __future__ import annotations

import http.client
import socket
import ssl
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from trailmark.errors import FetchError
from trailmark.forage.addresses import is_allowed, is_localhost, is_public
from trailmark.forage.gate import refusal
from trailmark.settings import ForageSettings

PATIENCE = 10.0
"""Seconds for the whole exchange of one step: connecting, sending, the answer."""
Lookup = Callable[[str], Sequence[str]]


def system_addresses(host: str) -> list[str]:
    """Addresses of a host as the system knows them."""
    answers = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


def send_json(url: str, body: bytes, settings: ForageSettings, *, lookup: Lookup = system_addresses) -> int:
    """An address and JSON -> the status of the answer to a POST; FetchError where it is refused, or was not taken."""
    wrong = refusal(url, max_length=settings.max_url_length)
    if wrong is not None:
        raise FetchError(f"{url[:100]} was not told: {wrong}.")
    parts = urlsplit(url)
    host = parts.hostname or ""
    address = _address(host, settings, lookup)
    connection = _connection(parts.scheme, host, address, parts.port)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        headers = {"Content-Type": "application/json", "User-Agent": "Trailmark", "Host": parts.netloc}
        connection.request("POST", path, body, headers)
        status = connection.getresponse().status
    except (OSError, http.client.HTTPException) as error:
        raise FetchError(f"{host} was not told: {str(error) or type(error).__name__}.") from error
    finally:
        connection.close()
    if not 200 <= status < 300:
        raise FetchError(f"{host} did not take the notice: it answered with status {status}.")
    return status


def _address(host: str, settings: ForageSettings, lookup: Lookup) -> str:
    """The address to connect to, by the rule: a public one, or any where the host was allowed by name."""
    try:
        known = ["127.0.0.1"] if is_localhost(host) else list(lookup(host))
    except (OSError, UnicodeError) as error:
        raise FetchError(f"{host} was not told: no address is known for it.") from error
    usable = known if is_allowed(host, settings.allow_hosts) else [each for each in known if is_public(each)]
    if not usable:
        raise FetchError(
            f"{host} was not told: it has no public address; if it is yours, name it in 'allow_hosts' under [forage] in trailmark.toml."
        )
    return usable[0]


def _connection(scheme: str, host: str, address: str, port: int | None) -> http.client.HTTPConnection:
    if scheme == "https":
        return _Secured(host, address, port or 443)
    return http.client.HTTPConnection(address, port or 80, timeout=PATIENCE)


class _Secured(http.client.HTTPSConnection):
    """Connects to an address, and wants the certificate of the host."""

    def __init__(self, host: str, address: str, port: int) -> None:
        super().__init__(host, port, timeout=PATIENCE, context=ssl.create_default_context())
        self._address, self._named = address, host

    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), PATIENCE)
        self.sock = self._context.wrap_socket(plain, server_hostname=self._named)  # type: ignore[attr-defined]
