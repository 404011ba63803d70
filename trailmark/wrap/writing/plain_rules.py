"""Rules as plain XPaths and regular expressions, for programs that have nothing of ours.

What is lost: rules vote, a plain list of XPaths does not. So the XPaths stand in the order of their weight, and the first
that finds a value which fits is believed. Where ours would keep silent because its rules disagree, this one speaks. Of a field with values at
several places those of the first are written.
The parts of a text are one regular expression each; the check digit of an ISBN is not in it. Rules that lean on a character
which no XPath can hold (a control character in a class, say) are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from trailmark.quoting import is_xml
from trailmark.wrap.rules.range_pruner import SENTENCE, SEPARATORS, TRIMMED, Pruner
from trailmark.wrap.rules.rule import LABELS, FieldRules, Rule
from trailmark.wrap.rules.rule_set import RuleSet
from trailmark.wrap.rules.value_type import PATTERNS
from trailmark.wrap.writing.rule_text import rule_xpath

MOST_RULES = 6
"""Rules of a field that are written; on real pages the later ones are hardly ever asked."""

SQUEEZED = "normalize-space(translate(., '\u00a0', ' '))"
"""Of a node: its text with every blank squeezed."""
PLAIN, READABLE = (
    "[normalize-space()]",
    "[translate(., ' \t\r\n\u00a0', '') != '' and not(parent::script or parent::style)]",
)
"""Of a text node: that it is not blank, and what the rules mean by it: scripts are no text, a no-break space is a blank."""

WAYS = ("path", "tags")
"""Features that are a way from the root."""

_STRING_OR_PLAIN = re.compile(rf"'[^']*'|\"[^\"]*\"|({re.escape(PLAIN)})")


@dataclass(frozen=True, slots=True)
class PlainField:
    """A field as others can find it."""

    name: str
    several: bool
    xpaths: tuple[str, ...]
    """In the order in which they are asked; the first that finds something is believed. `READABLE` stands for `PLAIN` in them."""
    part: str
    """A regular expression, whatever its letters' case, whose first group is the value; empty where all of a text is."""


def plain_fields(rules: RuleSet) -> tuple[PlainField, ...]:
    """The fields of a cluster's rules; of a list of records those of an entry, seen as a page of its own."""
    fields = (_plain(field, is_data=rules.entries is None) for field in rules.fields if field.rules)
    return tuple(field for field in fields if field.xpaths)


def between_plain(xpath: str) -> list[str]:
    """The parts of an XPath between which `READABLE` is to stand: what a string in it says is the page's and is left alone."""
    marks = [match for match in _STRING_OR_PLAIN.finditer(xpath) if match[1]]
    begins, ends = [0, *(mark.end() for mark in marks)], [*(mark.start() for mark in marks), len(xpath)]
    return [xpath[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _plain(rules: FieldRules, *, is_data: bool) -> PlainField:
    # In JSON and XML names tell what a value is; the texts beside it are other values.
    is_data = is_data and _is_of_data(rules)
    ordered = sorted(rules.rules, key=lambda rule: (is_data and _leans_on_text(rule), -rule.weight))
    xpaths = [xpath for xpath in dict.fromkeys(rule_xpath(rule, rules.layer) for rule in ordered) if is_xml(xpath)]
    return PlainField(rules.name, rules.several, tuple(xpaths[:MOST_RULES]), part_pattern(rules.pruner))


def _is_of_data(rules: FieldRules) -> bool:
    """Whether the rules are for a tree that is not of HTML: no path in them begins as such a tree does."""
    ways = [
        value for rule in rules.rules for feature in rule.features if feature.kind in WAYS for value in feature.values
    ]
    return bool(ways) and not any(way.lstrip("/").startswith("html") for way in ways)


def _leans_on_text(rule: Rule) -> bool:
    return any(feature.kind in LABELS or feature.kind.endswith("-word") for feature in rule.features)


def part_pattern(pruner: Pruner) -> str:
    """The pruner as a regular expression over a text whose blanks are squeezed."""
    if pruner.how == "whole":
        return f"^({PATTERNS[pruner.type].pattern})$" if pruner.type else ""
    if pruner.how == "type":
        return f"({PATTERNS[pruner.type].pattern})"
    if pruner.how == "trimmed":
        signs = re.escape(TRIMMED)
        return rf"^[{signs}]*(.*[^{signs}])[{signs}]*$"
    if pruner.how == "part":
        return _nth_pattern(SEPARATORS[pruner.left], pruner.start, sentence=pruner.left == SENTENCE)
    if pruner.how == "between":
        left, right = re.escape(pruner.left), re.escape(pruner.right)
        return rf"^(?:(?!{left}).)*{left} ?(.+?) ?{right if right else '$'}"
    if pruner.how == "signs":
        return _signs_pattern(pruner.start, pruner.end)
    return _words_pattern(pruner.start, pruner.end)


def _nth_pattern(separator: str, number: int, *, sentence: bool) -> str:
    """The part with that number of a text that separators part; the signs around it are left out."""
    part = rf"(?:(?!{separator}).)*"
    signs, stop = re.escape(TRIMMED), r"\.?" if sentence else ""
    within = rf"[{signs}]*((?:(?!{separator}).)*?[^{signs}])[{signs}]*?{stop}"
    if number >= 0:
        return rf"^(?:{part}{separator}){{{number}}}{within}(?:{separator}|$)"
    return rf"(?:^|{separator}){within}(?:{separator}{part}){{{-number - 1}}}$"


def _signs_pattern(start: int, end: int) -> str:
    """The same over signs."""
    if start < 0:
        return rf"(.{{1,{end - start}}}).{{{-end}}}$"
    if end > 0:
        return rf"^.{{{start}}}(.{{1,{end - start}}})"
    return rf"^.{{{start}}}(.+).{{{-end}}}$"


def _words_pattern(start: int, end: int) -> str:
    """A slice over words: both ends count from the beginning, both from the end, or one from either."""
    if start < 0:
        size = end - start
        return rf"((?:\S+ ){{0,{size - 1}}}\S+)(?: \S+){{{-end}}}$"
    if end > 0:
        return rf"^(?:\S+ ){{{start}}}(\S+(?: \S+){{0,{end - start - 1}}})"
    return rf"^(?:\S+ ){{{start}}}(.+?)(?: \S+){{{-end}}}$"
