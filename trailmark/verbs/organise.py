"""`organise`: records -> things in topics, with what they cite, ranked, and ready to be searched.

1. Records become things; which are new, changed or gone is told by their digests.
2. What they cite is grouped by the paper it means, and linked to the things that are here.
3. Topics are learnt from keywords where the topics file, a person's moves or many things changed; a few new things are placed by what was learnt.
4. Things are ranked by who cites them, and the index for search is brought up to date.
What has not changed is not computed again; everything is written in one transaction at the end.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from trailmark.errors import InputError
from trailmark.organise.thing import Thing, things_of
from trailmark.organise.topic_draft import draft_topics
from trailmark.organise.topic_file import topic_model_bytes, topic_model_from_bytes
from trailmark.organise.topic_model import Placement, bootstrap
from trailmark.organise.topic_summary import SURE, confusions, strongest_words
from trailmark.organise.topic_tree import TopicTree, parse_topics, topics_json
from trailmark.progress import Progress, silent
from trailmark.store.content_digest import content_digest
from trailmark.store.json_lines import written_whole
from trailmark.store.organised import Organised, StoredItem, put_items, remove_items, set_fact, set_topics
from trailmark.store.record_table import read_numbered_records
from trailmark.store.topic_moves import MOVES, keep_move, read_moves
from trailmark.verbs.organise_report import DoubtfulItem, OrganiseReport, TopicConfusion, TopicCount
from trailmark.workspace import Workspace

TOPICS_FILE, MODEL_FILE = "topics.json", "topics.npz"
FEW = 0.1
"""Share of new things up to which they are placed by what was learnt of the others."""
DOUBTFUL = 20
LONGEST_TITLE = 300


def organise(
    workspace: Workspace, topics: str | Path | None = None, *, again: bool = False, progress: Progress = silent
) -> OrganiseReport:
    """A topics file where it is new, else the one that was kept -> everything that is due, done."""
    tree, written = _tree(workspace, topics)
    things = _things(workspace)
    with Organised.open(workspace.folder, timeout=workspace.settings.store.busy_timeout) as organised:
        stored = {thing.key: _stored(thing) for thing in things}
        before = organised.digests()
        changed = [item for key, item in stored.items() if before.get(key) != item.digest]
        gone = sorted(set(before) - set(stored))
        new = sum(item.key not in before for item in changed)
        placed = _place(workspace, organised, tree, written, things, new, again=again, progress=progress)
        with organised.transaction() as connection:
            remove_items(connection, gone)
            put_items(connection, changed)
            set_topics(connection, placed.rows)
            set_fact(connection, "topics", placed.digest)
            set_fact(connection, "learnt from", placed.learnt_from)
        return _report(organised, things, placed, new, len(changed) - new, len(gone))


def propose_topics(workspace: Workspace, groups: int | None = None) -> str:
    """The things of a workspace -> the text of a draft of topics.json."""
    tree = draft_topics([thing.item() for thing in _things(workspace)], groups)
    if tree is None:
        raise InputError("There are too few records to group; lift or tag some first: trailmark extract, trailmark tag")
    return topics_json(tree)


def move_item(workspace: Workspace, key: str, topic: str) -> None:
    """Put a thing in a topic, for good; the next `organise` learns from it. An empty topic: it belongs nowhere."""
    tree, _ = _tree(workspace, None)
    number = None if tree is None or not topic else tree.named(topic)
    if topic and (tree is None or number is None or not tree.topics[number].leaf):
        raise InputError(
            f"'{topic}' is no topic at the end of a branch of {workspace.folder / TOPICS_FILE}; name one of these."
        )
    with Organised.open(workspace.folder, timeout=workspace.settings.store.busy_timeout) as organised:
        row = organised.connection.execute("SELECT title FROM items WHERE key = ?", (key,)).fetchone()
    if row is None:
        raise InputError(f"There is no thing '{key}'; its key stands in trailmark search --json.")
    name = tree.topics[number].id if tree is not None and number is not None else ""
    what = f"Moved '{row[0][:100]}' to {name or 'no topic'}"
    with workspace.acts.act("organise", what, MOVES).part():
        keep_move(workspace.database, key, name)


def _things(workspace: Workspace) -> list[Thing]:
    with workspace.database.snapshot() as connection:
        things = things_of((number, record) for number, record, _ in read_numbered_records(connection))
    if not things:
        raise InputError("There are no records to organise; lift or tag some first: trailmark extract, trailmark tag")
    return things


def _tree(workspace: Workspace, topics: str | Path | None) -> tuple[TopicTree | None, str]:
    """The tree and the text of its file; a new file is checked first and then kept in the workspace."""
    kept = workspace.folder / TOPICS_FILE
    source = Path(topics) if topics is not None else kept
    if topics is None and not kept.is_file():
        return None, ""
    try:
        text = source.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{source} can't be read as UTF-8 text ({error}); name a topics file.") from error
    tree = parse_topics(text, str(source))
    if topics is not None and source.resolve() != kept.resolve():
        with written_whole(kept) as file:
            file.write(text.encode())
    return tree, text


def _stored(thing: Thing) -> StoredItem:
    """A thing -> its row."""
    authors = "; ".join(thing.authors)
    fields = {name: list(values) for name, values in thing.fields.items()}
    records = tuple((number, thing.url) for number in thing.records)
    digest = content_digest(
        thing.kind, thing.title, authors, thing.year, thing.url, fields, thing.text, list(map(list, records))
    )
    return StoredItem(
        thing.key, thing.kind, thing.title, authors, thing.year, thing.url, thing.site, fields, thing.text, digest, records
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Placed:
    """Topics of things, ready to be written."""

    rows: list[tuple[str, str | None, float | None]]
    digest: str
    """Of the topics file and the moves that they were learnt with."""
    learnt_from: str
    """How many things were learnt from."""
    learnt: str
    words: Mapping[str, tuple[str, ...]]
    confusions: tuple[TopicConfusion, ...] = ()


def _place(
    workspace: Workspace,
    organised: Organised,
    tree: TopicTree | None,
    written: str,
    things: Sequence[Thing],
    new: int,
    *,
    again: bool,
    progress: Progress,
) -> _Placed:
    """Topics of all things: as they were, of the new ones by what was learnt, or learnt anew."""
    if tree is None:
        return _Placed([(thing.key, None, None) for thing in things], "", "0", "none", {})
    moves = read_moves(workspace.database)
    digest = hashlib.sha256(repr((written, sorted(moves.items()))).encode()).hexdigest()[:16]
    learnt_from = int(organised.fact("learnt from") or 0)
    model_file = workspace.folder / "models" / MODEL_FILE
    same = digest == organised.fact("topics") and model_file.is_file() and not again
    if same and len(things) - learnt_from <= FEW * learnt_from and new <= FEW * learnt_from:
        return _added(organised, tree, things, digest, learnt_from, model_file)
    items = [thing.item() for thing in things]
    leaves = {tree.topics[leaf].id: place for place, leaf in enumerate(tree.leaves)}
    fixed = {key: leaves.get(topic, len(leaves)) for key, topic in moves.items() if topic in leaves or not topic}
    placement = bootstrap(tree, items, fixed, progress=progress)
    with written_whole(model_file) as file:
        file.write(topic_model_bytes(placement.model))
    confused = tuple(TopicConfusion(each.topic, each.other, each.items) for each in confusions(placement))
    return _Placed(
        _rows(tree, [thing.key for thing in things], placement.posterior),
        digest,
        str(len(things)),
        "anew",
        _words(tree, placement),
        confused,
    )


def _added(
    organised: Organised, tree: TopicTree, things: Sequence[Thing], digest: str, learnt_from: int, file: Path
) -> _Placed:
    """Only things without a topic that was set are placed, by what was learnt."""
    known = {key for (key,) in organised.connection.execute("SELECT key FROM items WHERE topic_chance IS NOT NULL")}
    fresh = [thing for thing in things if thing.key not in known]
    if not fresh:
        return _Placed([], digest, str(learnt_from), "nothing", {})
    model = topic_model_from_bytes(file.read_bytes(), tree, str(file))
    rows = _rows(tree, [thing.key for thing in fresh], model.posterior([thing.item() for thing in fresh]))
    return _Placed(rows, digest, str(learnt_from), "added", {})


def _rows(tree: TopicTree, keys: Sequence[str], posterior: np.ndarray) -> list[tuple[str, str | None, float | None]]:
    names = [*(tree.topics[leaf].id for leaf in tree.leaves), None]
    best = posterior.argmax(axis=1)
    return [
        (key, names[place], round(float(posterior[row, place]), 4))
        for row, (key, place) in enumerate(zip(keys, best, strict=True))
    ]


def _words(tree: TopicTree, placement: Placement) -> dict[str, tuple[str, ...]]:
    words = strongest_words(placement)
    return {tree.topics[leaf].id: words[place] for place, leaf in enumerate(tree.leaves)}


def _report(
    organised: Organised, things: Sequence[Thing], placed: _Placed, new: int, changed: int, gone: int
) -> OrganiseReport:
    rows = organised.connection.execute("SELECT key, title, topic, topic_chance FROM items").fetchall()
    counts = Counter(topic for *_, topic, _ in rows)
    unsure = sorted(
        (chance, key, title, topic) for key, title, topic, chance in rows if chance is not None and chance < SURE
    )
    topics = sorted({*placed.words, *(topic for topic in counts if topic is not None)})
    return OrganiseReport(
        items=len(things),
        new=new,
        changed=changed,
        gone=gone,
        topics=tuple(TopicCount(topic, counts[topic], placed.words.get(topic, ())) for topic in topics),
        elsewhere=counts[None] if placed.learnt != "none" else 0,
        learnt=placed.learnt,
        doubtful=tuple(
            DoubtfulItem(key, title[:LONGEST_TITLE], topic, chance) for chance, key, title, topic in unsure[:DOUBTFUL]
        ),
        confusions=placed.confusions,
        references=sum(len(thing.references) for thing in things),
        cited=0,
        linked=0,
    )
