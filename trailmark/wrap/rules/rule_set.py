"""The rules of one cluster: learnt from its annotated pages, kept as JSON, applied to page after page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from trailmark.datatypes import Annotation, Record
from trailmark.errors import InputError
from trailmark.quoting import count_of
from trailmark.wrap.lists.record_list import ListRules, learn_list
from trailmark.wrap.lists.record_list_json import list_from_json, list_to_json
from trailmark.wrap.page.node_columns import LEVEL_KINDS, TEXT_KINDS, VIEW_LEVEL_KINDS
from trailmark.wrap.page.node_layer import LAYERS
from trailmark.wrap.page.node_table import TEXT, NodeTable
from trailmark.wrap.rules.annotation_match import Mark, MarkedPage
from trailmark.wrap.rules.field_learning import learn_field
from trailmark.wrap.rules.field_question import FieldQuestion, ask_about
from trailmark.wrap.rules.range_pruner import Pruner, check_part
from trailmark.wrap.rules.rule import Feature, FieldRules, Rule
from trailmark.wrap.rules.unlearnt_reason import crowded_fields, crowded_reason, reasons
from trailmark.wrap.rules.value_doubt import LOOKS, Doubt
from trailmark.wrap.rules.weak_features import WeakVote
from trailmark.wrap.structured.structured_data_rule import StructuredRule, address_of, learn_structured
from trailmark.wrap.writing.rule_text import rule_sentence, rule_xpath

MOST_TEXTS = 6_000
ALL_TEXTS = 60_000
"""Texts of one page that is not annotated, and of all pages, that learning looks at."""

MAKER = "rule:"
"""What `made_by` of a record begins with; the rules' cluster follows."""


@dataclass(frozen=True, slots=True, eq=False)
class AnnotatedPage:
    """A page of the cluster with what was marked on it, perhaps nothing."""

    table: NodeTable
    annotations: tuple[Annotation, ...] = ()
    url: str = ""
    """Where it is from: a page that nobody annotated and that has none is not asked about."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """All fields of one cluster."""

    id: str
    fields: tuple[FieldRules, ...]
    unlearnt: tuple[str, ...] = ()
    """Fields that were annotated and for which no rule was found."""
    notes: tuple[str, ...] = ()
    """Where learning gave something up, in plain words."""
    entries: ListRules | None = None
    """Where pages are lists of records: how they fall into entries. The fields' rules then look at one entry alone."""
    structured: tuple[StructuredRule, ...] = ()
    """Fields that the pages' own structured data gives: asked first, and where it is silent the fields' rules are."""
    questions: tuple[FieldQuestion, ...] = ()
    """What the annotations can't settle."""
    learnt_from: str = ""
    """A digest of the annotations; empty where it is not known."""
    repaired: str = ""
    """When the rules were repaired without a person; empty where they are as they were learnt."""

    def record(self, url: str, table: NodeTable, *, kind: str = "item") -> Record:
        """What the rules lift off a page; of a list its first record."""
        if self.entries is not None:
            return next(iter(self.records(url, table, kind=kind)), Record(url, kind, {}, f"{MAKER}{self.id}"))
        values_of = {rules.name: field_values for rules in self.fields if (field_values := rules.found(table))}
        values = {name: tuple(one.value for one in field_values) for name, field_values in values_of.items()}
        sources = {
            name: tuple(table.xpath(one.node) for one in field_values) for name, field_values in values_of.items()
        }
        unsure = [name for name, field_values in values_of.items() if not field_values[0].sure]
        contested = [rules for rules in self.fields if rules.name in unsure and rules.rivals]
        for rule in self.structured:
            if properties := rule.find(table):
                if not any(
                    field.contested(table, values[rule.field]) for field in contested if field.name == rule.field
                ):
                    unsure = [name for name in unsure if name != rule.field]
                values[rule.field] = tuple(field_values.value for field_values in properties)
                sources[rule.field] = tuple(map(address_of, properties))
        return Record(url, kind, values, f"{MAKER}{self.id}", sources, tuple(unsure))

    def records(self, url: str, table: NodeTable, *, kind: str = "item") -> tuple[Record, ...]:
        """All that the rules lift off a page: nothing, one record, or one for each entry of a list."""
        if self.entries is not None:
            return tuple(self.entries.records(self.fields, url, table, kind, f"{MAKER}{self.id}"))
        record = self.record(url, table, kind=kind)
        return (record,) if record.fields else ()


def learn_rules(identity: str, pages: Sequence[AnnotatedPage]) -> RuleSet:
    """Rules for each field that is annotated anywhere, and for the entries where pages are lists of records.

    The work is bounded: pages that are not annotated are left out where they are very long or many, and a note says so. A field of which
    several parts of one text were marked is left out, with the reason: its rules would find the first, or what stands at the same signs.
    """
    rules = _learnt(identity, pages)
    crowded = crowded_fields([(page.table, page.annotations) for page in pages])
    told = {*rules.unlearnt, *(rule.field for rule in rules.structured)}
    lost = [field for field in crowded if field not in told]
    if not lost:
        return rules
    kept = [replace(page, annotations=tuple(a for a in page.annotations if a.field not in lost)) for page in pages]
    rules = _learnt(identity, kept)
    return replace(rules, unlearnt=(*rules.unlearnt, *lost), notes=(*rules.notes, *map(crowded_reason, lost)))


def _learnt(identity: str, pages: Sequence[AnnotatedPage]) -> RuleSet:
    pages, notes = _bounded(pages)
    list_rules = learn_list([(page.table, page.annotations) for page in pages])
    marked_pages = [(page.table, page.annotations) for page in pages if page.annotations]
    if list_rules is not None:
        notes += reasons(list_rules.unlearnt, list_rules.fields, marked_pages)
        return RuleSet(identity, list_rules.fields, list_rules.unlearnt, notes, list_rules.rules)
    names = dict.fromkeys(annotation.field for page in pages for annotation in page.annotations)
    learnt, unlearnt, structured = [], [], []
    for name in names:
        marked = [MarkedPage(page.table, _marks(page, name)) for page in pages]
        rules = learn_field(name, marked)
        structured_rule = learn_structured(name, [(page.table, _values(page)) for page in marked], rules)
        learnt += [rules] if rules is not None else []
        structured += [structured_rule] if structured_rule is not None else []
        unlearnt += [name] if rules is None and structured_rule is None else []
    notes += reasons(unlearnt, learnt, marked_pages)
    plain = {rule.field for rule in structured}
    others = [(page.url, page.table) for page in pages if page.url and not page.annotations]
    asked = [rules for rules in learnt if rules.rivals or rules.name not in plain]
    questions = ask_about(asked, others)
    return RuleSet(identity, tuple(learnt), tuple(unlearnt), notes, structured=tuple(structured), questions=questions)


def _bounded(pages: Sequence[AnnotatedPage]) -> tuple[list[AnnotatedPage], tuple[str, ...]]:
    chosen, texts = [], 0
    for page in pages:
        size = len(page.table)
        if not page.annotations and (size > MOST_TEXTS or texts + size > ALL_TEXTS):
            continue
        chosen.append(page)
        texts += size
    left = len(pages) - len(chosen)
    note = f"{count_of(left, 'page that was', 'pages that were')} not annotated went unread in learning: too long, or too many."
    return chosen, (note,) if left else ()


def _marks(page: AnnotatedPage, field: str) -> tuple[Mark, ...] | None:
    """None where nothing was said of the field; a page that is said to lack it has no marks."""
    of_field = [annotation for annotation in page.annotations if annotation.field == field]
    return (
        tuple(Mark(annotation.value, annotation.xpath) for annotation in of_field if annotation.value is not None)
        if of_field
        else None
    )


def _values(page: MarkedPage) -> list[str] | None:
    return None if page.marks is None else [mark.value for mark in page.marks]


# --- JSON --------------------------------------------------------------------------------------------------------


def rules_to_json(rules: RuleSet) -> dict[str, Any]:
    """Each rule with its XPath and a sentence beside, for people; they are not read again."""
    return {
        "id": rules.id,
        "unlearnt": list(rules.unlearnt),
        "notes": list(rules.notes),
        "learnt_from": rules.learnt_from,
        "repaired": rules.repaired,
        "entries": list_to_json(rules.entries) if rules.entries else None,
        "structured": [{**asdict(rule), "says": rule.sentence} for rule in rules.structured],
        "questions": [{**asdict(question), "says": question.sentence} for question in rules.questions],
        "fields": [_field_to_json(field) for field in rules.fields],
    }


def _field_to_json(rules: FieldRules) -> dict[str, Any]:
    pruner = rules.pruner
    return {
        "field": rules.name,
        "several": rules.several,
        "layer": rules.layer,
        "mandatory": rules.mandatory,
        "doubt": _doubt_to_json(rules.doubt) if rules.doubt else None,
        "weak": {"prior": rules.weak.prior, "features": [list(feature) for feature in rules.weak.features]}
        if rules.weak
        else None,
        "usual": rules.usual,
        "seldom": rules.seldom,
        "more": [_field_to_json(place) for place in rules.more],
        "rivals": [_field_to_json(rival) for rival in rules.rivals],
        "least": rules.least,
        "least_speaking": rules.least_speaking,
        "part": asdict(pruner),
        "rules": [
            {
                "xpath": rule_xpath(rule, rules.layer),
                "says": rule_sentence(rule, rules.layer),
                "weight": rule.weight,
                "support": rule.support,
                "position": rule.position,
                "features": [[feature.kind, feature.level, list(feature.values)] for feature in rule.features],
            }
            for rule in rules.rules
        ],
    }


def rules_from_json(data: Any, *, source: str) -> RuleSet:
    """The inverse of `rules_to_json`; InputError where it is something else."""
    try:
        fields = tuple(map(_field_from_json, data["fields"]))
        # Rules of lists and of structured data came later: files without them are read as they are.
        entries = list_from_json(data["entries"]) if data.get("entries") else None
        remarks = tuple(map(str, data["unlearnt"])), tuple(map(str, data["notes"]))
        structured = tuple(
            StructuredRule(*(str(rule[key]) for key in ("field", "syntax", "type", "path")))
            for rule in data.get("structured", ())
        )
        origin = (str(data.get(name, "")) for name in ("learnt_from", "repaired"))
        questions = tuple(
            FieldQuestion(*(str(question[key]) for key in ("field", "url", "value", "rival")))
            for question in data.get("questions", ())
        )
        return RuleSet(str(data["id"]), fields, *remarks, entries, structured, questions, *origin)
    except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError) as error:
        raise InputError(
            f"{source} does not hold rules that can be used ({error!r}): learn again: trailmark wrap"
        ) from error


def _field_from_json(data: dict[str, Any]) -> FieldRules:
    part = data["part"]
    layer = data.get("layer", TEXT)
    around = str(part.get("left", "")), str(part.get("right", ""))  # they came later
    pruner = Pruner(part["how"], part["type"], int(part["start"]), int(part["end"]), *around)
    check_part(pruner)
    if layer not in LAYERS:
        raise ValueError(f"unknown part {part} of {layer!r}")
    return FieldRules(
        str(data["field"]),
        tuple(
            Rule(
                tuple(_feature(*feature) for feature in rule["features"]),
                _number(rule["weight"]),
                _number(rule["support"]),
                int(rule["position"]),
            )
            for rule in data["rules"]
            if rule["features"]
        ),
        bool(data["several"]),
        _number(data["least"]),
        _number(data["least_speaking"]),
        pruner,
        layer,
        _weak_from_json(data.get("weak")),
        bool(data.get("mandatory", False)),
        _doubt_from_json(data["doubt"]) if data.get("doubt") else None,
        _number(data.get("usual", 0.0)),
        bool(data.get("seldom", False)),
        *(tuple(map(_single_from_json, data.get(name, ()))) for name in ("more", "rivals")),
    )


def _single_from_json(data: dict[str, Any]) -> FieldRules:
    """Rules of one place, which has no further ones: files that others write may nest without end."""
    return _field_from_json({**data, "more": [], "rivals": []})


def _number(value: Any) -> float:
    """A number that can be reckoned with: JSON as Python reads it has others."""
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is no weight")
    return number


def _doubt_to_json(doubt: Doubt) -> dict[str, Any]:
    return {"looks": doubt.looks, "usual": doubt.usual, "beside": sorted(doubt.beside)}


def _doubt_from_json(data: dict[str, Any]) -> Doubt:
    if data["looks"] not in LOOKS:
        raise ValueError(f"unknown look {data['looks']!r}")
    return Doubt(data["looks"], _number(data["usual"]), frozenset(map(str, data["beside"])))


def _weak_from_json(data: dict[str, Any] | None) -> WeakVote | None:
    if data is None:
        return None
    features = tuple(
        (
            _feature(kind, level, [value]).kind if kind[0] != "@" else str(kind),
            int(level),
            str(value),
            _number(one),
            _number(other),
        )
        for kind, level, value, one, other in data["features"]
    )
    return WeakVote(_number(data["prior"]), features)


def _feature(kind: str, level: int, values: list[str]) -> Feature:
    if kind not in LEVEL_KINDS + TEXT_KINDS + VIEW_LEVEL_KINDS or not 0 <= int(level) < 100 or not values:
        raise ValueError(f"unknown feature {kind!r}")
    return Feature(kind, int(level), tuple(map(str, values)))
