"""The same thing found several times is one; two things are never."""

from __future__ import annotations

import itertools
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise.doubles import SAME_BYTES, SAME_FIELDS, SAME_PAPER, Finding, _misprint, find_doubles, halves
from trailmark.organise.reference_parts import ReferenceParts

WORDS = [
    "adaptive",
    "analysis",
    "bayesian",
    "caches",
    "circuits",
    "compilers",
    "concurrent",
    "consensus",
    "crawling",
    "databases",
    "decision",
    "distributed",
    "estimation",
    "evaluation",
    "garbage",
    "grammars",
    "graphs",
    "hashing",
    "hidden",
    "indexing",
    "inference",
    "kernels",
    "languages",
    "lattices",
    "learning",
    "markov",
    "memory",
    "networks",
    "optimal",
    "parallel",
    "parsing",
    "planning",
    "queries",
    "queues",
    "random",
    "recovery",
    "robots",
    "routing",
    "scheduling",
    "search",
    "semantics",
    "signals",
    "sorting",
    "stochastic",
    "streams",
    "syntax",
    "systems",
    "testing",
    "theory",
    "threads",
    "trees",
    "types",
    "verification",
    "vision",
    "wavelets",
]
FAMILIES = [
    "Abbot",
    "Berger",
    "Castillo",
    "Dvorak",
    "Eriksen",
    "Fontaine",
    "Gruber",
    "Hansen",
    "Ivanov",
    "Jansen",
    "Kowalski",
    "Lindgren",
    "Moreau",
    "Novak",
]
GIVEN = ["Ada", "Boris", "Clara", "Daniel", "Elena", "Frank", "Greta", "Hugo", "Irene", "Jonas"]


def paper(rng: Random, number: int) -> Finding:
    title = " ".join(rng.sample(WORDS, rng.randint(3, 8))).capitalize()
    authors = tuple(f"{rng.choice(GIVEN)} {family}" for family in rng.sample(FAMILIES, rng.randint(1, 4)))
    return Finding(
        f"p{number}", "paper", f"http://a.test/{number}.pdf", title, authors, rng.randint(1970, 2020), f"d{number}"
    )


def found_again(one: Finding, rng: Random, number: int) -> Finding:
    """The same paper at another address, as another tagger or page tells of it."""
    title = rng.choice((str.title, str.upper, str.lower))(one.title)
    if rng.random() < 0.4:
        place = rng.randrange(1, len(title) - 1)
        title = title[:place] + rng.choice("aeiou") + title[place + 1 :]
    authors = tuple(f"{name[0]}. {name.split()[1]}" for name in one.authors) if rng.random() < 0.5 else one.authors
    year = rng.choice((one.year, one.year, None, (one.year or 0) + 1))
    kind = rng.choice(("paper", "paper", "publication"))
    return Finding(
        f"{one.id}-{number}", kind, f"http://b{number}.test/{one.id}", title, authors, year, f"e{one.id}{number}"
    )


def nearly(one: Finding, rng: Random) -> list[Finding]:
    """Papers that are easily taken for another: the next part, another year, a word more or less, other authors."""
    words = one.title.split()
    other = rng.choice([word for word in WORDS if word not in one.title.lower()])
    changed = [*words[:-1], other]
    return [
        replace(one, id=f"{one.id}/II", title=f"{one.title}, Part II", digest="", url=f"{one.url}2"),
        replace(one, id=f"{one.id}/III", title=f"{one.title}, Part III", digest="", url=f"{one.url}3"),
        replace(one, id=f"{one.id}/2", title=f"{one.title} 2", digest="", url=f"{one.url}4"),
        replace(one, id=f"{one.id}/w", title=" ".join(changed), digest="", url=f"{one.url}5"),
        replace(one, id=f"{one.id}/y", year=(one.year or 0) + 4, digest="", url=f"{one.url}6"),
        replace(one, id=f"{one.id}/a", authors=("Zoe Quist",), digest="", url=f"{one.url}7"),
    ]


def thing(rng: Random, number: int) -> list[Finding]:
    """A course or a product, the same at another address, and others of the same title: another term, another size."""
    title = " ".join(rng.sample(WORDS, 2))
    kind = rng.choice(("course", "product"))
    fields = {"code": (f"CS {number + 100}",), "term": ("Fall 1998",), "price": (f"${rng.randint(1, 90)}.99",)}
    one = Finding(f"t{number}", kind, f"http://c.test/{number}", title, fields=fields)
    again = replace(one, id=f"t{number}-1", url=f"http://c.test/old/{number}", title=title.upper())
    term = replace(one, id=f"t{number}/term", url=f"{one.url}b", fields={**fields, "term": ("Spring 1999",)})
    size = replace(one, id=f"t{number}/size", url=f"{one.url}c", fields={**fields, "price": ("$123.00",)})
    bare = replace(one, id=f"t{number}/bare", url=f"{one.url}d", fields={"term": ("Fall 1998",)})
    return [one, again, term, size, bare]


def test_of_a_thousand_records_no_two_things_are_taken_for_one_and_few_doubles_are_missed() -> None:
    rng = Random(3)
    made: list[Finding] = []
    for number in range(150):
        one = paper(rng, number)
        made += [one, *(found_again(one, rng, again) for again in range(1, rng.randint(1, 4)))]
        made += nearly(one, rng) if number % 3 == 0 else []
        made += thing(rng, number)
    rng.shuffle(made)
    truth = {pair for pair in itertools.combinations(sorted(each.id for each in made), 2) if same(*pair)}
    mine = {pair for double in find_doubles(made) for pair in itertools.combinations(sorted(double.ids), 2)}
    assert not mine - truth
    # Those without a year that may as well be the paper of four years later are left alone: nobody can say.
    yearless = {each.id for each in made if each.kind in ("paper", "publication") and each.year is None}
    sayable = {pair for pair in truth if not yearless & set(pair) or int(pair[0][1:].partition("-")[0]) % 3}
    assert len(mine & sayable) / len(sayable) > 0.9


def same(one: str, other: str) -> bool:
    return one.partition("-")[0] == other.partition("-")[0]


def test_the_same_file_at_two_addresses_is_one_and_the_reason_is_told() -> None:
    one = Finding("1", "page", "http://a.test/x", "Notes", digest="f00")
    doubles = find_doubles([one, replace(one, id="2", url="http://b.test/x", fields={"more": ("x",)})])
    assert [(double.ids, double.reason) for double in doubles] == [(("2", "1"), SAME_BYTES)]


def test_entries_of_one_list_are_not_one_though_they_share_its_bytes() -> None:
    one = Finding("1", "course", "http://a.test/list", "Seminar", digest="f00")
    assert find_doubles([one, replace(one, id="2")]) == []
    assert find_doubles([one, replace(one, id="2", url="http://b.test/", title="Other")]) == []


def test_kinds_are_not_mixed_but_for_a_paper_and_its_page() -> None:
    one = Finding("1", "paper", "http://a.test/x.pdf", "Hashing of random trees", ("Ada Novak",), 1999)
    page = replace(one, id="2", kind="publication", url="http://a.test/x.html", title="Hashing of Random Trees.")
    talk = replace(one, id="3", kind="talk", url="http://a.test/talk")
    assert [(each.ids, each.reason) for each in find_doubles([one, page])] == [(("1", "2"), SAME_PAPER)]
    assert find_doubles([page, talk]) == []
    assert find_doubles([one, page, talk]) == []


def test_courses_are_one_where_title_and_code_agree_and_nothing_contradicts() -> None:
    fields = {"code": ("CS 101",), "teacher": ("A. Novak",)}
    one = Finding("1", "course", "http://a.test/101", "Programming", fields=fields)
    again = replace(one, id="2", url="http://b.test/101", fields={**fields, "room": ("7",)})
    assert [(each.ids, each.reason) for each in find_doubles([one, again])] == [(("2", "1"), SAME_FIELDS)]
    assert find_doubles([one, replace(again, fields={**fields, "teacher": ("B. Jansen",)})]) == []


@pytest.mark.parametrize("title", ["", "Introduction", "Home page"])
def test_a_title_that_says_nothing_makes_nothing_one(title: str) -> None:
    one = Finding("1", "page", "http://a.test/1", title)
    assert find_doubles([one, replace(one, id="2", url="http://b.test/1")]) == []
    assert find_doubles([]) == []


@given(
    st.text("abcd", min_size=8, max_size=20),
    st.integers(0, 19),
    st.sampled_from(["other", "more", "less", "changed places"]),
)
def test_titles_that_differ_by_a_misprint_share_a_key(title: str, place: int, slip: str) -> None:
    place %= len(title) - 1
    before, after = title[:place], title[place:]
    wrong = {
        "other": before + "x" + after[1:],
        "more": before + "x" + after,
        "less": before + after[1:],
        "changed places": before + after[1] + after[0] + after[2:],
    }[slip]
    one, other = (ReferenceParts((), (text,), (), frozenset(), frozenset()) for text in (title, wrong))
    assert _misprint(title, wrong)
    assert set(halves(one)) & set(halves(other))
