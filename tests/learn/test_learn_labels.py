"""Labels, bags, vocabulary and encoding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Link, Page, Step, Trail
from trailmark.learn.bag import host_words, link_bag, page_bag, shape, step_of, way
from trailmark.learn.encoding import Encoding
from trailmark.learn.example import Example, different_bags, make_examples
from trailmark.learn.label_space import common_goal, distance_space, label_space, trail_labels
from trailmark.learn.vocabulary import fit_vocabulary


def trail(*labels: str | None, outcome: str = "goal") -> Trail:
    steps = tuple(Step(f"http://a.test/{n}", label) for n, label in enumerate(labels))
    return Trail("http://a.test/", outcome, steps)  # type: ignore[arg-type]


def test_unlabelled_pages_take_the_prefix_state_of_the_next_label() -> None:
    assert trail_labels(trail("dept", None, "list", None, None, "faculty")) == [
        "dept", "before list", "list", "before goal", "before goal", "goal",
    ]  # fmt: skip
    assert trail_labels(trail("dept", None, "faculty", outcome="fail")) == ["dept", "before fail", "fail"]


def test_the_label_space_ends_in_goal_and_fail() -> None:
    space = label_space([trail("dept", "list", "x"), trail("dept", "news", outcome="fail")])
    assert space.labels == ("dept", "list", "goal", "fail")
    assert not space.forbidden().any()


def test_the_goal_takes_the_name_that_all_goal_pages_share() -> None:
    assert common_goal([trail("dept", "course"), trail("dept", "news", outcome="fail")]) == "course"
    assert common_goal([trail("dept", "course"), trail("dept", "person")]) == "goal"
    assert common_goal([trail("dept", None)]) == "goal"


def test_distances_lead_one_step_nearer_or_off_the_way() -> None:
    space = distance_space([trail(None, None, None, None)] * 9 + [trail(*[None] * 9)], cover=0.8)
    assert space.labels == ("3 away", "2 away", "1 away", "goal", "fail")
    banned = space.forbidden()
    at = space.index
    assert not banned[at["3 away"], at["2 away"]]
    assert not banned[at["3 away"], at["3 away"]], "longer paths share the longest distance"
    assert banned[at["3 away"], at["1 away"]]
    assert banned[at["2 away"], at["2 away"]]
    assert banned[at["1 away"], at["2 away"]]
    assert not banned[:, at["fail"]].any()
    assert not banned[at["fail"], :].any()


def test_shapes_and_counts_are_rough() -> None:
    assert shape("cs514") == "a9"
    assert shape("2004-05") == "9-9"
    assert step_of(0) == "0"
    assert step_of(47) == step_of(20) == "20"


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("http://a.test/people/ada/", "below"),
        ("http://a.test/people/list.html", "beside"),
        ("http://a.test/", "above"),
        ("http://a.test/news/1", "across"),
        ("http://b.a.test/", "sister host"),
        ("http://other.org/", "elsewhere"),
    ],
)
def test_where_a_link_leads(target: str, expected: str) -> None:
    assert way("http://a.test/people/index.html", target)[0] == expected


def test_a_sites_own_name_is_left_out() -> None:
    assert "alder" in host_words("http://cs.alder.edu/")
    assert {"~ada", "ada"} <= host_words("http://www.alder.edu/~ada/")
    page = Page("http://cs.alder.edu/people", title="Alder people", body_tokens=("alder", "people"))
    bag = page_bag(page, site="http://cs.alder.edu/")
    assert bag["title"] == ["people"]
    assert bag["body"] == ["people"]
    link = Link("http://cs.alder.edu/alder/staff", "Alder staff")
    assert link_bag(link, source=page.url, own=host_words("http://cs.alder.edu/"))["anchor"] == ["staff"]


def test_page_tokens_bound_the_body() -> None:
    page = Page("http://a.test/", body_tokens=("one", "two", "three"))
    assert page_bag(page, site="http://a.test/", page_tokens=2)["body"] == ["one", "two"]
    assert page_bag(page, site="http://a.test/", page_tokens=0)["body"] == []
    assert page_bag(page, site="http://a.test/", page_tokens=-1)["body"] == ["one", "two", "three"]


words = st.lists(st.sampled_from("abcdefgh"), unique=True)


@pytest.mark.slow
@given(st.lists(st.dictionaries(st.sampled_from(["title", "anchor", "body"]), words), min_size=1, max_size=8))
def test_each_group_of_a_row_has_length_one(bags: list[dict[str, list[str]]]) -> None:
    vocabulary = fit_vocabulary(bags)
    matrix = vocabulary.matrix(bags)
    groups = np.array([group for group, _ in vocabulary.names()])
    for number, bag in enumerate(bags):
        row = matrix[[number]].toarray()[0]
        for group, said in bag.items():
            expected = 1.0 if said else 0.0
            assert np.sum(row[groups == group] ** 2) == pytest.approx(expected)


def test_the_vocabulary_is_bounded_and_leaves_rare_words_out() -> None:
    bags = [{"title": ["often", "rare"]}, {"title": ["often"]}]
    assert fit_vocabulary(bags, min_count=2).columns == {"title": {"often": 0}}
    assert fit_vocabulary(bags, max_features=1).columns == {"title": {"often": 0}}
    assert fit_vocabulary(bags).row({"title": ["never seen"], "unknown group": ["x"]}) == ([], [])


def example(*labels: str | None, outcome: str = "goal") -> Example:
    made = trail(*labels, outcome=outcome)
    pages = tuple({"title": [f"page{n}"]} for n in range(len(labels)))
    return Example(made, pages, tuple({"anchor": [f"link{n}"]} for n in range(len(labels) - 1)))


def encoding(examples: list[Example], scheme: str, *, marginalise: bool = False) -> Encoding:
    trails = [each.trail for each in examples]
    space = distance_space(trails) if scheme == "distance" else label_space(trails)
    return Encoding(space, fit_vocabulary(different_bags(examples)), scheme, marginalise)  # type: ignore[arg-type]


def test_pages_and_links_alternate() -> None:
    examples = [example("dept", "list", "x"), example("dept", "news", outcome="fail")]
    made = encoding(examples, "page-and-link")
    sequences = made.sequences(examples)
    assert sequences.lengths.tolist() == [5, 3]
    assert made.n_states == 8
    allowed = sequences.allowed_states
    assert allowed is not None
    assert (allowed[0] == made.page_states()).all()
    assert (allowed[1] == made.link_states()).all()
    labels = sequences.label_sets(made.n_states)
    assert labels.sum(axis=1).tolist() == [1] * 8
    # A link carries the label of the page it leads to.
    assert np.argmax(labels[1]) - made.space.size == np.argmax(labels[2]) == made.space.index["list"]


def test_with_one_state_a_label_links_are_features_of_transitions() -> None:
    examples = [example("dept", "list", "x")]
    made = encoding(examples, "page")
    sequences = made.sequences(examples)
    assert sequences.lengths.tolist() == [3]
    assert sequences.E is not None
    assert sequences.E.shape[0] == 3
    assert sequences.E[[0]].nnz == 0, "nothing leads to the root"


def test_unknown_labels_are_left_open() -> None:
    examples = [example("dept", None, "x")]
    known = encoding(examples, "page-and-link")
    assert known.label_sets(examples[0])[1].tolist() == [label == "before goal" for label in known.space.labels]
    open_labels = encoding(examples, "page-and-link", marginalise=True).label_sets(examples[0])[1]
    assert open_labels.tolist() == [label not in ("goal", "fail") for label in known.space.labels]
    stranger = known.label_sets(example("never seen", "dept", "x"))[0]
    assert stranger.tolist() == [label not in ("goal", "fail") for label in known.space.labels]


def test_by_distance_a_failed_trail_tells_its_end_only() -> None:
    examples = [example(None, None, None), example(None, None, outcome="fail")]
    made = encoding(examples, "distance")
    sets = made.label_sets(examples[1])
    assert sets[0].tolist() == [label != "goal" for label in made.space.labels]
    assert sets[1].tolist() == [label == "fail" for label in made.space.labels]
    sharing = made.sharing()
    assert sharing is not None
    assert sharing.shape[1] == made.n_states
    assert sharing.any(axis=0).all()


def test_bags_shared_by_trails_are_made_once() -> None:
    pages = {
        "http://a.test/": Page(
            "http://a.test/", links=(Link("http://a.test/1", "one"), Link("http://a.test/2", "two"))
        ),
        "http://a.test/1": Page("http://a.test/1"),
        "http://a.test/2": Page("http://a.test/2"),
    }
    trails = [Trail("http://a.test/", "goal", (Step("http://a.test/"), Step(f"http://a.test/{n}"))) for n in (1, 2)]

    def find(page: Page, step: Step) -> Link | None:
        return next((link for link in page.links if link.url == step.url), None)

    first, second = make_examples(trails, pages.__getitem__, find)
    assert first.pages[0] is second.pages[0]
    assert first.links[0]["anchor"] == ["one"]
    assert len(different_bags([first, second])) == 5
