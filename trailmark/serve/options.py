"""How the app was started: where it listens, who may come in, and by which names it may be called."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from trailmark.errors import InputError

TOKEN_VARIABLE = "TRAILMARK_TOKEN"  # noqa: S105 - its name, not its value
SHORTEST_TOKEN = 16
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Options:
    """What `trailmark serve` was told."""

    host: str = "127.0.0.1"
    port: int = 8765
    token: str = ""
    """Opens the app any number of times, where it is not empty; links that open it once do so always."""
    archives: tuple[Path, ...] = ()
    """Pages are taken from these; without any, from the workspace and the network."""
    names: tuple[str, ...] = ()
    public_address: str = ""
    """Where a server in front of the app, which has encryption, is called: https://name/."""
    key_days: float = 30.0
    """Days that a key holds that is handed to a browser or a program."""

    def __post_init__(self) -> None:
        if self.token and (
            len(self.token) < SHORTEST_TOKEN or not self.token.isascii() or not self.token.isprintable()
        ):
            raise InputError(
                f"The token is too easy to guess: take at least {SHORTEST_TOKEN} plain letters and digits."
            )
        if self.public_address and not _is_origin(self.public_address):
            raise InputError(
                f"serve.public_address is to be https:// with a host's name and no path, such as https://trails.example.org/, not {self.public_address[:100]!r}."
            )

    @property
    def cookie(self) -> str:
        """Cookies don't know ports; two apps on one machine must not share one."""
        return f"trailmark_{self.port}"

    @property
    def project_cookie(self) -> str:
        """Which of several workspaces a browser looks at."""
        return f"{self.cookie}_project"

    @property
    def address(self) -> str:
        """Where a person opens it."""
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::") else self.host  # noqa: S104 - compared, not bound
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/"

    @property
    def people_address(self) -> str:
        """Where people open it: the server in front, where there is one."""
        return f"{self.public_origin}/" if self.public_origin else self.address

    @property
    def public_origin(self) -> str:
        """The public address as browsers name it in `Origin`; empty where there is none."""
        return self.public_address.lower().rstrip("/")

    @property
    def secure(self) -> bool:
        """Whether people reach the app over an encrypted connection only."""
        return self.public_origin.startswith("https:")

    def is_public(self, host_header: str) -> bool:
        """Whether a Host header names the public address."""
        scheme, _, host = self.public_origin.partition("://")
        asked, usual = host_header.lower(), {"https": ":443", "http": ":80"}.get(scheme, "")
        return bool(host) and asked.removesuffix(usual) == host.removesuffix(usual)

    def is_own_origin(self, origin: str, host_header: str) -> bool:
        """Whether a page of the app sends this Origin: asked directly, or through the server in front."""
        if self.public_origin and origin.lower() == self.public_origin:
            return True
        return origin == f"http://{host_header}" and not self.is_public(host_header)

    def knows(self, host_header: str) -> bool:
        """Whether a Host header names this app: else a foreign name was pointed at this machine (DNS rebinding)."""
        if self.is_public(host_header):
            return True
        name, _, port = host_header.lower().rpartition(":") if _has_port(host_header) else (host_header.lower(), "", "")
        if port and port != str(self.port):
            return False
        if name in LOOPBACK_NAMES or name == _bracketed(self.host).lower() or name in {n.lower() for n in self.names}:
            return True
        # Bound to every address, the machine is called by any of its own; a rebound name is still a name.
        return not is_loopback(self.host) and (_is_address(name) or name == socket.gethostname().lower())


def _is_origin(address: str) -> bool:
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return False
    plain = parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username or parts.password)
    return plain and parts.scheme in ("http", "https") and bool(parts.hostname)


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
