"""The parts of a run that was dealt: which there are, which are due and with what budget, how they stand, and what its sites come to."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from trailmark.datatypes import RunState, SiteState
from trailmark.forage.dealing import deal, shares
from trailmark.forage.forage_run import open_sites
from trailmark.forage.scope import Seed, Territory, domain_of, host_of
from trailmark.forage.stragglers import usual_time
from trailmark.settings import Settings
from trailmark.store.parts_standing import PartsStanding, WalkingPart, read_round, walker_of, write_round
from trailmark.store.run_part import RunPart, part_of
from trailmark.store.run_watch import RunWatch, failed_pages
from trailmark.verbs.walk_part import PartErrand, moved_sites

ALIVE_SECONDS = 10.0
"""A walker that said nothing for longer is not at work: its machine is gone, or its clock is another."""


@dataclass(frozen=True)
class ReadPart:
    """A part as its books have it at one moment."""

    part: RunPart
    run: RunState | None = None
    sites: Sequence[SiteState] = ()
    """By the numbers of the whole run."""
    elsewhere: Mapping[int, str] = field(default_factory=dict)
    """Sites whose roots led to where another part was walking -> where they lead."""
    errors: int = 0
    beat: float = 0.0
    """When its walker last said how it stands, in seconds since 1970."""

    @property
    def ended(self) -> bool:
        return self.run is not None and self.run.finished_at is not None

    @property
    def pages(self) -> int:
        return sum(site.pages for site in self.sites)


@dataclass(frozen=True)
class Reading:
    """All parts of a run at one moment: as they were dealt, and after them those of sites that were dealt again."""

    dealt: Sequence[ReadPart]
    again: Sequence[ReadPart]

    @property
    def every(self) -> list[ReadPart]:
        return [*self.dealt, *self.again]

    @property
    def elsewhere(self) -> dict[int, str]:
        """Sites whose roots led to where another part was walking -> where they lead."""
        return {site: url for each in self.dealt for site, url in each.elsewhere.items()}


class RunParts:
    """Parts in a folder, of the sites that these seeds are.

    Only the parts that are being walked are read at every look: of ten thousand nearly all rest, done or not begun.
    """

    def __init__(self, folder: Path, seeds: Sequence[Seed], settings: Settings) -> None:
        self.folder, self.seeds, self.settings = folder, seeds, settings
        self.timeout = settings.store.busy_timeout
        dealt = enumerate(deal(seeds, settings.scale.part_sites))
        self._dealt = [part_of(folder, number, sites) for number, sites in dealt]
        self._territory = Territory(seeds)
        self._resting: dict[int, ReadPart] = {}
        """Parts that nobody walks, as they were left, by their number."""

    def rest(self, part: RunPart) -> None:
        """A part was walked as far as was asked, and stays as it is until it is due again."""
        self._resting[part.number] = self._read(part)

    def read(self) -> Reading:
        """How every part stands; those that rest as they were left, each other opened once."""
        dealt = [self._read(part) for part in self._dealt]
        again = self._dealt_again(Reading(dealt, ()).elsewhere, len(dealt))
        return Reading(dealt, [self._read(part) for part in again])

    def _read(self, part: RunPart) -> ReadPart:
        resting = self._resting.get(part.number)
        if resting is not None:
            return resting
        if not part.begun:
            return ReadPart(part)
        with part.opened(timeout=self.timeout) as database:
            run, sites = part.standing(database)
            elsewhere = {part.sites[int(own)]: url for own, url in moved_sites(database).items()}
            books = RunWatch(database)
            pulse = books.pulse(run.id) if run is not None else None
            errors = failed_pages(books.statuses(run.id)) if run is not None else 0
        return ReadPart(part, run, sites, elsewhere, errors, 0.0 if pulse is None else pulse.at)

    def _dealt_again(self, elsewhere: Mapping[int, str], after: int) -> Iterator[RunPart]:
        """Sites that led elsewhere -> parts of those that are not simply another site that is walked anyway: all that lead to one domain together.

        A part that was begun keeps its sites: one that is found to lead there later is a part of its own.
        """
        waiting: dict[str, list[int]] = {}
        for site, url in sorted(elsewhere.items()):
            if self._territory.twin(site, url) is None:
                waiting.setdefault(domain_of(host_of(url)), []).append(site)
        for sites in waiting.values():
            left = list(sites)
            while left:
                part = part_of(self.folder, after + left[0], left).as_begun()
                left = [site for site in left if site not in part.sites]
                yield part

    def due(self, asked: PartErrand) -> Iterator[PartErrand]:
        """What is asked of each part -> what is to be walked in this round, each with the budget of its part in all.

        A round is written down before it begins: who goes on after the one who dealt it died gives each part what it would have got.
        """
        reading = self.read()
        self._resting = {each.part.number: each for each in reading.every if each.run is not None}
        budgets = self._left_of_round(reading) or self._new_round(reading)
        for each in reading.every:
            part = each.part
            if part.number in budgets:
                self._resting.pop(part.number, None)
                limits = replace(self.settings.forage, budget=budgets[part.number])
                yield replace(asked, part=part, seeds=tuple(self.seeds[site] for site in part.sites), limits=limits)

    def _left_of_round(self, reading: Reading) -> dict[int, int]:
        """The parts of a round of the same budget that was begun, and are not done with theirs -> what each may use in all."""
        budget = self.settings.forage.budget
        budgets = read_round(self.folder, budget) if budget else {}
        left = {}
        for each in reading.every:
            number = each.part.number
            limits = replace(self.settings.forage, budget=budgets.get(number, 0))
            if number in budgets and not (each.ended and not open_sites(each.sites, limits)):
                left[number] = budgets[number]
        return left

    def _new_round(self, reading: Reading) -> dict[int, int]:
        """The parts that are due -> what each may use in all; 0 for no limit."""
        budget, budgets = self.settings.forage.budget, dict[int, int]()
        without = replace(self.settings.forage, budget=0)
        weights = [
            len(open_sites(each.sites, without)) if each.ended else len(each.part.sites) for each in reading.every
        ]
        given = shares(max(budget - sum(each.pages for each in reading.every), 0), weights)
        # Of parts that lead to one place only the first is walked in this round: nobody else may be there.
        elsewhere, taken = reading.elsewhere, set[str]()
        for each, weight, share in zip(reading.every, weights, given, strict=True):
            if not weight or (budget and not share):
                continue
            if each.part.number >= len(reading.dealt):
                place = domain_of(host_of(elsewhere[each.part.sites[0]]))
                if place in taken:
                    continue
                taken.add(place)
            budgets[each.part.number] = each.pages + share if budget else 0
        if budget and budgets:
            write_round(self.folder, budget, budgets)
        return budgets

    def standing(self) -> PartsStanding:
        """How the run stands at this moment, as the books of the parts have it."""
        every, now = self.read().every, time.time()
        sites = [site for each in every for site in each.sites]
        return PartsStanding(
            len(self.seeds),
            sum(bool(site.ended) for site in sites),
            sum(site.pages for site in sites),
            sum(site.goals for site in sites),
            len(every),
            sum(each.ended for each in every),
            sum(each.errors for each in every),
            usual_time([each.run.seconds for each in every if each.ended and each.run is not None]),
            tuple(self._walking(every, now)),
            now,
        )

    def _walking(self, every: Iterable[ReadPart], now: float) -> Iterator[WalkingPart]:
        """The parts whose walkers said a moment ago how they stand."""
        for each in every:
            if each.part.number not in self._resting and now - each.beat < ALIVE_SECONDS:
                walker = walker_of(each.part.folder)
                if walker is not None:
                    ended = sum(bool(site.ended) for site in each.sites)
                    yield WalkingPart(each.part.number, len(each.part.sites), ended, each.pages, walker)

    def whole_sites(self, reading: Reading) -> list[SiteState]:
        """The sites of all parts by number; one that was dealt again counts what both walks of it asked for."""
        # What no part came to ended as it would have in one walk: nothing was left for it.
        whole = {
            number: SiteState(number, seed.url, seed.scope, ended="budget") for number, seed in enumerate(self.seeds)
        }
        for site in (site for each in reading.every for site in each.sites):
            whole[site.number] = replace(site, pages=site.pages + whole[site.number].pages)
        for number, url in reading.elsewhere.items():
            twin = self._territory.twin(number, url)
            if twin is not None:
                root = self.seeds[twin].url
                whole[number] = replace(whole[number], ended="same", same_as=root, why=f"it is the same site as {root}")
        return list(whole.values())
