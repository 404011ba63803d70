"""Signatures: min-wise, the same everywhere, and safe on any tree."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cluster.cluster_pages import item_page, person_page, signed
from trailmark.cluster import sign_page, sign_tags
from trailmark.cluster.likeness import likeness, likenesses
from trailmark.cluster.masked_vector import MASKS, covers, written
from trailmark.cluster.signature import SHINGLE_LENGTH, shingle_vector, tag_codes
from trailmark.read import parse_html

TAGS = ["a", "b", "div", "p", "li", "td", "tr", "span"]


def shingles(tags: list[str]) -> set[tuple[str, ...]]:
    return {tuple(tags[n : n + SHINGLE_LENGTH]) for n in range(len(tags) - SHINGLE_LENGTH + 1)}


@pytest.mark.slow
def test_bytes_agree_as_often_as_shingle_sets_overlap() -> None:
    """The law of min-wise hashing, over many pairs of tag sequences (a byte agrees by chance once in 256)."""
    dice = np.random.default_rng(1)
    agreed, expected = [], []
    for _ in range(1500):
        one = dice.choice(TAGS, 60).tolist()
        cut = int(dice.integers(0, 60))
        other = one[:cut] + dice.choice(TAGS, 60 - cut).tolist()
        a, b = shingles(one), shingles(other)
        overlap = len(a & b) / len(a | b)
        expected.append(overlap + (1 - overlap) / 256)
        pair = zip(shingle_vector(tag_codes(one)), shingle_vector(tag_codes(other)), strict=True)
        agreed.append(np.mean([x == y for x, y in pair]))
    assert abs(np.mean(agreed) - np.mean(expected)) < 0.01
    low, high = np.array(expected) < 0.3, np.array(expected) > 0.6
    assert abs(np.mean(np.array(agreed)[low]) - np.mean(np.array(expected)[low])) < 0.015
    assert abs(np.mean(np.array(agreed)[high]) - np.mean(np.array(expected)[high])) < 0.03


def test_bytes_of_the_vector_are_spread() -> None:
    """The minimum of 8-bit hashes would be near 0 for every page; ours must use the whole byte."""
    dice = np.random.default_rng(2)
    vectors = [shingle_vector(tag_codes(dice.choice(TAGS, 400).tolist())) for _ in range(300)]
    values = np.frombuffer(b"".join(vectors), dtype=np.uint8)
    assert 110 < values.mean() < 145
    assert len(set(values.tolist())) > 200


@pytest.mark.slow
@given(st.lists(st.sampled_from(TAGS), max_size=40), st.integers(2, 4))
def test_repeating_a_page_in_its_own_loops_keeps_its_shingles(tags: list[str], times: int) -> None:
    many = tags * times
    longer = tags * (times + 1)
    if len(tags) >= 1 and len(many) >= len(tags) + SHINGLE_LENGTH:
        assert shingles(many) == shingles(longer)
        assert shingle_vector(tag_codes(many)) == shingle_vector(tag_codes(longer))


@pytest.mark.slow
def test_the_same_in_another_process() -> None:
    code = (
        "from trailmark.cluster import sign_page; from trailmark.read import parse_html;"
        "s = sign_page(parse_html(b'<p class=a1>x<b>y</b><ul><li>z</ul>')[0]); print(s.shingles.hex(), s.paths.tolist())"
    )
    runs = {
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    }
    assert len(runs) == 1
    assert runs.pop().strip()


def test_content_does_not_count() -> None:
    one, other = signed(item_page(3)), signed(item_page(3).replace("text", "quite another text"))
    assert one.shingles == other.shingles
    assert one.paths.tolist() == other.paths.tolist()


def test_numbers_in_class_names_do_not_count() -> None:
    one, other = signed("<p class='post-12'>x</p>"), signed("<p class='post-99'>x</p>")
    assert one.paths.tolist() == other.paths.tolist()
    assert signed("<p class='b'>x</p>").paths.tolist() != one.paths.tolist()


def test_places_tell_which_item_of_a_menu_has_no_link() -> None:
    one = signed("<ul><li>a</li><li><a>b</a></li></ul>")
    other = signed("<ul><li><a>a</a></li><li>b</li></ul>")
    assert one.paths.tolist() == other.paths.tolist()
    assert one.places.tolist() != other.places.tolist()


def test_templates_are_less_alike_than_pages_of_one() -> None:
    items = [signed(item_page(n)).paths for n in range(6)]
    people = [signed(person_page(n)).paths for n in range(6)]
    shares = likenesses(items + people)
    assert shares[:6, :6].mean() > 0.7
    assert shares[:6, 6:].max() < 0.6
    assert abs(shares[0, 7] - likeness(set(items[0].tolist()), set(people[1].tolist()))) < 1e-12


@pytest.mark.slow
@given(st.text(alphabet="<>/abdivpul='\" \n\x00é&;!-", max_size=200))
@settings(max_examples=150)
def test_any_tree_has_a_signature(text: str) -> None:
    root, _, _ = parse_html(text.encode())
    if root is not None:
        signature = sign_page(root)
        assert len(signature.shingles) == 8
        assert signature.shingles == sign_tags(root)
        assert len(signature.paths) >= 1


def test_deep_nesting_is_no_trouble() -> None:
    root, _, _ = parse_html(b"<div>" * 5000 + b"x")
    assert root is not None
    assert len(sign_page(root).shingles) == 8


def test_words_come_from_the_title_and_the_first_main_heading_only() -> None:
    page = signed("<title>Uses of A</title><h1>Class A</h1><h2>Reviews</h2><h1>Later</h1>")
    assert page.words == {"uses", "of", "a", "class"}
    assert signed("<title>T</title><h2>Old style</h2><h2>More</h2>").words == {"t", "old", "style"}


def test_masks_cover_what_they_should() -> None:
    assert len(MASKS) == 1 + 8 + 28
    vector = bytes(range(1, 9))
    assert written(vector, (2, 5)) == "1.2.*.4.5.*.7.8"
    assert covers("1.2.*.4.5.*.7.8", vector)
    assert not covers("1.2.*.4.5.*.7.9", vector)
    assert not covers("1.2", vector)
