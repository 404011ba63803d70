"""Algorithm 2: weights by the formula, the greedy order, and what is covered already."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cluster.cluster_pages import item_page
from trailmark.cluster import PageNodes, annotation_order, page_nodes
from trailmark.cluster.likeness import incidence_of
from trailmark.cluster.sampling import path_weights
from trailmark.read import parse_html


def nodes(contents: dict[int, list[int]]) -> PageNodes:
    """A page from path -> contents."""
    pairs = [(path, content) for path, all_of_it in contents.items() for content in all_of_it]
    return PageNodes(
        np.array(sorted(contents), dtype=np.uint32),
        np.array([path for path, _ in pairs], dtype=np.uint32),
        np.array([content for _, content in pairs], dtype=np.uint32),
    )


def weights_by_the_formula(pages: list[dict[int, list[int]]]) -> dict[int, float]:
    found = {}
    for path in {path for page in pages for path in page}:
        frequency = sum(path in page for page in pages)
        texts = {text for page in pages for text in page.get(path, ())}
        if texts:
            seen = sum(sum(text in page.get(path, ()) for page in pages) for text in texts)
            found[path] = frequency * (1 - seen / (len(pages) * len(texts)))
        else:
            found[path] = 0.0
    return found


pages_of_nodes = st.lists(
    st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 5), max_size=3), max_size=8), min_size=1, max_size=7
)


@pytest.mark.slow
@given(pages_of_nodes)
@settings(max_examples=200)
def test_weights_follow_the_formula(pages: list[dict[int, list[int]]]) -> None:
    made = [nodes(page) for page in pages]
    weight = path_weights(made, incidence_of([page.paths for page in made]))
    expected = weights_by_the_formula(pages)
    assert weight[: len(expected)] == pytest.approx([expected[path] for path in sorted(expected)])


@pytest.mark.slow
@given(pages_of_nodes, st.integers(1, 5))
@settings(max_examples=200)
def test_the_order_begins_as_the_greedy_one(pages: list[dict[int, list[int]]], most: int) -> None:
    weight, order = weights_by_the_formula(pages), annotation_order([nodes(page) for page in pages], most=most)
    assert len(order) == len(set(order)) == min(most, len(pages))
    uncovered, left = set(weight), set(range(len(pages)))
    for page in order:
        gain = {each: sum(weight[path] for path in pages[each] if path in uncovered) for each in left}
        if max(gain.values()) <= 1e-9:
            break  # all is covered: the next round is another matter
        assert gain[page] == pytest.approx(max(gain.values()))
        uncovered -= set(pages[page])
        left.remove(page)


def test_repeated_content_weighs_nothing() -> None:
    """Path 1 says the same on every page, path 2 something else on each: only the second counts."""
    pages = [{1: [7], 2: [n]} for n in range(4)]
    assert weights_by_the_formula(pages) == {1: 0.0, 2: 3.0}
    rich = [nodes({1: [7], 9: [7], 8: [7]}), *(nodes(page) for page in pages)]
    assert annotation_order(rich, most=1) != [0]


RARE = [nodes({2: [n], **({3: [n], 5: [n]} if n < 2 else {}), **({4: [n]} if n == 8 else {})}) for n in range(9)]


def test_optional_sections_are_covered_first_and_then_again() -> None:
    pages = [nodes({2: [n], **({3: [n]} if n in (4, 5) else {})}) for n in range(9)]
    assert annotation_order(pages, most=3) == [4, 5, 0]
    assert annotation_order(RARE, most=3) == [0, 8, 1]
    assert sorted(annotation_order(RARE)) == list(range(9))


def test_annotated_pages_count_as_covered() -> None:
    assert annotation_order(RARE, annotated=[1], most=2) == [8, 0]
    assert annotation_order(RARE, annotated=[0, 8], most=1) == [1]
    assert annotation_order(RARE, annotated=range(9)) == []


def test_a_cluster_always_has_a_page_to_annotate() -> None:
    assert annotation_order([nodes({1: [5]})]) == [0]
    assert annotation_order([nodes({})]) == [0]
    assert annotation_order([nodes({1: [5]}), nodes({1: [5]})]) == [0, 1]
    assert annotation_order([]) == []


def test_real_trees() -> None:
    pages = []
    for number in range(30):
        root, _, _ = parse_html(item_page(number).encode())
        assert root is not None
        pages.append(page_nodes(root))
    order = annotation_order(pages, most=5)
    assert len(order) == 5
    covered = set(np.concatenate([pages[n].paths for n in order]).tolist())
    assert covered >= set(np.concatenate([pages[n].content_paths for n in range(30)]).tolist())


def test_text_after_a_child_is_its_parents_content() -> None:
    root, _, _ = parse_html(b"<p>one<b>two</b>three</p><script>no</script>")
    assert root is not None
    page = page_nodes(root)
    assert len(page.contents) == 3
    assert page.content_paths[0] == page.content_paths[2] != page.content_paths[1]
