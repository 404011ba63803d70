"""The generated web, served by a process of its own that does little else, and notes what it was asked.

    python -m benchmarks.served_sites --sites 200 --pages 100 --latency 0.005

Prints its port. Every answer waits `latency` seconds, as a network would: so requests that overlap are seen to overlap. Under the host
`log.localhost` it tells what it was asked since the last time.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import urllib.request
from collections import Counter, OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from trailmark.datatypes import Response
from trailmark.demo import DemoWeb
from trailmark.demo.web import DemoSite

KEPT_SITES = 2_000
LOG = "log"


@dataclass(frozen=True)
class ServedSites:
    """A server that runs, as those see it who ask it."""

    web: DemoWeb
    port: int
    pid: int

    def roots(self) -> list[str]:
        return [self.web.root(number) for number in range(self.web.sites)]

    def log(self) -> tuple[Counter[tuple[str, str]], int]:
        """How often each page (host, path) was asked for since the last time, and the most requests of one host that were under way at once."""
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/", headers={"Host": f"{LOG}.localhost"})
        with urllib.request.urlopen(request) as answer:
            told = json.loads(answer.read())
        return Counter({(host, path): many for host, path, many in told["asked"]}), told["most_at_once"]


@contextmanager
def served_sites(sites: int, pages: int, latency: float) -> Iterator[ServedSites]:
    """A server in a process of its own, ended with the block."""
    words = ["--sites", str(sites), "--pages", str(pages), "--latency", str(latency)]
    process = subprocess.Popen([sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        yield ServedSites(
            DemoWeb(sites=sites, pages=pages, address=f"http://{{host}}.localhost:{port}/"), port, process.pid
        )
    finally:
        process.kill()
        process.wait()


class _Server:
    def __init__(self, web: DemoWeb, latency: float) -> None:
        self.web, self._latency = web, latency
        self._sites: OrderedDict[str, DemoSite | None] = OrderedDict()
        self._forget()

    def _forget(self) -> None:
        self._asked: Counter[tuple[str, str]] = Counter()
        self._under_way: Counter[str] = Counter()
        self._most_at_once = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        try:
            while line := await reader.readline():
                path, host = line.split()[1].decode(), ""
                while (header := await reader.readline()).strip():
                    name, _, value = header.decode("latin-1").partition(":")
                    host = value.strip() if name.lower() == "host" else host
                writer.write(_written(await self._answer(host.split(".")[0].lower(), path)))
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # whoever asked was killed: that is what is measured
        finally:
            writer.close()

    async def _answer(self, host: str, path: str) -> Response:
        if host == LOG:
            told = {"asked": [[*page, many] for page, many in self._asked.items()], "most_at_once": self._most_at_once}
            self._forget()
            return Response(path, 200, (), json.dumps(told).encode())
        self._asked[host, path] += 1
        self._under_way[host] += 1
        self._most_at_once = max(self._most_at_once, self._under_way[host])
        try:
            await asyncio.sleep(self._latency)
            site = self._site(host)
            return Response(path, 404) if site is None else site.respond(path)
        finally:
            self._under_way[host] -= 1

    def _site(self, host: str) -> DemoSite | None:
        if host not in self._sites:
            self._sites[host] = self.web.find(host)
            if len(self._sites) > KEPT_SITES:
                self._sites.popitem(last=False)
        self._sites.move_to_end(host)
        return self._sites[host]


def _written(response: Response) -> bytes:
    lines = [f"HTTP/1.1 {response.status} OK", *(f"{name}: {value}" for name, value in response.headers)]
    lines += [f"Content-Length: {len(response.body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + response.body


async def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, required=True)
    parser.add_argument("--pages", type=int, required=True)
    parser.add_argument("--latency", type=float, required=True)
    options = parser.parse_args()
    served = _Server(DemoWeb(sites=options.sites, pages=options.pages), options.latency)
    server = await asyncio.start_server(served.serve, "127.0.0.1", 0, backlog=1024)
    port = server.sockets[0].getsockname()[1]
    served.web = served.web.at(f"http://{{host}}.localhost:{port}/")
    print(port, flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main())
