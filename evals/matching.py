"""References that mean the same paper (Cora, section 2): every file tested with what the others taught."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.errors import InputError
from trailmark.organise.reference_groups import THRESHOLD, group_references
from trailmark.organise.reference_parts import ReferenceParts, reference_parts
from trailmark.organise.word_match import group_by_words
from trailmark.progress import Progress, silent
from trailmark.tag import parse_tagged
from trailmark.tag.models import learn_tagger, read_tagger
from trailmark.tag.words import Tagger, Word

THRESHOLDS = (0.4, 0.5, 0.6, 0.7)
"""Tried on what teaches."""


@dataclass(frozen=True, slots=True)
class References:
    """The references of a file, and which paper each means."""

    texts: list[str]
    parts: list[ReferenceParts]
    papers: list[str]


def evaluate_matching(folder: Path, *, progress: Progress = silent) -> dict[str, Any]:
    """Every `matching.NAME.jsonl` of a folder -> scores of the paper's grouping and of ours."""
    files = sorted(folder.glob("matching.*.jsonl"))
    if not files:
        raise InputError(f"{folder} holds no matching.NAME.jsonl.")
    tagger = _tagger(folder)
    sets = {file.name.split(".")[1]: _references(file, tagger) for file in progress(files, "references tagged")}
    report: dict[str, Any] = {}
    for name, references in progress(list(sets.items()), "files grouped"):
        threshold = taught_threshold([other for title, other in sets.items() if title != name])
        ours = group_references(references.parts, threshold=threshold)
        report[name] = {
            "baseline": scores(references, group_by_words(references.parts)),
            "ours": {**scores(references, ours), "threshold": threshold},
        }
    return {"task": "matching", "sets": report}


def taught_threshold(teachers: Sequence[References]) -> float:
    """References whose papers are known -> the threshold that groups them best, the usual one where several do or there are none."""
    if not teachers:
        return THRESHOLD
    figures = {
        threshold: sum(
            pair_scores(group_references(each.parts, threshold=threshold), each.papers)[2] for each in teachers
        )
        for threshold in THRESHOLDS
    }
    return max(THRESHOLDS, key=lambda threshold: (round(figures[threshold], 3), -abs(threshold - THRESHOLD)))


def _tagger(folder: Path) -> Tagger | None:
    """A tagger learnt from the tagged references of the folder; None where there are none."""
    file = folder / "references.train.jsonl"
    if not file.is_file():
        return None
    documents, _ = parse_tagged(file.read_text(encoding="utf-8").split("\n"), str(file))
    return read_tagger(learn_tagger(documents, "references"), str(file))


def _references(file: Path, tagger: Tagger | None) -> References:
    with file.open(encoding="utf-8") as opened:
        rows = [json.loads(line) for line in opened if line.strip()]
    texts = [row["text"] for row in rows]
    fields = dict(zip(dict.fromkeys(texts), _fields(list(dict.fromkeys(texts)), tagger), strict=True))
    return References(texts, [reference_parts(text, fields[text]) for text in texts], [row["paper"] for row in rows])


def _fields(texts: list[str], tagger: Tagger | None) -> list[dict[str, list[str]]]:
    if tagger is None:
        return [{} for _ in texts]
    tagged = tagger.tag([[[Word(word) for word in text.split()]] for text in texts])
    return [_by_label(text.split(), [tag.label for tag in lines[0]]) for text, lines in zip(texts, tagged, strict=True)]


def _by_label(words: list[str], labels: list[str]) -> dict[str, list[str]]:
    fields: dict[str, list[str]] = defaultdict(list)
    for word, label in zip(words, labels, strict=True):
        fields[label].append(word)
    return {label: [" ".join(each)] for label, each in fields.items()}


def scores(references: References, groups: Sequence[int]) -> dict[str, float]:
    """Groups -> how right they are: by pairs, by whole groups, and by pairs of references that are written differently."""
    precision, recall, f1 = pair_scores(groups, references.papers)
    first = list({text: place for place, text in reversed(list(enumerate(references.texts)))}.values())
    distinct = pair_scores([groups[place] for place in first], [references.papers[place] for place in first])
    return {
        "pair_precision": precision,
        "pair_recall": recall,
        "pair_f1": f1,
        "cluster_f1": _cluster_f1(groups, references.papers),
        "distinct_pair_f1": distinct[2],
        "references": len(groups),
    }


def pair_scores(groups: Sequence[Hashable], papers: Sequence[Hashable]) -> tuple[float, float, float]:
    """Precision, recall and F1 of the pairs that are in one group."""
    common = _pairs(list(zip(groups, papers, strict=True)))
    precision, recall = common / max(1, _pairs(groups)), common / max(1, _pairs(papers))
    return precision, recall, 2 * precision * recall / max(1e-12, precision + recall)


def _pairs(labels: Sequence[Hashable]) -> int:
    return sum(n * (n - 1) // 2 for n in Counter(labels).values())


def _cluster_f1(groups: Sequence[Hashable], papers: Sequence[Hashable]) -> float:
    """F1 of groups that are right to the last reference."""
    mine, true = _sets(groups), _sets(papers)
    return 2 * len(mine & true) / (len(mine) + len(true))


def _sets(labels: Sequence[Hashable]) -> set[frozenset[int]]:
    members: dict[Hashable, list[int]] = defaultdict(list)
    for place, label in enumerate(labels):
        members[label].append(place)
    return {frozenset(listed) for listed in members.values()}
