"""The door: names, tokens, other sites, forms, and what every answer carries."""

from __future__ import annotations

import asyncio
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, way_in
from trailmark.errors import InputError
from trailmark.serve.brake import FORGIVEN_AFTER, LONGEST, MOST_WAITING, SHORTEST, Brake
from trailmark.serve.key_ring import DAY, LINK_HOLDS, MOST_KEYS, KeyRing, new_link
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


def test_bound_to_more_it_is_called_by_its_names_and_addresses() -> None:
    with pytest.raises(InputError, match="guess"):
        Options(host="0.0.0.0", token="short")
    options = Options(host="0.0.0.0", names=("lab.example.org",))
    assert options.knows("192.168.1.7:8765")
    assert options.knows("lab.example.org:8765")
    assert not options.knows("evil.example:8765")
    assert not Options().knows("192.168.1.7:8765")


CLOSED = ("/", "/teach", "/jobs", "/keys", "/recorder", "/api", "/api/status", "/api/metrics", "/api/openapi.json", "/static/app.css", "/docs", "/nothing")  # fmt: skip


def test_nobody_comes_in_without_a_key(folder: Path) -> None:
    stranger = Visitor(folder, enters=False)
    for path in CLOSED:
        answer = stranger.get(path)
        assert answer.status_code == 401, path
        assert "set-cookie" not in answer.headers
        assert stranger.http.post(path, json={}).status_code == 401, path
    assert "serve --link" in stranger.get("/").text


@pytest.mark.slow
def test_a_link_opens_the_app_once(folder: Path) -> None:
    link = way_in(folder)
    visitor = Visitor(folder, enters=False)
    assert visitor.http.head(link).status_code == 401, "to look is not to use"
    assert visitor.get(link, headers={"sec-purpose": "prefetch"}).status_code == 401, "to look ahead neither"
    answer = visitor.get(link, follow_redirects=False)
    assert answer.headers["location"] == "/"
    assert visitor.get("/teach").status_code == 200
    assert visitor.get(link).status_code == 200, "whoever is in goes to the first page"
    assert Visitor(folder, enters=False).get(link).status_code == 401, (
        "a second browser does not get in, also not after a restart"
    )


@pytest.mark.slow
@pytest.mark.parametrize("change", [lambda link: link[:-1] + "A" * (link[-1] != "A"), lambda link: link.replace("link=", "link=0"), lambda _: "/enter?link=..", lambda _: "/enter?link=a.1.", lambda _: "/enter", lambda _: "/enter?link=%00.%ff.x&token="])  # fmt: skip
def test_a_link_that_is_not_ours_opens_nothing(folder: Path, change: Any) -> None:
    assert Visitor(folder, enters=False).get(change(way_in(folder))).status_code == 401


@pytest.mark.slow
def test_a_link_grows_old(folder: Path) -> None:
    keys = Keys.of(folder)
    link = new_link(keys, lambda: time.time() - LINK_HOLDS - 1)
    assert Visitor(folder, enters=False).get(link).status_code == 401


def test_a_key_survives_a_restart_and_can_be_taken_back(folder: Path) -> None:
    visitor = Visitor(folder)
    again = Visitor(folder, enters=False)
    again.http.cookies = visitor.http.cookies
    assert again.get("/").status_code == 200
    assert KeyRing(folder).revoke("all") == 1
    assert again.get("/").status_code == 401
    assert visitor.get("/").status_code == 401


@pytest.mark.slow
def test_a_token_opens_the_app_any_number_of_times(folder: Path) -> None:
    for _ in range(2):
        visitor = Visitor(folder, Options(token=SECRET), enters=False)
        assert visitor.get("/").status_code == 401
        answer = visitor.get(f"/enter?token={SECRET}", follow_redirects=False)
        assert answer.headers["location"] == "/"
        assert visitor.get("/teach").status_code == 200
    assert Visitor(folder, Options(token=SECRET), enters=False).get("/enter?token=wrong").status_code == 401
    assert Visitor(folder, enters=False).get("/enter?token=").status_code == 401, "no token is no empty token"


@pytest.mark.slow
def test_a_programs_key_opens_the_json_api_alone(folder: Path) -> None:
    visitor = Visitor(folder, Options(token=SECRET), enters=False)
    program, recorder = visitor.bearer(), visitor.bearer("recorder")
    browser = visitor.bearer("browser")
    for sent in (program, {"authorization": f"Bearer {SECRET}"}):
        assert visitor.get("/api/status", headers=sent).status_code == 200
        told = visitor.get("/api/metrics", headers=sent)
        assert told.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert "# TYPE trailmark_workspace_items gauge" in told.text
        for path in ("/", "/keys", "/api", "/recorder"):
            assert visitor.get(path, headers=sent).status_code == 403, path
        assert visitor.http.post("/keys", data={"do": "make"}, headers=sent).status_code == 403
    for sent in (recorder, browser):
        assert visitor.get("/api/status", headers=sent).status_code == 403
    for sent in ({"authorization": "Bearer x"}, {"authorization": "Bearer"}):
        assert visitor.get("/api/status", headers=sent).status_code == 401
    assert visitor.http.post("/api/trails", json={}, headers=recorder).status_code == 422
    assert visitor.http.post("/api/jobs", json={"verb": "learn"}, headers=recorder).status_code == 403
    assert visitor.http.post("/api/trails", json={}, headers=browser).status_code == 403


def test_keys_end_by_themselves(folder: Path) -> None:
    now = 1000.0
    ring = KeyRing(folder, lambda: now)
    key, text = ring.make("program", "  a   name ", 2)
    assert ring.find(text) == key
    assert key.name == "a name"
    for wrong in ("", ".", key.id, f"{key.id}.", f"{key.id}.x", text + "x", text.swapcase()):
        assert ring.find(wrong) is None
    now += 2 * DAY
    assert ring.find(text) is None
    assert ring.all() == []


@pytest.mark.slow
def test_keys_are_bounded_and_no_text_of_one_is_kept(folder: Path) -> None:
    ring = KeyRing(folder)
    texts = [ring.make("program", "x", 1)[1] for _ in range(MOST_KEYS + 5)]
    assert len(ring.all()) == MOST_KEYS
    assert ring.find(texts[0]) is None
    kept = (folder / "serve" / "keys.json").read_text(encoding="utf-8")
    assert not [text for text in texts if text.partition(".")[2] in kept]


def test_a_damaged_ring_opens_nothing(folder: Path) -> None:
    visitor = Visitor(folder)
    for text in ("", "{", "[1]", '[{"id": 1}]', "null"):
        (folder / "serve" / "keys.json").write_text(text, encoding="utf-8")
        assert visitor.get("/").status_code == 401


@pytest.mark.slow
def test_the_page_of_keys_makes_one_shows_it_once_and_takes_it_back(visitor: Visitor) -> None:
    text = visitor.post("/keys", do="make", name="my <b>script</b>").text
    found = re.search(r"data-key>([^<]+)<", text)
    assert found
    sent = {"authorization": f"Bearer {found[1]}"}
    name = found[1].partition(".")[0]
    shown = visitor.get("/keys").text
    assert "my &lt;b&gt;script" in shown
    assert name in shown
    assert found[1] not in shown
    for path in ("/api", "/recorder", "/api/openapi.json", "/"):
        assert found[1] not in visitor.get(path).text
    assert visitor.get("/api/status", headers=sent).status_code == 200
    assert visitor.said(visitor.post("/keys", do="revoke", id=name)) == "Taken back."
    assert visitor.get("/api/status", headers=sent).status_code == 401
    assert "no key" in visitor.said(visitor.post("/keys", do="revoke", id=name))
    other = Visitor(visitor.folder)
    visitor.post("/keys", do="others")
    assert other.get("/").status_code == 401
    assert visitor.get("/").status_code == 200


def test_wrong_keys_wait_and_right_ones_do_not(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    visitor, waits = Visitor(folder), []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    for _ in range(8):
        assert visitor.get("/api/status", headers={"authorization": "Bearer x"}).status_code == 401
    assert waits == sorted(waits)
    assert waits[0] > 0
    assert waits[-1] == LONGEST
    assert visitor.get("/api/status", headers=visitor.bearer()).status_code == 200
    assert visitor.get("/").status_code == 200
    assert Visitor(folder, enters=False).get(way_in(folder), follow_redirects=False).status_code == 303
    assert len(waits) == 8


def test_the_brake_holds_few_at_once_and_forgives() -> None:
    now = 0.0
    brake = Brake(lambda: now)

    async def many() -> list[bool]:
        tasks = [asyncio.create_task(brake.wrong_key()) for _ in range(MOST_WAITING + 5)]
        await asyncio.sleep(0)
        refused = [task.result() for task in tasks if task.done()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return refused

    # In a thread of its own: where a browser was driven before, this one has a loop that runs already.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(many())).result() == [False] * 5
    assert brake.pause == LONGEST
    now = FORGIVEN_AFTER + 1
    assert brake.pause == SHORTEST
    with ThreadPoolExecutor(1) as thread:
        again = thread.submit(lambda: asyncio.run(many())).result()
    assert again == [False] * 5, "those who went away make room"


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
    assert (
        visitor.http.post("/api/jobs", json={"verb": "rm"}, headers=visitor.bearer())
        .json()["error"]
        .startswith("'rm' can't")
    )


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


@pytest.mark.slow
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


@pytest.mark.slow
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
    stranger = Visitor(visitor.folder, enters=False)
    cookie = stranger.get(way_in(visitor.folder), follow_redirects=False).headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "trailmark_8765=" in cookie
    assert "Max-Age=" in cookie
    assert "Secure" not in cookie
    assert "set-cookie" not in visitor.get("/").headers


def test_the_secret_is_kept_and_is_its_owners_alone(folder: Path) -> None:
    first = Keys.of(folder)
    assert Keys.of(folder).sign("x", "y") == first.sign("x", "y")
    KeyRing(folder).make("program", "x", 1)
    Visitor(folder)
    assert (folder / "serve").stat().st_mode & 0o777 == 0o700
    for name in ("secret", "keys.json", "spent"):
        assert (folder / "serve" / name).stat().st_mode & 0o777 == 0o600, name
    assert first.sign("a", "bc") != first.sign("ab", "c")
    assert first.sign("a", "b", "c") != first.sign("a", "bc")
    assert not first.holds("", "a")


def test_what_others_could_read_is_closed_and_the_secret_is_another_one(folder: Path) -> None:
    first = Keys.of(folder)
    ring = KeyRing(folder)
    text = ring.make("program", "x", 1)[1]
    (folder / "serve").chmod(0o755)
    (folder / "serve" / "keys.json").chmod(0o644)
    assert Keys.of(folder).sign("x") == first.sign("x"), "the folder was open, the secret in it was not"
    assert (folder / "serve").stat().st_mode & 0o777 == 0o700
    (folder / "serve" / "secret").chmod(0o644)
    again = Keys.of(folder)
    assert again.sign("x") != first.sign("x")
    assert (folder / "serve" / "secret").stat().st_mode & 0o777 == 0o600
    assert KeyRing(folder).find(text), "of a key only its hash lies there"
    (folder / "serve" / "secret").write_bytes(b"short")
    assert Keys.of(folder).sign("x") not in (first.sign("x"), again.sign("x"))


def test_an_expected_error_is_a_sentence(visitor: Visitor) -> None:
    answer = visitor.get("/teach/nothing-here")
    assert answer.status_code == 400
    assert "begin another one" in answer.text
    assert visitor.get("/api/jobs/17").json() == {"error": "There is no job 17."}
    assert visitor.get("/teach/..%2f..%2fetc").status_code in (400, 404)
