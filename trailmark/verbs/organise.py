"""`organise`: records -> things in topics, with what they cite, ranked, and ready to be searched.

0. Records of pages that keywords found follow what people said of them since.
1. What is new is told by the records' digests. A few new things are taken in beside those that are there; after other changes all are read again.
2. What they cite is grouped by the paper it means, what people said of groups laid over it, and linked to the things that are here; things are ranked by it.
3. Topics are learnt from keywords where the topics file, a person's moves or many things changed; a few new things are placed by what was learnt.
4. What is told beside the items of courses is brought up to date: abstracts, and what other courses have on the same.
Things with what they cite and the index for search are one transaction, topics another, what is told of courses a third: whatever is interrupted, the next run goes on. Of two who organise
at once the later one begins again.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from trailmark.errors import InputError, WorkspaceBusy
from trailmark.organise.topic_draft import FEWEST_ITEMS, draft_topics
from trailmark.organise.topic_tree import TopicTree, parse_topics, topics_json
from trailmark.progress import Progress, silent
from trailmark.quoting import count_of
from trailmark.store.json_lines import written_whole
from trailmark.store.organised import Organised
from trailmark.store.topic_moves import MOVES, keep_move
from trailmark.verbs.keyword_records import follow_keyword_pages
from trailmark.verbs.organise_courses import advise
from trailmark.verbs.organise_news import NOTHING, whole_news
from trailmark.verbs.organise_report import OrganiseReport, organise_report
from trailmark.verbs.organise_things import take_in
from trailmark.verbs.organise_topics import Placed, keep_placed, place_items
from trailmark.verbs.thing_acts import stored_things
from trailmark.workspace import Workspace

TOPICS_FILE = "topics.json"
TRIES = 5
"""Times that one begins again because another was faster."""
Done = TypeVar("Done")


def organise(
    workspace: Workspace, topics: str | Path | None = None, *, again: bool = False, progress: Progress = silent
) -> OrganiseReport:
    """A topics file where it is new, else the one that was kept -> everything that is due, done."""
    tree, written = _tree(workspace, topics)
    follow_keyword_pages(workspace)
    with Organised.open(workspace.folder, timeout=workspace.settings.store.busy_timeout) as organised:
        taken = _in_turn(organised, lambda: take_in(workspace, organised, whole=again))

        def place() -> Placed | None:
            edition = organised.fact("edition")
            placed = place_items(workspace, organised, tree, written, again=again, progress=progress)
            with organised.transaction():
                if organised.fact("edition") != edition:
                    return None
                keep_placed(workspace, organised, placed)
            return placed

        placed = _in_turn(organised, place)
        advised = advise(workspace, organised, progress, again=again)
        return organise_report(organised, taken, placed.learnt, placed.words, placed.confusions, advised)


def _in_turn(organised: Organised, work: Callable[[], Done | None]) -> Done:
    """Work that gives None where another changed the file meanwhile -> what it gives when it is not disturbed."""
    for _ in range(TRIES):
        done = work()
        if done is not None:
            return done
    raise WorkspaceBusy(f"{organised.path} is changed by another process again and again; try again when it has ended.")


def propose_topics(workspace: Workspace, groups: int | None = None) -> str:
    """The things of a workspace -> the text of a draft of topics.json: of so many topics, or of fewer where there are too few things for that."""
    things = whole_news(workspace).things
    if not things:
        raise InputError(NOTHING)
    if len(things) < 2 * FEWEST_ITEMS:
        raise InputError(
            f"A draft has two topics at least, of {FEWEST_ITEMS} records each, and here are {count_of(len(things), 'record')}; "
            "lift or tag more first: trailmark extract, trailmark tag"
        )
    tree = draft_topics([thing.item() for thing in things], groups)
    if tree is None:
        raise InputError("No words tell one group of these records from another; write the topics file by hand.")
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
        row = organised.connection.execute("SELECT title, kind, url FROM items WHERE key = ?", (key,)).fetchone()
        known = stored_things(organised.connection)
    if row is None:
        raise InputError(f"There is no thing '{key}'; its key stands in trailmark search --json.")
    name = tree.topics[number].id if tree is not None and number is not None else ""
    what = f"Moved '{row[0][:100]}' to {name or 'no topic'}"
    with workspace.acts.act("organise", what, MOVES).part():
        keep_move(workspace.database, known.name(key, row[1], row[2]), name)


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
