"""How the portal was started: where it listens, below which path, and what its settings mean."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from trailmark.errors import InputError
from trailmark.settings import PortalSettings

LIGHT, DARK = "#fdfcf9", "#15191c"
"""The grounds of the two looks."""
LEAST_CONTRAST = 4.5
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
_PREFIX = re.compile(r"(?:/[A-Za-z0-9._~-]+)+")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class PortalOptions:
    """What `trailmark serve --portal` was told, checked."""

    host: str = "127.0.0.1"
    port: int = 8766
    prefix: str = ""
    public_origin: str = ""
    """`https://name` where the settings name a public address."""
    trusted: tuple[Network, ...] = ()

    @property
    def address(self) -> str:
        """Where a person on this machine opens it."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - compared, not bound
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}{self.prefix}/"


def portal_options(
    settings: PortalSettings, *, host: str = "127.0.0.1", port: int | None = None, prefix: str | None = None
) -> PortalOptions:
    """Settings and what the command line says -> options; InputError where something can't be meant."""
    for name, colour, ground in (("colour", settings.colour, LIGHT), ("colour_dark", settings.colour_dark, DARK)):
        if not _COLOUR.fullmatch(colour):
            raise InputError(f"portal.{name} is to be written as #rrggbb, such as #1f5a8a, not {colour[:40]!r}.")
        if contrast(colour, ground) < LEAST_CONTRAST:
            raise InputError(
                f"portal.{name} {colour} can't be read well on the ground {ground}: its contrast is {contrast(colour, ground):.1f}, and must be {LEAST_CONTRAST} or more."
            )
    origin, path = _public(settings.public_address)
    chosen = (prefix if prefix is not None else settings.prefix or path).rstrip("/")
    if chosen and not is_prefix(chosen):
        raise InputError(f"The prefix is to be a path such as /library, not {chosen[:60]!r}.")
    return PortalOptions(host, port or settings.port, chosen, origin, tuple(map(_network, settings.trusted_proxies)))


def is_prefix(text: str) -> bool:
    """Whether it is a plain path without a slash at its end."""
    return len(text) <= 200 and _PREFIX.fullmatch(text) is not None and "/." not in text


def contrast(one: str, other: str) -> float:
    """Two colours as #rrggbb -> their contrast by WCAG, 1 to 21."""
    first, second = sorted((_light(one), _light(other)), reverse=True)
    return (first + 0.05) / (second + 0.05)


def _light(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _public(address: str) -> tuple[str, str]:
    if not address:
        return "", ""
    wrong = f"portal.public_address is to be http:// or https:// with a host's name, such as https://example.org/library/, not {address[:100]!r}."
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise InputError(wrong) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query or parts.fragment:
        raise InputError(wrong)
    return f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")


def _network(text: str) -> Network:
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError as error:
        raise InputError(
            f"portal.trusted_proxies has {text[:60]!r}, which is no network address; write one such as 127.0.0.1 or 10.0.0.0/8."
        ) from error
