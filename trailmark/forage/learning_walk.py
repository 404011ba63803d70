"""A strategy that learns while it walks, for each site on its own: a taught guide plus one `SiteModel` a site.

When a page arrives, its links enter the site's model with what the guide promises of them. Then the link that led to
the page teaches: how surely the page is a goal, and how good its new links are. A page is evidence only as far as it says
more than its link did: the link's log-odds as the site has them now, plus the part of the guide's opinion that changed
when it saw the page, trusted by `TRUST` since it was formed on other sites. A page that tells nothing moves nothing.

Pages below a goal are mostly parts of it (the exercises of a course, the cv of a person): links that lead from a goal into its own
folder start `PART` lower, and so do links from there; a folder in which several goals were found belongs to none of them.

A link that was found on several pages has the best of their scores. Pages that are missing say nothing of goals, and are no evidence.
State is in memory only: a run that is taken up again learns each site anew from there on.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from trailmark.datatypes import Page
from trailmark.forage.adaptation import Floats, Marks, SiteModel, chance_of, log_odds
from trailmark.forage.queued_link import QueuedLink
from trailmark.forage.strategy import Judged, Rescore
from trailmark.forage.url_shape import url_key, url_pattern

TRUST, MOST = 0.5, 6.0
"""Share of a page's own evidence that is believed, and its bound in log-odds."""
SPAN = 3
"""The best so many new links of a page say how good it is as a way; fewer count as if the rest were worthless."""
PART = 4.0
"""Log-odds against a page below a goal being another goal, until the site shows otherwise."""
EAGER, PAUSE = 50, 5
"""All that waits is scored anew after each of the first pages of a site, later after every so many."""
MOST_SITES = 500
"""Sites whose models are kept; one that was not walked for longest is forgotten."""


class Outlook(Protocol):
    """What a guide expects of the links of a page."""

    @property
    def goal(self) -> Floats:
        """Chance of each link to lead to a goal."""
        ...

    @property
    def onward(self) -> Floats:
        """Worth of each link as a way to goals, 0 to 1."""
        ...

    @property
    def memories(self) -> Floats | None: ...
    @property
    def bags(self) -> Sequence[Mapping[str, Sequence[str]]]:
        """Words of each link, in groups."""
        ...


class Guide(Protocol):
    """A taught strategy that can tell goals from ways."""

    @property
    def name(self) -> str: ...
    @property
    def goal_name(self) -> str: ...
    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judged: ...
    def outlook(self, page: Page, judgement: Any, /, *, site: str) -> Outlook: ...
    def expected(self, memory: Floats, /) -> float:
        """The chance of a goal that a link with this memory promised."""
        ...


@dataclass(slots=True)
class _Site:
    model: SiteModel
    rows: dict[int, list[int]]
    """Rows of every link found, by the key of its URL."""
    signs: dict[float, int] = field(default_factory=dict)
    """Key of a URL by its sign in the memory of a link."""
    owners: dict[int, str] = field(default_factory=dict)
    """Folder of the goal that a link leads below, by the key of its URL."""
    folders: Counter[str] = field(default_factory=Counter)
    """Goals found in each folder."""
    pages: int = 0
    scores: Floats | None = None
    """Of all rows, as of the last time all were scored."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """A judgement with the site's part in it."""

    guided: Any
    """What the guide alone thinks."""
    label: str
    goal: bool
    goal_probability: float


class LearningWalk:
    """The guide's strategy, made to learn on the way."""

    def __init__(self, guide: Guide, *, trust: float = TRUST) -> None:
        self.guide, self.name, self._trust = guide, guide.name, trust
        self._sites: OrderedDict[str, _Site] = OrderedDict()
        self._last: tuple[str, Page, Floats, Floats | None] | None = None

    def judge(self, page: Page, /, *, site: str, memory: Floats | None) -> Judged:
        """The guide's judgement; what the site has shown of the link that led here decides whether it is a goal."""
        if memory is None:
            return self.guide.judge(page, site=site, memory=None)
        own, known = memory[:-1], self._known(site, memory)
        judged = self.guide.judge(page, site=site, memory=own)
        if not known:
            return judged
        chance = self._goal_chance(self._sites[site], known, judged, own)
        other = judged.label if judged.label != self.guide.goal_name else ""
        goal = chance >= 0.5
        return _Judged(judged, self.guide.goal_name if goal else other, goal, chance)

    def adapt(self, page: Page, judgement: Any, /, *, site: str, via: QueuedLink) -> Rescore | None:
        """Enter the page's links, learn from the page, and say how waiting links are scored now."""
        state = self._site(site)
        known = list(state.rows.get(via.key, ()))
        guided = judgement.guided if isinstance(judgement, _Judged) else judgement
        outlook = self.guide.outlook(page, guided, site=site)
        keys = [url_key(link.url) for link in page.links]
        fresh = [place for place, key in enumerate(keys) if key not in state.rows]
        goal = judgement.goal_probability
        parts = _parts(state, page, keys, via, site=site, goal=goal >= 0.5)
        promised = chance_of(log_odds(outlook.goal) - PART * parts)
        rows = state.model.add(link_marks(page, outlook.bags), promised, outlook.onward)
        for key, row in zip(keys, rows, strict=True):
            state.rows[key].append(row)
            state.signs[_sign(key)] = key
        if known:
            ways = np.sort(state.model.scores([rows[place] for place in fresh]))[::-1][:SPAN]
            state.model.learn(known[-SPAN:], goal, float(ways.sum()) / SPAN)
        scores = state.model.scores(rows)
        self._last = (site, page, scores, _signed(outlook.memories, keys))
        state.pages += 1
        if state.pages > EAGER and state.pages % PAUSE:
            return None
        state.scores = state.model.scores()
        return lambda link: _score(state, link)

    def score(self, page: Page, judgement: Any, /, *, site: str) -> tuple[Floats, Floats | None]:
        """The scores of the links of a page; where `adapt` was not called before, those the guide alone would give."""
        last = self._last
        if last is not None and last[0] == site and last[1] is page:
            return last[2], last[3]
        guided = judgement.guided if isinstance(judgement, _Judged) else judgement
        outlook = self.guide.outlook(page, guided, site=site)
        model = SiteModel()
        rows = model.add([{}] * len(page.links), outlook.goal, outlook.onward)
        return model.scores(rows), _signed(outlook.memories, [url_key(link.url) for link in page.links])

    def _site(self, site: str) -> _Site:
        state = self._sites.get(site)
        if state is None:
            state = self._sites[site] = _Site(SiteModel(), defaultdict(list))
            if len(self._sites) > MOST_SITES:
                self._sites.popitem(last=False)
        self._sites.move_to_end(site)
        return state

    def _known(self, site: str, memory: Floats) -> list[int]:
        """Rows of the link that a memory belongs to; none where the site was forgotten meanwhile."""
        state = self._sites.get(site)
        key = None if state is None else state.signs.get(float(memory[-1]))
        return [] if state is None or key is None else state.rows[key]

    def _goal_chance(self, state: _Site, rows: list[int], judgement: Judged, memory: Floats) -> float:
        """What the link was thought to be, changed by what the page itself told."""
        before, after = log_odds(np.array([self.guide.expected(memory), judgement.goal_probability]))
        told = float(np.clip(self._trust * (after - before), -MOST, MOST))
        odds = float(state.model.goal_log_odds(rows[:SPAN]).max()) + told
        return float(chance_of(np.array(odds)))


def _sign(key: int) -> float:
    """A key as a number that a row of memory can hold exactly."""
    return float(key & (2**52 - 1))


def _signed(memories: Floats | None, keys: Sequence[int]) -> Floats:
    """The guide's memories with the sign of each link as their last column."""
    signs = np.array([_sign(key) for key in keys], dtype=np.float64).reshape(len(keys), 1)
    return signs if memories is None else np.hstack([memories, signs])


def _parts(state: _Site, page: Page, keys: Sequence[int], via: QueuedLink, *, site: str, goal: bool) -> Floats:
    """1 for each link that leads below a goal, from the goal itself or from a page below it; else 0."""
    folder = page.url.partition("?")[0].rpartition("/")[0] + "/"
    if goal:
        state.folders[folder] += 1
    owner = folder if goal else state.owners.get(via.key, "")
    if not owner or site.startswith(owner) or owner.count("/") <= 3 or state.folders[owner] > 1:
        # The folder of the site's root, and a whole host, are nobody's part.
        return np.zeros(len(keys))
    parts = np.array([link.url.startswith(owner) for link in page.links], dtype=np.float64)
    for key, part in zip(keys, parts, strict=True):
        if part:
            state.owners.setdefault(key, owner)
    return parts


def link_marks(page: Page, bags: Sequence[Mapping[str, Sequence[str]]]) -> list[Marks]:
    """What each link of a page has in common with others: where it stands, where it leads, its words."""
    return [_marks(page.url, place, page, bag) for place, bag in enumerate(bags)]


def _marks(source: str, place: int, page: Page, bag: Mapping[str, Sequence[str]]) -> Marks:
    link = page.links[place]
    tags = "/".join(link.tag_path.split("/")[-4:])
    host, _, path = link.url.partition("://")[2].partition("?")[0].partition("/")
    parts = path.split("/")[:-1]
    folders = [host, *(f"{host}/{'/'.join(parts[: n + 1])}" for n in range(len(parts)))][-4:]
    return {
        **bag,
        "page": (source,),
        "block": ((source, link.block if link.block >= 0 else tags),),
        "place": ((source, tags),),
        "heading": ((source, link.heading),) if link.heading else (),
        "tags": (tags,),
        "folder": folders,
        "shape": (url_pattern(link.url),),
        "depth": (("~" in path, len(parts)),),
    }


def _score(state: _Site, link: QueuedLink) -> float:
    """The best of the rows of a link; what was found since all were scored is scored now."""
    rows = state.rows.get(link.key)
    if not rows:
        return link.base
    known = state.scores
    count = 0 if known is None else known.size
    best = max((float(known[row]) for row in rows if row < count), default=0.0) if known is not None else 0.0
    later = [row for row in rows if row >= count]
    return max(best, float(state.model.scores(later).max())) if later else best
