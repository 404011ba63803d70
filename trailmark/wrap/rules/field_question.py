"""What annotations so far can't settle -> which page to mark, and the two values that are the candidates there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.wrap.page.node_table import NodeTable
from trailmark.wrap.rules.rule import FieldRules


@dataclass(frozen=True, slots=True)
class FieldQuestion:
    """A page that would settle a field."""

    field: str
    url: str
    value: str
    """What the rules say there; empty where they find nothing, and on most pages so."""
    rival: str
    """What stands at the other place that may be meant."""

    @property
    def sentence(self) -> str:
        if not self.value:
            return (
                f"“{self.field}” was found on few pages: does {self.url} lack it, or have it elsewhere? Mark that page."
            )
        return f"“{self.field}” may be “{self.value}” or “{self.rival}” on {self.url}: mark that page to settle it."


def ask_about(fields: Sequence[FieldRules], pages: Sequence[tuple[str, NodeTable]]) -> tuple[FieldQuestion, ...]:
    """For each field that is not settled one question, on pages (URL, table) that settle as many fields as can be."""
    found = [_on_page(fields, url, table) for url, table in pages]
    order = sorted(range(len(found)), key=lambda number: (-len(found[number]), number))
    first: dict[str, FieldQuestion] = {}
    for number in order:
        for question in found[number]:
            first.setdefault(question.field, question)
    return tuple(first[rules.name] for rules in fields if rules.name in first)


def _on_page(fields: Sequence[FieldRules], url: str, table: NodeTable) -> list[FieldQuestion]:
    questions = []
    for rules in fields:
        if not rules.rivals and not rules.seldom:
            continue
        values = rules.values(table)
        other = rules.contested(table, values)
        if other or (rules.seldom and not values):
            questions.append(FieldQuestion(rules.name, url, values[0] if values else "", other))
    return questions
