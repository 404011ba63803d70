"""Topics from keywords alone (Cora, section 5.3, table 8), on messages in 19 groups and on papers in 70 leaves."""

from __future__ import annotations

import csv
import json
import lzma
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from trailmark.errors import InputError
from trailmark.organise.item import Item
from trailmark.organise.keyword_votes import KeywordFinder, keywords_of, rule_list
from trailmark.organise.topic_model import TopicOptions, bootstrap
from trailmark.organise.topic_tree import TopicTree, parse_topics
from trailmark.organise.word_counts import item_words
from trailmark.progress import Progress, silent

Places = npt.NDArray[np.int64]

PAPER = TopicOptions(hold=0.0, evidence=1e9, ties=False, weigh_keywords=False, elsewhere=False, seeds=0.0, voice=0.0)
"""The paper's own method: all labels soft, all words, nothing but words."""
ROWS: dict[str, TopicOptions] = {
    "naive-bayes": replace(PAPER, rounds=0, unlabelled=False, shrinkage=False),
    "em": replace(PAPER, shrinkage=False),
    "shrinkage-on-labelled": replace(PAPER, unlabelled=False),
    "em-and-shrinkage": PAPER,
    "words-alone": TopicOptions(ties=False),
    "bootstrap": TopicOptions(),
}
"""Table 8's rows, and ours."""


@dataclass(frozen=True, slots=True)
class Collection:
    """Items, the tree they belong in, and for some of them the place of the true leaf."""

    items: list[Item]
    tree: TopicTree
    truth: dict[str, int]
    taught: dict[str, int]
    """Labels for the rows that are taught by labels; empty where there are none."""


def evaluate_topics(folder: Path, *, rows: Sequence[str] = tuple(ROWS), progress: Progress = silent) -> dict[str, Any]:
    """The sets of a folder -> micro and macro F1 of every row."""
    sets: dict[str, Any] = {}
    for name, collection in _collections(folder / "topics"):
        figures = {"keywords": _scores(collection, _keyword_places(collection))}
        for row in progress(rows, f"{name}: rows"):
            placed = bootstrap(collection.tree, collection.items, options=ROWS[row])
            figures[row] = _scores(collection, _leaf_places(placed.posterior))
        for row, options in SUPERVISED.items() if collection.taught else ():
            tree = _without_keywords(collection.tree)
            placed = bootstrap(tree, collection.items, collection.taught, options=options)
            figures[row] = _scores(collection, _leaf_places(placed.posterior))
        sets[name] = figures
    return {"task": "topics", "sets": sets}


SUPERVISED = {
    "supervised": TopicOptions(ties=False, rounds=0, weigh_keywords=False, elsewhere=False),
    "supervised-with-citations": TopicOptions(weigh_keywords=False, elsewhere=False),
}


def _collections(folder: Path) -> Iterator[tuple[str, Collection]]:
    makers: dict[str, tuple[str, Callable[[Path], Collection]]] = {
        "20news": ("20news.docs.jsonl.xz", messages),
        "cora70": ("cora70.docs.jsonl", papers),
    }
    present = {name: make for name, (file, make) in makers.items() if (folder / file).is_file()}
    if not present:
        raise InputError(
            f"{folder} holds no collection: give a folder with topics/20news.docs.jsonl.xz or topics/cora70.docs.jsonl."
        )
    for name, make in present.items():
        yield name, make(folder)


def messages(folder: Path) -> Collection:
    """Newsgroups: keywords of five groups and their 19 leaves."""
    written = json.loads((folder / "hierarchy.json").read_text(encoding="utf-8"))
    groups = [
        {
            "name": group,
            "keywords": parts["keywords"],
            "children": [{"name": leaf, "keywords": words} for leaf, words in parts["children"].items()],
        }
        for group, parts in written.items()
    ]
    tree = parse_topics(json.dumps({"name": "news", "children": groups}), "hierarchy.json")
    with lzma.open(folder / "20news.docs.jsonl.xz", "rt", encoding="utf-8") as file:
        items = [message_item(entry["id"], entry["text"]) for entry in map(json.loads, file)]
    labels = _first_there(folder, "20news.labels.csv", "dev.labels.csv")
    truth = {row["id"]: row["fine"] for row in _rows(labels)}
    leaves = {tree.topics[leaf].name: place for place, leaf in enumerate(tree.leaves)}
    return Collection(items, tree, {number: leaves[leaf] for number, leaf in truth.items() if leaf in leaves}, {})


def message_item(number: str, text: str) -> Item:
    """A message with its head -> an item; what answers a message has its thread in common with it."""
    head, _, body = text.partition("\n\n")
    fields = {name.lower(): value for name, value in re.findall(r"^([A-Za-z-]+): *(.*)$", head, re.MULTILINE)}
    title = re.sub(r"^(?:(?:re|fwd?)(?:\[\d+\])?: *)+", "", fields.get("subject", ""), flags=re.IGNORECASE).strip()
    address = re.search(r"[\w.+-]+@[\w.-]+", fields.get("from", ""))
    author = (address[0] if address else fields.get("from", "")).lower()
    rest = " ".join(fields.get(name, "") for name in ("keywords", "summary", "organization"))
    return Item(number, title, f"{body} {rest}", {"thread": (title.lower(),), "author": (author,)})


def papers(folder: Path) -> Collection:
    """Papers by the terms of their titles; the keywords of a leaf are the words of its name that no other leaf has."""
    names = (folder / "cora70.leaves.txt").read_text(encoding="utf-8").split()
    tree = _tree_of_names(names)
    cites = defaultdict(list)
    for row in _rows(folder / "cora70.citations.csv"):
        cites[row["citing"]].append(row["cited"])
    with (folder / "cora70.docs.jsonl").open(encoding="utf-8") as file:
        items = [Item(entry["id"], entry["title"], "", cites=cites[entry["id"]]) for entry in map(json.loads, file)]
    leaves = {tree.topics[leaf].id.partition("/")[2]: place for place, leaf in enumerate(tree.leaves)}
    known = {row["id"]: leaves[row["leaf"]] for row in _rows(folder / "cora70.train.labels.csv")}
    test = folder / "cora70.test.labels.csv"
    if test.is_file():
        return Collection(items, tree, {row["id"]: leaves[row["leaf"]] for row in _rows(test)}, known)
    truth = {number: leaf for number, leaf in known.items() if zlib.crc32(number.encode()) % 3 == 0}
    return Collection(items, tree, truth, {number: leaf for number, leaf in known.items() if number not in truth})


def _tree_of_names(names: Sequence[str]) -> TopicTree:
    words = {name: _name_words(name) for name in names}
    uses = Counter(word for each in words.values() for word in each)

    def node(path: tuple[str, ...], below: Iterable[tuple[str, ...]]) -> dict[str, Any]:
        inner = [name for name in below if name[: len(path)] == path]
        children = list(dict.fromkeys(name[len(path)] for name in inner if len(name) > len(path)))
        written: dict[str, Any] = {"name": path[-1] if path else "Computer_Science"}
        if children:
            return {**written, "children": [node((*path, child), inner) for child in children]}
        own = [word for word in words["/".join(path)] if uses[word] == 1]
        return {**written, "keywords": own or [" ".join(path[-2:]).replace("_", " ")]}

    return parse_topics(json.dumps(node((), [tuple(name.split("/")) for name in names])), "cora70.leaves.txt")


def _name_words(name: str) -> list[str]:
    return sorted({word for word in re.findall(r"[a-z]{3,}", name.rpartition("/")[2].lower()) if word != "and"})


def _without_keywords(tree: TopicTree) -> TopicTree:
    return TopicTree(tuple(replace(topic, keywords=()) for topic in tree.topics))


def _keyword_places(collection: Collection) -> Places:
    """The paper's rule list; what has no keyword goes to the leaf with the most."""
    finder = KeywordFinder(keywords_of(collection.tree))
    found = finder.occurrences(item_words(item) for item in collection.items)
    places = rule_list(found, finder.keywords, collection.tree)
    return np.where(places >= 0, places, np.bincount(places[places >= 0]).argmax())


def _leaf_places(posterior: npt.NDArray[np.float64]) -> Places:
    """The likeliest leaf; the measure knows no place for what belongs nowhere."""
    return np.asarray(posterior[:, :-1].argmax(axis=1))


def _scores(collection: Collection, places: Places) -> dict[str, float]:
    """Micro and macro F1 over topics right under the root where the tree has three levels, else over leaves; `fine`: over leaves."""
    tree = collection.tree
    known = [
        (place, number)
        for place, item in enumerate(collection.items)
        if (number := collection.truth.get(item.id)) is not None
    ]
    guess = places[[place for place, _ in known]]
    truth = np.array([number for _, number in known])
    top = np.array([tree.path(leaf)[-2] for leaf in tree.leaves])
    coarse, fine = _f1(top[guess], top[truth]), _f1(guess, truth)
    return {
        "micro_f1": coarse[0],
        "macro_f1": coarse[1],
        "fine_micro_f1": fine[0],
        "fine_macro_f1": fine[1],
        "items": len(known),
    }


def _f1(guess: Places, truth: Places) -> tuple[float, float]:
    right = guess == truth
    each = [
        2 * (right & (truth == label)).sum() / ((guess == label).sum() + (truth == label).sum())
        for label in np.unique(truth)
    ]
    return float(right.mean()), float(np.mean(each))


def _first_there(folder: Path, *names: str) -> Path:
    return next((folder / name for name in names if (folder / name).is_file()), folder / names[-1])


def _rows(file: Path) -> Iterator[Mapping[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        yield from csv.DictReader(opened)
