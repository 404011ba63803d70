"""Fields whose values stand at several places of a page, and places that only one of is meant."""

from __future__ import annotations

import json
from pathlib import Path

from tests.wrap.test_wrap_silence import found, learnt
from tests.wrap.wrap_pages import WORDS, table_of
from trailmark.datatypes import Annotation
from trailmark.wrap import AnnotatedPage, RuleSet, learn_rules, rules_from_json, rules_to_json


def camera_page(number: int) -> str:
    """A name in the heading, and a shorter one in a table; the maker once or twice."""
    name, maker = f"{WORDS[number % 10].title()} {number}", WORDS[number % 7].title()
    full = f"<tr><th>Manufacturer</th><td>{maker} Works Ltd</td></tr>" if number % 3 else ""
    return (
        f"<html><body><h1>{maker} {name} camera, black</h1><p class='price'>${number}.00</p><table>"
        f"<tr><th>Brand</th><td>{maker}</td></tr>{full}<tr><th>Model</th><td>{name}</td></tr>"
        f"<tr><th>Weight</th><td>{number * 7} g</td></tr></table></body></html>"
    )


def camera_facts(number: int) -> dict[str, list[str]]:
    name, maker = f"{WORDS[number % 10].title()} {number}", WORDS[number % 7].title()
    return {
        "model": [f"{maker} {name} camera, black", name],
        "maker": [maker, f"{maker} Works Ltd"] if number % 3 else [maker],
        "price": [f"${number}.00"],
    }


def test_a_field_has_the_values_of_all_its_places() -> None:
    rules = learnt([camera_page(number) for number in range(10, 30)], {0: camera_facts(10)})
    for number in range(40, 60):
        assert found(rules, camera_page(number)) == {name: tuple(v) for name, v in camera_facts(number).items()}


def test_rules_of_further_places_are_kept() -> None:
    rules = learnt([camera_page(number) for number in range(10, 30)], {0: camera_facts(10)})
    assert any(field.more for field in rules.fields)
    assert read_again(rules) == rules


def read_again(rules: RuleSet) -> RuleSet:
    return rules_from_json(json.loads(json.dumps(rules_to_json(rules))), source="rules.json")


def test_where_the_first_place_is_silent_another_speaks() -> None:
    rules = learnt([camera_page(number) for number in range(10, 30)], {0: camera_facts(10)})
    page = camera_page(44)
    without = page.replace(page[page.index("<h1>") : page.index("</h1>") + 5], "")
    assert dict(rules.record("", table_of(without)).fields)["model"] == (camera_facts(44)["model"][1],)


def match_page(number: int) -> str:
    """A player's team stands in the heading of the page and as the home team of the last match, which on other pages is another."""
    team = WORDS[number % 10].title() + " United"
    home = team if number % 4 == 0 else WORDS[(number + 3) % 10].title() + " United"
    return (
        f"<html><body><h1>Player {number}</h1><p>Team: <b>{team}</b></p><div class='match'><span>Home: </span><b>{home}</b>"
        f"<i>{number % 5}:{number % 3}</i></div><p>Height: <b>{150 + number} cm</b></p></body></html>"
    )


def team_of(number: int) -> str:
    return WORDS[number % 10].title() + " United"


def asked(marks: dict[int, dict[str, list[str]]]) -> RuleSet:
    """Rules of pages that have addresses, so that one can be asked about."""
    pages = [
        AnnotatedPage(
            table_of(match_page(number)),
            tuple(Annotation(url_of(number), field, v) for field, vs in marks.get(number, {}).items() for v in vs),
            url_of(number),
        )
        for number in range(20)
    ]
    return learn_rules("site.example/1", pages)


def url_of(number: int) -> str:
    return f"http://site.example/{number}"


def test_where_one_page_can_not_decide_the_field_is_asked_about() -> None:
    rules = asked({0: {"name": ["Player 0"], "team": [team_of(0)], "height": ["150 cm"]}})
    (question,) = rules.questions
    assert (question.field, question.url) == ("team", url_of(1))
    assert {question.value, question.rival} == {team_of(1), team_of(4)}
    assert url_of(1) in question.sentence
    assert read_again(rules) == rules
    for number in range(40, 60):
        record = rules.record("", table_of(match_page(number)))
        assert record.unsure == (("team",) if number % 4 else ())


def test_the_page_that_was_asked_for_settles_it() -> None:
    marks = {"name": ["Player 0"], "team": [team_of(0)]}
    rules = asked({0: marks, 1: {"name": ["Player 1"], "team": [team_of(1)]}})
    assert rules.questions == ()
    for number in range(40, 60):
        record = rules.record("", table_of(match_page(number)))
        assert (record.fields["team"], record.unsure) == ((team_of(number),), ())


def two_layouts(number: int) -> str:
    """One page in five says it otherwise."""
    said = f"<p class='a'>By <b>{WORDS[number % 10]}</b></p>" if number % 5 == 0 else f"<div><i>{number * 3}</i></div>"
    return f"<html><body><h1>Book {number}</h1>{said}</body></html>"


def test_a_field_of_few_pages_is_asked_about() -> None:
    pages = [
        AnnotatedPage(
            table_of(two_layouts(number)),
            (Annotation(url_of(0), "author", WORDS[0]), Annotation(url_of(0), "title", "Book 0")) if not number else (),
            url_of(number),
        )
        for number in range(20)
    ]
    rules = learn_rules("site.example/1", pages)
    (question,) = rules.questions
    assert (question.field, question.url, question.value) == ("author", url_of(1), "")
    assert rules.record("", table_of(two_layouts(45))).unsure == ("author",)


def film_page(number: int) -> str:
    """A film by one director, or by two side by side, with a heading in two lines."""
    directors = [f"{word.title()} Hill" for word in (WORDS[number % 10], WORDS[number % 7])][: 1 + (number % 4 == 3)]
    links = ", ".join(f"<a href='/p'>{name}</a>" for name in directors)
    year = "<br>(restored)" if number % 3 == 1 else ""
    return f"<html><body><h1>Film {number}{year}</h1><p>Director: {links}</p><p>Length: <b>{number} min</b></p></body></html>"


def test_values_side_by_side_are_taken_where_only_one_was_marked() -> None:
    marks = {"title": ["Film 20"], "director": [f"{WORDS[0].title()} Hill"], "length": ["20 min"]}
    rules = learnt([film_page(number) for number in range(20, 40)], {0: marks})
    for number in range(41, 61):
        values = found(rules, film_page(number))
        assert values["director"] == tuple(
            dict.fromkeys(f"{WORDS[number % base].title()} Hill" for base in (10, 7)[: 1 + (number % 4 == 3)])
        )
        assert values["title"] == (f"Film {number}",)


def club_page(number: int) -> str:
    """The club's own name, and that of the winner of its last match, which is another on two pages of three."""
    club, other = (f"{WORDS[at % 10].title()} United" for at in (number, number if number % 3 == 0 else number + 3))
    return (
        f"<html><head><title>Club {number}</title></head><body><div id=nav><a href=/>Home</a></div><h1>{club}</h1>"
        f"<div class=facts><p>Founded: <b>{1880 + number}</b></p></div>"
        f"<div class=last><p>Winner of the last match: <b>{other}</b></p></div></body></html>"
    )


def test_the_question_in_the_documents_is_what_is_asked() -> None:
    urls = [f"http://clubs.example/club/{number}" for number in range(12)]
    tables = [table_of(club_page(number)) for number in range(12)]
    marks = (Annotation(urls[0], "team", "Amber United"), Annotation(urls[0], "founded", "1880"))
    pages = [AnnotatedPage(table, () if at else marks, urls[at]) for at, table in enumerate(tables)]
    (question,) = learn_rules("clubs.example/1", pages).questions
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "wrap.md").read_text(encoding="utf-8")
    assert f"clubs.example/1: {question.sentence}\n" in page
