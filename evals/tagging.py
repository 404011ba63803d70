"""Words tagged with fields: headers and references of papers, talks, addresses (Cora, section 4)."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from evals.tagging_scores import fillers, slot_scores, word_scores
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.tag import NO_FIELD, Tag, TaggedDocument, Word, parse_tagged
from trailmark.tag.bibtex import BibEntry, bib_entries
from trailmark.tag.crf_tagger import CrfRecipe, learnt_tagger
from trailmark.tag.hmm_distant import DISTANT, distant_counts
from trailmark.tag.hmm_edges import edged_hmm
from trailmark.tag.hmm_words import prepared
from trailmark.tag.lexicon import Lexicon, lexicon_of
from trailmark.tag.recipes import RECIPES, with_more

FOLDS = 5
TOKENS = frozenset({"abstract", "intro", "page"})
"""Classes that are one word each in the paper's preparation."""
BEGIN = "B-"
"""Before the label of a word that begins a span."""
Lines = list[list[Tag]]


@dataclass(frozen=True, slots=True)
class Task:
    """What is measured, and on what."""

    name: str
    file: str
    unscored: frozenset[str] = frozenset({NO_FIELD})
    spans: bool = False
    coarse: Callable[[str], str] = str


def coarse_address(label: str) -> str:
    """Directions and types of a street's name are parts of the name."""
    return "StreetName" if label.startswith(("StreetNamePre", "StreetNamePost")) else label


TASKS = {
    "headers": Task("headers", "headers", frozenset({"abstract", "intro", "page"})),
    "references": Task("references", "references"),
    "talks": Task("talks", "seminars", spans=True),
    "addresses": Task("addresses", "addresses", coarse=coarse_address),
}


@dataclass(frozen=True, slots=True)
class Part:
    """What a model learns from and what it is tested on."""

    train: list[TaggedDocument]
    test: list[TaggedDocument]


def evaluate_tagging(
    name: str,
    folder: Path,
    *,
    models: Sequence[str] = ("hmm", "crf"),
    curve: bool = False,
    tables: bool = False,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Scores of every test file in the folder, or cross-validated ones where there is none; with the paper's `tables` for headers."""
    task = TASKS[name]
    train = documents_in(folder / f"{task.file}.train.jsonl", task)
    entries = bibliography(folder / "bibtex")
    tests = {file.name: [Part(train, documents_in(file, task))] for file in test_files(folder, task)}
    tests = tests or {f"{task.file}.train.jsonl": list(parts(train, FOLDS))}
    work = [(test, model) for test in tests for model in models]
    report: dict[str, Any] = {"task": name, "tests": {test: {} for test in tests}}
    known = Known(entries, lexicon_of(entries))
    learnt: dict[tuple[int, str], Any] = {}
    for test, model in progress(work, f"{name}: models"):
        report["tests"][test][model] = scores_of(task, tests[test], model, known, learnt)
    if curve:
        report["curve"] = {model: dict(_curve(task, tests, model, known, progress)) for model in models}
    if tables and name == "headers":
        from evals.tagging_tables import header_tables

        report["tables"] = header_tables(next(iter(tests.values())), known, progress=progress)
    return report


@dataclass(frozen=True, slots=True)
class Known:
    """What bibliographies say: their entries, and what words are used for in them."""

    entries: list[BibEntry]
    lexicon: Lexicon


def documents_in(file: Path, task: Task) -> list[TaggedDocument]:
    """The documents of a tagged file; InputError where it is not there or holds a line that is none."""
    try:
        lines = file.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} can't be read ({error}): give a folder with {task.file}.train.jsonl.") from error
    documents, problems = parse_tagged(lines, str(file))
    if problems or not documents:
        raise InputError(str(problems[0]) if problems else f"{file} holds no tagged document.")
    return documents


def test_files(folder: Path, task: Task) -> list[Path]:
    """`NAME.test.jsonl` and `NAME.SET.test.jsonl`."""
    return sorted({*folder.glob(f"{task.file}.test.jsonl"), *folder.glob(f"{task.file}.*.test.jsonl")})


def bibliography(folder: Path) -> list[BibEntry]:
    """The entries of all `.bib` and `.bib.xz` files of a folder; none where it is not there."""
    texts = []
    for file in sorted([*folder.glob("*.bib"), *folder.glob("*.bib.xz")]):
        content = file.read_bytes()
        texts.append((lzma.decompress(content) if file.suffix == ".xz" else content).decode("utf-8", "replace"))
    return list(bib_entries(texts))


def parts(documents: list[TaggedDocument], count: int) -> Iterator[Part]:
    """Each of some contiguous parts as the test of what the others taught."""
    if len(documents) < count:
        raise InputError(f"{len(documents)} documents are too few to test {count} parts of them.")
    edges = np.linspace(0, len(documents), count + 1).astype(int).tolist()
    for start, end in pairwise(edges):
        yield Part(documents[:start] + documents[end:], documents[start:end])


def scores_of(
    task: Task, pieces: Sequence[Part], model: str, known: Known, learnt: dict[tuple[int, str], Any]
) -> dict[str, Any]:
    """Scores over the tests of all parts together; what was learnt from the same documents is not learnt again."""
    documents: list[TaggedDocument] = []
    said: list[Lines] = []
    for part in pieces:
        key = (id(part.train), model)
        if key not in learnt:
            learnt[key] = MODELS[model](task, part.train, known)
        test = [PREPARED[model](task, document) for document in part.test]
        documents += test
        said += learnt[key]([document.lines for document in test])
    return _scores(task, documents, said)


def _scores(task: Task, documents: Sequence[TaggedDocument], said: Sequence[Lines]) -> dict[str, Any]:
    pairs = [
        (
            [task.coarse(label) for line in document.labels for label in line],
            [task.coarse(tag.label.removeprefix(BEGIN)) for line in tags for tag in line],
        )
        for document, tags in zip(documents, said, strict=True)
    ]
    scores = word_scores(pairs, task.unscored)
    if task.spans:
        found = [fillers(document, tags, begin=BEGIN) for document, tags in zip(documents, said, strict=True)]
        scores |= slot_scores(documents, found)
    return scores


def begun(document: TaggedDocument) -> TaggedDocument:
    """The document with the first word of every span marked: two spans in a row stay two."""
    starts = {start for start, _, _ in document.spans}
    labels = tuple(
        tuple(
            f"{BEGIN}{label}" if label != NO_FIELD and start in starts else label
            for label, (start, _) in zip(names, places, strict=True)
        )
        for names, places in zip(document.labels, document.places, strict=True)
    )
    return replace(document, labels=labels)


def _crf(task: Task, train: Sequence[TaggedDocument], known: Known) -> Callable[..., list[Lines]]:
    """Learns a tagger of the task's recipe -> its `tag`."""
    documents = [begun(document) for document in train] if task.spans else train
    recipe = RECIPES.get(task.name, CrfRecipe())
    documents = with_more(documents, recipe, known.entries)
    return learnt_tagger(documents, name=task.name, lexicon=known.lexicon, recipe=recipe).tag


def _hmm(task: Task, train: Sequence[TaggedDocument], known: Known) -> Callable[..., list[Lines]]:
    """Learns the paper's model with three states a class -> its `tag`."""
    distant = distant_counts(known.entries, DISTANT.get(task.name, {}))
    documents = [hmm_document(task, document) for document in train]
    return edged_hmm(documents, name=task.name, distant=distant, way="L*D" if distant else "L").tag


def _as_it_is(_task: Task, document: TaggedDocument) -> TaggedDocument:
    return document


def hmm_document(task: Task, document: TaggedDocument) -> TaggedDocument:
    """Headers as the paper prepared them (section 4.3), all else as it is but for what is nothing but marks."""
    return paper_header(document) if task.name == "headers" else document


def paper_header(document: TaggedDocument) -> TaggedDocument:
    """Abstract, introduction and page are one word each, marks are left out; the paper had them so before anybody labelled a word."""
    lines: list[tuple[Word, ...]] = []
    labels: list[tuple[str, ...]] = []
    last = ""
    for words, names in zip(document.lines, document.labels, strict=True):
        kept: list[tuple[Word, str]] = []
        for word, name in zip(words, names, strict=True):
            if name in TOKENS and name != last:
                kept.append((Word(f"<{name}>"), name))
            elif name not in TOKENS and prepared(word.text):
                kept.append((word, name))
            last = name
        lines.append(tuple(word for word, _ in kept))
        labels.append(tuple(name for _, name in kept))
    return TaggedDocument(tuple(lines), tuple(labels))


MODELS: Mapping[str, Callable[[Task, Sequence[TaggedDocument], Known], Callable[..., list[Lines]]]] = {
    "hmm": _hmm,
    "crf": _crf,
}
PREPARED: Mapping[str, Callable[[Task, TaggedDocument], TaggedDocument]] = {
    "hmm": hmm_document,
    "crf": _as_it_is,
}


def _curve(
    task: Task, tests: Mapping[str, list[Part]], model: str, known: Known, progress: Progress
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Scores by the number of documents learnt from: 10, 30, 100 and so on, and all of them, tested on the first test."""
    part = next(iter(tests.values()))[0]
    counts = [*(count for count in (10, 30, 100, 300, 1000) if count < len(part.train)), len(part.train)]
    for count in progress(counts, f"{task.name}: learning curve of {model}"):
        yield count, scores_of(task, [Part(part.train[:count], part.test)], model, known, {})
