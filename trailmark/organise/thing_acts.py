"""What a person said of things (hide this, these are one, this is another), laid over the doubles that were found: it holds however often records are lifted anew.

A thing is named by its key, and by its kind and address where it was alone there: so it is known again after its title was corrected, or another rule
read it otherwise. Of two acts that contradict each other the later one holds; an act that is taken back is as if it had never been.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from trailmark.organise.doubles import Finding, find_doubles
from trailmark.organise.group_acts import GroupAct, apply_acts
from trailmark.organise.thing import Thing
from trailmark.thing_datatypes import How, ThingName


@dataclass(frozen=True, slots=True)
class ThingAct:
    """One thing that a person said."""

    how: How
    """`together`: all are one, and the first is shown. `apart`: the first is another than each of the others. `hide`: none is shown, nor what is one with them."""
    names: tuple[ThingName, ...]


@dataclass(frozen=True, slots=True)
class CuratedThings:
    """Things with doubles made one, and what people said of them laid over."""

    shown: list[Thing]
    hidden: list[Thing]


class KnownThings:
    """Things that are there, by which names of acts are read."""

    def __init__(self, things: Iterable[tuple[str, str, str]]) -> None:
        """(Key, kind, address) of each."""
        self._keys: set[str] = set()
        self._at: dict[tuple[str, str], list[str]] = {}
        for key, kind, url in things:
            if key not in self._keys:
                self._keys.add(key)
                self._at.setdefault((kind, url), []).append(key)

    def key(self, name: ThingName) -> str | None:
        """The thing that a name means now: that of its key, else the one that took its place at its address; None where there is none."""
        if name.key in self._keys:
            return name.key
        there = self._at.get((name.kind, name.url), ())
        return there[0] if name.alone and len(there) == 1 else None

    def keys(self, act: ThingAct) -> tuple[str, ...]:
        """All that an act names and that are there, each once. `apart` says nothing where its first is gone."""
        found = [self.key(name) for name in act.names]
        if act.how == "apart" and found[:1] == [None]:
            return ()
        return tuple(dict.fromkeys(key for key in found if key is not None))

    def name(self, key: str, kind: str, url: str) -> ThingName:
        """A thing that is there -> its name."""
        return ThingName(key, kind, url, len(self._at.get((kind, url), ())) == 1)


def one_of_each(things: Sequence[Thing], acts: Sequence[ThingAct] = ()) -> CuratedThings:
    """Things -> the same with doubles made one: the richest is shown, or the one that a person chose, with the records and addresses of all."""
    place_of = {thing.key: place for place, thing in enumerate(things)}
    rank: dict[str, int] = {}
    groups = list(range(len(things)))
    for double in find_doubles([finding_of(thing) for thing in things]):
        for order, key in enumerate(double.ids):
            groups[place_of[key]], rank[key] = place_of[double.ids[0]], order
    known = KnownThings((thing.key, thing.kind, thing.url) for thing in things) if acts else None
    said = [(act.how, known.keys(act)) for act in acts] if known is not None else []
    settled = apply_acts([thing.key for thing in things], groups, _group_acts(said)) if said else groups
    members: dict[int, list[int]] = {}
    for place, group in enumerate(settled):
        members.setdefault(group, []).append(place)
    chosen = {keys[0]: order for order, (how, keys) in enumerate(said) if how == "together" and keys}
    away = {key for how, keys in said if how == "hide" for key in keys}
    curated = CuratedThings([], [])
    united = [(_united(things, places, groups, rank, chosen), places) for places in members.values()]
    for thing, places in sorted(united, key=lambda each: place_of[each[0].key]):
        (curated.hidden if any(things[place].key in away for place in places) else curated.shown).append(thing)
    return curated


def finding_of(thing: Thing) -> Finding:
    """A thing as doubles are looked for."""
    return Finding(thing.key, thing.kind, thing.url, thing.title, thing.authors, thing.year, fields=thing.fields)


def _group_acts(said: Iterable[tuple[How, tuple[str, ...]]]) -> list[GroupAct]:
    return [GroupAct(how, keys) for how, keys in said if how != "hide"]


def _united(
    things: Sequence[Thing],
    places: Sequence[int],
    groups: Sequence[int],
    rank: Mapping[str, int],
    chosen: Mapping[str, int],
) -> Thing:
    """Things that are one -> the one that is shown: that which was chosen last, else the richest; the others of its own group come next."""
    first = max(places, key=lambda place: (chosen.get(things[place].key, -1), -rank.get(things[place].key, 0), -place))

    def order(place: int) -> tuple[bool, bool, int, int, int]:
        return place != first, groups[place] != groups[first], groups[place], rank.get(things[place].key, 0), place

    found = [(things[place], things[groups[place]].key) for place in sorted(places, key=order)]
    sources = tuple(source._replace(found=group) for thing, group in found for source in thing.sources)
    references = next((thing.references for thing, _ in found if thing.references), ())
    return replace(things[first], sources=sources, references=references)
