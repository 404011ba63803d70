"""Bellwether pages and their golden extractions (Vertex, section IV-B).

A few pages of each cluster are visited again from time to time. What the rules lifted off them when they were known to work
is the golden extraction, and what they lift later is compared with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.rule_set import RuleSet, rules_to_json

FieldValues = Mapping[str, tuple[str, ...]]
"""Field -> values."""


@dataclass(frozen=True, slots=True)
class Golden:
    """The golden extraction of one page: a record, or one for each entry of a list."""

    url: str
    records: tuple[FieldValues, ...] = ()

    @property
    def fields(self) -> FieldValues:
        """All values of each field, those of all entries together."""
        return together(self.records)


@dataclass(frozen=True, eq=False)
class BellwetherVisit:
    """A bellwether page seen again."""

    golden: Golden
    table: NodeTable
    matched: bool = True
    """Whether the page still looks like its cluster's template: the shingle test of one page."""
    told: tuple[Annotation, ...] = ()
    """What a person marked on the page when the rules were learnt."""
    lifted: dict[int, tuple[RuleSet, FieldValues]] = field(default_factory=dict)

    @cached_property
    def texts(self) -> frozenset[str]:
        """The texts that stand on the page now."""
        return frozenset(self.table.texts)

    @cached_property
    def words(self) -> str:
        """All of them in a row, to look for parts."""
        return "\n".join(self.table.texts)

    def holds(self, value: str, *, whole: bool = False) -> bool:
        """Whether the value still stands on the page: as a whole text, or within one where it is long enough to be told."""
        return value in self.texts or (not whole and len(value) >= _TELLING and value in self.words)

    def fresh(self, rules: RuleSet) -> FieldValues:
        """What the rules lift off the page as it is now."""
        if id(rules) not in self.lifted:  # the rules are kept beside, so that the number stays theirs
            self.lifted[id(rules)] = rules, lift(rules, self.golden.url, self.table).fields
        return self.lifted[id(rules)][1]


_TELLING = 6


def together(records: Iterable[FieldValues]) -> FieldValues:
    """The values of several records field by field, each once, in order."""
    joined: dict[str, dict[str, None]] = {}
    for record in records:
        for name, values in record.items():
            joined.setdefault(name, {}).update(dict.fromkeys(values))
    return {name: tuple(values) for name, values in joined.items()}


def lift(rules: RuleSet, url: str, table: NodeTable) -> Golden:
    """What the rules say of a page now: golden, if they are right."""
    return Golden(url, tuple(dict(record.fields) for record in rules.records(url, table)))


def choose_bellwethers(urls: Iterable[str], *, most: int, first: Sequence[str] = ()) -> list[str]:
    """Pages spread evenly over the cluster's URLs; those in `first` are taken before others.

    URLs of one folder stand together when sorted, so that even steps reach every part of the cluster.
    """
    at_hand = set(urls)
    chosen = [url for url in dict.fromkeys(first) if url in at_hand][:most]
    rest = sorted(at_hand.difference(chosen))
    left = min(most - len(chosen), len(rest))
    return chosen + [rest[(2 * place + 1) * len(rest) // (2 * left)] for place in range(left)]


def rules_digest(rules: RuleSet) -> str:
    """Equal for equal rules."""
    return hashlib.sha256(json.dumps(rules_to_json(rules), sort_keys=True).encode()).hexdigest()[:16]


def golden_to_json(golden: Golden) -> dict[str, Any]:
    """A golden extraction -> what is kept of it."""
    return {"url": golden.url, "records": [{name: list(v) for name, v in record.items()} for record in golden.records]}


def golden_from_json(data: Any, *, source: str) -> Golden:
    """The inverse of `golden_to_json`; InputError where it is something else."""
    try:
        records = tuple({str(name): tuple(map(str, values)) for name, values in r.items()} for r in data["records"])
        return Golden(str(data["url"]), records)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"{source} holds a golden extraction that can't be read ({error!r}).") from error
