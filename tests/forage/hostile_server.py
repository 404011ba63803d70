"""A server on a loopback address that does what servers should not; every way of misbehaving has its path."""

from __future__ import annotations

import gzip
import re
import socket
import socketserver
import struct
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import brotli
import zstandard

from tests.forage.hostile_sites import SITES

BOMB = bytes(20_000_000)
SECRET = b"not for the public net"


@dataclass(frozen=True)
class Asked:
    """One request as the server saw it."""

    host: str
    path: str
    target: str
    headers: dict[str, str]
    at: float


@dataclass
class HostileServer:
    port: int = 0
    asked: list[Asked] = field(default_factory=list)

    def url(self, label: str, path: str = "/") -> str:
        return f"http://{label}.localhost:{self.port}{path}"

    def visits(self, label: str) -> list[Asked]:
        """Requests to a host, robots.txt left out."""
        return [each for each in self.asked if each.host == f"{label}.localhost" and each.path != "/robots.txt"]


def answer(body: bytes = b"", *, status: str = "200 OK", **headers: str) -> bytes:
    return written(body, status, headers)


def written(body: bytes, status: str, headers: Mapping[str, str]) -> bytes:
    """An answer as it goes over the line."""
    fields = {"Content-Type": "text/html", "Content-Length": str(len(body)), "Connection": "close"}
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body


def redirect(target: str, **headers: str) -> bytes:
    return written(b"", "302 Found", {"Location": target, **headers})


OPEN_END = b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"

RAW: dict[str, bytes] = {
    "/good": answer(b"<p>good</p>"),
    "/missing": answer(b"gone", status="404 Not Found"),
    "/big": answer(bytes(300_000)),
    "/big-unsaid": OPEN_END + bytes(300_000),
    "/garbage": b"\x00\x01\x02 garbage\r\n\r\n",
    "/no-status": b"just some text\r\nwithout any head\r\n\r\n",
    "/odd-status": b"HTTP/1.1 abc What\r\n\r\n",
    "/silent": b"",
    "/half": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this",
    "/negative": b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello",
    "/worded": b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\nhello",
    "/two-lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nhello",
    "/bad-chunks": b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
    "/long-header": b"HTTP/1.1 200 OK\r\nX-Long: " + b"a" * 100_000 + b"\r\n\r\n",
    "/many-headers": b"HTTP/1.1 200 OK\r\n" + b"X-More: something\r\n" * 40_000 + b"\r\n",
    "/nameless-header": b"HTTP/1.1 200 OK\r\nno colon here\r\nContent-Length: 2\r\n\r\nok",
    "/bomb-gzip": answer(gzip.compress(BOMB), Content_Encoding="gzip"),
    "/bomb-deflate": answer(zlib.compress(BOMB), Content_Encoding="deflate"),
    "/bomb-br": answer(brotli.compress(BOMB), Content_Encoding="br"),
    "/bomb-zstd": answer(zstandard.compress(BOMB), Content_Encoding="zstd"),
    "/bomb-twice": answer(gzip.compress(gzip.compress(BOMB)), Content_Encoding="gzip, gzip"),
    "/packed": answer(gzip.compress(b"<p>packed</p>"), Content_Encoding="gzip"),
    "/unpacked-br": answer(b"not brotli at all", Content_Encoding="br"),
    "/unpacked-zstd": answer(b"not zstd at all", Content_Encoding="zstd"),
    "/unpacked-deflate": answer(b"not deflated at all", Content_Encoding="deflate"),
    "/loop": redirect("/loop"),
    "/to-file": redirect("file:///etc/hostname"),
    "/to-data": redirect("data:text/html,hello"),
    "/to-ftp": redirect("ftp://127.0.0.1/"),
    "/to-broken": redirect("http://["),
    "/to-nothing": redirect(""),
    "/odd-cookies": answer(b"ok", Set_Cookie="=\x01\xff; ;;; Domain=\x00"),
}


DENY = b"User-agent: *\nDisallow: /\n"
_PADDED = DENY + b"# and so on\n" * 200_000
_HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"

ROBOTS: dict[str, bytes] = {
    "robots-broken-gzip": answer(gzip.compress(DENY)[:-6] + b"wrong!", Content_Encoding="gzip"),
    "robots-cut-gzip": answer(gzip.compress(b"# none yet\n" * 9000 + DENY)[:-30], Content_Encoding="gzip"),
    "robots-no-gzip": answer(DENY, Content_Encoding="gzip"),
    "robots-bomb": answer(gzip.compress(_PADDED), Content_Encoding="gzip"),
    "robots-bomb-twice": answer(gzip.compress(gzip.compress(BOMB)), Content_Encoding="gzip, gzip"),
    "robots-deflate": answer(zlib.compress(DENY)[:-8], Content_Encoding="deflate"),
    "robots-br": answer(brotli.compress(DENY), Content_Encoding="br"),
    "robots-zstd": answer(b"not zstd at all", Content_Encoding="zstd"),
    "robots-unsaid": answer(gzip.compress(DENY)),
    "robots-bytes": answer(b"\xff\xfe\x00" + DENY),
    "robots-nul": answer(b"\x00\x01\x02" + DENY),
    "robots-half": b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nUser-agent: other\n",
    "robots-chunks": _HEAD + b"Transfer-Encoding: chunked\r\n\r\n12\r\nUser-agent: other\n\r\n",
    "robots-large": answer(_PADDED),
    "robots-endless": _HEAD + b"\r\n" + _PADDED,
    "robots-loop": redirect("/robots.txt"),
    "robots-to-file": redirect("file:///etc/hostname"),
    "robots-300": answer(status="300 Multiple Choices"),
    "robots-304": answer(status="304 Not Modified"),
    "robots-206": answer(b"User-agent: other\n", status="206 Partial Content"),
    "robots-429": answer(status="429 Too Many Requests"),
    "robots-503": answer(b"", status="503 Oops"),
    "robots-599": answer(b"", status="599 Oops"),
    "robots-packed": answer(gzip.compress(b"User-agent: *\nDisallow: /hop\n"), Content_Encoding="gzip"),
    "robots-deflated": answer(zlib.compress(b"User-agent: *\nDisallow: /hop\n")[2:-4], Content_Encoding="deflate"),
    "robots-wide": answer("User-agent: *\nDisallow: /hop\n".encode("utf-16")),
    "robots-tail": answer(b"User-agent: other\nDisallow: /\n" * 20_000 + b"User-agent: *\nDisallow: /hop\n"),
    "robots-401": answer(DENY, status="401 Unauthorized"),
    "robots-403": answer(DENY, status="403 Forbidden"),
    "robots-410": answer(DENY, status="410 Gone"),
    "robots-204": answer(status="204 No Content"),
    "robots-html": answer(b"<!doctype html><title>Welcome</title><p>to: all"),
    "robots-gone-gzip": answer(b"no gzip", status="404 Not Found", Content_Encoding="gzip"),
}
"""Answers for robots.txt, by host."""


WALKED = [
    *RAW, "/reset", "/maze/0", "/to-loopback", "/to-number", "/to-mapped", "/to-userinfo", "/hop", "/wants-cookie", "/endless",
    "/endless-head", "/endless-100", "http://127.0.0.1/secret", "file:///etc/hostname", "//[", "/after",
]  # fmt: skip
"""Where the page `/all` leads: what can be tried on one host without waiting for it."""


class Handler(socketserver.BaseRequestHandler):
    server: _Server

    def handle(self) -> None:
        request = self._read_head()
        if request is None:
            return
        with self.server.lock:
            self.server.hostile.asked.append(request)
        try:
            for piece in self._pieces(request):
                self.request.sendall(piece)
        except OSError:
            pass  # the other side had enough

    def _read_head(self) -> Asked | None:
        data = b""
        while b"\r\n\r\n" not in data:
            more = self.request.recv(65536)
            if not more:
                return None
            data += more
        first, *lines = data.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        target = first.split(" ")[1]
        path = re.sub(r"^https?://[^/]*", "", target).partition("?")[0]
        return Asked(headers.get("host", "").partition(":")[0], path, target, headers, time.monotonic())

    def _pieces(self, request: Asked) -> Iterator[bytes]:
        label = request.host.removesuffix(".localhost")
        if request.path == "/robots.txt":
            yield self._robots(label)
        elif label in SITES:
            root = f"http://{request.host}:{self.server.hostile.port}/"
            body, headers = SITES[label](request.target, root)
            yield answer(body, **headers)
        elif request.path in RAW:
            yield RAW[request.path]
        else:
            port = self.server.hostile.port
            yield from _moving(request, label, port, self.server, self.request)

    def _robots(self, label: str) -> bytes:
        if label.startswith("denied"):
            return answer(b"User-agent: *\nDisallow: /private\n\nUser-agent: trailmark\nDisallow: /\n")
        if label == "robots-404":
            return answer(b"User-agent: *\nDisallow: /\n", status="404 Not Found")
        if label == "robots-500":
            return answer(b"", status="500 Oops")
        if label == "robots-away":
            return redirect("http://127.0.0.9/robots.txt")
        if label == "robots-mute":
            return b""
        if label == "robots-odd":
            return answer(b"\xff\xfdCrawl-delay: nan\nUser-agent: *\nCrawl-delay: nan\nDisallow: /" + b"a*" * 5000)
        if label in ROBOTS:
            return ROBOTS[label]
        if label.startswith("slow"):
            return answer(b"User-agent: *\nCrawl-delay: 1\n")
        return answer(status="404 Not Found")


def _moving(request: Asked, label: str, port: int, server: _Server, connection: socket.socket) -> Iterator[bytes]:
    """Answers that depend on the request, or never end."""
    path = request.path
    if path == "/endless":
        yield OPEN_END
        while server.running:
            yield bytes(8192)
    elif path == "/endless-head":
        yield b"HTTP/1.1 200 OK\r\n"
        while server.running:
            yield b"X-More: and more\r\n" * 400
    elif path == "/endless-100":
        while server.running:
            yield b"HTTP/1.1 100 Continue\r\n\r\n" * 400
    elif path == "/drip":
        yield OPEN_END
        while server.running:
            time.sleep(0.05)
            yield b"."
    elif path == "/drip-head":
        while server.running:
            time.sleep(0.05)
            yield b"H"
    elif path == "/reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif path.startswith("/maze/"):
        yield redirect(f"/maze/{int(path.rpartition('/')[2]) + 1}")
    elif path == "/to-loopback":
        yield redirect(f"http://127.0.0.1:{port}/secret")
    elif path == "/to-number":
        yield redirect(f"http://2130706433:{port}/secret")
    elif path == "/to-mapped":
        yield redirect(f"http://[::ffff:127.0.0.1]:{port}/secret")
    elif path == "/to-userinfo":
        yield redirect(f"http://user:pass@good.localhost:{port}/good")
    elif path == "/to-port":
        yield redirect(f"http://{request.host}:9201/")
    elif path == "/to-sister":
        cookie = "tasty=1; Domain=localhost; Path=/"
        yield redirect(f"http://sister.localhost:{port}/mirror", Set_Cookie=cookie)
    elif path == "/to-healthy":
        yield redirect(f"http://healthy-1.localhost:{port}/")
    elif path == "/hop":
        yield redirect("/good")
    elif path == "/all":
        yield answer("".join(f'<a href="{each}">x</a>' for each in WALKED).encode())
    elif path == "/wants-cookie":
        fed = "tasty=1" in request.headers.get("cookie", "")
        yield answer(b"fed") if fed else redirect("/wants-cookie", Set_Cookie="tasty=1; Path=/; HttpOnly")
    elif path == "/mirror":
        yield answer(request.headers.get("cookie", "no cookie").encode())
    elif path in ("/busy", "/failing"):
        yield _recovering(request, label, server)
    elif path == "/counted":
        with server.lock:
            server.under_way[label] += 1
            most = server.under_way[label]
        time.sleep(0.03)
        with server.lock:
            server.under_way[label] -= 1
        yield answer(str(most).encode())
    elif path == "/busy-for-long":
        yield answer(b"later", status="429 Too Many Requests", Retry_After="100000")
    else:
        yield answer(SECRET)


def _recovering(request: Asked, label: str, server: _Server) -> bytes:
    """Overloaded at the first visit, well at the second."""
    with server.lock:
        server.visits[label, request.path] += 1
        first = server.visits[label, request.path] == 1
    if not first:
        return answer(b"well again")
    if request.path == "/busy":
        return answer(status="429 Too Many Requests", Retry_After="1")
    return answer(status="503 Service Unavailable")


class _Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.hostile = HostileServer(port=self.server_address[1])
        self.lock = threading.Lock()
        self.visits: Counter[tuple[str, str]] = Counter()
        self.under_way: Counter[str] = Counter()
        self.running = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that leaves in the middle is what the tests are about."""


def serve() -> Iterator[HostileServer]:
    """The running server, for a fixture."""
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server.hostile
    finally:
        server.running = False
        server.shutdown()
        server.server_close()
