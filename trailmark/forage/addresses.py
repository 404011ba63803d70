"""The address rule: a connection is made to a public address, or to a host that the person allowed by name.

The rule sits where names become addresses, so it holds for every way a host can be written (`localhost`, `2130706433`,
`0x7f.1`, `[::1]`), for redirects, and for a name whose answer changes between two look-ups: the address that was checked
is the address that is connected to. Addresses that carry another address inside (mapped, translated, tunnelled) are
refused whatever they carry: no web site needs them, and each is a way around the rule.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

from twisted.internet.address import IPv4Address, IPv6Address
from twisted.internet.interfaces import IHostnameResolver, IHostResolution
from zope.interface import implementer  # type: ignore[import-untyped]

Lookup = Callable[[str], Awaitable[Iterable[str]]]

REMEMBERED_SECONDS = 300.0
REMEMBERED_NAMES = 10_000
LOOKUP_SECONDS = 10.0

_LOOPBACK: tuple[str, ...] = ("127.0.0.1",)

# Special-purpose blocks of the IANA registries, written out because Python's own table differs between its releases.
_SPECIAL_4 = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24",
        "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    )
)  # fmt: skip
# Only 2000::/3 is given out to hosts on the public net. Within it: protocol assignments with Teredo, ORCHID and the
# like, examples, and 6to4, which carries an IPv4 address.
_UNICAST_6 = ipaddress.IPv6Network("2000::/3")
_SPECIAL_6 = tuple(
    ipaddress.IPv6Network(block)
    for block in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)


def is_public(address: str | ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is one of a host on the public net; what can't be read as an address is not."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(known, ipaddress.IPv4Address):
        return known.is_global and not any(known in block for block in _SPECIAL_4)
    if known.scope_id is not None or known not in _UNICAST_6:
        return False
    return known.is_global and not any(known in block for block in _SPECIAL_6)


def host_key(host: str) -> str:
    """One spelling of a host name: lower case, without the root's dot and the brackets of a literal."""
    return host.strip("[]").rstrip(".").lower()


def is_allowed(host: str, allow_hosts: Iterable[str]) -> bool:
    """Whether a host is allowed by name: as written, or below the name after a leading `*.`."""
    name = host_key(host)
    for allowed in map(host_key, allow_hosts):
        if name == allowed or (allowed.startswith("*.") and len(allowed) > 2 and name.endswith(allowed[1:])):
            return True
    return False


def is_localhost(host: str) -> bool:
    """Whether a name belongs to the machine itself and is never asked of DNS (RFC 6761, section 6.3)."""
    name = host_key(host)
    return name == "localhost" or name.endswith(".localhost")


async def system_lookup(host: str) -> list[str]:
    """Addresses of a host as the system knows them; literals in any spelling come back as plain addresses."""
    answers = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return [str(answer[4][0]) for answer in answers]


@implementer(IHostResolution)
class _Resolution:
    def __init__(self, name: str) -> None:
        self.name = name

    def cancel(self) -> None:
        """A look-up has its own time limit and can't be hurried."""


@implementer(IHostnameResolver)
class PublicResolver:
    """Turns names into addresses for Twisted, and keeps back those that the address rule forbids."""

    def __init__(self, allow_hosts: Iterable[str] = (), *, lookup: Lookup = system_lookup) -> None:
        self.allow_hosts = tuple(allow_hosts)
        self.refused: dict[str, str] = {}
        """Hosts that were refused, with the addresses that were the reason."""
        self._lookup = lookup
        self._reactor: Any = None
        self._remembered: dict[str, tuple[float, tuple[str, ...]]] = {}
        self._pending: set[asyncio.Task[None]] = set()

    @classmethod
    def from_crawler(cls, crawler: Any, reactor: Any) -> PublicResolver:
        """As Scrapy's process classes make it from `TWISTED_DNS_RESOLVER`, so that none of them runs without the rule."""
        resolver = cls(crawler.settings.getlist("TRAILMARK_ALLOW_HOSTS"))
        resolver._reactor = reactor
        return resolver

    def install_on_reactor(self) -> None:
        self._reactor.installNameResolver(self)

    def why_refused(self, host: str) -> str | None:
        """The addresses for which a host was refused, or None where it was not."""
        return self.refused.get(host_key(host))

    def resolveHostName(  # noqa: N802 - Twisted's names here and below
        self,
        resolutionReceiver: Any,
        hostName: str,
        portNumber: int = 0,
        addressTypes: Sequence[type[Any]] | None = None,  # noqa: ARG002
        transportSemantics: str = "TCP",  # noqa: ARG002
    ) -> Any:
        resolution = _Resolution(hostName)
        resolutionReceiver.resolutionBegan(resolution)
        task = asyncio.ensure_future(self._deliver(resolutionReceiver, hostName, portNumber))
        self._pending.add(task)
        task.add_done_callback(self._pending.discard)
        return resolution

    async def _deliver(self, receiver: Any, host: str, port: int) -> None:
        try:
            addresses = await self.addresses(host)
        except (OSError, UnicodeError, ValueError):  # running out of time is an OSError too
            addresses = ()
        for address in addresses:
            kind = IPv6Address if ":" in address else IPv4Address
            receiver.addressResolved(kind("TCP", address, port))
        receiver.resolutionComplete()

    async def addresses(self, host: str) -> tuple[str, ...]:
        """Addresses of a host that may be connected to; none where all are refused."""
        name = host_key(host)
        now = asyncio.get_running_loop().time()
        expires, known = self._remembered.get(name, (0.0, ()))
        if known and now < expires:
            return known
        allowed = is_allowed(name, self.allow_hosts)
        answers = _LOOPBACK if is_localhost(name) else await self._ask(name)
        usable = answers if allowed else tuple(address for address in answers if is_public(address))
        _remember(self._remembered, name, (now + REMEMBERED_SECONDS, usable))
        if usable:
            self.refused.pop(name, None)
        elif answers:
            _remember(self.refused, name, ", ".join(answers))
        return usable

    async def _ask(self, name: str) -> tuple[str, ...]:
        answer = await asyncio.wait_for(self._lookup(name), LOOKUP_SECONDS)
        return tuple(dict.fromkeys(answer))


def _remember(memory: dict[str, Any], name: str, value: Any) -> None:
    """Keep a value, forgetting the oldest where there are too many: a crawl meets names without end."""
    memory.pop(name, None)
    if len(memory) >= REMEMBERED_NAMES:
        memory.pop(next(iter(memory)))
    memory[name] = value
