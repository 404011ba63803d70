"""Answers that are no HTML: JSON, feeds, sitemaps and plain text are marked, learnt, lifted and exported as pages are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.wrap.test_wrap_lists import shown
from tests.wrap.test_wrap_verbs import printed
from tests.wrap.wrap_pages import WORDS
from trailmark.datatypes import Annotation, Response
from trailmark.read import parse_html
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.workspace import Workspace
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules
from trailmark.wrap.structured.structured_data_rule import free_annotations
from trailmark.wrap.writing.rule_text import rule_sentence
from trailmark.wrap.writing.rules_program import rules_to_program

Facts = dict[str, list[str]]


def facts(number: int) -> Facts:
    return {
        "name": [f"{WORDS[number % 10].title()} {number}"],
        "price": [f"{number + 3}.50"],
        "maker": [WORDS[-number % 10]],
    }


def as_json(number: int) -> str:
    said = facts(number)
    extra = [{"label": word, "n": number} for word in WORDS[: number % 3]]
    offer = {"currency": "EUR", "amount": float(said["price"][0]), "per unit": said["maker"][0]}
    return (
        json.dumps({"id": number, "tags": extra, "product": {"title": said["name"][0], "offer": offer}})
        .replace(".5}", ".50}")
        .replace(".5,", ".50,")
    )


def as_xml(number: int) -> str:
    said = facts(number)
    return (
        f'<?xml version="1.0"?><p:thing xmlns:p="http://p.example/" xmlns="http://q.example/"><id>{number}</id>'
        f"{'<note>old</note>' * (number % 3)}<title>{said['name'][0]}</title><p:cost unit='EUR'>{said['price'][0]}</p:cost>"
        f"<by>{said['maker'][0]}</by></p:thing>"
    )


def as_text(number: int) -> str:
    said = facts(number)
    lines = [f"Sheet {number}", "", *["old"] * (number % 3), f"Name: {said['name'][0]}"]
    return "\n".join([*lines, f"Price: {said['price'][0]} EUR", f"Maker: {said['maker'][0]}", ""])


FORMS: dict[str, tuple[str, Callable[[int], str]]] = {
    "json": ("application/json", as_json),
    "xml": ("application/xml", as_xml),
    "text": ("text/plain; charset=utf-8", as_text),
}


def table(text: str, content_type: str) -> NodeTable:
    return NodeTable(parse_html(text.encode(), content_type)[0])


def learnt(form: str) -> RuleSet:
    content_type, write = FORMS[form]
    tables = {number: table(write(number), content_type) for number in (0, 1, 2, *range(10, 18))}
    marks = {
        number: tuple(
            Annotation(f"http://a.example/{number}", name, values[0]) for name, values in facts(number).items()
        )
        for number in (0, 1, 2)
    }
    return learn_rules("a.example/1", [AnnotatedPage(made, marks.get(number, ())) for number, made in tables.items()])


@pytest.mark.parametrize("form", FORMS)
def test_values_are_found_and_an_exported_program_finds_them_too(form: str) -> None:
    content_type, write = FORMS[form]
    rules = learnt(form)
    names: dict[str, Any] = {}
    exec(rules_to_program([rules]), names)
    for number in range(30, 40):
        made = table(write(number), content_type)
        assert shown(rules, made) == [facts(number)]
        assert names["records"](names["read"](write(number), content_type), rules.id) == [facts(number)]


def feed(number: int) -> str:
    items = "".join(
        f"<item><title>{word} &amp; {number}</title><link>http://a.example/{word}/{number}</link>"
        f"<dc:creator>{WORDS[at - 3]}</dc:creator><pubDate>Mon, {at + 1} Nov 2021 00:00:00 GMT</pubDate></item>"
        for at, word in enumerate(WORDS[:6])
    )
    return f'<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://dc.example/"><channel><title>News {number}</title>{items}</channel></rss>'


def feed_records(number: int) -> list[Facts]:
    return [
        {"title": [f"{word} & {number}"], "link": [f"http://a.example/{word}/{number}"], "author": [WORDS[at - 3]]}
        for at, word in enumerate(WORDS[:6])
    ]


def answers(number: int) -> str:
    hits = [
        {"title": each["title"][0], "url": each["link"][0], "by": [{"who": each["author"][0]}]}
        for each in feed_records(number)
    ]
    return json.dumps({"total": 6, "page": number, "hits": hits})


def sitemap(number: int) -> str:
    urls = "".join(
        f"<url><loc>{each['link'][0]}</loc><lastmod>{each['author'][0]}</lastmod><name>{each['title'][0].replace('&', '&amp;')}</name></url>"
        for each in feed_records(number)
    )
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'


@pytest.mark.parametrize(
    ("write", "content_type"),
    [(feed, "application/rss+xml"), (feed, "text/html"), (answers, "application/json"), (sitemap, "text/xml")],
)
def test_entries_of_feeds_and_answers_are_records(write: Callable[[int], str], content_type: str) -> None:
    marked = feed_records(1)[:2]
    said = tuple(Annotation("u", name, value) for each in marked for name, values in each.items() for value in values)
    pages = [AnnotatedPage(table(write(1), content_type), said)]
    rules = learn_rules("x", pages + [AnnotatedPage(table(write(number), content_type)) for number in (2, 3)])
    assert rules.entries is not None
    assert shown(rules, table(write(5), content_type)) == feed_records(5)
    names: dict[str, Any] = {}
    exec(rules_to_program([rules]), names)
    assert names["records"](names["read"](write(5), content_type), "x") == feed_records(5)


@pytest.mark.slow
def test_from_an_archive_of_answers_to_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A place is named by its JSON path; a drift is seen as on pages."""
    folder, archive, marks = tmp_path / "work", tmp_path / "a.warc.gz", tmp_path / "marks.jsonl"
    Workspace.create(folder).close()
    with ArchiveWriter(archive) as writer:
        for number in range(12):
            headers = (("Content-Type", "application/json"),)
            writer.write(Response(f"http://a.example/thing/{number}", 200, headers, as_json(number).encode()))
    paths = {"name": "$.product.title", "price": "$.product.offer.amount", "maker": "$.product.offer['per unit']"}
    lines = [
        {"url": f"http://a.example/thing/{number}", "field": name, "value": values[0], "xpath": paths[name]}
        for number in (0, 1)
        for name, values in facts(number).items()
    ]
    marks.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    printed(capsys, "-w", folder, "teach", "--annotations", marks)
    assert len(printed(capsys, "-w", folder, "cluster", "--archive", archive)["clusters"]) == 1
    printed(capsys, "-w", folder, "wrap")
    out = tmp_path / "records.jsonl"
    printed(capsys, "-w", folder, "extract", "--out", out)
    found = {line["url"]: line["fields"] for line in map(json.loads, out.read_text(encoding="utf-8").splitlines())}
    assert found == {f"http://a.example/thing/{number}": facts(number) for number in range(12)}
    same = printed(capsys, "-w", folder, "monitor", "--replay", archive)
    assert (same["watched"], same["broken"], same["changed"]) == (1, 0, 0)
    later = tmp_path / "later.warc.gz"
    with ArchiveWriter(later) as writer:
        for number in range(12):
            body = as_json(number).replace('"product"', '"article"').replace('"title"', '"called"')
            writer.write(Response(f"http://a.example/thing/{number}", 200, headers, body.encode()))
    changed = printed(capsys, "-w", folder, "monitor", "--replay", later)
    assert (changed["changed"], changed["clusters"][0]["template_changed"]) == (1, True)


def test_ways_through_json_are_said_as_json_paths() -> None:
    said = " ".join(
        rule_sentence(rule, field.layer)
        for field in learnt("json").fields
        for rule in field.rules
        if field.name == "price"
    )
    assert "“$.product.offer.amount”" in said
    assert "json/product" not in said


def carrying(number: int, script: str) -> str:
    """A page whose text says nothing that its script carries."""
    return f"<html><body><h1>Shop</h1><div id='root'></div>{script.replace('@@', as_json(number))}<p>imprint</p></body></html>"


@pytest.mark.parametrize(
    "script",
    [
        "<script id='__NEXT_DATA__' type='application/json'>@@</script>",
        "<script>window.page = @@; window.more = {bad};</script>",
        "<script>var x = {'no': 1}; var state=@@</script>",
    ],
)
def test_json_that_a_page_carries_is_a_place_of_a_value(script: str) -> None:
    pages = [table(carrying(number, script), "text/html") for number in range(6)]
    said = tuple(Annotation("u", name, values[0]) for name, values in facts(0).items())
    rules = learn_rules("x", [AnnotatedPage(pages[0], said), *map(AnnotatedPage, pages[1:])])
    assert shown(rules, table(carrying(33, script), "text/html")) == [facts(33)]
    assert {rule.path for rule in rules.structured} == {
        "product.title",
        "product.offer.amount",
        "product.offer.per unit",
    }
    assert free_annotations([(f"u{number}", page.elements[0]) for number, page in enumerate(pages)]) == []
