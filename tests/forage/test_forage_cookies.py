"""The jar of each host, without a server."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.http import Headers, Request, Response

from trailmark.forage.cookies import MAX_COOKIE_BYTES, MAX_COOKIES, HostCookies


def sent(jars: HostCookies, url: str, **headers: str) -> bytes | None:
    request = Request(url, headers=headers)
    jars.process_request(request)
    return request.headers.get(b"Cookie")


def jars_after(*lines: bytes, url: str = "http://a.example/") -> HostCookies:
    jars = HostCookies()
    response = Response(url, headers=Headers({b"Set-Cookie": list(lines)}))
    assert jars.process_response(Request(url), response) is response
    return jars


def test_cookies_come_back_to_the_host_that_set_them() -> None:
    jars = jars_after(b"a=1; Path=/x; HttpOnly", b"b=2; Domain=example", b"a=3")
    assert sent(jars, "http://a.example/other") == b"b=2; a=3"
    assert sent(jars, "http://b.example/") is None
    assert sent(jars, "http://example/") is None
    assert sent(jars, "http://sub.a.example/") is None


def test_a_header_of_the_request_before_a_redirect_is_taken_off() -> None:
    assert sent(HostCookies(), "http://b.example/", Cookie="a=1") is None


def test_a_secure_cookie_keeps_to_https() -> None:
    jars = jars_after(b"a=1; Secure", b"b=2", url="https://a.example/")
    assert sent(jars, "http://a.example/") == b"b=2"
    assert sent(jars, "https://a.example/") == b"b=2; a=1"


@pytest.mark.parametrize("gone", [b"a=; Max-Age=0", b"a=2;max-age=-1; Path=/"])
def test_a_cookie_can_be_taken_back(gone: bytes) -> None:
    assert sent(jars_after(b"a=1", gone), "http://a.example/") is None


def test_jars_are_small() -> None:
    jars = jars_after(b"big=" + b"x" * MAX_COOKIE_BYTES, *(b"c%d=1" % number for number in range(100)))
    header = sent(jars, "http://a.example/")
    assert header is not None
    assert len(header.split(b"; ")) == MAX_COOKIES
    assert b"big" not in header


@given(st.lists(st.binary(max_size=60), max_size=5))
def test_no_line_can_add_a_header(lines: list[bytes]) -> None:
    header = sent(jars_after(*lines), "http://a.example/") or b""
    assert all(32 <= byte < 127 for byte in header)
