"""Topics from keywords: the laws of shrinkage and EM, and what a person is promised."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from trailmark.organise.item import Item
from trailmark.organise.keyword_votes import BELIEVED, TRUST, KeywordFinder, keywords_of, rarity, reliability, rule_list
from trailmark.organise.shrinkage import Shrinkage
from trailmark.organise.ties import Bond, bonds_of, evidence
from trailmark.organise.topic_model import TopicOptions, bootstrap, softmax
from trailmark.organise.topic_tree import TopicTree, parse_topics
from trailmark.organise.word_counts import item_words, vocabulary_of


def tree_of(**leaves: list[str]) -> TopicTree:
    children = [{"name": name, "keywords": words} for name, words in leaves.items()]
    return parse_topics(json.dumps({"name": "all", "children": children}), "topics.json")


TREE = tree_of(sea=["ship"], sky=["plane"])
SEA = ["harbour", "sail", "anchor", "wave", "captain", "deck"]
SKY = ["wing", "pilot", "runway", "cloud", "engine", "cockpit"]
ODD = ["recipe", "butter", "oven", "flour", "sugar", "cake"]


def items_of(words: list[str], name: str, count: int, keyword: str = "") -> list[Item]:
    """Items of four words each of a kind, every third with the keyword."""
    made = []
    for number in range(count):
        text = " ".join(words[(number + step * (1 + number % 2)) % len(words)] for step in range(4))
        made.append(Item(f"{name}{number}", "", f"{text} {keyword if number % 3 == 0 else ''}"))
    return made


ITEMS = [*items_of(SEA, "sea", 30, "ship"), *items_of(SKY, "sky", 30, "plane")]


def test_items_without_any_keyword_follow_those_that_share_their_words() -> None:
    placed = bootstrap(TREE, ITEMS)
    assert (placed.posterior[:, :2].argmax(axis=1) == [0] * 30 + [1] * 30).all()
    assert placed.labelled.sum() == 20


def test_what_belongs_nowhere_has_a_place_of_its_own_and_takes_over_no_topic() -> None:
    odd = items_of(ODD, "odd", 40)
    placed = bootstrap(TREE, [*ITEMS, *odd])
    assert (placed.posterior[:60].argmax(axis=1) == [0] * 30 + [1] * 30).all()
    assert (placed.posterior[60:].argmax(axis=1) == 2).mean() > 0.9
    without = bootstrap(TREE, [*ITEMS, *odd], options=TopicOptions(elsewhere=False))
    assert (without.posterior[60:].argmax(axis=1) < 2).all()


def test_an_item_that_a_person_moved_stays_and_teaches() -> None:
    odd = items_of(ODD, "odd", 20)
    moved = {item.id: 0 for item in odd[:8]}
    placed = bootstrap(TREE, [*ITEMS, *odd], moved)
    assert (placed.posterior[60:68, 0] == 1.0).all()
    assert (placed.posterior[68:].argmax(axis=1) == 0).all()
    assert (bootstrap(TREE, [*ITEMS, *odd]).posterior[68:].argmax(axis=1) == 2).all()


def test_the_same_items_give_the_same_topics_and_each_item_is_shared_out_whole() -> None:
    once, twice = bootstrap(TREE, ITEMS), bootstrap(TREE, ITEMS)
    assert once.posterior.tobytes() == twice.posterior.tobytes()
    assert np.allclose(once.posterior.sum(axis=1), 1.0)


def test_an_item_that_comes_later_is_placed_by_what_was_learnt() -> None:
    model = bootstrap(TREE, ITEMS).model
    posterior = model.posterior([Item("new", "anchor", "wave sail"), Item("other", "", "cockpit wing")])
    assert posterior[0].argmax() == 0
    assert posterior[1].argmax() == 1


def test_nothing_at_all_can_be_organised() -> None:
    assert bootstrap(TREE, []).posterior.shape == (0, 3)
    only = bootstrap(TREE, [Item("x", "", ""), Item("y", "", "\x00\u202e")])
    assert only.posterior.shape == (2, 3)
    assert np.isfinite(only.posterior).all()


def test_the_first_keyword_of_the_list_decides_and_a_phrase_must_stand_in_a_row() -> None:
    tree = tree_of(learning=["machine learning"], machines=["machine"])
    finder = KeywordFinder(keywords_of(tree))
    texts = [
        ["machine", "learning"],
        ["learning", "machine"],
        ["nothing"],
        ["machine", "learning", "machine", "learning"],
    ]
    found = finder.occurrences(texts)
    assert rule_list(found, finder.keywords, tree).tolist() == [0, 1, -1, 0]
    assert np.expm1(found.toarray()[3]).round().tolist() == [2, 2]


def test_a_keyword_that_another_topic_uses_loses_its_say() -> None:
    tree = tree_of(sea=["ship", "engine"], sky=["plane", "pilot"])
    items = [*items_of(SEA, "sea", 300, "ship"), *items_of(SKY, "sky", 300, "plane")]
    placed = bootstrap(tree, items)
    finder = KeywordFinder(keywords_of(tree))
    weight = dict(zip((" ".join(each.words) for each in finder.keywords), placed.model.keyword_weights, strict=True))
    assert weight["engine"] < 0.5 * weight["ship"]
    assert (placed.posterior[300:, :2].argmax(axis=1) == 1).all()


def test_the_weight_of_a_keyword_is_the_gain_in_log_odds() -> None:
    finder = KeywordFinder(keywords_of(TREE))
    found = finder.occurrences([["ship"], ["ship"], ["plane"], ["else"]])
    posterior = np.array([[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.2, 0.8]])
    weights = reliability(found, finder.keywords, TREE, posterior)
    share = (0.9 + 0.7 + BELIEVED * TRUST) / (2 + TRUST)
    assert weights[0] == pytest.approx(np.log(share / (1 - share)) - np.log(0.5 / 0.5))
    assert rarity(found)[0] == pytest.approx(np.log(5 / 3))


def test_shrinkage_mixes_along_the_path_and_every_leaf_is_a_distribution() -> None:
    tree = parse_topics(
        json.dumps(
            {
                "name": "r",
                "children": [
                    {"name": "a", "children": [{"name": "b", "keywords": ["x"]}, {"name": "c", "keywords": ["y"]}]},
                    {"name": "d", "keywords": ["z"]},
                ],
            }
        ),
        "t",
    )
    rng = np.random.default_rng(3)
    counts = sparse.csr_array(rng.poisson(0.6, (40, 12)).astype(float))
    shares = softmax(rng.normal(size=(40, 3)) * 3)
    shrinkage = Shrinkage(tree, 12)
    assert np.allclose(shrinkage.weights, [[0.25] * 4, [0.25] * 4, [1 / 3, 1 / 3, 0, 1 / 3]])
    logs = shrinkage.log_probabilities(counts, shares)
    assert np.allclose(np.exp(logs).sum(axis=1), 1.0, atol=1e-5)
    assert (
        shrinkage.weights[2, 2] == 0.0
    )  # the path of d is shorter: nothing may be taken from a step that is not there
    # Eq. 13, done by hand for leaf b.
    totals = shares.T @ counts.toarray()
    steps = [totals[0], totals[0] + totals[1], totals.sum(axis=0), np.ones(12)]
    mixed = sum(weight * step / step.sum() for weight, step in zip(shrinkage.weights[0], steps, strict=True))
    assert np.allclose(np.exp(logs[0]), mixed)


def test_weights_of_shrinkage_raise_the_likelihood_of_held_out_words() -> None:
    rng = np.random.default_rng(5)
    counts = sparse.csr_array(rng.poisson(0.3, (100, 30)).astype(float))
    shares = softmax(rng.normal(size=(100, 2)) * 5)
    shrinkage = Shrinkage(TREE, 30)
    held = np.arange(100) % 5 == 4
    out = (counts[held].T @ shares[held]).T
    rest = (counts.T @ shares).T - out

    def likelihood(weights: np.ndarray) -> float:
        leaf, root = rest / rest.sum(axis=1, keepdims=True), (rest.sum(axis=0) / rest.sum())[None]
        return float((out * np.log(weights[:, :1] * leaf + weights[:, 1:2] * root + weights[:, 2:] / 30)).sum())

    before = likelihood(shrinkage.weights)
    shrinkage.log_probabilities(counts, shares)
    best = likelihood(shrinkage.weights)
    assert best > before
    # The surface has one top: a step in any direction from it goes down.
    for shift in ([0.03, -0.03, 0], [-0.03, 0.03, 0], [0, 0.02, -0.02]):
        moved = np.clip(shrinkage.weights + shift, 1e-6, 1)
        assert likelihood(moved / moved.sum(axis=1, keepdims=True)) <= best + 1e-2


def test_neighbours_are_averaged_over_groups_and_pairs_without_the_item_itself() -> None:
    items = [
        Item("a", "", "", {"author": ("x", "x")}),
        Item("b", "", "", {"author": ("x",)}),
        Item("c", "", "", {"author": ("x", "y")}),
        Item("d", "", "", {}, ("a", "d", "nowhere")),
    ]
    bonds = bonds_of(items)
    shares = np.array([[1.0, 0], [0, 1.0], [0.5, 0.5], [0, 1.0]])
    mean, number = bonds[0].neighbours(shares)
    assert number.tolist() == [2, 2, 2, 0]
    assert mean[0].tolist() == [0.25, 0.75]
    cited, cites = bonds[1].neighbours(shares)
    assert cites.tolist() == [1, 0, 0, 1]
    assert cited[0].tolist() == [0, 1]
    assert evidence(bonds, shares)[1].tolist() == evidence(bonds[:1], shares)[1].tolist()
    assert isinstance(bonds[0], Bond)


def test_an_item_without_words_of_its_own_goes_with_those_it_hangs_together_with() -> None:
    lonely = Item("lonely", "", "zzz", {"thread": ("t",)})
    friends = [replace(item, ties={"thread": ("t",)}) for item in ITEMS[30:34]]
    placed = bootstrap(TREE, [*ITEMS[:30], *friends, *ITEMS[34:], lonely])
    assert placed.posterior[-1].argmax() == 1
    alone = bootstrap(TREE, [*ITEMS[:30], *friends, *ITEMS[34:], lonely], options=TopicOptions(ties=False))
    assert alone.posterior[-1, 1] < placed.posterior[-1, 1]


def test_words_that_are_everywhere_or_in_one_item_alone_are_left_out() -> None:
    vocabulary = vocabulary_of([["a", "b", "x"], ["a", "b"], ["a", "c"], ["a", "c"]], always=["x"])
    assert sorted(vocabulary.columns) == ["b", "c", "x"]
    counts = vocabulary.counts([["b", "b", "q"], []])
    assert np.expm1(counts.toarray()).round(6).tolist() == [[2, 0, 0], [0, 0, 0]]


def test_the_title_counts_twice() -> None:
    assert item_words(Item("a", "Big Cats", "cats")) == ["big", "cats", "big", "cats", "cats"]
