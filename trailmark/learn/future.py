"""`future`: Cora's spider (McCallum, Nigam, Rennie, Seymore, section 3): reinforcement learning on the words near a link.

The near-optimal policy (always the way to the closest goal, 3.4) is rolled out on the known graph from each link alone; its
discounted sum of rewards is the link's Q-value. Values fall into 3 to 5 bins; naive Bayes on the words of the link's
neighbourhood tells the bins apart, and a link's score is the mean value of the bins weighted by their probabilities (3.5).

Departures: the graph is what the trails show, not a whole web; links that lead off it count as worthless, each page giving at most
as many of those as `OTHERS` times its others, since what was not shown may well be good.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page
from trailmark.learn.bag import Bag, host_words, link_bag
from trailmark.learn.navigator import Navigator
from trailmark.learn.taught_graph import TaughtGraph
from trailmark.learn.text_worth import TextWorth, fit_text_worth
from trailmark.strategy import FollowedLink, Visit

Floats = npt.NDArray[np.float64]
GROUPS = ("anchor", "around", "above", "to")
OTHERS = 3
GAMMA = 0.5
HORIZON = 12
"""Steps of a roll-out: with gamma 0.5 what follows is worth less than a thousandth."""


class Future:
    """Scores links by expected future reward; pages are judged by a navigator lent to it."""

    name, judges, learns = "future", True, False

    def __init__(self, text: TextWorth, judge: Navigator) -> None:
        self._text, self._judge = text, judge

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> what the page is, and the expected Q of every link."""
        judgement = self._judge.judge(page, site=link.site).judgement
        if not page.links:
            return Visit(judgement, np.zeros(0))
        own = host_words(link.site)
        bags = [neighbourhood(page, place, own) for place in range(len(page.links))]
        return Visit(judgement, self._text.expected(bags))


def make_future(graph: TaughtGraph, judge: Navigator, *, bins: int = 3, gamma: float = GAMMA) -> Future:
    """Learn from the graph that trails show."""
    bags, values = [], []
    for url, targets in graph.targets.items():
        own = host_words(graph.sites[url])
        shown = [place for place, target in enumerate(targets) if target is not None]
        others = [place for place, target in enumerate(targets) if target is None]
        step = max(1, -(-len(others) // (OTHERS * max(1, len(shown)))))
        for place in (*shown, *others[::step]):
            bags.append(neighbourhood(graph.pages[url], place, own))
            values.append(roll_out(graph, url, targets[place], gamma))
    edges, numbers = binned(np.array(values), bins)
    means = np.array([np.array(values)[numbers == number].mean() for number in range(edges)])
    return Future(fit_text_worth(bags, numbers, means), judge)


def roll_out(graph: TaughtGraph, source: str, target: str | None, gamma: float) -> float:
    """Q of a link alone on the fringe: the near-optimal policy goes to the closest goal each time (3.4)."""
    if target is None:
        return 0.0
    fetched = {source}
    fringe: deque[str] = deque([target])
    total, clock = 0.0, 0
    while clock < HORIZON:
        way = _to_closest(graph, fringe, fetched)
        if way is None:
            break
        for page in way:
            total += gamma**clock * (page in graph.goals)
            clock += 1
            fetched.add(page)
            fringe.extend(target for target in graph.targets[page] if target is not None)
    return total


def _to_closest(graph: TaughtGraph, fringe: Sequence[str] | deque[str], fetched: set[str]) -> list[str] | None:
    ways: dict[str, list[str]] = {url: [url] for url in fringe if url not in fetched}
    queue = deque(ways)
    while queue:
        url = queue.popleft()
        if url in graph.goals:
            return ways[url]
        for target in graph.targets[url]:
            if target is not None and target not in ways and target not in fetched:
                ways[target] = [*ways[url], target]
                queue.append(target)
    return None


def binned(values: Floats, bins: int) -> tuple[int, npt.NDArray[np.int64]]:
    """Number of bins used, and the bin of each value: worthless ones apart, the others in parts of equal size."""
    above = values[values > 0]
    cuts = np.unique(np.quantile(above, np.linspace(0, 1, bins)[:-1])) if above.size else np.zeros(0)
    places = np.searchsorted(cuts, values, side="right")
    used, numbers = np.unique(places, return_inverse=True)
    return used.size, numbers.astype(np.int64)


def neighbourhood(page: Page, place: int, own: frozenset[str]) -> Bag:
    """The words of a link, of its surroundings, its heading and its URL, as one group."""
    bag = link_bag(page.links[place], source=page.url, own=own)
    return {"text": [word for group in GROUPS for word in bag[group]]}
