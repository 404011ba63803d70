"""Odd and hostile values at every route of the app: each is answered with a sentence, and none with 500."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes, urlencode

import pytest
from fastapi.routing import APIRoute

from tests.serve.app_visitor import Visitor
from trailmark.serve import app as serve_app
from trailmark.serve.jobs import Jobs
from trailmark.serve.sent_body import MOST_BODY, MOST_FIELDS

ODD = (
    b"", b"0", b"-1", b"1", b"9223372036854775807", b"9223372036854775808", b"-9223372036854775809", b"1" * 5000, b"1e400", b"\xc2\xb2", b"\xd9\xa3",
    b"\x00", b"a\x00b", b"\xed\xa0\x80", b"\xff\xfe", b"..", b"../../etc/passwd", b"%2e%2e%2f", b"//evil.example", b"\\\\evil", b"http://[", b"http://a:99999999/",
    b"http://\x00/", b"http://" + b"a" * 3000, b"javascript:alert(1)", b"x" * 8_000, b"'\"><script>", b"\r\nX: y", b"\xf0\x9f\x92\xa9", b"a" * 300 + b".txt",
)  # fmt: skip
TEXTS = [*(each.decode("utf-8", "replace") for each in ODD), "\ud800", "\udfff\ud800"]
VALUES: list[Any] = [*TEXTS, None, True, 2**63, 2**200, -1, 1.5, 1e400, float("nan"), [], {}, [[[]]], {"a": None}]


@pytest.fixture
def hostile(demo_visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> Visitor:
    """A visitor of a workspace with pages, whose jobs are written down and not run; an error of ours fails the test."""

    def launch(self: Jobs, job: Any) -> Any:
        self._write(job)
        return job

    monkeypatch.setattr(Jobs, "_launch", launch)
    return demo_visitor


def routes(visitor: Visitor) -> Iterator[tuple[str, APIRoute]]:
    """(method, route) of all that the app answers; routers may stand in it whole or route by route."""
    waiting = list(visitor.app.routes)
    while waiting:
        route = waiting.pop(0)
        if isinstance(route, APIRoute):
            yield from ((method, route) for method in sorted(route.methods or ()))
        elif hasattr(route, "original_router"):
            waiting += route.original_router.routes


def fields() -> list[str]:
    """The names of all fields that forms of ours have."""
    source = "".join(path.read_text(encoding="utf-8") for path in Path(inspect.getfile(serve_app)).parent.glob("*.py"))
    return sorted(set(re.findall(r'form(?:\.all\(|\[)"(\w+)"', source)))


def checked(answer: Any) -> None:
    assert answer.status_code < 500 or answer.status_code in (502, 503), (answer.request.url, answer.text[:300])


@pytest.mark.slow
def test_every_route_and_every_field_is_thrown_at(hostile: Visitor) -> None:
    found = {route.path for _, route in routes(hostile)}
    assert found == {
        route.path for router in serve_app.ROUTERS for route in router.routes if isinstance(route, APIRoute)
    }
    assert len(found) > 40
    assert {"do", "site", "url", "id"} <= set(fields())


@pytest.mark.slow
def test_odd_values_in_addresses(hostile: Visitor) -> None:
    thrown = 0
    for method, route in routes(hostile):
        names = [each.alias for each in route.dependant.query_params]
        for odd in ODD:
            path = re.sub(r"\{\w+\}", quote_from_bytes(odd, safe="") or "%20", route.path)
            if method == "GET" and "/events" not in path:
                checked(hostile.get(path, follow_redirects=False))
                thrown += 1
            plain = re.sub(r"\{\w+\}", "1", route.path)
            if names and method == "GET" and "/events" not in plain:
                query = "&".join(f"{name}={quote_from_bytes(odd, safe='')}" for name in names)
                checked(hostile.get(f"{plain}?{query}", follow_redirects=False))
                thrown += 1
    assert thrown > 1000
    for path in (
        "/static/..%2f..%2fapp.py",
        "/static/%00",
        "/static/../app.py",
        "/static//etc/passwd",
        "/static/" + "x" * 5000,
    ):
        assert hostile.get(path).status_code in (400, 404), path
    for name in ("%00", "1" * 400, "٣", "²"):
        assert hostile.get(f"/runs/{name}/events").status_code in (400, 404, 422)
        assert hostile.get(f"/jobs/{name}/events").status_code in (400, 404)


@pytest.mark.slow
def test_odd_values_in_forms(hostile: Visitor) -> None:
    csrf, names = hostile.csrf, fields()
    choices = ("", "make", "teach", "learn", "walk", "undo", "back", "name", "forget", "use", "unmark", "absent", "confirm", "mark", "repair", "revoke", "links", "archive")  # fmt: skip
    kind = {"content-type": "application/x-www-form-urlencoded"}
    for method, route in routes(hostile):
        if method != "POST" or route.path.startswith("/api"):
            continue
        path = re.sub(r"\{\w+\}", "1", route.path)
        for number, odd in enumerate(ODD):
            sent: dict[str, Any] = dict.fromkeys(names, odd)
            sent |= {"csrf": csrf, "do": choices[number % len(choices)], "which": "links", "from": "archive"}
            if route.path == "/keys":
                sent["id"] = odd or b"x"
            answer = hostile.http.post(path, content=urlencode(sent), headers=kind, follow_redirects=False)
            checked(answer)
            assert not answer.headers.get("location", "/").startswith(("//", "http", "/\\")), path


def bodies(schema: dict[str, Any], model: dict[str, Any]) -> Iterator[Any]:
    """Bodies as a call wants them, with one value after the other replaced by an odd one."""
    if model.get("type") == "array":
        for each in bodies(schema, model["items"]):
            yield [each]
        return
    if "$ref" in model:
        model = schema[model["$ref"].rpartition("/")[2]]
    good = {name: _example(schema, each) for name, each in model.get("properties", {}).items()}
    yield good
    for name in good:
        for value in VALUES:
            yield {**good, name: value}
            if isinstance(good[name], list):
                yield {**good, name: [value]}


def _example(schema: dict[str, Any], model: dict[str, Any]) -> Any:
    if "$ref" in model:
        model = schema[model["$ref"].rpartition("/")[2]]
    if "anyOf" in model:
        return _example(schema, model["anyOf"][0])
    if "enum" in model:
        return model["enum"][0]
    if model.get("type") == "object":
        return {name: _example(schema, each) for name, each in model.get("properties", {}).items()}
    if model.get("type") == "array":
        return [_example(schema, model["items"])]
    return "http://www.example.edu/"


@pytest.mark.slow
def test_odd_values_in_json(hostile: Visitor) -> None:
    import json

    described = hostile.get("/api/openapi.json").json()
    sent = {**hostile.bearer(), "content-type": "application/json"}
    thrown = 0
    for path, calls in described["paths"].items():
        if "post" not in calls:
            continue
        model = calls["post"]["requestBody"]["content"]["application/json"]["schema"]
        plain = re.sub(r"\{\w+\}", "1", path)
        for body in [*bodies(described["components"]["schemas"], model), *VALUES]:
            checked(hostile.http.post(plain, content=json.dumps(body), headers=sent))
            thrown += 1
        for text in (b"[" * 100_000, b"\xff", b'{"a":' * 20_000, b"1" * 10_000, b"", b"\x00"):
            answer = hostile.http.post(plain, content=text, headers=sent)
            assert answer.status_code in (400, 422), text[:20]
            assert answer.json()["error"]
    assert thrown > 300


@pytest.mark.slow
def test_odd_headers(hostile: Visitor) -> None:
    for value in (
        b"\xff\xfe",
        b"a=b; c",
        b"trailmark_8765=\xed\xa0\x80.x",
        b"trailmark_8765=" + b"." * 500,
        b"trailmark_said=x.y",
        b'trailmark_8765="\\377"',
    ):
        hostile.http.cookies.clear()
        assert hostile.get("/", headers={"cookie": value}).status_code == 401
    for value in (b"Bearer \xff", b"Bearer ", b"bearer a.b.c", b"Bearer \xed\xa0\x80.\xff"):
        assert hostile.get("/api/status", headers={"authorization": value}).status_code == 401


def test_too_many_fields_are_refused_in_a_sentence(visitor: Visitor) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded"}
    many = f"csrf={visitor.csrf}" + "&a=b" * (MOST_FIELDS + 5000)
    answer = visitor.http.post("/demo", content=many, headers=kind)
    assert answer.status_code == 413
    assert "fields" in answer.text
    plain = {"content-type": "text/plain", "x-trailmark-csrf": visitor.csrf}
    assert visitor.http.post("/demo", content=many, headers=plain).status_code == 400


@pytest.mark.slow
@pytest.mark.parametrize("who", ["program", "browser"])
def test_too_much_is_refused_before_it_is_read(visitor: Visitor, who: str) -> None:
    sent = visitor.bearer() if who == "program" else {"x-trailmark-csrf": visitor.csrf}
    read = 0

    def chunks(count: int) -> Iterator[bytes]:
        nonlocal read
        for _ in range(count):
            read += 1
            yield b"x" * 1_000_000

    answer = visitor.http.post("/api/recordings", content=chunks(21), headers=sent)
    assert answer.status_code == 413
    assert f"{MOST_BODY // 1_000_000} MB" in answer.json()["error"]
    announced = {**sent, "content-length": str(10**9)}
    assert visitor.http.post("/api/recordings", content=b"{}", headers=announced).status_code == 413
    for length in ("-1", "x", "9" * 30):
        answer = visitor.http.post("/api/recordings", content=b"{}", headers={**sent, "content-length": length})
        assert answer.status_code in (400, 413)
