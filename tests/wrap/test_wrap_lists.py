"""Lists of records: entries found from one or two marked ones, in the shapes that pages give them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wrap.wrap_pages import WORDS, sample, table_of
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules, rules_from_json, rules_to_json
from trailmark.wrap.lists.entry_items import items_of, runs_of

Paper = dict[str, list[str]]
URL = "http://lists.example/papers"


def papers(number: int, count: int = 8) -> list[Paper]:
    """What a page lists: titles, one to three authors, and a year that one entry in five lacks."""
    dice = random.Random(number)
    made = []
    for at in range(count):
        authors = dice.sample(
            [f"{letter}. {word.title()}" for letter, word in zip("ABCDEFGHIJ", WORDS, strict=True)], 1 + at % 3
        )
        year = [] if at % 5 == 4 else [str(dice.randint(1950, 2020))]
        title = f"{dice.choice(WORDS).title()} {dice.choice(WORDS)} {number}-{at}"
        made.append({"title": [title], "author": authors, "year": year})
    return made


def _items(paper: Paper) -> str:
    authors = ", ".join(f"<i>{each}</i>" for each in paper["author"])
    return f"<a href='/p'>{paper['title'][0]}</a> by {authors}" + "".join(f" <b>{each}</b>" for each in paper["year"])


def as_bullets(made: list[Paper]) -> str:
    return "<ul>" + "".join(f"<li>{_items(each)}</li>" for each in made) + "</ul>"


def as_rows(made: list[Paper]) -> str:
    cells = "".join(
        f"<tr class='{'odd' if at % 2 else 'even'}'><td><a href='/p'>{each['title'][0]}</a></td>"
        f"<td>{'; '.join(f'<i>{name}</i>' for name in each['author'])}</td><td>{''.join(each['year'])}</td></tr>"
        for at, each in enumerate(made)
    )
    return f"<table><tr><th>Title</th><th>Authors</th><th>Year</th></tr>{cells}</table>"


def as_definitions(made: list[Paper]) -> str:
    """Old pages leave their terms open."""
    return (
        "<dl>"
        + "".join(
            f"<dt><a href='/p'>{each['title'][0]}</a><dd>{', '.join(f'<i>{name}</i>' for name in each['author'])}"
            + "".join(f" <b>{year}</b>" for year in each["year"])
            for each in made
        )
        + "</dl>"
    )


def as_lines(made: list[Paper]) -> str:
    return "<div>" + "<br><br>".join(_items(each) for each in made) + "</div>"


def as_blocks(made: list[Paper]) -> str:
    return (
        "<div class='all'>"
        + "".join(
            f"<div class='entry'><h3>{each['title'][0]}</h3><p>{' '.join(f'<span class=author>{name}</span>' for name in each['author'])}"
            f"{''.join(f'<span class=year>{year}</span>' for year in each['year'])}</p></div>"
            for each in made
        )
        + "</div>"
    )


def as_headed(made: list[Paper]) -> str:
    """Headings and paragraphs side by side, without an element for the entry."""
    return (
        "<div>"
        + "".join(
            f"<h3>{each['title'][0]}</h3><p>{', '.join(f'<i>{name}</i>' for name in each['author'])}</p>"
            + "".join(f"<p class='when'>{year}</p>" for year in each["year"])
            for each in made
        )
        + "</div>"
    )


SHAPES = (as_bullets, as_rows, as_definitions, as_lines, as_blocks, as_headed)


def page(number: int, shape: Callable[[list[Paper]], str]) -> NodeTable:
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in WORDS[:5])
    return table_of(
        f"<html><head><title>Papers {number}</title></head><body><ul class='menu'>{menu}</ul><h1>Papers</h1>"
        f"<p>All that group {number} wrote.</p>{shape(papers(number))}<hr><p>imprint 1999</p></body></html>"
    )


def marks(made: list[Paper]) -> tuple[Annotation, ...]:
    return tuple(Annotation(URL, field, value) for each in made for field, values in each.items() for value in values)


def learnt(shape: Callable[[list[Paper]], str], count: int, *, others: range = range(2, 5)) -> RuleSet:
    pages = [AnnotatedPage(page(1, shape), marks(papers(1)[1 : 1 + count]))]
    return learn_rules("lists.example/1", pages + [AnnotatedPage(page(number, shape)) for number in others])


def shown(rules: RuleSet, table: NodeTable) -> list[Paper]:
    return [{name: list(values) for name, values in each.fields.items()} for each in rules.records(URL, table)]


def wanted(number: int) -> list[Paper]:
    return [{name: values for name, values in each.items() if values} for each in papers(number)]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("shape", SHAPES)
def test_one_or_two_marked_entries_give_all(shape: Callable[[list[Paper]], str], count: int) -> None:
    rules = learnt(shape, count)
    for number in (1, 2, 9):
        assert shown(rules, page(number, shape)) == wanted(number)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_page_all_by_itself(shape: Callable[[list[Paper]], str]) -> None:
    rules = learnt(shape, 2, others=range(0))
    assert [each["title"] for each in shown(rules, page(1, shape))] == [each["title"] for each in papers(1)]


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_rules_of_lists_are_kept_and_read(shape: Callable[[list[Paper]], str]) -> None:
    rules = learnt(shape, 2)
    kept = json.loads(json.dumps(rules_to_json(rules)))
    again = rules_from_json(kept, source="rules.json")
    assert again.entries == rules.entries
    assert shown(again, page(9, shape)) == shown(rules, page(9, shape)) != []
    assert kept["entries"]["xpath"].startswith("/")
    assert kept["entries"]["says"].endswith(".")


@pytest.mark.slow
def test_every_value_says_where_it_stood() -> None:
    for shape in SHAPES:
        table = page(1, shape)
        for record in learnt(shape, 2).records(URL, table):
            for name, values in record.fields.items():
                for value, source in zip(values, record.sources[name], strict=True):
                    assert [" ".join(text.split()) for text in table.elements[0].xpath(source)] == [value]


def test_fields_marked_one_after_the_other() -> None:
    """All titles first, then all years: values join the title that is nearest."""
    made = papers(1)[1:3]
    said = tuple(
        Annotation(URL, field, value) for field in ("title", "author", "year") for each in made for value in each[field]
    )
    rules = learn_rules("x", [AnnotatedPage(page(1, as_bullets), said), AnnotatedPage(page(2, as_bullets))])
    assert shown(rules, page(2, as_bullets)) == wanted(2)


def test_years_above_groups_of_entries() -> None:
    def grouped(number: int) -> str:
        groups = "".join(
            f"<h3>{1990 + at + number}</h3><ul>"
            + "".join(f"<li><a>{word} {number}{at}</a> in <i>{word}s</i></li>" for word in WORDS[:4])
            + "</ul>"
            for at in range(3)
        )
        return f"<html><body><h1>Papers</h1><div>{groups}</div></body></html>"

    said = tuple(
        Annotation(URL, field, value)
        for at, word in ((0, "birch"), (1, "amber"))
        for field, value in (("year", str(1990 + at + 1)), ("title", f"{word} 1{at}"), ("journal", f"{word}s"))
    )
    tables = [table_of(grouped(number)) for number in (1, 2, 3)]
    rules = learn_rules("x", [AnnotatedPage(tables[0], said), AnnotatedPage(tables[1])])
    found = [(r.fields["year"], r.fields["title"], r.fields["journal"]) for r in rules.records(URL, tables[2])]
    assert found == [((str(1993 + at),), (f"{w} 3{at}",), (f"{w}s",)) for at in range(3) for w in WORDS[:4]]


def test_whose_list_it_is() -> None:
    """A field that is marked once, above all entries, belongs to each of them."""

    def page_of(number: int) -> NodeTable:
        return table_of(
            f"<html><body><h1>{WORDS[number].title()}</h1><p>Hello.</p>{as_blocks(papers(number))}</body></html>"
        )

    said = (Annotation(URL, "owner", WORDS[1].title()), *marks(papers(1)[:2]))
    rules = learn_rules("x", [AnnotatedPage(page_of(1), said), AnnotatedPage(page_of(2))])
    assert shown(rules, page_of(3)) == [{**each, "owner": [WORDS[3].title()]} for each in wanted(3)]


def test_an_entry_that_is_all_its_field() -> None:
    """Texts of several elements, taken together."""

    def cited(number: int) -> str:
        lines = [f"{each['author'][0]}, <i>{each['title'][0]}</i>, 1990." for each in papers(number)]
        return f"<html><body><h2>Papers</h2><ol>{''.join(f'<li>{line}</li>' for line in lines)}</ol></body></html>"

    def text(number: int, at: int) -> str:
        return f"{papers(number)[at]['author'][0]}, {papers(number)[at]['title'][0]}, 1990."

    said = tuple(Annotation(URL, "citation", text(1, at)) for at in (0, 1))
    rules = learn_rules("x", [AnnotatedPage(table_of(cited(1)), said)])
    assert [r.fields["citation"][0] for r in rules.records(URL, table_of(cited(2)))] == [text(2, at) for at in range(8)]


@pytest.mark.slow
def test_a_page_with_one_record_stays_one() -> None:
    """The pages of a shop have facts in rows and makers side by side; nothing there is a list of records."""
    for annotated in ((1,), (1, 2), (5, 6, 7)):
        assert learn_rules("shop", sample(annotated)).entries is None


def test_several_values_of_one_field_are_no_list() -> None:
    body = "<p>Makers: <a>Amber</a>, <a>Birch</a></p><p>" + "much more text " * 20 + "</p>"
    table = table_of(f"<html><body><h1>Lamp</h1>{body}</body></html>")
    rules = learn_rules(
        "x", [AnnotatedPage(table, (Annotation(URL, "maker", "Amber"), Annotation(URL, "maker", "Birch")))]
    )
    assert rules.entries is None


def test_files_without_lists_are_read() -> None:
    kept = rules_to_json(learn_rules("shop", sample((1,))))
    del kept["entries"], kept["structured"]
    assert rules_from_json(kept, source="rules.json").entries is None


@pytest.mark.slow
@pytest.mark.parametrize("broken", [{"steps": []}, {"steps": [["li"]]}, {"steps": 3}, [], "entries", {"shapes": None}])
def test_broken_rules_of_lists_are_refused(broken: object) -> None:
    kept = rules_to_json(learnt(as_bullets, 2))
    kept["entries"] = {**kept["entries"], **broken} if isinstance(broken, dict) else broken or "x"
    with pytest.raises(InputError, match=r"rules\.json"):
        rules_from_json(kept, source="rules.json")


def test_runs_end_at_headings_and_lines() -> None:
    table = table_of("<body><div>a<br>b<br><br>c<h3>d</h3>e<hr>f</div></body>")
    items = items_of(table, table.tags.index("div"))
    assert [each.symbol for each in items] == ["#text", "br", "#text", "br br", "#text", "h3", "#text", "hr", "#text"]
    runs = runs_of(items, opens="", parted="br br", goes_on=frozenset())
    assert [[table.texts[each.first] for each in run if each.first < each.end] for run in runs] == [
        ["a", "b"],
        ["c"],
        ["e"],
        ["f"],
    ]


TAGS = st.sampled_from(
    ["li", "ul", "p", "b", "br", "td", "tr", "table", "dl", "dt", "dd", "h3", "hr", "script", "o:p", "!--"]
)
SOUP = st.lists(
    st.tuples(TAGS, st.sampled_from(["x", "year 1990", "", "y & z", "'\"", "\u00a0"]), st.booleans()), max_size=40
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(SOUP, st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(["x", "1990", "y & z", "q"])), max_size=6))
def test_no_page_breaks_it(soup: list[tuple[str, str, bool]], said: list[tuple[str, str]]) -> None:
    """Whatever the page and the annotations: rules or none, and every value found is in the page."""
    html = "".join(f"<{tag}>{text}" + (f"</{tag}>" if closed else "") for tag, text, closed in soup)
    table = table_of(f"<html><body>{html}</body></html>")
    rules = learn_rules("x", [AnnotatedPage(table, tuple(Annotation(URL, field, value) for field, value in said))])
    whole = "".join("".join(table.texts).split())
    for record in rules.records(URL, table):
        for values in record.fields.values():
            assert all("".join(value.split()) in whole for value in values)
