"""Tagging words: ours beside a CRF of forty lines (python-crfsuite), on the same parts of the same tagged file, in one run.

    python -m benchmarks.tagging DATA/text [--task references|headers|addresses] [--parts 5]

Every part is tested with what the others taught. Errors say how hard the parts are: a figure of ours on other documents means little without the
peer's on the same. Seconds and words a second are of the processor, features included, tagging in one process.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evals.tagging import TASKS, Known, Part, bibliography, documents_in, parts
from evals.tagging_scores import word_scores
from trailmark.tag import TaggedDocument
from trailmark.tag.crf_tagger import learnt_tagger
from trailmark.tag.lexicon import lexicon_of
from trailmark.tag.recipes import RECIPES, with_more

Labels = list[str]
TASKS_HERE = ("references", "headers", "addresses")


def shape(word: str) -> str:
    """`McCallum,` -> `XxXx,`."""
    signs = re.sub(r"\d", "d", re.sub("[a-z]", "x", re.sub("[A-Z]", "X", word)))
    return re.sub(r"(.)\1+", r"\1", signs)


def features(document: TaggedDocument) -> list[list[str]]:
    """Words, shapes, affixes, neighbours, place in the line: what anybody would write down first."""
    words = [word.text for line in document.lines for word in line]
    places = [(n, at, line) for n, line in enumerate(document.lines) for at in range(len(line))]
    return [_one(words, number, place) for number, place in enumerate(places)]


def _one(words: Sequence[str], number: int, place: tuple[int, int, Any]) -> list[str]:
    word, (line, at, own) = words[number], place
    found = ["always", f"w={word.lower()}", f"s={shape(word)}", f"last={word[-1:]}"]
    for size in range(1, 5):
        found += [f"p{size}={word[:size].lower()}", f"e{size}={word[-size:].lower()}"]
    for step in (-2, -1, 1, 2):
        if 0 <= number + step < len(words):
            other = words[number + step]
            found += [f"{step}:w={other.lower()}", f"{step}:s={shape(other)}"]
        else:
            found.append(f"{step}:none")
    found += [f"line={min(line, 12)}", f"in={min(at, 4)}", f"left={min(len(own) - 1 - at, 4)}"]
    found += [f"share={10 * number // len(words)}", f"words={min(len(own), 12)}"]
    return [*found, f"first={own[0].text.lower()}", f"end={own[-1].text.lower()}"]


def peer(train: Sequence[TaggedDocument], _known: Known, _task: str) -> Callable[..., list[Labels]]:
    import pycrfsuite

    trainer = pycrfsuite.Trainer(verbose=False)
    for document in train:
        trainer.append(features(document), flat(document))
    trainer.set_params({"c1": 0.1, "c2": 0.01, "max_iterations": 100})
    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder) / "peer"))
        tagger.open_inmemory((Path(folder) / "peer").read_bytes())
    return lambda documents: [tagger.tag(features(document)) for document in documents]


def ours(train: Sequence[TaggedDocument], known: Known, task: str) -> Callable[..., list[Labels]]:
    recipe = RECIPES[task]
    documents = with_more(train, recipe, known.entries)
    tagger = learnt_tagger(documents, name=task, lexicon=known.lexicon, recipe=recipe)

    def tag(some: Sequence[TaggedDocument]) -> list[Labels]:
        return [[t.label for row in rows for t in row] for rows in tagger.tag([each.lines for each in some])]

    return tag


def flat(document: TaggedDocument) -> Labels:
    return [label for line in document.labels for label in line]


def measured(learn: Callable[..., Any], pieces: Sequence[Part], known: Known, task: str) -> dict[str, Any]:
    """Scores over all parts, seconds to learn one of them, words tagged in a second."""
    coarse = TASKS[task].coarse
    pairs: list[tuple[Labels, Labels]] = []
    learning = tagging = 0.0
    for piece in pieces:
        began = time.process_time()
        tag = learn(piece.train, known, task)
        ready = time.process_time()
        said = tag(piece.test)
        learning, tagging = learning + ready - began, tagging + time.process_time() - ready
        for document, labels in zip(piece.test, said, strict=True):
            pairs.append(([coarse(label) for label in flat(document)], [coarse(label) for label in labels]))
    scores = word_scores(pairs, TASKS[task].unscored)
    return {**scores, "learn": learning / len(pieces), "speed": scores["words"] / max(tagging, 1e-9)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--task", choices=TASKS_HERE, default="references")
    parser.add_argument("--parts", type=int, default=5)
    chosen = parser.parse_args()
    task = TASKS[chosen.task]
    file = chosen.data / f"{task.file}.train.jsonl"
    pieces = list(parts(documents_in(file, task), chosen.parts, file.name))
    entries = bibliography(chosen.data / "bibtex")
    known = Known(entries, lexicon_of(entries))
    print(
        f"{chosen.task}: {'word error':>16} {'scored':>8} {'macro F1':>9} {'whole':>7} {'s to learn':>11} {'words/s':>9}"
    )
    for name, learn in {"python-crfsuite": peer, "ours": ours}.items():
        s = measured(learn, pieces, known, chosen.task)
        figures = (
            f"{s['word_error']:>8.4f} {s['word_error_scored']:>8.4f} {s['macro_f1']:>9.3f} {s['whole_right']:>7.3f}"
        )
        print(f"{name:>20} {figures} {s['learn']:>11.1f} {s['speed']:>9,.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
