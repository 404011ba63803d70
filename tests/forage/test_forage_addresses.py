"""The address rule, as a function and where connections are made."""

from __future__ import annotations

import asyncio
import dataclasses
import ipaddress
import random
import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st
from scrapy.settings import Settings
from scrapy.utils.misc import load_object

from tests.forage.forage_answers import SETTINGS, fetch
from tests.forage.hostile_server import HostileServer
from trailmark.forage.addresses import PublicResolver, is_allowed, is_public
from trailmark.forage.engine_settings import engine_settings

CLOSED_4 = (
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
)  # fmt: skip
CLOSED_6 = (
    "::/128", "::1/128", "::/96", "::ffff:0:0/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/32",
    "2001:db8::/32", "2002::/16", "fc00::/7", "fe80::/10", "fec0::/10", "ff00::/8", "5f00::/16",
)  # fmt: skip
any_4 = st.ip_addresses(v=4)
any_6 = st.ip_addresses(v=6)


@pytest.mark.parametrize("block", [*CLOSED_4, *CLOSED_6])
def test_no_address_of_a_special_block_is_public(block: str) -> None:
    network = ipaddress.ip_network(block)
    inside = [random.Random(7).randrange(network.num_addresses) for _ in range(200)]
    for offset in {0, network.num_addresses - 1, *inside}:
        assert not is_public(network[offset])


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "128.84.0.1", "2606:4700::1111", "2a00:1450:4001::1"])
def test_ordinary_hosts_are_public(address: str) -> None:
    assert is_public(address)


@given(any_4)
def test_an_address_that_carries_another_is_never_public(inner: ipaddress.IPv4Address) -> None:
    number = int(inner)
    for prefix, shift in (("::", 0), ("::ffff:0:0", 0), ("64:ff9b::", 0), ("2002::", 80), ("::ffff:0:0:0", 0)):
        assert not is_public(ipaddress.IPv6Address(int(ipaddress.IPv6Address(prefix)) | number << shift))


@given(any_4 | any_6)
def test_public_implies_global_and_spelling_does_not_matter(address: ipaddress.IPv4Address) -> None:
    assert is_public(address) == is_public(str(address)) == is_public(address.exploded)
    if is_public(address):
        assert address.is_global
        assert not any((address.is_private, address.is_multicast, address.is_reserved, address.is_loopback))


@given(st.text())
def test_what_is_no_address_is_not_public(text: str) -> None:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        assert not is_public(text)


def test_an_address_with_a_zone_is_not_public() -> None:
    assert not is_public("2606:4700::1111%eth0")


@pytest.mark.parametrize(
    ("host", "pattern", "allowed"),
    [
        ("localhost", "localhost", True),
        ("LocalHost.", "localhost", True),
        ("a.localhost", "localhost", False),
        ("a.localhost", "*.localhost", True),
        ("a.b.localhost", "*.LOCALHOST", True),
        ("localhost", "*.localhost", False),
        ("evillocalhost", "*.localhost", False),
        ("a.localhost.example.com", "*.localhost", False),
        ("example.com", "*", False),
        ("example.com", "*.", False),
        ("::1", "[::1]", True),
        ("127.0.0.1", "127.0.0.1", True),
        ("127.0.0.2", "127.0.0.1", False),
    ],
)
def test_hosts_are_allowed_by_name_only(host: str, pattern: str, allowed: bool) -> None:
    assert is_allowed(host, [pattern]) is allowed


@pytest.mark.slow
@pytest.mark.parametrize(
    "host",
    [
        "localhost", "LOCALHOST", "localhost.", "127.0.0.1", "127.0.1.1", "2130706433", "0x7f.1", "0x7f000001",
        "0177.0.0.1", "127.1", "0", "0.0.0.0", "[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
        "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "other.example",
    ],
)  # fmt: skip
def test_the_machine_itself_is_out_of_reach(server: HostileServer, connections: list[str], host: str) -> None:
    before = len(connections)
    url = f"http://{host}:{server.port}/secret"
    answers = fetch([url])
    reason = "no address is known" if host == "other.example" else "no public address"
    assert reason in answers.failures[url]
    assert connections[before:] == []


@pytest.mark.slow
def test_an_allowed_literal_is_fetched(server: HostileServer) -> None:
    url = f"http://127.0.0.1:{server.port}/good"
    answers = fetch([url], dataclasses.replace(SETTINGS, allow_hosts=("127.0.0.1",)))
    assert answers.responses[url].status == 200


class Small(SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Length", "6")
        self.end_headers()
        self.wfile.write(b"secure")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def secure_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A server with a certificate that nobody vouches for."""
    files = tmp_path_factory.mktemp("tls")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*self_signed(files))
    server = HTTPServer(("127.0.0.1", 0), Small)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def self_signed(files: Path) -> tuple[Path, Path]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "elsewhere.example")])
    start = datetime(2020, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), 1, start, start + timedelta(days=30))
    certificate = builder.sign(key, hashes.SHA256())
    pem = serialization.Encoding.PEM
    (files / "cert.pem").write_bytes(certificate.public_bytes(pem))
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (files / "key.pem").write_bytes(private)
    return files / "cert.pem", files / "key.pem"


@pytest.mark.slow
def test_the_rule_holds_for_https_too(secure_port: int, connections: list[str]) -> None:
    before = len(connections)
    good, blocked = f"https://tls.localhost:{secure_port}/", f"https://127.0.0.1:{secure_port}/"
    answers = fetch([blocked, good])
    assert "no public address" in answers.failures[blocked]
    assert answers.responses[good].body == b"secure"
    assert set(connections[before:]) == {"127.0.0.1"}


def test_plain_http_to_a_secure_server_fails(secure_port: int) -> None:
    plain = f"http://plain.localhost:{secure_port}/"
    settings = dataclasses.replace(SETTINGS, obey_robots=False)
    assert "was not fetched" in fetch([plain], settings).failures[plain]


def test_a_proxy_of_the_environment_is_not_used(
    server: HostileServer, connections: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{server.port}")
    monkeypatch.delenv("no_proxy", raising=False)
    before, visits = len(connections), len(server.asked)
    blocked, good = "http://10.0.0.1/secret", server.url("unproxied", "/good")
    answers = fetch([blocked, good])
    assert "no public address (10.0.0.1)" in answers.failures[blocked]
    assert answers.responses[good].status == 200
    assert set(connections[before:]) == {"127.0.0.1"}
    assert {each.host for each in server.asked[visits:]} == {"unproxied.localhost"}
    assert not [each for each in server.asked[visits:] if each.target.startswith("http:")]


class Receiver:
    """Takes what Twisted would connect to."""

    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.done = asyncio.Event()

    def resolutionBegan(self, resolution: object) -> None:  # noqa: N802
        self.began = resolution

    def addressResolved(self, address: object) -> None:  # noqa: N802
        self.hosts.append(address.host)  # type: ignore[attr-defined]

    def resolutionComplete(self) -> None:  # noqa: N802
        self.done.set()


def delivered(resolver: PublicResolver, *names: str) -> list[list[str]]:
    async def ask() -> list[list[str]]:
        hosts = []
        for name in names:
            receiver = Receiver()
            resolver.resolveHostName(receiver, name, 80)
            await receiver.done.wait()
            hosts.append(receiver.hosts)
        return hosts

    return asyncio.run(ask())


def resolver_of(*answers: list[str] | Exception, allow: tuple[str, ...] = ()) -> PublicResolver:
    """A resolver whose DNS gives one answer after the other."""
    queue = list(answers)

    async def lookup(host: str) -> list[str]:
        answer = queue.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return PublicResolver(allow, lookup=lookup)


def test_of_mixed_answers_only_the_public_ones_are_connected_to() -> None:
    resolver = resolver_of(["10.0.0.1", "1.1.1.1", "::1", "2606:4700::1111", "1.1.1.1"])
    assert delivered(resolver, "mixed.example") == [["1.1.1.1", "2606:4700::1111"]]
    assert resolver.why_refused("mixed.example") is None


def test_a_name_with_private_addresses_only_is_refused_with_them() -> None:
    resolver = resolver_of(["10.0.0.1", "fe80::1%eth0"])
    assert delivered(resolver, "inner.example") == [[]]
    assert resolver.why_refused("Inner.Example.") == "10.0.0.1, fe80::1%eth0"


def test_a_name_that_changes_its_answer_is_checked_at_every_look_up() -> None:
    """The second answer is never connected to: while the first holds it is not even asked for, later it is refused."""
    resolver = resolver_of(["1.1.1.1"], ["127.0.0.1"])
    assert delivered(resolver, "rebind.example", "rebind.example") == [["1.1.1.1"], ["1.1.1.1"]]
    resolver._remembered.clear()
    assert delivered(resolver, "rebind.example") == [[]]


@pytest.mark.parametrize("error", [OSError("no such host"), UnicodeError("odd name"), TimeoutError()])
def test_a_look_up_that_fails_gives_no_address(error: Exception) -> None:
    resolver = resolver_of(error, ["1.1.1.1"])
    assert delivered(resolver, "flaky.example", "flaky.example") == [[], ["1.1.1.1"]]
    assert resolver.why_refused("flaky.example") is None


def test_names_of_the_machine_are_never_asked_of_dns() -> None:
    resolver = resolver_of(AssertionError("DNS was asked"), allow=("*.localhost",))
    assert delivered(resolver, "cs-alder.localhost", "localhost") == [["127.0.0.1"], []]


def test_scrapy_can_make_and_install_the_resolver_from_the_settings() -> None:
    process = SimpleNamespace(settings=Settings(engine_settings(SETTINGS)))
    installed: list[PublicResolver] = []
    resolver_class = load_object(process.settings["TWISTED_DNS_RESOLVER"])
    resolver_class.from_crawler(process, SimpleNamespace(installNameResolver=installed.append)).install_on_reactor()
    assert delivered(installed[0], "a.localhost", "localhost") == [["127.0.0.1"], []]


def test_memory_of_names_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trailmark.forage.addresses.REMEMBERED_NAMES", 10)
    resolver = resolver_of(*[["10.0.0.1"]] * 30)
    delivered(resolver, *[f"h{number}.example" for number in range(30)])
    assert len(resolver.refused) == len(resolver._remembered) == 10
    assert resolver.why_refused("h29.example") == "10.0.0.1"
