"""`organise`: records -> things in topics, with what they cite, ranked, and ready to be searched.

1. Records become things; which are new, changed or gone is told by their digests.
2. What they cite is grouped by the paper it means, and linked to the things that are here.
3. Topics are learnt from keywords where the topics file, a person's moves or many things changed; a few new things are placed by what was learnt.
4. Things are ranked by who cites them, and the index for search is brought up to date.
What has not changed is not computed again; everything is written in one transaction at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from trailmark.errors import InputError
from trailmark.organise.thing import Thing, things_of
from trailmark.organise.topic_draft import draft_topics
from trailmark.organise.topic_summary import SURE
from trailmark.organise.topic_tree import TopicTree, parse_topics, topics_json
from trailmark.progress import Progress, silent
from trailmark.store.content_digest import content_digest
from trailmark.store.full_text import refresh_index
from trailmark.store.json_lines import written_whole
from trailmark.store.organised import (
    Organised,
    StoredItem,
    put_citations,
    put_items,
    remove_items,
    set_fact,
    set_ranks,
    set_topics,
)
from trailmark.store.record_table import read_numbered_records
from trailmark.store.topic_moves import MOVES, keep_move
from trailmark.verbs.organise_citations import Cited, citations_of, one_of_each
from trailmark.verbs.organise_report import DoubtfulItem, OrganiseReport, TopicCount
from trailmark.verbs.organise_topics import Placed, place_things
from trailmark.workspace import Workspace

TOPICS_FILE = "topics.json"
DOUBTFUL = 20
LONGEST_TITLE = 300


def organise(
    workspace: Workspace, topics: str | Path | None = None, *, again: bool = False, progress: Progress = silent
) -> OrganiseReport:
    """A topics file where it is new, else the one that was kept -> everything that is due, done."""
    tree, written = _tree(workspace, topics)
    things = one_of_each(_things(workspace))
    with Organised.open(workspace.folder, timeout=workspace.settings.store.busy_timeout) as organised:
        stored = {thing.key: _stored(thing) for thing in things}
        before = organised.digests()
        changed = [item for key, item in stored.items() if before.get(key) != item.digest]
        gone = sorted(set(before) - set(stored))
        new = sum(item.key not in before for item in changed)
        cited = citations_of(things) if changed or gone or again else None
        placed = place_things(workspace, organised, tree, written, things, cited, new, again=again, progress=progress)
        with organised.transaction() as connection:
            remove_items(connection, gone)
            put_items(connection, changed)
            if cited is not None:
                put_citations(connection, cited.citations)
                set_ranks(connection, _rank_rows(cited))
            set_topics(connection, placed.rows)
            set_fact(connection, "topics", placed.digest)
            set_fact(connection, "learnt from", placed.learnt_from)
            refresh_index(connection)
        return _report(organised, things, placed, new, len(changed) - new, len(gone))


def _rank_rows(cited: Cited) -> Iterator[tuple[str, int, float, float, float]]:
    for key, rank in cited.ranks.items():
        yield key, rank.cited, rank.hub, rank.authority, rank.pagerank


def propose_topics(workspace: Workspace, groups: int | None = None) -> str:
    """The things of a workspace -> the text of a draft of topics.json."""
    tree = draft_topics([thing.item() for thing in _things(workspace)], groups)
    if tree is None:
        raise InputError("There are too few records to group; lift or tag some first: trailmark extract, trailmark tag")
    return topics_json(tree)


def write_topics(workspace: Workspace, text: str) -> None:
    """Keep this as the topics file; InputError where it can't be one, and the one that was there stays."""
    parse_topics(text, TOPICS_FILE)
    with written_whole(workspace.folder / TOPICS_FILE) as file:
        file.write(text.encode("utf-8", "backslashreplace"))


def leaf_topics(workspace: Workspace) -> tuple[str, ...]:
    """The topics that things are put in; none where the file is missing or wrong."""
    try:
        tree, _ = _tree(workspace, None)
    except InputError:
        return ()
    return tuple(tree.topics[leaf].id for leaf in tree.leaves) if tree is not None else ()


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
    told = (thing.kind, thing.title, authors, thing.year, thing.url, fields, thing.text)
    digest = content_digest(*told, list(map(list, thing.sources)), [number for number, _ in thing.references])
    return StoredItem(
        thing.key, thing.kind, thing.title, authors, thing.year, thing.url, thing.site, fields, thing.text, digest, thing.sources
    )  # fmt: skip


def _report(
    organised: Organised, things: Sequence[Thing], placed: Placed, new: int, changed: int, gone: int
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
        cited=_count(organised, "SELECT COUNT(DISTINCT grp) FROM citations"),
        linked=_count(organised, "SELECT COUNT(*) FROM citations WHERE cited IS NOT NULL"),
    )


def _count(organised: Organised, query: str) -> int:
    return int(organised.connection.execute(query).fetchone()[0])
