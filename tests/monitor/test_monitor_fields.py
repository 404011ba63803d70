"""Bellwethers, traits, the field test, breakage and reuse, with plain values."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.monitor.shop_versions import address, facts_of, first_design, second_design, soft_error
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.monitor.bellwether import (
    BellwetherVisit,
    Golden,
    choose_bellwethers,
    golden_from_json,
    golden_to_json,
    lift,
    together,
)
from trailmark.monitor.breakage import breakage_to_json, find_breakage
from trailmark.monitor.field_repair import agreement
from trailmark.monitor.field_trait import FieldTrait, traits_of
from trailmark.monitor.field_verdict import judge_field, outcome_of
from trailmark.monitor.repair import propose_repair
from trailmark.monitor.reuse import NewGroup, OldCluster, candidates
from trailmark.read import parse_html
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules

TEXT = st.text(max_size=20)
VALUES = st.lists(TEXT, max_size=4).map(tuple)


def table_of(html: str) -> NodeTable:
    return NodeTable(parse_html(html.encode(), "text/html; charset=utf-8")[0])


def shop_rules() -> RuleSet:
    def marks(number: int) -> tuple[Annotation, ...]:
        return tuple(Annotation(address(number), field, value) for field, value in facts_of(number).items())

    pages = [AnnotatedPage(table_of(first_design(n)), marks(n)) for n in (2, 7)]
    return learn_rules("shop", pages + [AnnotatedPage(table_of(first_design(n))) for n in range(10, 20)])


RULES = shop_rules()


def visits_of(numbers: Sequence[int], *, changed: Sequence[int] = (), season: int = 1) -> list[BellwetherVisit]:
    """Golden extractions of the first design; the pages as they are now, some of them redesigned."""
    return [
        BellwetherVisit(
            lift(RULES, address(n), table_of(first_design(n))),
            table_of((second_design if n in changed else first_design)(n, season=season)),
            n not in changed,
        )
        for n in numbers
    ]


# --- bellwethers -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.sets(TEXT, max_size=60), st.integers(1, 30), st.lists(TEXT, max_size=5))
def test_bellwethers_are_some_of_the_pages(urls: set[str], most: int, first: list[str]) -> None:
    chosen = choose_bellwethers(urls, most=most, first=first)
    assert len(chosen) == len(set(chosen)) == min(most, len(urls))
    assert set(chosen) <= urls
    preferred = [url for url in dict.fromkeys(first) if url in urls][:most]
    assert chosen[: len(preferred)] == preferred


def test_bellwethers_are_spread() -> None:
    urls = [f"http://a.example/{folder}/{n:02}" for folder in "abcde" for n in range(20)]
    chosen = choose_bellwethers(urls, most=10)
    assert [sum(f"/{folder}/" in url for url in chosen) for folder in "abcde"] == [2, 2, 2, 2, 2]


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(st.dictionaries(TEXT, VALUES, max_size=4), max_size=4))
def test_golden_extractions_come_back(records: list[dict[str, tuple[str, ...]]]) -> None:
    golden = Golden("http://a.example/", tuple(records))
    assert golden_from_json(golden_to_json(golden), source="x") == golden
    for name, values in golden.fields.items():
        assert set(values) == {value for record in records for value in record.get(name, ())}


@pytest.mark.parametrize("kept", [None, 7, [], {}, {"url": "u"}, {"url": "u", "records": [7]}, {"records": []}])
def test_damaged_golden_extractions_are_refused(kept: object) -> None:
    with pytest.raises(InputError, match="golden extraction"):
        golden_from_json(kept, source="x")


def test_values_of_entries_are_joined_in_order() -> None:
    assert together([{"a": ("1", "2")}, {"b": ("x",)}, {"a": ("2", "3")}]) == {"a": ("1", "2", "3"), "b": ("x",)}


# --- traits ------------------------------------------------------------------------------------------------------


def goldens(*values: tuple[str, ...]) -> list[Golden]:
    return [Golden(f"http://a.example/{n}", ({"f": each},) if each else ()) for n, each in enumerate(values)]


def test_what_changes_by_itself() -> None:
    words = goldens(*[(f"word {n}",) for n in range(10)])
    prices = goldens(*[(f"${n}.99",) for n in range(10)])
    assert traits_of(words)["f"].constant
    assert not traits_of(prices)["f"].constant
    assert not traits_of(words, varying=("f",))["f"].constant
    assert not traits_of(words, seen={"f": (5, 40)})["f"].constant
    assert traits_of(prices, seen={"f": (39, 40)})["f"].constant
    assert traits_of(words, seen={"f": (0, 3)})["f"].constant, "three values settle nothing"


def test_what_every_page_has() -> None:
    assert traits_of(goldens(*[("x",)] * 19, ()))["f"].mandatory
    assert not traits_of(goldens(*[("x",)] * 10, *[()] * 5))["f"].mandatory
    assert traits_of(goldens(("x", "y")))["f"].several
    assert traits_of([]) == {}


def test_shape() -> None:
    price = FieldTrait("f", type="price", longest=5)
    assert price.is_shaped("$7.00")
    assert not price.is_shaped("in stock")
    assert not FieldTrait("f", longest=10).is_shaped("long " * 40)


# --- the field test ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trait", "old", "new", "page", "outcome"),
    [
        (FieldTrait("f"), (), ("a",), "a", "absent"),
        (FieldTrait("f"), ("ash",), ("ash",), "<p>ash", "same"),
        (FieldTrait("f"), ("ash",), (), "<p>ash", "lost"),
        (FieldTrait("f"), ("ash",), ("oak",), "<p>ash<p>oak", "lost"),
        (FieldTrait("f", longest=3), ("ash",), ("oak",), "<p>oak", "changed"),
        (FieldTrait("f", longest=3), ("ash",), ("oak " * 40,), "<p>oak", "misshapen"),
        (FieldTrait("f"), ("ash",), (), "<p>oak", "gone"),
        (FieldTrait("f", constant=False, type="price"), ("$5.00",), ("$6.00",), "<p>$5.00<p>$6.00", "changed"),
        (FieldTrait("f", constant=False, type="price"), ("$5.00",), ("sold",), "<p>$5.00<p>sold", "lost"),
        (FieldTrait("f", several=True), ("a", "b", "c"), ("a", "b", "x"), "<p>a<p>b<p>c<p>x", "same"),
        (FieldTrait("f", several=True), ("a", "b", "c"), ("c",), "<p>a<p>b<p>c", "lost"),
        (FieldTrait("f", several=True), ("a", "b", "c"), ("c", "d"), "<p>c<p>d", "same"),
    ],
)
def test_outcomes(trait: FieldTrait, old: tuple[str, ...], new: tuple[str, ...], page: str, outcome: str) -> None:
    visit = BellwetherVisit(Golden("u", ({"f": old},)), table_of(f"<html><body>{page}</body></html>"))
    assert outcome_of(trait, old, new, visit) == outcome


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(VALUES, VALUES, st.booleans(), st.booleans(), st.sampled_from(["", "price", "number"]))
def test_what_comes_out_as_it_was_is_never_a_fault(
    values: tuple[str, ...], others: tuple[str, ...], constant: bool, several: bool, kind: str
) -> None:
    """Laws: the golden values themselves pass where they stand on the page; an agreement is a share."""
    page = "".join(f"<p>{value}</p>" for value in ("word", *others) if value.isalnum())
    visit = BellwetherVisit(Golden("u", ({"f": values},)), table_of(f"<html><body>{page}</body></html>"))
    trait = FieldTrait("f", constant, True, several, kind, 20)
    if any(visit.holds(value, whole=several) for value in values):
        assert outcome_of(trait, values, values, visit) == "same"
    assert 0.0 <= agreement(trait, visit, {"f": others}) <= 1.0
    assert agreement(trait, visit, {"f": values}) == 1.0 or not all(map(visit.holds, values)) or not values


def test_a_share_of_the_pages_makes_it_broken() -> None:
    visits = visits_of(range(10), changed=(1, 4, 7))
    trait = traits_of([visit.golden for visit in visits])["maker"]
    verdict = judge_field(trait, visits, RULES, share=0.4)
    assert (verdict.tested, verdict.broken_share, verdict.broken) == (10, 0.3, False)
    verdict = judge_field(trait, visits, RULES, share=0.3)
    assert verdict.broken
    assert [change.url for change in verdict.changes] == [address(n) for n in (1, 4, 7)]
    assert {change.outcome for change in verdict.changes} == {"lost"}


# --- breakage ----------------------------------------------------------------------------------------------------


def found_on(visits: Sequence[BellwetherVisit]) -> dict[str, object]:
    traits = traits_of([visit.golden for visit in visits])
    breakage = find_breakage(RULES, visits, traits, template_share=0.8, field_share=0.3)
    return {**breakage_to_json(breakage), "broken": set(breakage.broken)}


def test_no_change_is_no_news() -> None:
    found = found_on(visits_of(range(12)))
    assert (found["status"], found["unlike"], found["broken"]) == ("ok", 0.0, set())


def test_a_few_odd_pages_are_no_alarm() -> None:
    """Table IV: a false alarm has fewer broken pages than a change of the site."""
    found = found_on(visits_of(range(12), changed=(3, 8)))
    assert (found["status"], found["broken"]) == ("ok", set())


def test_a_redesign_is_found() -> None:
    found = found_on(visits_of(range(12), changed=range(12)))
    assert found["template_changed"]
    assert found["status"] == "broken"
    assert {"title", "maker"} <= found["broken"]  # type: ignore[operator]


def test_nothing_visited_is_nothing_said() -> None:
    breakage = find_breakage(RULES, [], {}, unreachable=["u"], template_share=0.8, field_share=0.3)
    assert breakage.status == "unreachable"
    assert find_breakage(RULES, [], {}, template_share=0.8, field_share=0.3).status == "ok"


# --- repair ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_golden_values_teach_the_new_design() -> None:
    visits = visits_of(range(12), changed=range(12))
    traits = traits_of([visit.golden for visit in visits])
    repair = propose_repair(RULES, visits, traits, broken=("title", "maker"), share=0.3)
    assert repair.left == ()
    for number in range(30, 40):
        record = repair.rules.record(address(number), table_of(second_design(number)))
        assert record.fields["title"] == (facts_of(number)["title"],)
        assert record.fields["maker"] == (facts_of(number)["maker"],)


def test_what_works_is_left_alone() -> None:
    visits = visits_of(range(12))
    traits = traits_of([visit.golden for visit in visits])
    assert propose_repair(RULES, visits, traits, broken=(), share=0.3).rules == RULES


def test_nothing_is_made_up_of_pages_that_say_nothing() -> None:
    visits = [BellwetherVisit(v.golden, table_of(soft_error(0)), matched=False) for v in visits_of(range(12))]
    traits = traits_of([visit.golden for visit in visits])
    repair = propose_repair(RULES, visits, traits, broken=tuple(traits), share=0.3)
    assert (repair.rules, repair.repaired, set(repair.left)) == (RULES, (), set(traits))


def test_too_few_pages_are_left_to_a_person() -> None:
    visits = visits_of(range(1), changed=range(1))
    traits = traits_of([visit.golden for visit in visits])
    assert propose_repair(RULES, visits, traits, broken=("maker",), share=0.3).left == ("maker",)


@pytest.mark.slow
def test_golden_values_may_be_wrong_here_and_there() -> None:
    """Two of fourteen golden extractions are of another page: the others outvote them."""
    visits = visits_of(range(14), changed=range(14))
    for at in (4, 9):
        wrong = Golden(address(at), ({"maker": (facts_of(at + 1)["maker"],), "title": ("Home",)},))
        visits[at] = BellwetherVisit(wrong, visits[at].table, matched=False)
    traits = traits_of([visit.golden for visit in visits])
    repair = propose_repair(RULES, visits, traits, broken=("maker",), share=0.3)
    right = sum(
        repair.rules.record(address(n), table_of(second_design(n))).fields.get("maker") == (facts_of(n)["maker"],)
        for n in range(30, 40)
    )
    assert right == 10


@pytest.mark.slow
@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=60), min_size=2, max_size=5), VALUES)
def test_no_page_makes_it_fail(bodies: list[str], values: tuple[str, ...]) -> None:
    visits = [BellwetherVisit(Golden(f"u{n}", ({"title": values},)), table_of(body)) for n, body in enumerate(bodies)]
    traits = traits_of([visit.golden for visit in visits])
    breakage = find_breakage(RULES, visits, traits, template_share=0.8, field_share=0.3)
    repair = propose_repair(RULES, visits, traits, broken=breakage.broken, share=0.3)
    for visit in visits:
        for found in repair.rules.record("u", visit.table).fields.values():
            assert all(value in visit.words for value in found)


# --- reuse -------------------------------------------------------------------------------------------------------


def test_candidates_by_strictness_then_importance() -> None:
    group = NewGroup(frozenset({"s1"}), {"a": "s1", "b": "s1"})
    old = [
        OldCluster("by url", frozenset({"s9"}), frozenset("ab"), 90),
        OldCluster("by page", frozenset({"s1", "s2"}), frozenset("a"), 1),
        OldCluster("same", frozenset({"s1"}), frozenset("b"), 1),
        OldCluster("same, larger", frozenset({"s1"}), frozenset("b"), 2),
        OldCluster("elsewhere", frozenset({"s1"}), frozenset("z"), 99),
    ]
    found = candidates(group, old, lambda cluster, page: page in cluster.signatures)
    assert [(each.cluster, each.match) for each in found] == [
        ("same, larger", "cluster"),
        ("same", "cluster"),
        ("by page", "page"),
        ("by url", "url"),
    ]
