"""A knowledge map -> SKOS, as Turtle or JSON-LD: concepts with labels, broader and related ones, what comes before, and the sentences behind it.

SKOS has no word for what is taught before; `dcterms:requires` says it. Each relation that has sentences is a statement of its own (RDF
reification), so that a reader of the file can show them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote

from trailmark.course.knowledge.knowledge_map import KnowledgeMap, MapPhrase, Relation
from trailmark.quoting import json_text, terminal_text

BASE = "urn:x-trailmark:map:"
"""What the addresses of concepts begin with, unless the owner names an address of their own."""
_PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_NO_ADDRESS = re.compile(r'[\x00-\x20<>"{}|^`\\]')
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_PREDICATES = {"related": "skos:related", "before": "dcterms:requires", "broader": "skos:broader"}


def turtle(found: KnowledgeMap, base: str = BASE, language: str = "en") -> str:
    """A map -> its text in Turtle."""
    lines = [f"@prefix {name}: <{address}> ." for name, address in _PREFIXES.items()]
    lines += ["", f"<{_scheme(base)}> a skos:ConceptScheme ;", f"    dcterms:title {_text(found.title, language)} ."]
    for phrase in found.phrases:
        lines += ["", *_concept(phrase, found, base, language)]
    for relation in found.relations:
        if relation.evidence:
            lines += ["", *_statement(relation, base, language)]
    return "\n".join(lines) + "\n"


def _concept(phrase: MapPhrase, found: KnowledgeMap, base: str, language: str) -> Iterator[str]:
    yield f"<{_address(phrase.id, base)}> a skos:Concept ;"
    yield f"    skos:inScheme <{_scheme(base)}> ;"
    for predicate, other in _said(phrase.id, found):
        yield f"    {predicate} <{_address(other, base)}> ;"
    for evidence in phrase.evidence:
        yield f"    skos:example {_text(evidence.sentence, language)} ;"
    for url in dict.fromkeys(evidence.url for evidence in phrase.evidence):
        yield f"    dcterms:source <{_safe(url)}> ;"
    yield f"    skos:prefLabel {_text(phrase.label, language)} ."


def _said(phrase: str, found: KnowledgeMap) -> Iterator[tuple[str, str]]:
    """What a concept says of others: (predicate, the other)."""
    for each in found.around(phrase):
        if each.kind == "related":
            yield "skos:related", each.second if each.first == phrase else each.first
        elif each.kind == "broader":
            yield ("skos:broader", each.first) if each.second == phrase else ("skos:narrower", each.second)
        elif each.second == phrase:
            yield "dcterms:requires", each.first


def _triple(relation: Relation) -> tuple[str, str, str]:
    """A relation as its statement: the narrower one has a broader one, the later one requires the earlier one."""
    first, second = (
        (relation.first, relation.second) if relation.kind == "related" else (relation.second, relation.first)
    )
    return first, _PREDICATES[relation.kind], second


def _statement(relation: Relation, base: str, language: str) -> Iterator[str]:
    subject, predicate, value = _triple(relation)
    yield "[] a rdf:Statement ;"
    yield f"    rdf:subject <{_address(subject, base)}> ; rdf:predicate {predicate} ; rdf:object <{_address(value, base)}> ;"
    for evidence in relation.evidence:
        yield f"    skos:example {_text(evidence.sentence, language)} ; dcterms:source <{_safe(evidence.url)}> ;"
    yield f"    skos:note {_text(relation.why, language)} ."


def json_ld(found: KnowledgeMap, base: str = BASE, language: str = "en") -> str:
    """A map -> its text in JSON-LD."""
    context = {**_PREFIXES, **{name: {"@id": name, "@type": "@id"} for name in _LINKS}}
    graph = [
        {"@id": _scheme(base), "@type": "skos:ConceptScheme", "dcterms:title": _value(found.title, language)},
        *(_concept_json(phrase, found, base, language) for phrase in found.phrases),
        *(_statement_json(relation, base, language) for relation in found.relations if relation.evidence),
    ]
    return json_text({"@context": context, "@graph": graph}, indent=1) + "\n"


_LINKS = (
    "skos:related", "skos:broader", "skos:narrower", "skos:inScheme", "dcterms:requires", "dcterms:source", "rdf:subject", "rdf:predicate",
    "rdf:object",
)  # fmt: skip


def _concept_json(phrase: MapPhrase, found: KnowledgeMap, base: str, language: str) -> dict[str, object]:
    made: dict[str, object] = {
        "@id": _address(phrase.id, base),
        "@type": "skos:Concept",
        "skos:inScheme": _scheme(base),
        "skos:prefLabel": _value(phrase.label, language),
        "skos:example": [_value(evidence.sentence, language) for evidence in phrase.evidence],
        "dcterms:source": list(dict.fromkeys(_safe(evidence.url) for evidence in phrase.evidence)),
    }
    for predicate, other in _said(phrase.id, found):
        others = made.setdefault(predicate, [])
        assert isinstance(others, list)
        others.append(_address(other, base))
    return made


def _statement_json(relation: Relation, base: str, language: str) -> dict[str, object]:
    subject, predicate, value = _triple(relation)
    return {
        "@type": "rdf:Statement",
        "rdf:subject": _address(subject, base),
        "rdf:predicate": predicate,
        "rdf:object": _address(value, base),
        "skos:note": _value(relation.why, language),
        "skos:example": [_value(evidence.sentence, language) for evidence in relation.evidence],
        "dcterms:source": list(dict.fromkeys(_safe(evidence.url) for evidence in relation.evidence)),
    }


def _value(text: str, language: str) -> dict[str, str]:
    return {"@value": terminal_text(text), "@language": language}


def _scheme(base: str) -> str:
    return f"{_safe(base)}map"


def _address(phrase: str, base: str) -> str:
    return f"{_safe(base)}{quote(phrase, safe='-_')}"


def _safe(address: str) -> str:
    """An address as it may stand between angle brackets."""
    return _NO_ADDRESS.sub(lambda sign: f"%{ord(sign[0]):02X}", terminal_text(address))


def _text(text: str, language: str) -> str:
    escaped = "".join(_ESCAPES.get(sign, sign) for sign in terminal_text(text))
    return f'"{escaped}"@{language}'
