"""What a topics file may say, and the sentence for each mistake in it."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.errors import InputError
from trailmark.organise.topic_tree import DEEPEST, MOST_TOPICS, TopicTree, parse_topics, topics_json

GOOD = """{"name": "Computer Science", "children": [
  {"name": "Machine Learning", "keywords": ["machine learning", "neural"], "children": []},
  {"name": "Systems", "keywords": ["computer"], "children": [
    {"name": "Operating Systems", "keywords": ["kernel", "computer"]},
    {"name": "Databases", "keywords": ["SQL"]}
  ]}
]}"""


def test_a_topic_is_known_by_its_path_from_the_root() -> None:
    tree = parse_topics(GOOD, "topics.json")
    assert [topic.id for topic in tree.topics] == [
        "Computer Science",
        "Computer Science/Machine Learning",
        "Computer Science/Systems",
        "Computer Science/Systems/Operating Systems",
        "Computer Science/Systems/Databases",
    ]
    assert [tree.topics[leaf].name for leaf in tree.leaves] == ["Machine Learning", "Operating Systems", "Databases"]


def test_keywords_are_words_in_lower_case_and_may_stand_above_too() -> None:
    tree = parse_topics(GOOD, "topics.json")
    assert tree.topics[1].keywords == (("machine", "learning"), ("neural",))
    assert tree.topics[4].keywords == (("sql",),)
    assert tree.path(3) == (3, 2, 0)
    assert tree.leaves_under(2) == (1, 2)


def test_a_topic_is_found_by_its_path_or_by_a_name_that_is_its_own() -> None:
    tree = parse_topics(GOOD, "topics.json")
    assert tree.named("Computer Science/Systems") == 2
    assert tree.named("databases") == 4
    assert tree.named("Poetry") is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"name": "A",\n "children": [,]}', 2, "no JSON"),
        (
            '{"name": "A", "children": [\n{"name": "B", "keywords": ["b"]},\n{"name": "B", "keywords": ["c"]}]}',
            3,
            "line 2 too",
        ),
        ('{"name": "A", "children": [\n{"name": "B", "keywords": []}]}', 2, "no keywords"),
        ('{"name": "A", "children": [\n{"name": "B"}]}', 2, "no keywords"),
        (
            '{"name": "A", "children": [{"name": "B", "keywords": ["x"]},\n{"name": "C", "keywords": ["y",\n"x"]}]}',
            3,
            "'x' of 'A/C'",
        ),
        ('{"name": "A", "children": [{"name": "B", "children": [\n{"name": "A", "keywords": ["x"]}]}]}', 2, "circle"),
        ('{"name": "A", "children": [\n{"keywords": ["x"]}]}', 1, "no name"),
        ('{"name": "A", "children": [\n{"name": "B/C", "keywords": ["x"]}]}', 2, "without '/'"),
        ('{"name": "A", "children": [\n{"name": "B", "keywords": ["--"]}]}', 2, "no letter or digit"),
        ('{"name": "A", "children": [\n{"name": "B", "keywords": "x"}]}', 2, "no list"),
        ('{"name": "A", "children": [\n{"name": "B", "keywords": [7]}]}', 2, "no text"),
        ('{"name": "A", "children": [\n{"name": "B", "keyword": ["x"]}]}', 2, "means nothing"),
        ('{"name": "A", "children": [\n{"name": "B", "name": "C", "keywords": ["x"]}]}', 2, "stands twice"),
        ('{"name": "A", "children": [\n"B"]}', 1, "an object"),
        ('{"name": "A"}', None, "no topic below"),
        ("[]", None, "an object"),
    ],
)
def test_every_mistake_is_one_sentence_with_its_line(text: str, line: int | None, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_topics(text, "topics.json")
    message = str(caught.value)
    assert message.startswith("topics.json: " if line is None else f"topics.json, line {line}: ")
    assert words in message
    assert "\n" not in message


def test_what_is_nested_without_end_or_has_no_end_of_topics_is_refused() -> None:
    deep = '{"name": "x", "children": [' * 5_000 + "]}" * 5_000
    with pytest.raises(InputError, match="nested"):
        parse_topics(deep, "topics.json")
    names = [chr(65 + depth) for depth in range(DEEPEST + 3)]
    chain: dict[str, object] = {"name": "leaf", "keywords": ["x"]}
    for name in names:
        chain = {"name": name, "children": [chain]}
    with pytest.raises(InputError, match="deep"):
        parse_topics(json.dumps(chain), "topics.json")
    many = [{"name": f"n{number}", "keywords": [f"k{number}"]} for number in range(MOST_TOPICS)]
    with pytest.raises(InputError, match="more than"):
        parse_topics(json.dumps({"name": "x", "children": many}), "topics.json")


@given(st.text())
def test_any_text_is_a_tree_or_one_sentence(text: str) -> None:
    with contextlib.suppress(InputError):
        assert isinstance(parse_topics(text, "topics.json"), TopicTree)


names = st.text(st.characters(codec="utf-8", categories=("Ll", "Lu", "Nd")), min_size=1, max_size=8)


@given(st.lists(names, min_size=1, max_size=6, unique_by=str.casefold))
def test_a_tree_that_was_written_is_read_as_it_was(words: list[str]) -> None:
    children = [{"name": f"t{place}", "keywords": [f"{word} {place}"]} for place, word in enumerate(words)]
    tree = parse_topics(json.dumps({"name": "root", "children": children}), "topics.json")
    assert parse_topics(topics_json(tree), "topics.json") == tree
