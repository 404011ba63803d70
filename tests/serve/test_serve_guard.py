"""The door: names, tokens, other sites, forms, and what every answer carries."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from app_visitor import Visitor

from trailmark.errors import InputError
from trailmark.serve.keys import Keys
from trailmark.serve.options import Options

SECRET = "a-long-enough-secret"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example", "127.0.0.1:80", "localhost:1", "", "127.0.0.1@evil"])  # fmt: skip
def test_a_foreign_name_is_turned_away(visitor: Visitor, host: str) -> None:
    answer = visitor.get("/", headers={"host": host})
    assert answer.status_code == 421
    assert "Trailmark" not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "LOCALHOST:8765", "[::1]:8765", "localhost"])
def test_its_own_names_are_known(visitor: Visitor, host: str) -> None:
    assert visitor.get("/", headers={"host": host}).status_code == 200


def test_bound_to_more_it_wants_a_token() -> None:
    with pytest.raises(InputError, match="--token"):
        Options(host="0.0.0.0")
    with pytest.raises(InputError, match="guess"):
        Options(host="0.0.0.0", token="short")
    options = Options(host="0.0.0.0", token=SECRET, names=("lab.example.org",))
    assert options.knows("192.168.1.7:8765")
    assert options.knows("lab.example.org:8765")
    assert not options.knows("evil.example:8765")
    assert not Options().knows("192.168.1.7:8765")


def test_a_token_is_asked_for_once(folder: Path) -> None:
    visitor = Visitor(folder, Options(token=SECRET))
    for path in ("/", "/teach", "/jobs", "/api/status", "/static/app.css", "/nothing"):
        assert visitor.get(path).status_code == 401
    assert visitor.get("/?token=wrong").status_code == 401
    answer = visitor.get(f"/teach?site=x&token={SECRET}", follow_redirects=False)
    assert answer.headers["location"] == "/teach?site=x"
    assert visitor.get("/teach").status_code == 200
    assert visitor.get("/static/app.css").status_code == 200
    # Another token, another key: the cookie of before is of no use.
    other = Visitor(folder, Options(token=SECRET + "2"))
    other.http.cookies = visitor.http.cookies
    assert other.get("/").status_code == 401


def test_a_token_leads_nowhere_else(folder: Path) -> None:
    visitor = Visitor(folder, Options(token=SECRET))
    answer = visitor.get(f"//evil.example/?token={SECRET}", follow_redirects=False)
    assert not answer.headers.get("location", "").startswith("//")


def test_programs_send_the_token_in_a_header(folder: Path) -> None:
    visitor = Visitor(folder, Options(token=SECRET))
    assert visitor.get("/api/status", headers={"authorization": f"Bearer {SECRET}"}).status_code == 200
    assert (
        visitor.get("/api/status", headers={"authorization": f"Bearer {Keys.of(folder).api_token}"}).status_code == 200
    )
    assert visitor.get("/api/status", headers={"authorization": "Bearer x"}).status_code == 401


def test_a_form_needs_its_token(visitor: Visitor) -> None:
    assert visitor.http.post("/demo", data={"do": "none"}).status_code == 403
    assert visitor.http.post("/demo", data={"do": "none", "csrf": "x"}).status_code == 403
    assert visitor.post("/demo", do="none").status_code == 200
    assert visitor.http.post("/api/jobs", json={"verb": "learn"}).status_code == 403
    stranger = Visitor(visitor.folder)
    assert stranger.http.post("/demo", data={"do": "none", "csrf": visitor.csrf}).status_code == 403, "another's token"


def test_the_token_may_stand_in_a_header(visitor: Visitor) -> None:
    sent = {"x-trailmark-csrf": visitor.csrf}
    assert visitor.http.post("/api/jobs", json={"verb": "rm"}, headers=sent).status_code == 400
    bearer = {"authorization": f"Bearer {visitor.state.keys.api_token}"}
    assert visitor.http.post("/api/jobs", json={"verb": "rm"}, headers=bearer).json()["error"].startswith("'rm' can't")


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"}, {"origin": "http://localhost:9999"}],
)  # fmt: skip
def test_another_sites_form_is_refused_even_with_the_token(visitor: Visitor, headers: dict[str, str]) -> None:
    answer = visitor.http.post("/demo", data={"do": "none", "csrf": visitor.csrf}, headers=headers)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("mode", "dest", "status"),
    [("navigate", "document", 200), ("navigate", "iframe", 403), ("no-cors", "image", 403), ("no-cors", "script", 403), ("cors", "empty", 403)],
)  # fmt: skip
def test_other_sites_may_link_and_nothing_else(visitor: Visitor, mode: str, dest: str, status: int) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": mode, "sec-fetch-dest": dest}
    assert visitor.get("/api/status", headers=headers).status_code == status


def test_too_much_is_not_read(visitor: Visitor) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    assert visitor.http.post("/demo", content=b"x" * 20_000_001, headers=form).status_code == 413


@pytest.mark.parametrize("path", ["/", "/teach", "/jobs", "/api", "/nothing", "/static/app.js", "/api/status"])
def test_every_answer_carries_its_policy(visitor: Visitor, path: str) -> None:
    headers = visitor.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"


@pytest.mark.parametrize("path", ["/", "/teach", "/jobs", "/api", "/nothing"])
def test_pages_hold_no_inline_script_and_name_what_they_are(visitor: Visitor, path: str) -> None:
    text = visitor.get(path).text
    assert not re.search(r"<script(?![^>]*\bsrc=)|\son\w+=|\sstyle=|javascript:", text)
    assert '<html lang="en">' in text
    for part in ('<main id="main"', "<nav aria-label", 'class="skip"', "<title>"):
        assert part in text
    for field in re.findall(r"<input[^>]*>", text):
        if 'type="hidden"' in field or 'type="checkbox"' in field:
            continue
        name = re.search(r'id="([^"]+)"', field)
        assert name, field
        assert f'for="{name[1]}"' in text, f"{field} has no label"


def test_the_cookie_is_out_of_reach(visitor: Visitor) -> None:
    cookie = visitor.get("/").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "trailmark_8765=" in cookie


def test_the_secret_is_kept_and_is_its_owners_alone(folder: Path) -> None:
    first = Keys.of(folder)
    assert Keys.of(folder).sign("x", "y") == first.sign("x", "y")
    assert (folder / "serve" / "secret").stat().st_mode & 0o077 == 0
    assert first.sign("a", "bc") != first.sign("ab", "c")
    assert first.sign("a", "b", "c") != first.sign("a", "bc")
    assert not first.holds("", "a")


def test_an_expected_error_is_a_sentence(visitor: Visitor) -> None:
    answer = visitor.get("/teach/nothing-here")
    assert answer.status_code == 400
    assert "begin another one" in answer.text
    assert visitor.get("/api/jobs/17").json() == {"error": "There is no job 17."}
    assert visitor.get("/teach/..%2f..%2fetc").status_code in (400, 404)
