"""`KnowledgeMap`: the phrases of courses and how they stand to one another, each with the sentences behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

RelationKind = Literal["related", "before", "broader"]
RELATIONS: tuple[RelationKind, ...] = ("broader", "before", "related")


@dataclass(frozen=True, slots=True)
class Evidence:
    """A sentence, and where it stands."""

    url: str
    sentence: str


@dataclass(frozen=True, slots=True)
class MapPhrase:
    """A phrase of the map."""

    id: str
    """Its words with underscores; no two phrases of a map have the same."""
    label: str
    score: float
    """How much it tells of its courses, from 0 to 1: the best phrase has 1."""
    count: int
    courses: tuple[str, ...]
    """Ids of the courses that it is a phrase of."""
    when: float
    """Where in the order of lessons it comes first, on average over its courses: 0 at the beginning, 1 at the end."""
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """How two phrases stand to each other: `broader` (the first is the wider one), `before` (the first is taught first), `related`."""

    kind: RelationKind
    first: str
    second: str
    strength: float
    why: str
    """In words: what was counted."""
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class KnowledgeMap:
    """What the courses are about."""

    title: str
    phrases: tuple[MapPhrase, ...]
    """The most telling first."""
    relations: tuple[Relation, ...]
    courses: Mapping[str, str]
    """Id of a course -> its title."""

    def around(self, phrase: str) -> tuple[Relation, ...]:
        """The relations of a phrase."""
        return tuple(each for each in self.relations if phrase in (each.first, each.second))
