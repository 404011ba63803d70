"""Which links of a page a teacher would click: on the way to a goal, and for the goal itself.

The chain model compares links that were clicked with each other only. Here they are compared with those left alone: two logistic
regressions on the words of links, one for last clicks of goal trails, one for clicks before. What was not clicked is a weak
negative, since a teacher shows some goals of many: links of the same repeated block as a clicked one tell nothing and are left
out (learning from positive and unlabelled examples), and all negatives together count `OTHERS` times the positives.

No trail shows a link to where it begins, yet on another site such a page may lie deeper: a department that was taught as a site of its own
is one of many at a university. What links to it are called is guessed from its title: it counts as one click on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Link, Page, Trail
from trailmark.learn.bag import HABIT_GROUPS, Bag, host_words, link_bag
from trailmark.learn.label_space import FAIL, GOAL
from trailmark.learn.recipe import Recipe
from trailmark.learn.regression import fit_regression
from trailmark.learn.vocabulary import Vocabulary, column_groups, fit_vocabulary
from trailmark.sequence.sequences import Sparse

Floats = npt.NDArray[np.float64]
OTHERS = 3.0
WAY = "way"
_UNTOLD = "a trail went on here"


@dataclass(frozen=True)
class Clicks:
    """Weights of words of links, and a constant, for last clicks and for those before."""

    vocabulary: Vocabulary
    goal: Floats
    way: Floats

    def log_odds(self, bags: Sequence[Bag]) -> tuple[Floats, Floats]:
        """How much more each link looks like a last click, and like one before, than a link picked blindly does."""
        rows = self.vocabulary.matrix(bags)
        base = np.log(1.0 / (1.0 + OTHERS))
        return rows @ self.goal[:-1] + self.goal[-1] - base, rows @ self.way[:-1] + self.way[-1] - base


def fit_clicks(
    trails: Sequence[Trail],
    page_at: Callable[[str], Page],
    *,
    final_url: Callable[[str], str] = lambda url: url,
    recipe: Recipe | None = None,
) -> Clicks:
    """Learn from all links of the pages that goal trails lead over."""
    recipe = recipe or Recipe()
    bags: list[Bag] = []
    kinds: list[str] = []
    for (site, url), clicked in _clicked(trails).items():
        page, own = page_at(url), host_words(site)
        for place, kind in _kinds(page, clicked, final_url):
            bags.append(link_bag(page.links[place], source=page.url, own=own, window=recipe.window))
            kinds.append(kind)
    first = {trail.steps[0].url: trail for trail in trails if trail.outcome == GOAL}
    beginnings = [_called(trail, page_at) for trail in first.values()]
    bags, kinds = bags + beginnings, kinds + [WAY] * len(beginnings)
    vocabulary = fit_vocabulary(bags, max_features=recipe.max_features)
    habits = np.isin(column_groups(vocabulary), HABIT_GROUPS)
    l2 = recipe.l2_state * np.where(habits, recipe.l2_habits, 1.0)
    rows, named = vocabulary.matrix(bags), np.array(kinds, dtype=np.str_)
    return Clicks(vocabulary, _fitted(rows, named == GOAL, l2), _fitted(rows, named == WAY, l2))


def _clicked(trails: Iterable[Trail]) -> dict[tuple[str, str], dict[str, str]]:
    """Page -> URL of the next step -> what the click was. Fails tell about their last click only."""
    clicks: dict[tuple[str, str], dict[str, str]] = {}
    on_the_way: set[tuple[str, str]] = set()
    for trail in trails:
        steps = trail.steps
        for number, (before, step) in enumerate(pairwise(steps), start=2):
            kind = trail.outcome if number == len(steps) else WAY if trail.outcome == GOAL else _UNTOLD
            known = clicks.setdefault((trail.site, before.url), {})
            if _RANK[kind] > _RANK.get(known.get(step.url, ""), -1):
                known[step.url] = kind
            if trail.outcome == GOAL:
                on_the_way.add((trail.site, before.url))
    # Of a page that only fails lead over, the clicks are known but nothing can be said of the other links.
    return {key: known | ({} if key in on_the_way else {"": _UNTOLD}) for key, known in clicks.items()}


def _called(trail: Trail, page_at: Callable[[str], Page]) -> Bag:
    """The words of a link to the page that a trail begins with, as far as its title tells them."""
    page = page_at(trail.steps[0].url)
    bag = link_bag(Link(page.url, page.title), source=page.url, own=host_words(trail.site), window=0)
    return {group: words if group in ("anchor", "pair") else () for group, words in bag.items()}


_RANK = {_UNTOLD: 0, FAIL: 1, WAY: 2, GOAL: 3}


def _kinds(page: Page, clicked: dict[str, str], final_url: Callable[[str], str]) -> list[tuple[int, str]]:
    """Place and kind of the links that tell something."""
    kinds = [clicked.get(link.url) or clicked.get(final_url(link.url)) for link in page.links]
    blocks = {link.block for link, kind in zip(page.links, kinds, strict=True) if kind in (GOAL, WAY)} - {-1}
    telling = []
    for place, (link, kind) in enumerate(zip(page.links, kinds, strict=True)):
        if kind is None and ("" in clicked or link.block in blocks):
            continue
        if kind != _UNTOLD:
            telling.append((place, kind or FAIL))
    return telling


def _fitted(rows: Sparse, wanted: npt.NDArray[np.bool_], l2: Floats) -> Floats:
    """Weights and, last, the constant of a logistic regression; without a positive, or a negative, it says nothing."""
    silent = np.append(np.zeros(rows.shape[1]), np.log(1.0 / (1.0 + OTHERS)))
    share = min(1.0, OTHERS * int(wanted.sum()) / max(1, int((~wanted).sum())))
    return fit_regression(rows, wanted, np.where(wanted, 1.0, share), l2, start=silent)
