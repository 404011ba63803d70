"""The dump of a wiki as an archive: what is read, what is left out, and what a hostile one can do."""

from __future__ import annotations

import gzip
import lzma
import re
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.store.wiki_world import HEAD, PAGES, TAIL, dump_xml, page_xml, write_dump
from trailmark.errors import ArchiveError
from trailmark.read import read_page
from trailmark.store.archive import ArchiveWarning, packing_of, read_archive
from trailmark.store.replay import Replay
from trailmark.store.wikitext import wiki_html

WIKI = "http://wiki.example/wiki/"


def test_articles_are_pages_with_headings_and_links(tmp_path: Path) -> None:
    answers = {each.url: each for each in read_archive(write_dump(tmp_path / "w.xml.bz2"))}
    assert list(answers) == [
        f"{WIKI}Graph_theory",
        f"{WIKI}Euler",
        f"{WIKI}%E5%9B%BE%E8%AE%BA",
        f"{WIKI}Theory_of_graphs",
    ]
    page = read_page(answers[f"{WIKI}Graph_theory"])
    assert page.title == "Graph theory"
    assert [heading.text for heading in page.headings] == ["Graph theory", "Trees", "Counting trees"]
    assert {(link.url, link.anchor) for link in page.links} == {
        (f"{WIKI}Tree_(graph_theory)", "trees"),
        (f"{WIKI}Euler", "Euler"),
        (f"{WIKI}Spanning_tree", "Spanning trees"),
        ("http://outside.example/a", "page"),
    }
    words = " ".join(page.body_tokens)
    assert "a bridge a path" in words
    for gone in ("infobox", "nested", "note", "hidden", "cell", "caption", "category", "arbre", "thumb"):
        assert gone not in words, gone


@pytest.mark.parametrize("name", ["w.xml", "w.xml.bz2", "w.xml.gz", "w.xml.xz"])
def test_a_replay_answers_from_it_and_follows_redirects(tmp_path: Path, name: str) -> None:
    file = write_dump(tmp_path / name)
    if name.endswith(".gz"):
        file.write_bytes(gzip.compress(dump_xml().encode()))
    if name.endswith(".xz"):
        file.write_bytes(lzma.compress(dump_xml().encode()))
    assert packing_of(file) == "dump"
    with Replay([file], index=tmp_path / "index.db") as replay:
        answer = replay.fetch(f"{WIKI}Theory_of_graphs")
        assert (answer.url, answer.status) == (f"{WIKI}Graph_theory", 200)
        assert replay.fetch(f"{WIKI}Talk:Euler").status == 404
        assert replay.fetch(f"{WIKI}图论").status == 200


def test_a_dump_that_breaks_off_gives_what_came_before(tmp_path: Path) -> None:
    pages = {f"Page {n}": f"Text {n} {hash_words(n)}" for n in range(3000)}
    file = write_dump(tmp_path / "w.xml.bz2", dump_xml(pages, {}))
    file.write_bytes(file.read_bytes()[: -file.stat().st_size // 3])
    with pytest.warns(ArchiveWarning, match="breaks off"):
        found = list(read_archive(file))
    assert 0 < len(found) < 3000


def hash_words(n: int) -> str:
    return " ".join(str((n * 7919 + k * 104729) % 1_000_003) for k in range(60))


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE mediawiki [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><mediawiki>'
    "<page><title>&b;</title><ns>0</ns></page></mediawiki>"
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (BOMB, "document type"),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><mediawiki></mediawiki>', "document type"),
        ("<mediawiki><page><title>&undeclared;</title></page></mediawiki>", "damaged"),
        ("<mediawiki", "damaged"),
        ("<html><body>no dump</body></html>", "not a web archive"),
    ],
)
def test_what_is_no_dump_is_refused_in_a_sentence(tmp_path: Path, text: str, says: str) -> None:
    file = write_dump(tmp_path / "w.xml", text)
    with pytest.raises(ArchiveError, match=says) as refused:
        list(read_archive(file))
    assert str(file) in str(refused.value)


def test_a_page_of_any_size_is_cut_and_the_next_is_read(tmp_path: Path) -> None:
    file = tmp_path / "w.xml"
    with file.open("w") as opened:
        opened.write(HEAD + "<page><title>Huge</title><ns>0</ns><revision><text>")
        for _ in range(400):
            opened.write("word " * 20_000)
        opened.write("</text></revision></page>" + page_xml("Small", "Text.") + TAIL)
    tracemalloc.start()
    found = [(each.url, len(each.body)) for each in read_archive(file)]
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [url for url, _ in found] == [f"{WIKI}Huge", f"{WIKI}Small"]
    assert found[0][1] < 3_000_000
    assert most < 60_000_000


@pytest.mark.parametrize(
    "text",
    ["{{" * 200_000, "[[" * 200_000, "{{a" * 100_000 + "}}" * 100_000, "{|\n" * 100_000, "'" * 400_000, "=" * 400_000,
     "<ref>" * 100_000, "<!--" * 100_000, "[http://a b" * 50_000, "[[a|" * 80_000 + "]]" * 80_000, "* " * 200_000, "&amp;" * 100_000],
)  # fmt: skip
def test_nested_and_unclosed_signs_cost_bounded_time(text: str) -> None:
    started = time.process_time()
    assert wiki_html(text, "T", WIKI).startswith("<!DOCTYPE html>")
    assert time.process_time() - started < 3.0


@given(st.text(st.sampled_from("a '{}[]|=<>!-*#:;\n/&\ue010\ue011\ue012\u202ehtp.refomath"), max_size=200))
def test_no_text_breaks_out_of_the_page(text: str) -> None:
    made = wiki_html(text, "T", WIKI, ("File",))
    rest = made
    for sign in ("<h1>", "</h1>", "<p>", "</p>", "<ul><li>", "</li></ul>", "</a>", "<title>", "</title>"):
        rest = rest.replace(sign, "")
    for level in range(2, 7):
        rest = rest.replace(f"<h{level}>", "").replace(f"</h{level}>", "")
    for part in (
        rest.removeprefix("<!DOCTYPE html><html><head></head><body>")
        .removesuffix("</body></html>")
        .split('<a href="')[1:]
    ):
        address, _, behind = part.partition('">')
        assert address.startswith((WIKI, "http://", "https://"))
        assert "<" not in behind
        assert "<" not in address
    assert "\ue010" not in made


def test_scripts_of_a_text_are_text() -> None:
    made = wiki_html(
        "<script>alert(1)</script> &lt;img src=x onerror=alert(1)&gt; [javascript:alert(1) x] [[javascript:alert(1)]]",
        "<b>",
        WIKI,
    )
    assert "<script" not in made
    assert "<img" not in made
    assert 'href="javascript' not in made
    marks = wiki_html("&#xe010;javascript:alert(1)&#xe011;click&#xe012;", "T", WIKI)
    assert "<a" not in marks
    assert "<title>&lt;b&gt;</title>" in made


def test_a_link_that_is_never_closed_takes_no_other_with_it() -> None:
    text = "Some [[open words and [[tape]] and [[File:x.png|thumb|of [[a]] tape]] here.\n\nThen [[heads]] end."
    page = wiki_html(text, "x", WIKI, ["File"])
    assert re.findall('href="([^"]*)"', page) == [f"{WIKI}Tape", f"{WIKI}Heads"]
    assert "thumb" not in page
    assert "[[tape" not in page


def test_the_last_revision_counts_and_a_user_is_no_title(tmp_path: Path) -> None:
    old = page_xml("Euler", "Old.").replace("</revision>", "</revision><revision><text>New.</text></revision>")
    (answer,) = read_archive(write_dump(tmp_path / "w.xml", HEAD + old + TAIL))
    assert b"New." in answer.body
    assert b"Old." not in answer.body
    assert dict(answer.headers)["Last-Modified"] == "Mon, 03 Feb 2020 04:05:06 GMT"
    assert len(PAGES) == 3
