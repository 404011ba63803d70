"""A rule as an XPath 1.0, and as a sentence.

The axis that looks back over the whole page is never written, because it costs a hundred times the rest: what stands to the
right of a text is reached from that text (`//text()[.='Price:']/following::text()[1]`), and where two such sets must hold at
once the XPath asks whether the node is in both. Blanks are those of XPath: a page that leans on other blanks than these
four may show a difference to the rule itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from trailmark.quoting import xpath_literal as literal
from trailmark.quoting import xpath_name
from trailmark.wrap.page.element_columns import ATTRIBUTE_KINDS
from trailmark.wrap.page.node_table import ELEMENT, TEXT
from trailmark.wrap.rules.rule import Feature, Rule

_SQUEEZED = "normalize-space(.)"
_TEXT = "text()[normalize-space()]"


def rule_xpath(rule: Rule, layer: str = TEXT) -> str:
    """The XPath of the nodes that the rule selects: texts, elements, or attributes."""
    node = _node(layer)
    sets = [node_set for feature in rule.features if (node_set := _node_set(feature, node))]
    predicates = "".join(_predicate(feature, layer) for feature in rule.features if not _node_set(feature, node))
    inside = "".join(f"[count(. | {other}) = count({other})]" for other in sets[1:])
    path = f"{sets[0] if sets else '//' + node}{inside}{predicates}"
    if rule.position == 0:
        return path
    place = str(rule.position) if rule.position > 0 else f"last() - {-rule.position - 1}".removesuffix(" - 0")
    return f"({path})[{place}]"


def _node(layer: str) -> str:
    """The step to a node of the layer."""
    if layer == ELEMENT:
        return f"*[.//{_TEXT}]"
    return _TEXT if layer == TEXT else f"{layer}[normalize-space()]"


def rule_sentence(rule: Rule, layer: str = TEXT) -> str:
    """What the rule looks for, in words."""
    what = {TEXT: "text", ELEMENT: "element's whole text"}.get(layer, f"attribute {layer[1:]}")
    which = {0: f"The {what}", -1: f"The last {what}"}.get(rule.position, _numbered(what, rule.position))
    clauses = " and ".join(_clause(feature) for feature in rule.features)
    return f"{which} {clauses}."


def _numbered(what: str, position: int) -> str:
    return f"{what[0].upper()}{what[1:]} number {abs(position)}" + (" from the end" if position < 0 else "")


def _either(values: tuple[str, ...], test: Callable[[str], str]) -> str:
    return " or ".join(test(value) for value in values)


def _equal(values: tuple[str, ...], what: str = _SQUEEZED) -> str:
    return _either(values, lambda value: f"{what}={literal(value)}")


def _ends_with(word: str) -> str:
    """XPath 1.0 has no such function; a word of its own, or the last after a blank."""
    tail = literal(" " + word)
    start = f"string-length({_SQUEEZED}) - {len(word)}"
    return f"(substring({_SQUEEZED}, {start})={tail} or {_SQUEEZED}={literal(word)})"


def _node_set(feature: Feature, node: str) -> str:
    """The XPath from the root, for features that are best reached from elsewhere in the page; else an empty string."""
    kind, values = feature.kind, feature.values
    if kind in ("left", "left-2"):
        return f"//text()[{_equal(values)}]/following::{_TEXT}[{2 if kind == 'left-2' else 1}]"
    if kind == "left-word":
        return f"//{_TEXT}[{_either(values, _ends_with)}]/following::{_TEXT}[1]"
    if kind == "left-of":
        # An element stands right after the label where its first text does: it may hold the label's words once more.
        after = f"//text()[{_equal(values)}]/following::{_TEXT}[1]"
        steps = "/*" * feature.level
        return f"{after}/ancestor::*[count((.//{_TEXT})[1] | {after}) = count({after})]{steps}/{_TEXT}"
    if kind == "path":
        return _at(_numbered_way(values[0]), node)
    if kind == "tags" and len(values) == 1:
        return _at(_way(values[0]), node)
    return ""


def _at(path: str, node: str) -> str:
    """The nodes at an element's path; an element stands there itself."""
    return path + node[1:] if node.startswith("*") else f"{path}/{node}"


def _way(tags: str) -> str:
    """A path of tags from the root, `html/body/p`."""
    return "".join(f"/{xpath_name(tag)}" for tag in tags.split("/"))


def _numbered_way(path: str) -> str:
    """The same where each step has its number, `/html[1]/body[1]/p[3]`; a tag may hold brackets of its own."""
    steps = [step.removesuffix("]").rpartition("[") for step in path.split("/")[1:]]
    return "".join(f"/{xpath_name(tag)}[{int(number)}]" for tag, _, number in steps)


def _up(level: int, layer: str) -> str:
    if layer == ELEMENT:
        return "/".join(["parent::*"] * level) or "self::*"
    return "/".join(["parent::*"] * (level + 1))


def _opens(values: tuple[str, ...], first: str, layer: str) -> str:
    """The text that an ancestor begins with, unless it is a part of the node itself."""
    apart = {
        TEXT: f"[count({first} | .)=2]",
        ELEMENT: f"[count({first} | .//{_TEXT}) > count(.//{_TEXT})]",
    }.get(layer, "")
    return f"[{_equal(values, f'normalize-space({first})')}]{apart}"


def _predicate(feature: Feature, layer: str) -> str:
    kind, values, up = feature.kind, feature.values, _up(feature.level, layer)
    first = f"({up}//{_TEXT})[1]"
    predicates: dict[str, Callable[[], str]] = {
        "tag": lambda: f"[{up}[{_either(values, lambda v: f'self::{xpath_name(v)}')}]]",
        **{name: partial(_attribute, up, name, values) for name in ATTRIBUTE_KINDS},
        "before-tag": lambda: f"[{up}/preceding-sibling::*[1][{_either(values, lambda v: f'self::{xpath_name(v)}')}]]",
        "before-class": lambda: f"[{up}/preceding-sibling::*[1][{_equal(values, 'normalize-space(@class)')}]]",
        "before-id": lambda: f"[{up}/preceding-sibling::*[1][{_equal(values, 'normalize-space(@id)')}]]",
        "index": lambda: f"[{up}[{_either(values, _index)}]]",
        "opens": lambda: _opens(values, first, layer),
        "right-of": lambda: f"[{up}/following::{_TEXT}[1][{_equal(values)}]]",
        "right": lambda: f"[following::{_TEXT}[1][{_equal(values)}]]",
        "right-word": lambda: f"[following::{_TEXT}[1][{_either(values, _begins_with_word)}]]",
        "begins": lambda: f"[{_either(values, lambda v: f'starts-with({_SQUEEZED}, {literal(v)})')}]",
        "ends": lambda: f"[{_either(values, _ends_with)}]",
        "after": lambda: "".join(f"[{_either(values, _after)}]"),
        "nth": lambda: f"[count(preceding-sibling::{_TEXT})={int(values[0]) - 1}]",
        "tags": lambda: f"[{_either(values, lambda v: _among(_at(_way(v), _BARE.get(layer, layer))))}]",
    }
    return predicates[kind]()


def _attribute(up: str, name: str, values: tuple[str, ...]) -> str:
    return f"[{up}[{_equal(values, f'normalize-space(@{name})')}]]"


def _index(value: str) -> str:
    tag, _, number = value.removesuffix("]").rpartition("[")
    name = xpath_name(tag)
    return f"self::{name} and count(preceding-sibling::{name})={int(number) - 1}"


_BARE = {TEXT: "text()", ELEMENT: "*"}


def _among(nodes: str) -> str:
    return f"count(. | {nodes}) = count({nodes})"


def _begins_with_word(word: str) -> str:
    return f"starts-with(concat({_SQUEEZED}, ' '), {literal(word + ' ')})"


def _after(value: str) -> str:
    before = "preceding-sibling::node()[not(self::text())]"
    if value == "^":
        return f"not({before})"
    return f"{before}[1][self::{'comment()' if value == '!' else xpath_name(value)}]"


def _own_way(kind: str, value: str) -> str:
    """A way through the tree of JSON as the answer's own: `/json[1]/offers[1]/item[2]/price[1]` is `$.offers[1].price`."""
    steps = value.lstrip("/").split("/")
    if kind not in ("path", "tags") or steps[0] not in ("json", "json[1]"):
        return value
    parts = []
    for step in steps[1:]:
        tag, _, number = step.removesuffix("]").partition("[")
        # An item is one of an array; of a key that is no tag the tree's own name is left, as its class is no part of the way.
        parts.append((f"[{int(number) - 1}]" if number else "[*]") if tag == "item" else f".{tag}")
    return "$" + "".join(parts)


_WHERE = ("that holds it", "one level up", "two levels up", "three levels up")


def _clause(feature: Feature) -> str:
    kind = feature.kind
    where = _WHERE[feature.level] if feature.level < len(_WHERE) else f"{feature.level} levels up"
    values = " or ".join(f"“{_own_way(kind, value)}”" for value in feature.values)
    sentences = {
        "left": f"right after {values}",
        "left-2": f"two texts after {values}",
        "left-word": f"after a text that ends in {values}",
        "right": f"right before {values}",
        "right-word": f"before a text that begins with {values}",
        "begins": f"that begins with {values}",
        "ends": f"that ends in {values}",
        "after": f"that follows {values} within its element" if feature.values != ("^",) else "that opens its element",
        "nth": f"that is number {values} of its element's own texts",
        "path": f"at {values}",
        "tags": f"on a path of tags {values}",
        "left-of": f"in an element ({where}) that stands right after {values}",
        "right-of": f"in an element ({where}) that stands right before {values}",
        "opens": f"in an element ({where}) that opens with {values}",
        "index": f"in an element ({where}) that is {values} among its siblings",
        "before-tag": f"in an element ({where}) behind a tag {values}",
        "before-class": f"in an element ({where}) behind one of class {values}",
        "before-id": f"in an element ({where}) behind the one with id {values}",
    }
    return sentences.get(kind) or f"in an element ({where}) with {kind} {values}"
