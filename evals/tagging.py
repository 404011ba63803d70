"""Words tagged with fields: headers and references of papers, talks, addresses (Cora, section 4)."""

from __future__ import annotations

import lzma
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np

from evals.processes import over_processes
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
from trailmark.verbs.hands import Hands

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
    """What a model learns from and what it is tested on: the documents of each test, by its name."""

    train: list[TaggedDocument]
    tests: Mapping[str, list[TaggedDocument]]

    @property
    def test(self) -> list[TaggedDocument]:
        """The documents of the first test."""
        return next(iter(self.tests.values()))


@dataclass(frozen=True, slots=True)
class Known:
    """What bibliographies say: their entries, and what words are used for in them."""

    entries: list[BibEntry]
    lexicon: Lexicon


@dataclass(frozen=True, slots=True)
class Material:
    """All that a task is measured with."""

    parts: tuple[Part, ...]
    known: Known

    @property
    def tests(self) -> list[str]:
        """The names of the tests; each part has documents of all of them."""
        return list(self.parts[0].tests)


def evaluate_tagging(
    name: str,
    folder: Path,
    *,
    models: Sequence[str] = ("hmm", "crf"),
    curve: bool = False,
    tables: bool = False,
    jobs: int = 1,
    hands: Hands | None = None,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Scores of every test file in the folder, or cross-validated ones where there is none; with the paper's `tables` for headers.

    Each part is learnt from by each model on its own: in `jobs` processes, or by `hands`.
    """
    task, material = TASKS[name], material_of(name, folder)
    work = tagging_work(material, models)
    arguments = [(name, folder, *each) for each in work]
    said = over_processes(tagged_part, arguments, jobs=jobs, progress=progress, label=f"{name}: models", hands=hands)
    report = tagging_report(name, material, work, said)
    if curve:
        report["curve"] = {model: dict(_curve(task, material, model, progress)) for model in models}
    if tables and name == "headers":
        from evals.tagging_tables import header_tables

        report["tables"] = header_tables(material.parts, material.known, progress=progress)
    return report


Work = tuple[str, int]
"""(model, number of the part)"""
Said = dict[str, list[Lines]]
"""What a model says of the documents of each test."""


def tagging_work(material: Material, models: Sequence[str] = ("hmm", "crf")) -> list[Work]:
    """All that there is to be learnt, the longest first: the parts by the last of the models, and so on."""
    return [(model, number) for model in reversed(models) for number in range(len(material.parts))]


def tagged_part(name: str, folder: Path, model: str, number: int) -> Said:
    """A part -> what a model that learnt from it says of its tests; a function of a module, for a process of its own."""
    material = material_of(name, folder)
    return _tagged(TASKS[name], material.parts[number], model, material.known)


def tagging_report(name: str, material: Material, work: Sequence[Work], said: Sequence[Said]) -> dict[str, Any]:
    """What each model said of each part -> the scores over the tests of all parts together."""
    task, found = TASKS[name], dict(zip(work, said, strict=True))
    models = sorted({model for model, _ in work}, key=list(MODELS).index)
    tests: dict[str, dict[str, Any]] = {test: {} for test in material.tests}
    for test, model in product(tests, models):
        documents = [PREPARED[model](task, each) for part in material.parts for each in part.tests[test]]
        lines = [each for number in range(len(material.parts)) for each in found[model, number][test]]
        tests[test][model] = _scores(task, documents, lines)
    return {"task": name, "tests": tests}


def material_of(name: str, folder: Path) -> Material:
    """A task and the folder of its data -> its parts and what bibliographies say; read once a process while the files are the same."""
    files = [*folder.glob(f"{TASKS[name].file}.*.jsonl"), *(folder / "bibtex").glob("*")]
    state = tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in sorted(files))
    return _material(name, folder, state)


@lru_cache(maxsize=1)
def _material(name: str, folder: Path, state: tuple[tuple[str, int, int], ...]) -> Material:
    del state
    task = TASKS[name]
    train = documents_in(folder / f"{task.file}.train.jsonl", task)
    entries = bibliography(folder / "bibtex")
    tests = {file.name: documents_in(file, task) for file in test_files(folder, task)}
    found = [Part(train, tests)] if tests else parts(train, FOLDS, f"{task.file}.train.jsonl")
    return Material(tuple(found), Known(entries, lexicon_of(entries)))


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


def parts(documents: list[TaggedDocument], count: int, test: str) -> Iterator[Part]:
    """Each of some contiguous parts as the test, of that name, of what the others taught."""
    if len(documents) < count:
        raise InputError(f"{len(documents)} documents are too few to test {count} parts of them.")
    edges = np.linspace(0, len(documents), count + 1).astype(int).tolist()
    for start, end in pairwise(edges):
        yield Part(documents[:start] + documents[end:], {test: documents[start:end]})


def _tagged(task: Task, part: Part, model: str, known: Known) -> Said:
    tag = MODELS[model](task, part.train, known)
    return {
        test: tag([PREPARED[model](task, document).lines for document in documents])
        for test, documents in part.tests.items()
    }


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


def _curve(task: Task, material: Material, model: str, progress: Progress) -> Iterator[tuple[int, dict[str, Any]]]:
    """Scores by the number of documents learnt from: 10, 30, 100 and so on, and all of them, tested on the first test of the first part."""
    part, test = material.parts[0], material.tests[0]
    documents = [PREPARED[model](task, document) for document in part.test]
    counts = [*(count for count in (10, 30, 100, 300, 1000) if count < len(part.train)), len(part.train)]
    for count in progress(counts, f"{task.name}: learning curve of {model}"):
        fewer = Part(part.train[:count], {test: part.test})
        yield count, _scores(task, documents, _tagged(task, fewer, model, material.known)[test])
