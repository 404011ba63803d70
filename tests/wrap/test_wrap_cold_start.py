"""A new site of a known kind: slots, likeness, proposals, and the verb."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.cold_start import evaluate_cold_start, kinds_of
from trailmark.cli.main import run
from trailmark.datatypes import Annotation, Response
from trailmark.errors import InputError
from trailmark.propose.kind_weights import WEIGHTS
from trailmark.propose.proposal import choose_slots, propose_fields, proposed_values, rules_of_proposals, same_places
from trailmark.propose.site_kind import SiteView, view_site
from trailmark.propose.site_slots import find_slots, read_site
from trailmark.propose.slot_likeness import FEATURES, compare
from trailmark.read import parse_html
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.propose import propose
from trailmark.workspace import Workspace
from trailmark.wrap import AnnotatedPage, NodeTable, learn_rules

pytestmark = pytest.mark.slow

HTML = (("Content-Type", "text/html; charset=utf-8"),)
ADJECTIVES = ("Quiet", "Green", "Hidden", "Last", "Seventh", "Broken", "Silver", "Northern", "Paper", "Winter")
NOUNS = ("Harbour", "Garden", "Letter", "Mountain", "Clock", "Orchard", "River", "Window")
FIRST = ("Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Frances")
LAST = ("Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Allen", "Hamilton", "Perlis")
PAGES = 14


def facts(number: int, *, start: int = 0) -> dict[str, str]:
    """What a page says; sites that start elsewhere sell other books."""
    n = number + start
    return {
        "title": f"The {ADJECTIVES[n % 10]} {NOUNS[(n * 3) % 8]}",
        "author": f"{FIRST[n % 7]} {LAST[(n * 2) % 9]}",
        "price": f"${5 + (n * 7) % 40}.{(n * 13) % 90 + 10}",
        "isbn": f"978{1000000000 + n * 7654321 % 8999999999}"[:13],
    }


def table_page(number: int, *, start: int = 0) -> str:
    """A site that says it in a table."""
    said = facts(number, start=start)
    rows = [
        ("Author:", said["author"]),
        ("ISBN:", said["isbn"]),
        ("Our price:", said["price"]),
        ("Stock:", str(number)),
    ]
    cells = "".join(f"<tr><th>{label}</th><td>{value}</td></tr>" for label, value in rows)
    return (
        f"<html><head><title>{said['title']} - Leaves of Paper</title></head><body><div id=nav><a>Home</a><a>Basket</a></div>"
        f"<h1>{said['title']}</h1><table>{cells}</table><p>Delivered within {number + 2} days.</p></body></html>"
    )


def list_page(number: int, *, start: int = 30) -> str:
    """Another template, with other words."""
    said = facts(number, start=start)
    return (
        f"<html><head><title>Buy {said['title']}</title></head><body><ul class=menu><li>Start</li><li>Help</li></ul>"
        f"<div class=product><h2>{said['title']}</h2><p class=by>Author <a>{said['author']}</a></p>"
        f"<dl><dt>Price</dt><dd class=amount>{said['price']}</dd><dt>ISBN</dt><dd>{said['isbn']}</dd>"
        f"<dt>Weight</dt><dd>{200 + number * 3} g</dd></dl></div></body></html>"
    )


def tables_of(pages: Sequence[str]) -> list[NodeTable]:
    return [NodeTable(parse_html(page.encode())[0]) for page in pages]


def seed_view() -> SiteView:
    tables = tables_of([table_page(number) for number in range(PAGES)])
    marks = [
        tuple(Annotation(str(number), field, value) for field, value in facts(number).items()) for number in range(2)
    ]
    pages = [AnnotatedPage(table, marks[at] if at < 2 else ()) for at, table in enumerate(tables)]
    return view_site(tables, learn_rules("seed", pages))


def new_view() -> SiteView:
    return view_site(tables_of([list_page(number) for number in range(PAGES)]))


def test_slots_hold_the_same_place_of_page_after_page() -> None:
    site = read_site(tables_of([list_page(number) for number in range(PAGES)]))
    found = [[site.tables[number].texts[row] for number, row in slot.places] for slot in find_slots(site)]
    for field in ("title", "author", "price", "isbn"):
        assert [facts(number, start=30)[field] for number in range(PAGES)] in found
    assert ["Start"] * PAGES not in found  # a word of the template is no value


def test_what_a_known_site_has_is_found_on_a_new_one() -> None:
    new = new_view()
    proposals = propose_fields([seed_view()], new)
    found = {
        each.field: [new.texts.tables[number].texts[row] for number, row in each.slot.places] for each in proposals
    }
    for field in ("title", "author", "price", "isbn"):
        assert found[field] == [facts(number, start=30)[field] for number in range(PAGES)]
    assert all(0.0 < each.confidence <= 1.0 for each in proposals)


@pytest.mark.slow
def test_proposals_become_rules_for_pages_that_were_not_seen() -> None:
    new = new_view()
    rules = rules_of_proposals("new", propose_fields([seed_view()], new), new)
    fresh = tables_of([list_page(40)])[0]
    assert rules.record("http://new.example/40", fresh).fields == {
        field: (value,) for field, value in facts(40, start=30).items()
    }


def test_a_field_that_the_new_site_lacks_is_not_proposed_with_confidence() -> None:
    pages = [list_page(number).replace(facts(number, start=30)["price"], "") for number in range(PAGES)]
    proposals = propose_fields([seed_view()], view_site(tables_of(pages)), least=0.7)
    assert "price" not in {each.field for each in proposals}
    assert "title" in {each.field for each in proposals}


def test_proposed_values_stand_where_their_xpath_says() -> None:
    new = new_view()
    urls = [f"http://new.example/{number}" for number in range(PAGES)]
    marked = proposed_values(propose_fields([seed_view()], new), new, urls, most=2)
    assert {said.url for said, _ in marked} == set(urls[:2])
    for said, _ in marked:
        root = new.texts.tables[urls.index(said.url)].elements[0]
        assert said.xpath is not None
        assert [" ".join(str(each).split()) for each in root.xpath(said.xpath)] == [said.value]


def test_nothing_comes_of_nothing() -> None:
    empty, new = view_site([]), new_view()
    assert propose_fields([], new) == []
    assert propose_fields([seed_view()], empty) == []
    assert propose_fields([new], new) == []  # no rules, no fields
    assert empty.slots == ()
    assert view_site([NodeTable(None)]).slots == ()


def test_figures_of_likeness_are_finite_and_named() -> None:
    names, found = compare([seed_view()], new_view())
    assert set(names) == {"title", "author", "price", "isbn"}
    assert found.shape[2] == len(FEATURES)
    assert np.isfinite(found).all()
    assert set(WEIGHTS) <= set(FEATURES)


def test_a_slot_goes_to_the_field_of_which_more_is_sure() -> None:
    scores = np.array([[4.0, 2.0, -9.0], [3.0, 1.0, -9.0], [-1.0, -2.0, -3.0]])
    chosen = choose_slots(scores, np.eye(3))
    assert [at for at, _ in chosen] == [0, 1, None]
    assert chosen[0][1] > chosen[1][1] > 0.0


@given(st.lists(st.lists(st.floats(-30, 30), min_size=4, max_size=4), min_size=1, max_size=5))
def test_choices_are_sound_whatever_the_scores(scores: list[list[float]]) -> None:
    for at, sure in choose_slots(np.array(scores), np.eye(4)):
        assert at is None or 0 <= at < 4
        assert 0.0 <= sure <= 1.0
        assert (at is None) == (sure == 0.0)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(max_size=60), min_size=1, max_size=4))
def test_hostile_pages_only_give_what_they_hold(pages: list[str]) -> None:
    view = view_site([NodeTable(parse_html(("<p>" + page).encode("utf-8", "replace"))[0]) for page in pages])
    for each in propose_fields([SEED], view):
        for number, row in each.slot.places:
            assert 0 <= row < len(view.texts.tables[number])
    shares = same_places(view.slots)
    assert np.allclose(np.diag(shares), 1.0)


SEED = seed_view()

# --- the verb and the measurement --------------------------------------------------------------------------------


def archive(path: Path, host: str, pages: Sequence[str]) -> Path:
    with ArchiveWriter(path) as writer:
        for number, page in enumerate(pages):
            writer.write(Response(f"http://{host}/book/{number}", 200, HTML, page.encode()))
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    capsys.readouterr()
    assert run([str(each) for each in (*arguments, "--json")]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


@pytest.mark.slow
def test_propose_confirm_and_wrap(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    work = tmp_path / "work"
    Workspace.create(work).close()
    old = archive(tmp_path / "old.warc.gz", "old.example", [table_page(number) for number in range(PAGES)])
    new = archive(tmp_path / "new.warc.gz", "new.example", [list_page(number) for number in range(PAGES)])
    printed(capsys, "-w", work, "cluster", "--archive", old, "--archive", new)
    marks = tmp_path / "marks.jsonl"
    lines = [{"url": "http://old.example/book/0", "field": f, "value": v} for f, v in facts(0).items()]
    marks.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    printed(capsys, "-w", work, "teach", "--annotations", marks)
    printed(capsys, "-w", work, "wrap")
    report = printed(capsys, "-w", work, "wrap", "--propose")
    (cluster,) = report["clusters"]
    written = [json.loads(line) for line in Path(cluster["file"]).read_text(encoding="utf-8").splitlines()]
    assert {line["field"] for line in written} == {each["field"] for each in cluster["fields"]}
    for line in written:
        number = int(line["url"].rsplit("/", 1)[1])
        assert line["url"].startswith("http://new.example/")
        assert line["value"] == facts(number, start=30)[line["field"]]
        assert 0.5 <= line["confidence"] <= 1.0
    taught = printed(capsys, "-w", work, "teach", "--annotations", cluster["file"])
    assert taught["problems"] == []
    assert len(printed(capsys, "-w", work, "wrap")["clusters"]) == 2
    with Workspace.open(work) as workspace, pytest.raises(InputError, match="new site"):
        propose(workspace)


def test_propose_shows_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Workspace.create(tmp_path / "work").close()
    assert run(["-w", str(tmp_path / "work"), "wrap", "--propose"]) == 2
    assert capsys.readouterr().err.endswith(" wrap\n")


def test_kinds_are_named_before_the_hyphen() -> None:
    assert kinds_of(["book-b", "book-a", "car-x", "book"]) == {"book": ["book", "book-a", "book-b"]}


@pytest.mark.slow
def test_cold_start_is_measured(tmp_path: Path) -> None:
    for name, page, start in (("book-one", table_page, 0), ("book-two", list_page, 30)):
        archive(tmp_path / f"{name}.warc.gz", f"{name}.example", [page(number) for number in range(PAGES)])
        lines = [
            {"url": f"http://{name}.example/book/{n}", "values": {f: [v] for f, v in facts(n, start=start).items()}}
            for n in range(PAGES)
        ]
        (tmp_path / f"{name}.truth.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    (total,) = evaluate_cold_start(tmp_path, progress=lambda items, _: iter(items))
    assert total["seeds"] == 1
    assert total["kinds"] == {"book": pytest.approx(total["macro_f1"])}
    assert len(total["fields"]) == 8
    assert total["macro_f1"] > 0.8
