"""The server over real sockets: hosts, HEAD, keep-alive, redirects, counts."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest

from trailmark.demo import DemoServer, DemoWeb, serve
from trailmark.read import read_page


@pytest.fixture
def server() -> Iterator[DemoServer]:
    with serve(DemoWeb(sites=50)) as running:
        yield running


def ask(server: DemoServer, url: str, method: str = "GET") -> tuple[http.client.HTTPResponse, bytes]:
    """One request on a connection of its own; the address is the loopback's, the name goes into the Host header."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    connection.request(method, path, headers={"Host": parts.netloc})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


@pytest.mark.slow
def test_every_site_answers_on_its_own_host(server: DemoServer) -> None:
    for number in (0, 7, 49):
        site = server.web.site(number)
        assert server.root(number) == site.root == f"http://{site.host}.localhost:{server.port}/"
        response, body = ask(server, site.root)
        expected = site.respond("/")
        assert response.status == 200
        assert body == expected.body
        assert response.headers["Content-Type"] == expected.header("Content-Type")


@pytest.mark.slow
def test_links_lead_back_to_the_server(server: DemoServer) -> None:
    site = server.web.site(1)
    page = read_page(site.respond("/"))
    inside = [link.url for link in page.links if link.url.startswith(site.root)]
    assert len(inside) > 10
    assert {ask(server, url)[0].status for url in inside} == {200}


@pytest.mark.slow
def test_head_has_the_length_and_no_body(server: DemoServer) -> None:
    url = server.root(2)
    got, body = ask(server, url)
    head, nothing = ask(server, url, "HEAD")
    assert nothing == b""
    assert head.headers["Content-Length"] == str(len(body)) == got.headers["Content-Length"]


@pytest.mark.slow
def test_one_connection_serves_many_requests(server: DemoServer) -> None:
    host = urlsplit(server.root(3)).netloc
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    sockets = set()
    for path in ("/", "/robots.txt", "/nothing", "/"):
        connection.request("GET", path, headers={"Host": host})
        response = connection.getresponse()
        response.read()
        sockets.add(id(connection.sock))
    connection.close()
    assert len(sockets) == 1
    assert server.requests == {host.split(".")[0]: 4}


@pytest.mark.slow
def test_redirects_missing_pages_and_robots(server: DemoServer) -> None:
    root = server.root(0)
    moved, _ = ask(server, root + "welcome")
    assert (moved.status, moved.headers["Location"]) == (301, root)
    loop, _ = ask(server, root + "old-news/")
    assert loop.status == 302
    assert loop.headers["Location"].endswith("/older-news/")
    assert ask(server, root + "lost/page.html")[0].status == 404
    assert b"Disallow: /private/" in ask(server, root + "robots.txt")[1]


@pytest.mark.slow
def test_unknown_hosts_get_404_and_known_ones_may_have_any_suffix(server: DemoServer) -> None:
    site = server.web.site(5)
    assert ask(server, f"http://{site.host}.test/")[0].status == 200
    assert ask(server, f"http://nobody.localhost:{server.port}/")[0].status == 404


@pytest.mark.slow
def test_it_works_as_a_proxy_for_names_that_resolve_nowhere() -> None:
    with serve(DemoWeb(), address="http://{host}.test/") as server:
        site = server.web.site(6)
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        for url in (site.root, next(iter(site.goals("contact")))):
            assert ".test/" in url
            connection.request("GET", url)
            response = connection.getresponse()
            assert (response.status, response.read()) == (200, site.respond(url).body)
        connection.close()


@pytest.mark.slow
def test_requests_are_counted_per_host_under_load(server: DemoServer) -> None:
    server.keep_log = True
    urls = [server.root(number) for number in range(8)] * 10
    with ThreadPoolExecutor(8) as pool:
        statuses = set(pool.map(lambda url: ask(server, url)[0].status, urls))
    assert statuses == {200}
    assert set(server.requests.values()) == {10}
    assert len(server.requests) == 8
    assert len(server.asked) == 80


@pytest.mark.slow
def test_it_listens_on_the_loopback_alone_and_stops(server: DemoServer) -> None:
    with serve(DemoWeb(sites=1)) as other:
        assert other._http.server_address[0] == "127.0.0.1"
        port = other.port
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", port), timeout=1)


@pytest.mark.slow
def test_rubbish_is_refused_and_the_server_lives_on(server: DemoServer) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as raw:
        raw.sendall(b"\x00\xff nonsense\r\n\r\n")
        assert b"400" in raw.recv(1000)
    assert ask(server, server.root(0))[0].status == 200
