"""Things in topics: as they were, the new ones by what was learnt, or learnt anew from keywords."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.organise.thing import Thing
from trailmark.organise.topic_file import topic_model_bytes, topic_model_from_bytes
from trailmark.organise.topic_model import Placement, bootstrap
from trailmark.organise.topic_summary import confusions, strongest_words
from trailmark.organise.topic_tree import TopicTree
from trailmark.organise.word_counts import Numbers
from trailmark.progress import Progress
from trailmark.store.json_lines import written_whole
from trailmark.store.organised import Organised
from trailmark.store.topic_moves import read_moves
from trailmark.verbs.organise_citations import Cited, citations_of
from trailmark.verbs.organise_report import TopicConfusion
from trailmark.workspace import Workspace

MODEL_FILE = "topics.npz"
FEW = 0.1
"""Share of new things up to which they are placed by what was learnt of the others."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Topics of things, ready to be written."""

    rows: list[tuple[str, str | None, float | None]]
    digest: str
    """Of the topics file and the moves that they were learnt with."""
    learnt_from: str
    """How many things were learnt from."""
    learnt: str
    words: Mapping[str, tuple[str, ...]]
    confusions: tuple[TopicConfusion, ...] = ()


def place_things(
    workspace: Workspace,
    organised: Organised,
    tree: TopicTree | None,
    written: str,
    things: Sequence[Thing],
    cited: Cited | None,
    new: int,
    *,
    again: bool,
    progress: Progress,
) -> Placed:
    """Topics of all things: as they were, of the new ones by what was learnt, or learnt anew."""
    if tree is None:
        return Placed([(thing.key, None, None) for thing in things], "", "0", "none", {})
    moves = read_moves(workspace.database)
    digest = hashlib.sha256(repr((written, sorted(moves.items()))).encode()).hexdigest()[:16]
    learnt_from = int(organised.fact("learnt from") or 0)
    model_file = workspace.folder / "models" / MODEL_FILE
    same = digest == organised.fact("topics") and model_file.is_file() and not again
    if same and len(things) - learnt_from <= FEW * learnt_from and new <= FEW * learnt_from:
        return _added(organised, tree, things, digest, learnt_from, model_file)
    cites = (cited or citations_of(things)).cites
    items = [thing.item(cites[thing.key]) for thing in things]
    leaves = {tree.topics[leaf].id: place for place, leaf in enumerate(tree.leaves)}
    fixed = {key: leaves.get(topic, len(leaves)) for key, topic in moves.items() if topic in leaves or not topic}
    placement = bootstrap(tree, items, fixed, progress=progress)
    with written_whole(model_file) as file:
        file.write(topic_model_bytes(placement.model))
    confused = tuple(TopicConfusion(each.topic, each.other, each.items) for each in confusions(placement))
    return Placed(
        _rows(tree, [thing.key for thing in things], placement.posterior),
        digest,
        str(len(things)),
        "anew",
        _words(tree, placement),
        confused,
    )


def _added(
    organised: Organised, tree: TopicTree, things: Sequence[Thing], digest: str, learnt_from: int, file: Path
) -> Placed:
    """Only things without a topic that was set are placed, by what was learnt."""
    known = {key for (key,) in organised.connection.execute("SELECT key FROM items WHERE topic_chance IS NOT NULL")}
    fresh = [thing for thing in things if thing.key not in known]
    if not fresh:
        return Placed([], digest, str(learnt_from), "nothing", {})
    model = topic_model_from_bytes(file.read_bytes(), tree, str(file))
    rows = _rows(tree, [thing.key for thing in fresh], model.posterior([thing.item() for thing in fresh]))
    return Placed(rows, digest, str(learnt_from), "added", {})


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
