"""A rule as an XPath 1.0, and as a sentence.

The axis that looks back over the whole page is never written, because it costs a hundred times the rest: what stands to the
right of a text is reached from that text (`//text()[.='Price:']/following::text()[1]`), and where two such sets must hold at
once the XPath asks whether the node is in both. Blanks are those of XPath: a page that leans on other blanks than these
four may show a difference to the rule itself.
"""

from __future__ import annotations

from collections.abc import Callable

from trailmark.wrap.rule import Feature, Rule

_SQUEEZED = "normalize-space(.)"
_TEXT = "text()[normalize-space()]"


def rule_xpath(rule: Rule) -> str:
    """The XPath of the texts that the rule selects."""
    sets = [each for feature in rule.features if (each := _node_set(feature))]
    predicates = "".join(_predicate(feature) for feature in rule.features if not _node_set(feature))
    inside = "".join(f"[count(. | {each}) = count({each})]" for each in sets[1:])
    path = f"{sets[0] if sets else '//' + _TEXT}{inside}{predicates}"
    if rule.position == 0:
        return path
    place = "last()" if rule.position == -1 else str(rule.position)
    return f"({path})[{place}]"


def rule_sentence(rule: Rule) -> str:
    """What the rule looks for, in words."""
    which = {0: "The text", -1: "The last text"}.get(rule.position, f"Text number {rule.position}")
    clauses = " and ".join(_clause(feature) for feature in rule.features)
    return f"{which} {clauses}; found on {rule.support:.0%} of the pages that were not annotated."


def literal(text: str) -> str:
    """A string as XPath writes it, whatever quotes it has."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in text.split("'")) + ")"


def _either(values: tuple[str, ...], test: Callable[[str], str]) -> str:
    return " or ".join(test(value) for value in values)


def _equal(values: tuple[str, ...], what: str = _SQUEEZED) -> str:
    return _either(values, lambda value: f"{what}={literal(value)}")


def _ends_with(word: str) -> str:
    """XPath 1.0 has no such function; a word of its own, or the last after a blank."""
    tail = literal(" " + word)
    start = f"string-length({_SQUEEZED}) - {len(word)}"
    return f"(substring({_SQUEEZED}, {start})={tail} or {_SQUEEZED}={literal(word)})"


def _node_set(feature: Feature) -> str:
    """The XPath from the root, for features that are best reached from elsewhere in the page; else an empty string."""
    kind, values = feature.kind, feature.values
    if kind in ("left", "left-2"):
        return f"//text()[{_equal(values)}]/following::{_TEXT}[{2 if kind == 'left-2' else 1}]"
    if kind == "left-word":
        return f"//{_TEXT}[{_either(values, _ends_with)}]/following::{_TEXT}[1]"
    if kind == "left-of":
        within = " or ".join(f"contains(normalize-space(.), {literal(value)})" for value in values)
        steps = "/*" * feature.level
        return f"//text()[{_equal(values)}]/following::{_TEXT}[1]/ancestor::*[not({within})]{steps}/{_TEXT}"
    if kind == "path":
        return f"{values[0]}/{_TEXT}"
    if kind == "tags" and len(values) == 1:
        return f"/{values[0]}/{_TEXT}"
    return ""


def _up(level: int) -> str:
    return "/".join(["parent::*"] * (level + 1))


def _predicate(feature: Feature) -> str:
    kind, values, up = feature.kind, feature.values, _up(feature.level)
    first = f"({up}//{_TEXT})[1]"
    made: dict[str, Callable[[], str]] = {
        "tag": lambda: f"[{up}[{_either(values, lambda v: f'self::{v}')}]]",
        "class": lambda: f"[{up}[{_equal(values, 'normalize-space(@class)')}]]",
        "id": lambda: f"[{up}[{_equal(values, 'normalize-space(@id)')}]]",
        "before-tag": lambda: f"[{up}/preceding-sibling::*[1][{_either(values, lambda v: f'self::{v}')}]]",
        "before-class": lambda: f"[{up}/preceding-sibling::*[1][{_equal(values, 'normalize-space(@class)')}]]",
        "before-id": lambda: f"[{up}/preceding-sibling::*[1][{_equal(values, 'normalize-space(@id)')}]]",
        "index": lambda: f"[{up}[{_either(values, _index)}]]",
        "opens": lambda: f"[{_equal(values, f'normalize-space({first})')}][count({first} | .)=2]",
        "right-of": lambda: f"[{up}/following::{_TEXT}[1][{_equal(values)}]]",
        "right": lambda: f"[following::{_TEXT}[1][{_equal(values)}]]",
        "right-word": lambda: f"[following::{_TEXT}[1][{_either(values, _begins_with_word)}]]",
        "begins": lambda: f"[{_either(values, lambda v: f'starts-with({_SQUEEZED}, {literal(v)})')}]",
        "ends": lambda: f"[{_either(values, _ends_with)}]",
        "after": lambda: "".join(f"[{_either(values, _after)}]"),
        "nth": lambda: f"[count(preceding-sibling::{_TEXT})={int(values[0]) - 1}]",
        "tags": lambda: f"[{_either(values, lambda v: f'count(. | /{v}/text()) = count(/{v}/text())')}]",
    }
    return made[kind]()


def _index(value: str) -> str:
    tag, _, number = value.removesuffix("]").rpartition("[")
    return f"self::{tag} and count(preceding-sibling::{tag})={int(number) - 1}"


def _begins_with_word(word: str) -> str:
    return f"starts-with(concat({_SQUEEZED}, ' '), {literal(word + ' ')})"


def _after(value: str) -> str:
    before = "preceding-sibling::node()[not(self::text())]"
    if value == "^":
        return f"not({before})"
    return f"{before}[1][self::{'comment()' if value == '!' else value}]"


_WHERE = ("that holds it", "one level up", "two levels up", "three levels up")


def _clause(feature: Feature) -> str:
    kind = feature.kind
    where = _WHERE[feature.level] if feature.level < len(_WHERE) else f"{feature.level} levels up"
    said = " or ".join(f"“{value}”" for value in feature.values)
    sentences = {
        "left": f"right after {said}",
        "left-2": f"two texts after {said}",
        "left-word": f"after a text that ends in {said}",
        "right": f"right before {said}",
        "right-word": f"before a text that begins with {said}",
        "begins": f"that begins with {said}",
        "ends": f"that ends in {said}",
        "after": f"that follows {said} within its element" if feature.values != ("^",) else "that opens its element",
        "nth": f"that is number {said} of its element's own texts",
        "path": f"at {said}",
        "tags": f"on a path of tags {said}",
        "left-of": f"in an element ({where}) that stands right after {said}",
        "right-of": f"in an element ({where}) that stands right before {said}",
        "opens": f"in an element ({where}) that opens with {said}",
        "index": f"in an element ({where}) that is {said} among its siblings",
        "before-tag": f"in an element ({where}) behind a tag {said}",
        "before-class": f"in an element ({where}) behind one of class {said}",
        "before-id": f"in an element ({where}) behind the one with id {said}",
    }
    return sentences.get(kind) or f"in an element ({where}) with {kind} {said}"
