"""Hosts and addresses as people enter them: whether a line can name a host at all, and whether a notice could ever be sent to an address."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

LONGEST = 253
_NAME = re.compile(r"(?:\*\.)?[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\.[A-Za-z0-9_-]{1,63})*\.?")


def host_problem(line: str) -> str:
    """A line that should name a host -> what is wrong with it, in a sentence; empty where it can be one.

    A line that can be no host would be kept and never match, and nobody would learn why their host is still refused.
    """
    if len(line) <= LONGEST and (_NAME.fullmatch(line) or _is_literal(line)):
        return ""
    return f"{line[:60]!r} is not the name of a host: write for example test.example.org, *.example.org or 192.168.0.7, without scheme, port and path."


def webhook_problem(url: str, allow_hosts: Iterable[str]) -> str:
    """An address that should be told of things -> why it never could be, in a phrase; empty where it may be. Nothing is looked up."""
    from trailmark.forage.addresses import is_allowed, is_localhost, is_public
    from trailmark.forage.gate import refusal
    from trailmark.settings import Settings

    if wrong := refusal(url, max_length=Settings().forage.max_url_length):
        return wrong
    if re.search(r"[\s\x00-\x1f\x7f]", url):
        return "it holds a blank or a sign that can't be shown"
    host = urlsplit(url).hostname or ""
    private = is_localhost(host) or (_is_literal(host) and not is_public(host))
    if private and not is_allowed(host, allow_hosts):
        return "it has no public address; if it is yours, keep it first among the hosts that may be fetched though their addresses are private"
    return ""


def _is_literal(text: str) -> bool:
    try:
        ipaddress.ip_address(text.strip("[]"))
    except ValueError:
        return False
    return True
