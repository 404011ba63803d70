"""`trailmark show`: what it sees in a page, whatever the page and whatever the URL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SITE = "http://dept.example/"


def test_a_page_as_tables(trailmark: Any, small_web: Any) -> None:
    ended = trailmark("show", SITE + "people/", "--replay", small_web.archive)
    assert (ended.code, ended.err) == (0, "")
    for words in ("People", "Faculty", "Ada", "~ada ~", "text/html", "200"):
        assert words in ended.out


def test_a_page_as_json(trailmark: Any, small_web: Any) -> None:
    ended = trailmark("show", SITE + "~ada/", "--replay", small_web.archive, "--json")
    report = ended.report
    assert report["title"] == "Ada Ångström"
    assert report["status"] == 200
    assert report["url_words"] == ["~ada", "~"]
    assert [(link["anchor"], link["url_words"]) for link in report["links"]] == [
        ("Publications", ["~ada", "pubs", "html", "~"])
    ]
    assert "Ada Ångström" in ended.err, "what is for people goes to stderr"


def test_redirects_are_followed(trailmark: Any, small_web: Any) -> None:
    report = trailmark("show", SITE + "go?7", "--replay", small_web.archive, "--json").report
    assert (report["url"], report["title"]) == (SITE + "contact/", "Contact")


@pytest.mark.parametrize(
    "url",
    ["", "x", "/", "ftp://a.example/", "mailto:me@a.example", "http://", "http:///x", "http://a b/", "http://[::1",
     "javascript:alert(1)", "http://a.example:99999/", "\x00", "http://\x1b[31m/", "\udcff", "http://%/", "http://..../"],
)  # fmt: skip
def test_what_is_no_url_is_said_to_be_none(url: str, trailmark: Any, small_web: Any) -> None:
    ended = trailmark("show", url, "--replay", small_web.archive, "--json")
    assert ended.code == 2
    assert ended.out == ""
    assert "absolute http or https URL" in ended.err or "is not in" in ended.err
    assert "\x1b" not in ended.err
    assert len(ended.err.splitlines()) == 1


@pytest.mark.parametrize("path", ["gone", "people", "a%20b", "ü", "?" + "q" * 50_000, "../../etc/passwd", "x\ud800"])
def test_a_page_that_is_not_archived(path: str, trailmark: Any, small_web: Any) -> None:
    ended = trailmark("show", SITE + path, "--replay", small_web.archive)
    if ended.code == 0:  # another spelling of a page that is there
        assert "People" in ended.out
    else:
        assert f"is not in {small_web.archive}." in ended.err


def test_spellings_of_one_url(trailmark: Any, small_web: Any) -> None:
    for url in ("HTTP://DEPT.example:80/people/#top", " http://dept.example/x/../people/ "):
        assert trailmark("show", url, "--replay", small_web.archive, "--json").report["title"] == "People"


def test_a_redirect_loop_ends(trailmark: Any, small_web: Any) -> None:
    assert trailmark("show", SITE + "loop", "--replay", small_web.archive, "--json").report["status"] == 508


def test_a_page_cant_drive_the_terminal(trailmark: Any, small_web: Any) -> None:
    ended = trailmark("show", SITE + "news", "--replay", small_web.archive)
    assert ended.code == 0
    assert "[bold]news[/bold]" in ended.out, "markup of our own tables is not interpreted either"
    for sign in "\x1b\x07\x9b\u202e":
        assert sign not in ended.out + ended.err
    as_json = trailmark("show", SITE + "news", "--replay", small_web.archive, "--json")
    assert "\x1b" not in as_json.out + as_json.err


def test_from_the_workspace(trailmark: Any, workspace: Path, small_web: Any) -> None:
    file = small_web.file(*small_web.good())
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    assert trailmark("-w", workspace, "show", SITE + "~bob/", "--json").report["title"] == "Bob"
    ended = trailmark("-w", workspace, "show", SITE + "contact/")
    assert ended.code == 2, "what the workspace lacks would be fetched, and nobody said whom to write to"
    assert "contact" in ended.err


def test_the_settings_of_the_workspace_hold(trailmark: Any, workspace: Path, small_web: Any) -> None:
    (workspace / "trailmark.toml").write_text("[read]\npage_tokens = 1\n", encoding="utf-8")
    report = trailmark("-w", workspace, "show", SITE + "people/", "--replay", small_web.archive, "--json").report
    assert report["body_tokens"] == ["faculty"]


def test_all_pages(trailmark: Any, small_web: Any) -> None:
    ended = trailmark("show", "--all", "--replay", small_web.archive, "--json")
    assert ended.code == 0
    assert ended.report["pages"] == 10
    assert ended.report["slowest_url"].startswith(SITE)
    assert ended.report["slowest_seconds"] > 0


def test_all_pages_of_a_workspace(trailmark: Any, workspace: Path, tmp_path: Path) -> None:
    assert trailmark("-w", workspace, "show", "--all", "--json").report["pages"] == 0
    assert trailmark("-w", tmp_path, "show", "--all").code == 2


def test_bad_usage(trailmark: Any, tmp_path: Path) -> None:
    assert "name the URL of a page" in trailmark("show").err
    assert "is not a Trailmark workspace" in trailmark("-w", tmp_path, "show", SITE).err
    assert "can't be read" in trailmark("show", "--all", "--replay", tmp_path / "no.warc.gz").err


def test_hostile_pages_are_shown(trailmark: Any, tmp_path: Path) -> None:
    from trailmark.datatypes import Response
    from trailmark.store.archive_writer import ArchiveWriter

    bodies = [b"", b"\x00" * 5000, b"\xff\xfe", b"<" * 10_000, b"<div>" * 50_000, bytes(range(256)) * 20, b"%PDF-1.4 x",
              b"<title>&#xD800;&#0;&#27;[31m</title><a href='http://[bad'>x</a><a href='&#xD800;'>y</a>"]  # fmt: skip
    archive = tmp_path / "odd.warc.gz"
    with ArchiveWriter(archive) as writer:
        for number, body in enumerate(bodies):
            writer.write(Response(f"{SITE}{number}", 200, (("Content-Type", "text/html"),), body))
    for number in range(len(bodies)):
        ended = trailmark("show", f"{SITE}{number}", "--replay", archive, "--json")
        assert ended.code == 0
        assert json.loads(ended.out)["url"] == f"{SITE}{number}"
        assert "\x1b" not in ended.out + ended.err
