"""Labels said against labels true: word error, F1 of fields, whole documents; and spans of talks, one slot a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from trailmark.tag import NO_FIELD, Tag, TaggedDocument

Labels = Sequence[str]


def word_scores(pairs: Iterable[tuple[Labels, Labels]], unscored: frozenset[str]) -> dict[str, Any]:
    """(true, said) labels of each document -> errors and F1 by word; `unscored` labels are left out where the name says so."""
    right: Counter[str] = Counter()
    true: Counter[str] = Counter()
    said: Counter[str] = Counter()
    documents = whole = 0
    for truth, answer in pairs:
        documents += 1
        whole += all(a == b for a, b in zip(truth, answer, strict=True) if a not in unscored)
        true.update(truth)
        said.update(answer)
        right.update(a for a, b in zip(truth, answer, strict=True) if a == b)
    fields = {label: f1(right[label], said[label], true[label]) for label in sorted(true) if label != NO_FIELD}
    scored = [label for label in true if label not in unscored]
    named = [label for label in {*true, *said} if label != NO_FIELD]
    return {
        "word_error": _error(right.total(), true.total()),
        "word_error_scored": _error(sum(right[label] for label in scored), sum(true[label] for label in scored)),
        "micro_f1": f1(*(sum(count[label] for label in named) for count in (right, said, true))),
        "macro_f1": sum(fields.values()) / len(fields) if fields else 0.0,
        "field_f1": fields,
        "whole_right": whole / documents if documents else 0.0,
        "words": true.total(),
        "documents": documents,
    }


def f1(right: int, said: int, true: int) -> float:
    """The harmonic mean of precision and recall; 0 where nothing is right."""
    return 2 * right / (said + true) if right else 0.0


def _error(right: int, words: int) -> float:
    return 1 - right / words if words else 0.0


@dataclass(frozen=True, slots=True)
class Filler:
    """A span that a tagger takes for a field, and how sure it is."""

    start: int
    end: int
    label: str
    probability: float


def fillers(document: TaggedDocument, tags: Sequence[Sequence[Tag]], *, begin: str = "") -> list[Filler]:
    """Runs of words with one label -> spans of the text; a label with the mark `begin` opens a new one."""
    found: list[Filler] = []
    last = ""
    flat = [pair for line in zip(document.places, tags, strict=True) for pair in zip(*line, strict=True)]
    for (start, end), tag in flat:
        label = tag.label.removeprefix(begin)
        if label == NO_FIELD:
            last = ""
        elif label == last and not (begin and tag.label.startswith(begin)):
            before = found.pop()
            found.append(Filler(before.start, end, label, min(before.probability, tag.probability)))
        else:
            found.append(Filler(start, end, label, tag.probability))
            last = label
    return found


def slot_scores(documents: Sequence[TaggedDocument], said: Sequence[Sequence[Filler]]) -> dict[str, Any]:
    """One slot a field and document: right where the surest filler is one of the true ones, to the character."""
    right: Counter[str] = Counter()
    true: Counter[str] = Counter()
    answered: Counter[str] = Counter()
    whole = 0
    for document, found in zip(documents, said, strict=True):
        truth = {label: {(s, e) for s, e, name in document.spans if name == label} for _, _, label in document.spans}
        best = _surest(found)
        hits = {label for label, filler in best.items() if (filler.start, filler.end) in truth.get(label, set())}
        true.update(truth.keys())
        answered.update(best.keys())
        right.update(hits)
        whole += hits == truth.keys() == best.keys()
    fields = {label: f1(right[label], answered[label], true[label]) for label in sorted(true)}
    return {
        "micro_f1": f1(right.total(), answered.total(), true.total()),
        "macro_f1": sum(fields.values()) / len(fields) if fields else 0.0,
        "field_f1": fields,
        "whole_right": whole / len(documents) if documents else 0.0,
    }


def _surest(found: Sequence[Filler]) -> Mapping[str, Filler]:
    """The most probable filler of each field; of equals the first in the text."""
    best: dict[str, Filler] = {}
    for filler in found:
        if filler.label not in best or filler.probability > best[filler.label].probability:
            best[filler.label] = filler
    return best
