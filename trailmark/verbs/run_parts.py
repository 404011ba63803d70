"""The parts of a run that was dealt: which there are, which are due and with what budget, how they stand, and what its sites come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from trailmark.datatypes import RunState, SiteState
from trailmark.forage.dealing import deal, shares
from trailmark.forage.forage_run import open_sites
from trailmark.forage.scope import Seed, Territory, domain_of, host_of
from trailmark.settings import Settings
from trailmark.store.run_part import RunPart, part_of
from trailmark.verbs.walk_part import PartErrand, moved_sites


@dataclass(frozen=True, slots=True)
class PartsStanding:
    """How a run stands that was dealt, over all its parts."""

    sites: int = 0
    ended: int = 0
    pages: int = 0
    goals: int = 0
    parts: int = 0
    parts_done: int = 0


class RunParts:
    """Parts in a folder, of the sites that these seeds are."""

    def __init__(self, folder: Path, seeds: Sequence[Seed], settings: Settings) -> None:
        self.folder, self.seeds, self.settings = folder, seeds, settings
        self.timeout = settings.store.busy_timeout

    def every(self) -> list[RunPart]:
        """The parts as they were dealt, and after them those of sites that were dealt again."""
        dealt = self._dealt()
        return dealt + list(self._dealt_again(len(dealt)))

    def _dealt(self) -> list[RunPart]:
        parts = deal(self.seeds, self.settings.scale.part_sites)
        return [part_of(self.folder, number, sites) for number, sites in enumerate(parts)]

    def _led_elsewhere(self) -> dict[int, str]:
        """Sites whose roots led to where another part was walking -> where they lead."""
        found: dict[int, str] = {}
        for part in self._dealt():
            if part.begun:
                with part.opened(timeout=self.timeout) as database:
                    found |= {part.sites[int(own)]: url for own, url in moved_sites(database).items()}
        return found

    def _dealt_again(self, after: int) -> Iterator[RunPart]:
        """Parts of those that are not simply another site that is walked anyway: sites that lead to one domain together.

        A part that was begun keeps its sites: one that is found to lead there later is a part of its own.
        """
        territory = Territory(self.seeds)
        waiting: dict[str, list[int]] = {}
        for site, url in sorted(self._led_elsewhere().items()):
            if territory.twin(site, url) is None:
                waiting.setdefault(domain_of(host_of(url)), []).append(site)
        for sites in waiting.values():
            left = list(sites)
            while left:
                part = part_of(self.folder, after + left[0], left).as_begun()
                left = [site for site in left if site not in part.sites]
                yield part

    def due(self, asked: PartErrand) -> Iterator[PartErrand]:
        """What is asked of each part -> what is to be walked in the next round, each with the budget of its part in all."""
        standing = [(part, *part.standing(timeout=self.timeout)) for part in self.every()]
        budget = self.settings.forage.budget
        used = sum(site.pages for _, _, sites in standing for site in sites)
        without = replace(self.settings.forage, budget=0)
        open_parts = [
            (
                part,
                sum(site.pages for site in sites),
                len(open_sites(sites, without)) if _ended(run) else len(part.sites),
            )
            for part, run, sites in standing
        ]
        open_parts = [each for each in open_parts if each[2]]
        given = shares(max(budget - used, 0), [weight for _, _, weight in open_parts])
        # Of parts that lead to one place only the first is walked in this round: nobody else may be there.
        elsewhere, taken, first_again = self._led_elsewhere(), set[str](), len(self._dealt())
        for (part, pages, _), share in zip(open_parts, given, strict=True):
            if budget and not share:
                continue
            if part.number >= first_again:
                place = domain_of(host_of(elsewhere[part.sites[0]]))
                if place in taken:
                    continue
                taken.add(place)
            limits = replace(self.settings.forage, budget=pages + share if budget else 0)
            yield replace(asked, part=part, seeds=tuple(self.seeds[site] for site in part.sites), limits=limits)

    def standing(self) -> PartsStanding:
        """How the run stands at this moment, as the books of the parts have it."""
        every = [part.standing(timeout=self.timeout) for part in self.every()]
        sites = [site for _, found in every for site in found]
        return PartsStanding(
            len(self.seeds),
            sum(bool(site.ended) for site in sites),
            sum(site.pages for site in sites),
            sum(site.goals for site in sites),
            len(every),
            sum(_ended(run) for run, _ in every),
        )

    def whole_sites(self, states: Sequence[Sequence[SiteState]]) -> list[SiteState]:
        """The sites of all parts by number; one that was dealt again counts what both walks of it asked for."""
        # What no part came to ended as it would have in one walk: nothing was left for it.
        whole = {
            number: SiteState(number, seed.url, seed.scope, ended="budget") for number, seed in enumerate(self.seeds)
        }
        for site in (site for sites in states for site in sites):
            whole[site.number] = replace(site, pages=site.pages + whole[site.number].pages)
        territory = Territory(self.seeds)
        for number, url in self._led_elsewhere().items():
            twin = territory.twin(number, url)
            if twin is not None:
                root = self.seeds[twin].url
                whole[number] = replace(whole[number], ended="same", same_as=root, why=f"it is the same site as {root}")
        return list(whole.values())


def _ended(run: RunState | None) -> bool:
    return run is not None and run.finished_at is not None
