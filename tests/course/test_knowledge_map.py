"""Maps of courses: relations with their sentences, and the files that they are written to."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from io import BytesIO

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from tests.course.map_world import COURSES, course
from tests.hostile_text import HOSTILE
from trailmark.course.knowledge.graphml_file import graphml
from trailmark.course.knowledge.knowledge_map import Evidence, KnowledgeMap, MapPhrase, Relation
from trailmark.course.knowledge.map_maker import knowledge_map
from trailmark.course.knowledge.map_picture import map_page, map_svg
from trailmark.course.knowledge.relation import likelihood_ratio
from trailmark.course.knowledge.skos_file import json_ld, turtle


@pytest.fixture(scope="module")
def found() -> KnowledgeMap:
    return knowledge_map(COURSES, "Three courses", most=30)


def pairs(found: KnowledgeMap, kind: str) -> set[tuple[str, str]]:
    return {(each.first, each.second) for each in found.relations if each.kind == kind}


def test_what_is_taught_first_in_the_courses_comes_before(found: KnowledgeMap) -> None:
    steps = pairs(found, "before")
    assert ("pushdown_automaton", "tape") in steps
    assert not [step for step in steps if step[0] in ("tape", "turing_machine")], "they are taught last"
    told = next(each for each in found.relations if each.kind == "before" and each.second == "tape")
    assert told.why == "often before: taught first in 2 of 2 courses that teach both; unsure"


def test_what_comes_before_has_no_circle(found: KnowledgeMap) -> None:
    after: dict[str, set[str]] = {}
    for first, second in pairs(found, "before"):
        after.setdefault(first, set()).add(second)

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            fresh = after.get(waiting.pop(), set()) - seen
            seen |= fresh
            waiting += fresh
        return seen

    assert all(start not in reached(start) for start in after)


def test_phrases_with_one_head_have_it_above_them(found: KnowledgeMap) -> None:
    assert {("automaton", "finite_automaton"), ("automaton", "pushdown_automaton")} <= pairs(found, "broader")


def test_what_is_broader_is_not_related_too(found: KnowledgeMap) -> None:
    related = {frozenset(pair) for pair in pairs(found, "related")}
    assert not related & {frozenset(pair) for pair in pairs(found, "broader")}


def test_each_relation_shows_the_sentences_behind_it(found: KnowledgeMap) -> None:
    assert found.relations
    for each in found.relations:
        assert each.evidence
        assert each.why
        assert all(evidence.url.startswith("http://") for evidence in each.evidence)
    told = next(each for each in found.relations if each.kind == "related")
    words = " ".join(evidence.sentence.lower() for evidence in told.evidence)
    assert told.first.replace("_", " ") in words
    assert told.second.replace("_", " ") in words


def test_the_same_courses_make_the_same_map(found: KnowledgeMap) -> None:
    assert knowledge_map(COURSES, "Three courses", most=30) == found


def test_other_courses_tell_what_is_common() -> None:
    alone = knowledge_map(COURSES[:1], "a", most=5)
    same = [replace(COURSES[2], id=name, materials=COURSES[0].materials[:1]) for name in "xyz"]
    beside = knowledge_map(COURSES[:1], "a", most=5, others=same)
    assert alone.phrases
    assert [phrase.id for phrase in alone.phrases] != [phrase.id for phrase in beside.phrases]
    assert beside.courses == {"a": "Course a"}


def test_courses_without_texts_make_an_empty_map() -> None:
    empty = knowledge_map([course("x")], "x")
    assert (empty.phrases, empty.relations) == ((), ())
    assert "<svg" in map_svg(empty)


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20), st.integers(1, 60))
def test_the_likelihood_ratio_is_never_negative_and_symmetric(both: int, first: int, second: int, more: int) -> None:
    one, two = both + first, both + second
    total = both + first + second + more
    ratio = likelihood_ratio(both, one, two, total)
    assert ratio >= 0
    assert ratio == pytest.approx(likelihood_ratio(both, two, one, total))
    if both * total <= one * two:
        assert ratio == 0


def test_a_picture_has_every_phrase_and_every_line_once(found: KnowledgeMap) -> None:
    root = etree.fromstring(map_svg(found).encode())
    space = "{http://www.w3.org/2000/svg}"
    boxes = root.findall(f"{space}a/{space}rect")
    assert len(boxes) == len(found.phrases)
    assert len({(box.get("x"), box.get("y")) for box in boxes}) == len(boxes), "no box stands on another"
    assert len(root.findall(f"{space}path")) == len(found.relations)


def test_a_map_can_be_walked_from_phrase_to_phrase(found: KnowledgeMap) -> None:
    root = etree.fromstring(map_page(found), etree.HTMLParser())
    parts = set(root.xpath("//section/@id"))
    assert len(parts) == len(found.phrases)
    inner = [href[1:] for href in root.xpath("//a/@href") if href.startswith("#")]
    assert inner
    assert set(inner) <= parts
    assert not root.xpath("//script")


def test_skos_says_the_same_in_both_forms(found: KnowledgeMap) -> None:
    graph = json.loads(json_ld(found, "http://e.example/"))["@graph"]
    concepts = [each for each in graph if each["@type"] == "skos:Concept"]
    text = turtle(found, "http://e.example/")
    assert len(concepts) == len(found.phrases) == text.count(" a skos:Concept ;")
    for name in ("skos:broader", "skos:narrower", "skos:related", "dcterms:requires"):
        said = sum(len(each.get(name, ())) for each in concepts)
        assert said == len(re.findall(rf"^    {name} <", text, re.MULTILINE))
    assert sum(len(each.get("skos:broader", ())) for each in concepts) == len(pairs(found, "broader"))


def test_graphml_has_phrases_and_relations(found: KnowledgeMap) -> None:
    root = etree.fromstring(graphml(found))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    nodes = {node.get("id") for node in root.iter(f"{space}node")}
    edges = list(root.iter(f"{space}edge"))
    assert len(nodes) == len(found.phrases)
    assert len(edges) == len(found.relations)
    assert all({edge.get("source"), edge.get("target")} <= nodes for edge in edges)
    keys = {key.get("id") for key in root.iter(f"{space}key")}
    assert {data.get("key") for data in root.iter(f"{space}data")} <= keys


def test_a_program_for_graphs_reads_the_same_map(found: KnowledgeMap) -> None:
    read = networkx.read_graphml(BytesIO(graphml(found)), force_multigraph=True)
    assert {(node, data["label"], data["count"]) for node, data in read.nodes(data=True)} == {
        (phrase.id, phrase.label, phrase.count) for phrase in found.phrases
    }
    assert sorted(
        (first, second, data["kind"], data["strength"]) for first, second, data in read.edges(data=True)
    ) == sorted((each.first, each.second, each.kind, each.strength) for each in found.relations)
    assert networkx.is_directed_acyclic_graph(
        networkx.DiGraph((first, second) for first, second, data in read.edges(data=True) if data["kind"] == "before")
    )


@given(HOSTILE)
def test_words_of_the_web_break_no_file(words: str) -> None:
    evidence = (Evidence(words, words), Evidence("javascript:alert(1)", words))
    phrases = tuple(MapPhrase(name, words, 1.0, 1, (words,), 0.0, evidence) for name in ("a", "b"))
    relations = (
        Relation("related", "a", "b", 1.0, words, evidence),
        Relation("before", "a", "b", 1.0, words, evidence),
    )
    found = KnowledgeMap(words, phrases, relations, {words: words})
    etree.fromstring(map_svg(found).encode())
    etree.fromstring(graphml(found))
    page = etree.fromstring(map_page(found), etree.HTMLParser())
    assert not page.xpath("//script|//@onload|//@onerror")
    assert all(href.startswith(("#", "http")) for href in page.xpath("//a/@href"))
    assert json.loads(json_ld(found, words))
    for line in turtle(replace(found, title=words), words).splitlines():
        assert re.fullmatch(r'(?:[^"<>]|"(?:[^"\\]|\\.)*"@en|<[^<>"{}|^`\\\x00-\x20]*>)*', line), line
