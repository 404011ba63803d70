"""Which recipe? Cross-validation over sites: learn on some of the taught sites, label the trails of the others.

One choice is varied at a time from the defaults, and kept only where it is clearly better, because with few trails the
figures are noisy and the defaults are the recipe that held up best on webs of many kinds. With trails from one site only, folds
are made of trails, so that no goal page is in two folds; such figures promise too much for the next site.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from trailmark.learn.example import Example
from trailmark.learn.label_space import FAIL, GOAL, distance_label, trail_labels
from trailmark.learn.learner import Labeller, fit
from trailmark.learn.recipe import Recipe
from trailmark.learn.scores import LabelScore, accuracy, label_scores

ExampleSource = Callable[[int, int], list[Example]]
"""(page_tokens, window) -> examples."""
LabelPairs = list[tuple[str, str]]
TRIAL_ITERATIONS = 25
"""Trials need not be fitted to the last digit to be compared."""
TRIAL_TRAILS = 120
"""More trails than these do not change what is picked, only how long it takes."""
CLEARLY = 0.02
"""By how much a choice must better the goal's F1 to be taken."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A recipe with its cross-validated figures."""

    what: str
    recipe: Recipe
    goal: LabelScore
    states: dict[str, LabelScore]
    accuracy: float

    @property
    def merit(self) -> float:
        """The goal counts most; the states on the way tell recipes apart that find it equally well."""
        return self.goal.f1 + 0.1 * self.accuracy


@dataclass(frozen=True, slots=True)
class TrialTask:
    """A recipe that is to be tried, as it travels to who tries it."""

    what: str
    recipe: Recipe
    examples: Sequence[Example]
    folds: int


Trying = Callable[[Callable[[TrialTask], Trial], Iterable[TrialTask]], Iterable[Trial]]
"""Does a work for each task, in order: `map`, or others side by side."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The recipe taken, every trial, and why in words."""

    recipe: Recipe
    trials: tuple[Trial, ...]
    reasons: tuple[str, ...]
    best: Trial


def choose(
    source: ExampleSource,
    start: Recipe,
    *,
    folds: int = 3,
    progress: Callable[[Iterable[Any], str], Iterator[Any]],
    over: Trying = map,
) -> Choice:
    """Try variations of a recipe one after the other and keep what is clearly better; `over` says who tries them."""

    def asked(what: str, recipe: Recipe) -> TrialTask:
        return TrialTask(what, recipe, source(recipe.page_tokens, recipe.window), folds)

    def in_turn() -> Iterator[Trial]:
        """Each variation of what is best when its turn comes: where others are tried beside it and it wins, they are tried again."""
        done = 0
        while done < len(tried):
            base = best.recipe
            for trial in over(try_recipe, (asked(what, replace(base, **changes)) for what, changes in tried[done:])):
                done += 1
                yield trial
                if best.recipe is not base:
                    break

    first = next(iter(over(try_recipe, [asked("the defaults", start)])))
    best, trials, reasons = first, [first], []
    tried = variations(source(start.page_tokens, start.window), start)
    for (what, _), trial in zip(progress(tried, "choosing a model"), in_turn(), strict=True):
        trials.append(trial)
        if trial.merit > best.merit + CLEARLY:
            reasons.append(f"{what}: F1 of the goal {trial.goal.f1:.2f} instead of {best.goal.f1:.2f}")
            best = trial
    if not reasons:
        reasons.append(f"the defaults: nothing tried was clearly better than F1 {first.goal.f1:.2f} of the goal")
    return Choice(best.recipe, tuple(trials), tuple(reasons), best)


def variations(examples: Sequence[Example], start: Recipe) -> list[tuple[str, dict[str, Any]]]:
    """(what it is in words, fields of the recipe), each a single change."""
    tried: list[tuple[str, dict[str, Any]]] = []
    if start.scheme != "distance":
        tried.append(("states by distance to the goal, without milestones", {"scheme": "distance"}))
        if any(step.label is None for example in examples for step in example.trail.steps[:-1]):
            tried.append(("unlabelled pages summed over all milestones", {"scheme": start.scheme, "marginalise": True}))
    if start.scheme == "page-and-link":
        tried.append(("one state a label, words of links on its transitions", {"scheme": "page", "marginalise": False}))
    tried += [(f"{tokens} words of a page's body", {"page_tokens": tokens}) for tokens in (0, 10)]
    tried += [("no words around links", {"window": 0})]
    tried += [(f"regularisation {l2:g}", {"l2_state": l2}) for l2 in (0.1, 1.0)]
    tried += [(f"transitions trusted by {trust:g}", {"edge_trust": trust}) for trust in (0.25, 1.0)]
    return tried


def try_recipe(task: TrialTask) -> Trial:
    """A recipe and examples -> its cross-validated figures; the recipe is handed back as it was given."""
    some = task.examples[:: -(-len(task.examples) // TRIAL_TRAILS)]
    pairs = cross_validate(some, replace(task.recipe, max_iterations=TRIAL_ITERATIONS), folds=task.folds)
    scores = label_scores(pairs)
    return Trial(task.what, task.recipe, scores.get(GOAL, LabelScore(0.0, 0.0, 0)), scores, accuracy(pairs))


def cross_validate(examples: Sequence[Example], recipe: Recipe, *, folds: int = 4) -> LabelPairs:
    """(true, predicted) labels of all pages, each predicted by a model that did not see its site (or its trail)."""
    pairs: LabelPairs = []
    for train, test in split(examples, folds):
        if any(example.trail.outcome == GOAL for example in train):
            pairs += labelled_pairs(fit(train, recipe), test)
    return pairs


def labelled_pairs(labeller: Labeller, examples: Sequence[Example]) -> LabelPairs:
    """(true, predicted) label of every page whose true label is known."""
    pairs: LabelPairs = []
    for example, predicted in zip(examples, labeller.decode(examples), strict=True):
        pairs += [(true, guess) for true, guess in zip(true_labels(example, labeller), predicted, strict=True) if true]
    return pairs


def true_labels(example: Example, labeller: Labeller) -> list[str]:
    """A page's true label; empty where nobody knows it (what a failed trail passed, with labels by distance)."""
    if not labeller.encoding.space.by_distance:
        return trail_labels(example.trail)
    last = len(example.pages) - 1
    if example.trail.outcome == FAIL:
        return [""] * last + [FAIL]
    return [distance_label(last - n, labeller.encoding.space) for n in range(last + 1)]


def split(examples: Sequence[Example], folds: int) -> Iterator[tuple[list[Example], list[Example]]]:
    """(train, test) pairs: by site where there are at least two, else by the page a trail ends at."""
    sites = list(dict.fromkeys(example.site for example in examples))
    key = _site if len(sites) > 1 else _end
    groups = list(dict.fromkeys(key(example) for example in examples))
    count = min(folds, len(groups))
    for fold in range(count if count > 1 else 0):
        held = set(groups[fold::count])
        yield [e for e in examples if key(e) not in held], [e for e in examples if key(e) in held]


def _site(example: Example) -> str:
    return example.site


def _end(example: Example) -> str:
    return example.trail.steps[-1].url
