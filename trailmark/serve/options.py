"""How the app was started: where it listens, who may come in, and by which names it may be called."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path

from trailmark.errors import InputError

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Options:
    """What `trailmark serve` was told."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    """Asked of everybody where it is not empty."""
    archives: tuple[Path, ...] = ()
    """Pages are taken from these; without any, from the workspace and the network."""
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not is_loopback(self.host) and not self.token:
            raise InputError(
                f"{self.host} can be reached from other machines, so the app wants a secret: add --token SECRET, or leave --host out."
            )
        if self.token and len(self.token) < 12:
            raise InputError("The token is too easy to guess: take at least 12 characters.")

    @property
    def cookie(self) -> str:
        """Cookies don't know ports; two apps on one machine must not share one."""
        return f"trailmark_{self.port}"

    @property
    def address(self) -> str:
        """Where a person opens it."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - compared, not bound
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    def knows(self, host_header: str) -> bool:
        """Whether a Host header names this app: else a foreign name was pointed at this machine (DNS rebinding)."""
        name, _, port = host_header.lower().rpartition(":") if _has_port(host_header) else (host_header.lower(), "", "")
        if port and port != str(self.port):
            return False
        if name in LOOPBACK_NAMES or name == _bracketed(self.host).lower() or name in {n.lower() for n in self.names}:
            return True
        # Bound to every address, the machine is called by any of its own; a rebound name is still a name.
        return not is_loopback(self.host) and (_is_address(name) or name == socket.gethostname().lower())


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens there."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _has_port(header: str) -> bool:
    return ":" in header.rpartition("]")[2]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
