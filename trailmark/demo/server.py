"""A real server for the generated web, on this machine alone.

    with serve(DemoWeb()) as server:
        print(server.root(0))        # http://cs-alderbridge.localhost:PORT/

Names under `.localhost` lead back to this machine by definition, so browsers and curl reach every site by its own host
name; the server tells sites apart by the Host header. Where a program's resolver does not know `.localhost`, the server
can be its HTTP proxy instead: `serve(web, address="http://{host}.test/")` and `http_proxy=http://127.0.0.1:PORT`.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import urlsplit

from trailmark.datatypes import Response
from trailmark.demo.web import DemoSite, DemoWeb

ADDRESS = "http://{host}.localhost:{port}/"
KEPT_SITES = 64


class DemoServer:
    """A running server; leave its `with` block, or call `close`, to end it."""

    def __init__(self, web: DemoWeb, port: int, address: str) -> None:
        # The socket listens from here on, so the port is known before the first page is asked for.
        self._http = _Listener(("127.0.0.1", port), _Handler)
        self.port = int(self._http.server_address[1])
        self.web = web.at(address.replace("{port}", str(self.port)))
        self._sites: OrderedDict[str, DemoSite] = OrderedDict()
        self._lock = threading.Lock()
        self.requests: Counter[str] = Counter()
        """Requests per host, robots.txt included."""
        self.asked: list[tuple[str, str]] = []
        """(host, path) of every request in order, while `keep_log` is set."""
        self.keep_log = False
        self._http.demo = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True, name="demo-server")
        self._thread.start()

    def root(self, number: int) -> str:
        """The root URL of a site as served."""
        return self.web.root(number)

    def answer(self, host: str, path: str) -> Response:
        """What the web says to a request; 404 for a host that is not in it."""
        name = host.lower().split(":")[0].split(".")[0]
        with self._lock:
            self.requests[name] += 1
            if self.keep_log:
                self.asked.append((name, path))
            site = self._site(name)
        if site is None:
            return Response(path, 404, (("Content-Type", "text/plain"),), b"No such host in this web.\n")
        return site.respond(path)

    def _site(self, name: str) -> DemoSite | None:
        """The site of that name, its plan made; the most recent ones are kept."""
        if name not in self._sites:
            site = self.web.find(name)
            if site is None:
                return None
            _ = site.plan
            self._sites[name] = site
            if len(self._sites) > KEPT_SITES:
                self._sites.popitem(last=False)
        self._sites.move_to_end(name)
        return self._sites[name]

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> DemoServer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def serve(web: DemoWeb, port: int = 0, *, address: str = ADDRESS) -> DemoServer:
    """Starts a server in a thread; port 0 takes a free one. Links in the pages follow `address`."""
    return DemoServer(web, port, address)


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    demo: DemoServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "TrailmarkDemo", ""
    server: _Listener
    # Head and body leave in one packet; otherwise Nagle's algorithm waits 40 ms for the other side's acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._answer(body=True)

    def do_HEAD(self) -> None:
        self._answer(body=False)

    def _answer(self, *, body: bool) -> None:
        parts = urlsplit(self.path)
        # A proxy's request line holds the whole URL; the host in it counts then.
        host = parts.netloc or self.headers.get("Host", "")
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        response = self.server.demo.answer(host, path)
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(response.body)))
        self.end_headers()
        if body:
            self.wfile.write(response.body)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in http.server
        """Says nothing: what was asked is in `DemoServer.requests`."""
