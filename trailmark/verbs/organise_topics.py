"""Items in topics: as they were, the new ones by what was learnt, or learnt anew from keywords."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.organise.item import Item
from trailmark.organise.topic_file import topic_model_bytes, topic_model_from_bytes
from trailmark.organise.topic_model import Placement, bootstrap
from trailmark.organise.topic_summary import confusions, strongest_words
from trailmark.organise.topic_tree import TopicTree
from trailmark.organise.word_counts import Numbers
from trailmark.progress import Progress
from trailmark.read.words import tokens
from trailmark.store.json_lines import written_whole
from trailmark.store.organised import Organised, cited_by_item, set_fact, set_topics
from trailmark.verbs.organise_report import TopicConfusion
from trailmark.verbs.thing_acts import moved_items
from trailmark.workspace import Workspace

MODEL_FILE = "topics.npz"
FEW = 0.1
"""Share of new items up to which they are placed by what was learnt of the others."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Topics of items, ready to be written."""

    rows: list[tuple[str, str | None, float | None]]
    digest: str
    """Of the topics file and the moves that they were learnt with."""
    learnt_from: int
    learnt: str
    words: Mapping[str, tuple[str, ...]]
    confusions: tuple[TopicConfusion, ...] = ()
    model: bytes = b""
    """What was learnt, for its file; empty where nothing was."""


def place_items(
    workspace: Workspace,
    organised: Organised,
    tree: TopicTree | None,
    written: str,
    *,
    again: bool,
    progress: Progress,
) -> Placed:
    """Topics of all items that are in: of those without one by what was learnt, or of all, learnt anew."""
    if tree is None:
        return Placed(_none(organised), "", 0, "none", {})
    moves = moved_items(workspace, organised.connection)
    digest = hashlib.sha256(repr((written, sorted(moves.items()))).encode()).hexdigest()[:16]
    learnt_from = int(organised.fact("learnt from") or 0)
    model_file = workspace.folder / "models" / MODEL_FILE
    (count,) = organised.connection.execute("SELECT COUNT(*) FROM items").fetchone()
    if not count:
        return Placed([], "", 0, "nothing", {})
    known = digest == organised.fact("topics") and model_file.is_file() and not again
    if known and count - learnt_from <= FEW * learnt_from:
        return _added(organised, tree, digest, learnt_from, model_file)
    items = _items(organised)
    leaves = {tree.topics[leaf].id: place for place, leaf in enumerate(tree.leaves)}
    fixed = {key: leaves.get(topic, len(leaves)) for key, topic in moves.items() if topic in leaves or not topic}
    placement = bootstrap(tree, items, fixed, progress=progress)
    confused = tuple(TopicConfusion(each.topic, each.other, each.items) for each in confusions(placement))
    rows = _rows(tree, [item.id for item in items], placement.posterior)
    return Placed(
        rows, digest, len(items), "anew", _words(tree, placement), confused, topic_model_bytes(placement.model)
    )


def keep_placed(workspace: Workspace, organised: Organised, placed: Placed) -> None:
    """What was learnt and where items are, within a transaction; nothing is written where nothing is new."""
    if placed.model:
        with written_whole(workspace.folder / "models" / MODEL_FILE) as file:
            file.write(placed.model)
    set_topics(organised.connection, placed.rows)
    for name, value in (("topics", placed.digest), ("learnt from", str(placed.learnt_from))):
        if organised.fact(name) != value:
            set_fact(organised.connection, name, value)


def _none(organised: Organised) -> list[tuple[str, str | None, float | None]]:
    """Items that have a topic, without it."""
    query = "SELECT key FROM items WHERE topic IS NOT NULL OR topic_chance IS NOT NULL"
    return [(key, None, None) for (key,) in organised.connection.execute(query)]


def _items(organised: Organised) -> list[Item]:
    """Items as topics are learnt from them, in the order in which they came."""
    cites = cited_by_item(organised.connection)
    rows = organised.connection.execute("SELECT key, title, authors, text FROM items ORDER BY id")
    return [
        Item(key, title, text, {"author": _names(authors)}, cites.get(key, ())) for key, title, authors, text in rows
    ]


def _names(authors: str) -> tuple[str, ...]:
    return tuple(" ".join(tokens(name)) for name in authors.split("; ") if name)


def _added(organised: Organised, tree: TopicTree, digest: str, learnt_from: int, file: Path) -> Placed:
    """Only items without a topic that was set are placed, by what was learnt."""
    rows = organised.connection.execute("SELECT key, title, text FROM items WHERE topic_chance IS NULL ORDER BY id")
    fresh = [Item(*row) for row in rows]
    if not fresh:
        return Placed([], digest, learnt_from, "nothing", {})
    model = topic_model_from_bytes(file.read_bytes(), tree, str(file))
    placed = _rows(tree, [item.id for item in fresh], model.posterior(fresh))
    return Placed(placed, digest, learnt_from, "added", {})


def _rows(tree: TopicTree, keys: Sequence[str], posterior: Numbers) -> list[tuple[str, str | None, float | None]]:
    names = [*(tree.topics[leaf].id for leaf in tree.leaves), None]
    best = posterior.argmax(axis=1)
    return [
        (key, names[place], round(float(posterior[row, place]), 4))
        for row, (key, place) in enumerate(zip(keys, best, strict=True))
    ]


def _words(tree: TopicTree, placement: Placement) -> dict[str, tuple[str, ...]]:
    words = strongest_words(placement)
    return {tree.topics[leaf].id: words[place] for place, leaf in enumerate(tree.leaves)}
