"""The rule of a list as plain strings, for programs that have nothing of ours.

The fields of an entry lose what those of a page lose (`plain_rules`). The way to the entries, what parts them and how alike they must be
to the marked ones are kept whole.
"""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.quoting import is_xml
from trailmark.wrap.rules.rule_set import RuleSet
from trailmark.wrap.writing.plain_rules import part_pattern, plain_fields


@dataclass(frozen=True, slots=True)
class PlainList:
    """A list as others can find it; see `EntryRule` and `ListRules`, whose names these are."""

    xpath: str
    opens: str
    parted: str
    goes_on: tuple[str, ...]
    shapes: tuple[tuple[str, ...], ...]
    least: float
    never: tuple[str, ...]
    whole: tuple[str, ...]
    headings: tuple[tuple[str, str, str], ...]
    """Field, tag with its class, and the part of the text that is the value, as in `PlainField`."""
    expected: tuple[str, ...]
    """Without fields that only our own rules can find."""


def plain_list(rules: RuleSet) -> PlainList | None:
    """The rule of a list; None for pages that are one record each, and where no XPath can say the way to the entries."""
    if rules.entries is None or not is_xml(rules.entries.entry.xpath):
        return None
    entry, names = rules.entries.entry, {field.name for field in plain_fields(rules)}
    return PlainList(
        entry.xpath,
        entry.opens,
        entry.parted,
        entry.goes_on,
        tuple(tuple(sorted(shape)) for shape in entry.shapes),
        entry.least,
        entry.never,
        rules.entries.whole,
        tuple((heading.name, heading.element, part_pattern(heading.pruner)) for heading in rules.entries.headings),
        tuple(name for name in rules.entries.expected if name in names),
    )


def can_leave(rules: RuleSet) -> bool:
    """Whether the rules can be written for others: those of a list whose way no XPath can say (a control character in a class) can't."""
    return rules.entries is None or plain_list(rules) is not None
