"""Behind a real nginx with TLS, by the configuration that docs/how-to/serve.md shows."""

from __future__ import annotations

import re
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPResponse, HTTPSConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.serve import find_nginx
from tests.serve.app_visitor import PATIENCE, Visitor, running, wait_for, way_in
from trailmark.serve.options import Options

NAME = "trails.example.org"
DOCUMENT = Path(__file__).parents[2] / "docs" / "how-to" / "serve.md"


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def documented() -> str:
    """The server block of the document."""
    found = re.search(r"```nginx\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.S)
    assert found
    return found[1]


def configuration(folder: Path, port: int, upstream: str) -> str:
    """The documented block with this test's port, certificate and app, in an nginx that needs no rights."""
    block = documented()
    for word, instead in (
        ("listen 443 ssl;", f"listen 127.0.0.1:{port} ssl;"),
        ("/etc/ssl/trails.pem", f"{folder}/cert.pem"),
        ("/etc/ssl/trails.key", f"{folder}/key.pem"),
        ("http://127.0.0.1:8765", upstream),
    ):
        assert word in block
        block = block.replace(word, instead)
    temporary = "".join(f"{each}_temp_path {folder}/{each};\n" for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))  # fmt: skip
    return f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n{temporary}{block}}}\n"


@contextmanager
def proxy(folder: Path, port: int, upstream: str) -> Iterator[None]:
    """nginx in front of the app, with a certificate of its own making."""
    path = find_nginx.find()
    if path is None:
        pytest.skip(find_nginx.MISSING)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", folder / "key.pem", "-out", folder / "cert.pem"],
        check=True, capture_output=True, timeout=PATIENCE,
    )  # fmt: skip
    (folder / "nginx.conf").write_text(configuration(folder, port, upstream), encoding="utf-8")
    command = [path, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        wait_for(lambda: process.poll() is not None or _listens(port))
        assert process.poll() is None, process.communicate()[0]
        yield
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)


def _listens(port: int) -> bool:
    with socket.socket() as asked:
        return asked.connect_ex(("127.0.0.1", port)) == 0


class Person:
    """A browser's part: TLS that is checked, the name in Host, cookies and the Origin of the page."""

    def __init__(self, folder: Path, port: int) -> None:
        self.context = ssl.create_default_context(cafile=str(folder / "cert.pem"))
        self.port, self.cookie = port, ""

    def ask(self, path: str, fields: dict[str, str] | None = None, **more: str) -> tuple[HTTPResponse, str]:
        connection = HTTPSConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.sock = self.context.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port), PATIENCE), server_hostname=NAME
        )
        headers = {"Host": f"{NAME}:{self.port}", "Cookie": self.cookie, **more}
        body = urlencode(fields) if fields else None
        if fields:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin", **more}
        connection.request("POST" if fields else "GET", path, body, headers)
        answer = connection.getresponse()
        return answer, answer.read().decode()


@pytest.fixture
def person(folder: Path, tmp_path: Path) -> Iterator[Person]:
    port = free_port()
    inside = tmp_path / "nginx"
    inside.mkdir()
    with running(folder, public_address=f"https://{NAME}:{port}/") as address, proxy(inside, port, address):
        yield Person(inside, port)


@pytest.mark.slow
def test_the_app_works_behind_the_documented_proxy(person: Person, folder: Path) -> None:
    origin = f"https://{NAME}:{person.port}"
    assert person.ask("/")[0].status == 401
    answer, _ = person.ask(way_in(folder))
    assert answer.status == 303
    assert answer.headers["location"] == "/"
    cookie = answer.headers["set-cookie"]
    assert "; Secure" in cookie
    person.cookie = cookie.partition(";")[0]
    answer, text = person.ask("/recorder")
    assert answer.status == 200
    assert f"{origin}<" in text, "the address that people see"
    found = re.search(r'name="csrf" content="([^"]+)"', text)
    assert found
    sent = {"csrf": found[1], "do": "none"}
    assert person.ask("/demo", sent, Origin=origin)[0].status == 303
    for foreign in ("https://evil.example", f"http://{NAME}:{person.port}", "null", f"https://{NAME}", f"https://{NAME}.evil.example:{person.port}"):  # fmt: skip
        assert person.ask("/demo", sent, Origin=foreign)[0].status == 403, foreign
    for host in ("evil.example", f"{NAME}.evil.example", f"{NAME}:1"):
        assert person.ask("/", Host=host)[0].status in (400, 421), host


@pytest.mark.slow
def test_events_come_through_the_proxy_at_once(person: Person, folder: Path) -> None:
    person.cookie = person.ask(way_in(folder))[0].headers["set-cookie"].partition(";")[0]
    job = Visitor(folder).state.jobs.start("learn", title="x")
    answer, text = person.ask(f"/jobs/{job.id}/events")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "event: end" in text


@pytest.mark.parametrize(
    ("address", "host", "known"),
    [
        ("https://name.example/", "name.example", True),
        ("https://name.example", "NAME.example:443", True),
        ("https://name.example:444/", "name.example:444", True),
        ("https://name.example:444/", "name.example", False),
        ("https://name.example/", "name.example:80", False),
        ("https://name.example/", "evil.example", False),
        ("", "name.example", False),
    ],
)
def test_the_public_name_is_known(address: str, host: str, known: Any) -> None:
    options = Options(public_address=address)
    assert options.knows(host) is known
    assert options.knows("127.0.0.1:8765")
    assert options.secure is bool(address)
