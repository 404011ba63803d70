"""A strategy that learns while it walks, for each site on its own: a taught guide plus one `SiteModel` a site.

When a page arrives, its links enter the site's model with what the guide promises of them. Then the link that led to
the page teaches: how surely the page is a goal, and how good its new links are. A page is evidence only as far as it says
more than its link did: what the guide promised of the link, moved at most `SWAY` by what the site showed of it, plus the part of the guide's
opinion that changed when it saw the page, trusted by `TRUST` since it was formed on other sites, plus what the page says by itself. Without the bound a site would
convince itself: pages of one kind that are all misjudged by a little would each be surer than the one before.

Pages below a goal are mostly parts of it (the exercises of a course, the cv of a person): links that lead from a goal into its own
folder start lower by `part`, and so do links from there; a folder in which several goals were found belongs to none of
them. How much lower is learnt from the teaching, where it shows goals below goals or none.

Where the teaching promised `OWED` goals and none was found, the site differs from what was taught. From then on until one is found, one
fetch of `EXPLORE` goes to the link that is newest: of its place, and of the place it leads to, the fewest links were tried.

Until the first goal of a site is found, and for no more than `THIN` pages, what it showed is thin and counts for nothing in the order: a
link that was found on several pages has the sum of what was promised of it (eq. 7), so that what the whole site links to comes
early. From then on it has the mean of its scores for the greater part, and the best of them for the rest (`BEST`): of
many uncertain scores the best one is mostly luck. Each further click costs a little (`DEEPER`), so that where nothing
promises much the pages near the root come first.

Pages that are missing are no evidence: a web that was archived in part lacks goals and others alike (as evidence against goals, and as
chances of their own by host, folder or block, they cost more than they saved on every web that was tried).
State is in memory only; the same pages in the same order make it again. Memory is bounded: of a site with many links the
worse half is forgotten, and keeps the scores it had.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from trailmark.datatypes import Page
from trailmark.forage.adaptation import Marks, SiteModel
from trailmark.forage.queued_link import url_pattern
from trailmark.sequence import chance_of, log_odds
from trailmark.strategy import Floats, FollowedLink, Guide, Judgement, Outlook, Rescore, Visit, WaitingLink
from trailmark.url_key import link_key

TRUST, MOST = 0.8, 6.0
"""Share of a page's own evidence that is believed, and its bound in log-odds."""
SWAY = 0.75
"""Log-odds by which what a site showed of a link may at most move what its page is taken for, as evidence."""
SPAN = 3
"""The best so many new links of a page say how good it is as a way; fewer count as if the rest were worthless."""
PART = 4.0
"""Log-odds against a page below a goal being another goal, where the teaching does not say."""
BEST = 0.25
"""Share of a link's best score, where it was found on several pages; the rest is their mean."""
DEEPER = 0.15
"""Log-odds that a link waits behind its chances for each click that its page lies below the root; what it is taken for is not moved by that."""
THIN = 12
"""Pages of a site without a goal until which what it showed does not count."""
OWED, EXPLORE = 2.0, 10
"""Goals promised and not found that make a site doubtful; and pages of which one then explores."""
EAGER, PAUSE = 50, 5
"""All that waits is scored anew after each of the first pages of a site, later after every so many."""
MOST_LINKS, ALL_LINKS, FEW_LINKS = 20_000, 100_000, 200
"""Links that are remembered of one site and of all: of a larger site the better half is kept, or where all are small one is forgotten."""
PLACES = 8
"""Places in which one link is remembered."""


@dataclass(slots=True)
class _SiteMemory:
    model: SiteModel
    rows: dict[int, list[int]]
    """Rows of every link found, by the key of its URL."""
    owners: dict[int, str] = field(default_factory=dict)
    """Folder of the goal that a link leads below, by the key of its URL."""
    folders: Counter[str] = field(default_factory=Counter)
    """Goals found in each folder."""
    done: set[int] = field(default_factory=set)
    """Keys of links that were followed: found again, they are not scored."""
    pages: int = 0
    exploring: bool = False
    """Whether the next fetch goes to what is newest."""
    met: bool = False
    """Whether a goal was found on it."""
    owed: float = 0.0
    """Goals that the guide promised since the last one was found."""
    scores: Floats | None = None
    """Of all rows, as of the last time all were scored."""


@dataclass(frozen=True, slots=True)
class _SiteJudgement:
    """A guide's judgement of a page with the site's part in it, and how surely it is a goal for the site to learn from."""

    judgement: Judgement
    evidence: float


class LearningWalk:
    """The guide's strategy, made to learn on the way."""

    judges, learns = True, True

    def __init__(
        self, guide: Guide, *, name: str = "", trust: float = TRUST, part: float = PART, explore: int = EXPLORE
    ) -> None:
        self.guide, self.name = guide, name or guide.name
        self._trust, self._part, self._explore = trust, part, explore
        self._sites: OrderedDict[str, _SiteMemory] = OrderedDict()
        self._links = 0
        """Links in the models of all sites."""

    def visit(self, page: Page, link: FollowedLink, /) -> Visit:
        """A page and the link that led to it -> the page judged, its links entered and scored, and how the waiting are scored now."""
        outlook = self.guide.outlook(page, link)
        state = self._site(link.site)
        judged = self._judged(state, outlook, link)
        state.done |= {link.key, link_key(page.url)}
        known = list(state.rows.get(link.key, ()))
        keys = [link_key(target.url) for target in page.links]
        parts = _parts(state, page, keys, link, goal=judged.evidence >= 0.5)
        promised = chance_of(log_odds(outlook.goal) - self._part * parts)
        places, fresh = self._enter(state, page, keys, replace(outlook, goal=promised), DEEPER * link.depth)
        promise = _learn(state.model, known[-SPAN:], fresh, judged.evidence)
        scores = np.zeros(len(keys))
        if places:
            scores[list(places)] = state.model.scores(list(places.values()))
        self._make_room(state)
        state.owed = 0.0 if judged.judgement.goal else state.owed + promise
        first = bool(judged.judgement.goal) and not state.met
        state.met |= first
        return Visit(judged.judgement, scores, outlook.memories, self._rescore(state, at_once=first))

    def scoring(self, site: str) -> Rescore | None:
        """How the links of a site that wait were scored last; None where nothing is known of it."""
        state = self._sites.get(site)
        return None if state is None else lambda link: _score(state, link)

    def _judged(self, state: _SiteMemory, outlook: Outlook, link: FollowedLink) -> _SiteJudgement:
        """The guide's judgement; what the page says by itself, and what the site has shown of the link that led here, decide."""
        guided, known = outlook.judgement, state.rows.get(link.key)
        if link.memory is None or not known:
            odds = lesson = float(log_odds(np.array(guided.goal_probability))) + outlook.alone
        else:
            odds, lesson = self._log_odds(state.model, known[:SPAN], outlook, link.memory)
        chance, evidence = (float(value) for value in chance_of(np.array([odds, lesson])))
        return _SiteJudgement(guided.decided(odds, chance, self.guide.goal_name), evidence)

    def _enter(
        self, state: _SiteMemory, page: Page, keys: Sequence[int], outlook: Outlook, wait: float
    ) -> tuple[dict[int, int], list[int]]:
        """Rows of the links of a page that were not followed yet, by their place; and those of links never found before."""
        wanted = [
            place for place, key in enumerate(keys) if key not in state.done and len(state.rows.get(key, ())) < PLACES
        ]
        new = {place for place in wanted if keys[place] not in state.rows}
        marks = [link_mark(page, place, outlook.bags[place]) for place in wanted]
        rows = state.model.add(marks, outlook.goal[wanted], outlook.onward[wanted], wait=wait)
        self._links += len(rows)
        for place, row in zip(wanted, rows, strict=True):
            state.rows[keys[place]].append(row)
        places = dict(zip(wanted, rows, strict=True))
        return places, [row for place, row in places.items() if place in new]

    def _rescore(self, state: _SiteMemory, *, at_once: bool) -> Rescore | None:
        state.pages += 1
        explored = state.exploring or at_once
        state.exploring = bool(self._explore) and state.owed >= OWED and not state.pages % self._explore
        if state.pages > EAGER and state.pages % PAUSE and not (explored or state.exploring):
            return None
        state.scores = _worth(state)
        return lambda link: _score(state, link)

    def _site(self, site: str) -> _SiteMemory:
        state = self._sites.get(site)
        if state is None:
            state = self._sites[site] = _SiteMemory(SiteModel(), defaultdict(list))
        self._sites.move_to_end(site)
        return state

    def _make_room(self, state: _SiteMemory) -> None:
        if len(state.model) > MOST_LINKS:
            self._links += _forget_half(state)
        while self._links > ALL_LINKS:
            largest = max(self._sites.values(), key=lambda memory: len(memory.model))
            if len(largest.model) > FEW_LINKS:
                self._links += _forget_half(largest)
            else:
                self._links -= len(self._sites.popitem(last=False)[1].model)

    def _log_odds(self, model: SiteModel, rows: list[int], outlook: Outlook, memory: Floats) -> tuple[float, float]:
        """What the link was thought to be, changed by what the page itself told: to be reported, and to be learnt from."""
        before, after = log_odds(np.array([self.guide.expected(memory), outlook.judgement.goal_probability]))
        shift = float(np.clip(self._trust * (after - before), -MOST, MOST)) + outlook.alone
        now = model.goal_log_odds(rows)
        best = int(now.argmax())
        taught = float(model.taught_log_odds(rows)[best])
        swayed = taught + float(np.clip(now[best] - taught, -SWAY, SWAY))
        return float(now[best]) + shift, swayed + shift


def _forget_half(state: _SiteMemory) -> int:
    """Keep the better half of the links that wait; the change in their number."""
    before = len(state.model)
    scores = state.model.scores()
    waiting = [row for key, rows in state.rows.items() if key not in state.done for row in rows]
    best = sorted(waiting, key=lambda row: (-scores[row], row))[: max(before // 2, 1)]
    places = np.array(sorted(best), dtype=np.int64)
    number = {int(old): new for new, old in enumerate(places)}
    renumbered = {key: [number[row] for row in rows if row in number] for key, rows in state.rows.items()}
    state.rows = defaultdict(list, {key: rows for key, rows in renumbered.items() if rows})
    state.owners = {key: owner for key, owner in state.owners.items() if key in state.rows}
    state.model.keep(places)
    state.scores = None
    return len(state.model) - before


def _learn(model: SiteModel, known: Sequence[int], fresh: list[int], evidence: float) -> float:
    """The links `known` led to a page with the new links `fresh`: what they teach. The chance of a goal that was promised of them."""
    if not known:
        return 0.0
    promise = float(chance_of(model.taught_log_odds(known).max()))
    ways = np.sort(model.scores(fresh))[::-1][:SPAN]
    model.learn(known, evidence, float(ways.sum()) / SPAN)
    return promise


def _parts(state: _SiteMemory, page: Page, keys: Sequence[int], link: FollowedLink, *, goal: bool) -> Floats:
    """1 for each link that leads below a goal, from the goal itself or from a page below it; else 0."""
    folder = page.url.partition("?")[0].rpartition("/")[0] + "/"
    if goal:
        state.folders[folder] += 1
    owner = folder if goal else state.owners.get(link.key, "")
    if not owner or link.site.startswith(owner) or owner.count("/") <= 3 or state.folders[owner] > 1:
        # The folder of the site's root, and a whole host, are nobody's part.
        return np.zeros(len(keys))
    parts = np.array([target.url.startswith(owner) for target in page.links], dtype=np.float64)
    for key, part in zip(keys, parts, strict=True):
        if part:
            state.owners.setdefault(key, owner)
    return parts


def link_mark(page: Page, place: int, bag: Mapping[str, Sequence[str]]) -> Marks:
    """What a link of a page has in common with others: where it stands, where it leads, its words."""
    source = page.url
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


def _score(state: _SiteMemory, link: WaitingLink) -> float:
    """The mean of the rows of a link and a share of the best; what was found since all were scored is scored now.

    While the site has shown little, the sum of what was promised where the link was found.
    """
    rows = state.rows.get(link.key)
    if not rows or not (state.met or state.exploring or state.pages >= THIN):
        return link.base
    known = state.scores
    count = 0 if known is None else known.size
    values = [float(known[row]) for row in rows if row < count] if known is not None else []
    if len(values) < len(rows):
        values += _worth(state, [row for row in rows if row >= count]).tolist()
    return BEST * max(values) + (1.0 - BEST) * sum(values) / len(values)


def _worth(state: _SiteMemory, rows: Sequence[int] | None = None) -> Floats:
    """The scores of links; where the next fetch explores, how new they are, the better of equals first."""
    scores = state.model.scores(rows)
    return (state.model.novelty(rows) + 0.01 * scores) / 1.01 if state.exploring else scores
