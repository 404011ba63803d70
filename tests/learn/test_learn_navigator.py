"""Learning, walking, keeping and choosing, on the generated web."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learn.learn_demo_web import demo_examples, demo_page, demo_site
from trailmark.datatypes import Page
from trailmark.errors import InputError
from trailmark.learn.choice import choose, cross_validate, labelled_pairs, split
from trailmark.learn.example import Example
from trailmark.learn.learner import fit, fit_baseline, make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.navigator_file import navigator_from_bytes, navigator_to_bytes
from trailmark.learn.recipe import Recipe
from trailmark.learn.report import advice, learn_report, telling_words
from trailmark.learn.scores import LabelScore, accuracy, label_scores, mean_score

Examples = tuple[Example, ...]


def quiet(items: Iterable[Any], label: str) -> Iterator[Any]:
    yield from items


@pytest.fixture(scope="module")
def navigator(taught: Examples) -> Navigator:
    return make_navigator(taught, Recipe(), goal="publications")


@pytest.mark.slow
def test_it_labels_sites_it_never_saw(taught: Examples, unseen: Examples) -> None:
    crf = label_scores(labelled_pairs(fit(taught, Recipe()), unseen))
    maxent = label_scores(labelled_pairs(fit_baseline(taught, Recipe(), "max-ent"), unseen))
    assert crf["goal"].f1 >= 0.8
    assert crf["goal"].f1 >= maxent["goal"].f1, "the path must not hurt"


@pytest.mark.slow
def test_outcomes_alone_are_enough(taught: Examples, unseen: Examples) -> None:
    pairs = labelled_pairs(fit(taught, Recipe(scheme="distance")), unseen)
    assert label_scores(pairs)["goal"].f1 >= 0.7


@pytest.mark.slow
def test_one_state_a_label_learns_too(taught: Examples) -> None:
    few = taught[:12]
    pairs = labelled_pairs(fit(few, Recipe(scheme="page", max_iterations=30)), few)
    assert accuracy(pairs) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["max-ent", "naive-bayes", "hmm"])
def test_baselines_label_what_they_were_taught(taught: Examples, kind: Any) -> None:
    assert accuracy(labelled_pairs(fit_baseline(taught, Recipe(), kind), taught)) >= 0.7


@pytest.mark.slow
def test_rewards_fall_with_the_distance_from_the_goal(taught: Examples) -> None:
    navigator = make_navigator(taught, Recipe(scheme="distance"))
    by_distance = [navigator.rewards[navigator.encoding.space.index[label]] for label in navigator.labels[:-1]]
    assert by_distance == sorted(by_distance), dict(zip(navigator.labels, navigator.rewards, strict=True))
    assert navigator.rewards[navigator.encoding.space.index["fail"]] < by_distance[-2]


def clicked_ranks(navigator: Navigator, examples: Examples) -> list[float]:
    """For every click of a goal trail: which share of the page's other links scores higher than the one clicked."""
    ranks = []
    for example in examples:
        if example.trail.outcome != "goal":
            continue
        memory = None
        for step, following in zip(example.trail.steps, example.trail.steps[1:], strict=False):
            page: Page = demo_page(step.url)
            verdict = navigator.judge(page, site=example.site, memory=memory)
            scores, memories = navigator.score(verdict, navigator.link_bags(page, site=example.site))
            there = [n for n, link in enumerate(page.links) if link.url == following.url]
            best = max(there, key=lambda n: scores[n])
            ranks.append(float(np.mean(scores > scores[best])))
            memory = memories[best]
    return ranks


@pytest.mark.slow
def test_it_would_click_where_the_teacher_clicked(navigator: Navigator, unseen: Examples) -> None:
    # Most pages hold many links that are as good as the one clicked (a list of people), so 0 can't be had.
    assert np.mean(clicked_ranks(navigator, unseen)) <= 0.33, "blind clicking gives 0.5"


@pytest.mark.slow
def test_three_trails_from_one_site_are_of_use() -> None:
    examples = demo_examples("publications", (0,), 6)
    goals = [e for e in examples if e.trail.outcome == "goal"][:2]
    few = [*goals, *[e for e in examples if e.trail.outcome == "fail"][:1]]
    ranks = clicked_ranks(make_navigator(few, Recipe()), demo_examples("publications", (3, 4)))
    assert np.mean(ranks) <= 0.4, "blind clicking gives 0.5"


@pytest.mark.slow
def test_a_label_with_one_example_does_not_collapse(taught: Examples) -> None:
    rare = replace(taught[0].trail.steps[0], label="only here")
    odd = replace(taught[0], trail=replace(taught[0].trail, steps=(rare, *taught[0].trail.steps[1:])))
    odd = replace(odd, pages=({"title": ["quite", "unlike"]}, *odd.pages[1:]))
    learnt = fit([odd, *taught[1:]], Recipe())
    assert learnt.decode([odd])[0][0] == "only here"


@pytest.mark.slow
def test_walking_step_by_step_equals_the_whole_path(navigator: Navigator, taught: Examples) -> None:
    """Eq. 6 extended from a stored prefix gives what the chain gives on the whole path at once."""
    example = next(e for e in taught if len(e.pages) >= 4)
    chain = navigator.walking
    alpha, _ = np.split(_walk(navigator, example), 2)
    size = len(navigator.labels)
    rows = navigator.encoding.sequences([example]).X
    scores = rows @ navigator.model.state_weights_
    expected = scores[0, :size]
    for n in range(1, scores.shape[0], 2):
        joint = expected[:, None] + chain.steps
        expected = np.logaddexp.reduce(joint, axis=0) + scores[n, size:] + chain.entries + scores[n + 1, :size]
    np.testing.assert_allclose(alpha, expected - expected.max(), atol=1e-8)


def _walk(navigator: Navigator, example: Example) -> Any:
    chain = navigator.walking
    memory = np.tile(chain.page_scores([example.pages[0]])[0], 2)
    for link, page in zip(example.links, example.pages[1:], strict=True):
        alpha, delta = chain.leave(memory, [link])
        alpha, delta = chain.arrive(np.concatenate([alpha[0], delta[0]]), chain.page_scores([page])[0])
        memory = np.concatenate([alpha - alpha.max(), delta - delta.max()])
    return memory


@pytest.mark.slow
def test_memory_does_not_drift_on_long_paths(navigator: Navigator) -> None:
    site = demo_site(3)
    page = demo_page(site.root)
    memory = None
    for _ in range(100):
        verdict = navigator.judge(page, site=site.root, memory=memory)
        scores, memories = navigator.score(verdict, navigator.link_bags(page, site=site.root))
        memory = memories[int(np.argmax(scores))]
        assert np.isfinite(scores).all()
        assert (scores >= 0).all()
        assert (scores <= 1).all()
    assert 0 <= verdict.goal_probability <= 1


def test_a_page_without_links_has_no_scores(navigator: Navigator) -> None:
    page = Page("http://a.test/x.pdf", content_type="application/pdf")
    verdict = navigator.judge(page, site="http://a.test/")
    scores, memories = navigator.score(verdict, navigator.link_bags(page, site="http://a.test/"))
    assert scores.shape == (0,)
    assert memories.shape == (0, 2 * len(navigator.labels))


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["page-and-link", "page", "distance"])
def test_the_file_holds_everything(taught: Examples, scheme: Any) -> None:
    navigator = make_navigator(taught[:12], Recipe(scheme=scheme, max_iterations=15), goal="publications")
    kept = navigator_from_bytes(navigator_to_bytes(navigator))
    assert kept.labels == navigator.labels
    assert kept.recipe == navigator.recipe
    assert kept.goal_name == "publications"
    page, root = demo_page(demo_site(4).root), demo_site(4).root
    before, after = (each.judge(page, site=root) for each in (navigator, kept))
    assert before.label == after.label
    np.testing.assert_allclose(
        navigator.score(before, navigator.link_bags(page, site=root))[0],
        kept.score(after, kept.link_bags(page, site=root))[0],
        atol=1e-5,
    )


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_damaged_file_is_refused_in_one_sentence(navigator: Navigator, data: st.DataObject) -> None:
    content = bytearray(_bytes(navigator))
    if data.draw(st.booleans()):
        content = content[: data.draw(st.integers(0, len(content) - 1))]
    else:
        content[data.draw(st.integers(0, 64))] ^= 0xFF
    assert _refusal(bytes(content)) in ("", "models/navigator.npz")


def _refusal(content: bytes) -> str:
    """The file that the error names; empty where the damage was harmless."""
    try:
        navigator_from_bytes(content, source="models/navigator.npz")
    except InputError as error:
        return str(error).split(" ")[0]
    return ""


_KEPT: dict[int, bytes] = {}


def _bytes(navigator: Navigator) -> bytes:
    return _KEPT.setdefault(id(navigator), navigator_to_bytes(navigator))


def test_folds_keep_sites_apart(taught: Examples) -> None:
    tested = []
    for train, test in split(taught, 4):
        assert not {e.site for e in train} & {e.site for e in test}
        tested += test
    assert len(tested) == len(taught)


def test_folds_of_one_site_keep_ends_apart() -> None:
    examples = demo_examples("course", (0,))
    for train, test in split(examples, 4):
        assert not {e.trail.steps[-1].url for e in train} & {e.trail.steps[-1].url for e in test}
    assert cross_validate(examples[:1], Recipe()) == [], "one trail can't be split"


@pytest.mark.slow
def test_choosing_says_why_and_is_never_worse(taught: Examples) -> None:
    few = list(taught[::2])
    choice = choose(lambda _tokens, _window: few, Recipe(max_iterations=8), folds=2, progress=quiet)
    assert choice.best.merit >= choice.trials[0].merit
    assert choice.recipe in [trial.recipe for trial in choice.trials]
    assert choice.reasons
    report = learn_report(make_navigator(few, choice.recipe), few, choice)
    assert report.states
    assert report.sites == 3
    assert report.advice


def test_telling_words_tell(navigator: Navigator) -> None:
    telling = telling_words(navigator)
    assert set(telling) == set(navigator.labels)
    words = (*(telling["goal"].links or ()), *telling["goal"].pages)
    assert any("publications" in word or "papers" in word for word in words)


def test_advice_names_what_is_missing() -> None:
    examples = [e for e in demo_examples("course", (0,)) if e.trail.outcome == "goal"]
    said = " ".join(advice(examples, 1))
    assert "do not want" in said
    assert "second site" in said


def test_no_goal_no_navigator() -> None:
    fails = [e for e in demo_examples("course", (0,)) if e.trail.outcome == "fail"]
    with pytest.raises(InputError, match="goal"):
        fit(fails, Recipe())


def test_scores_by_hand() -> None:
    pairs = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("c", "a")]
    scores = label_scores(pairs)
    assert scores["a"] == LabelScore(0.5, 0.5, 2)
    assert scores["b"].precision == pytest.approx(2 / 3)
    assert scores["c"].f1 == 0.0
    assert mean_score(scores).recall == pytest.approx(0.5)
    assert accuracy(pairs) == 0.6
