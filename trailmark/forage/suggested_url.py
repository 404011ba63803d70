"""What the public may suggest as a site or a document: the address rules of the forager, before anything is asked of anybody."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from trailmark.errors import InputError
from trailmark.forage.addresses import is_allowed, is_localhost, is_public
from trailmark.forage.gate import refusal
from trailmark.read import normalise_url
from trailmark.settings import ForageSettings

_NUMBERS = frozenset("0123456789abcdefx.")


def suggested_url(text: str, settings: ForageSettings) -> str:
    """What somebody typed -> the address, in its one spelling; InputError with the reason where the forager would never ask for it.

    Names are not looked up here: a name that leads to a private address is refused when it is fetched.
    """
    typed = text.strip()
    url = normalise_url(typed if "://" in typed else f"http://{typed}") if typed and len(typed) < 10_000 else None
    if url is None:
        raise InputError("That is no address of a web page; one begins with http:// or https://")
    # Visitors do not know the settings: of ports no sentence about these is said.
    reason = refusal(url, max_length=settings.max_url_length, ports=None)
    if reason is None and refusal(url, max_length=settings.max_url_length, ports=settings.ports) is not None:
        reason = "its port is none that is asked here"
    if reason is not None:
        raise InputError(f"That address can't be taken: {reason}.")
    host = urlsplit(url).hostname or ""
    if not is_allowed(host, settings.allow_hosts) and _is_private(host):
        raise InputError("That address can't be taken: it does not lead to a host on the public net.")
    return url


def _is_private(host: str) -> bool:
    """Whether a host is the machine itself, a name without a dot, or a number that is no public address."""
    if is_localhost(host):
        return True
    try:
        return not is_public(str(ipaddress.ip_address(host.strip("[]"))))
    except ValueError:
        pass
    # `127.1`, `0x7f.1` and `2130706433` are read as addresses by resolvers: no public site is written like that.
    return "." not in host or (host[0].isdigit() and set(host.rpartition(".")[2]) <= _NUMBERS)
