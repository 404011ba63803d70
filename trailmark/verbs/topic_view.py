"""What a person sees of topics: the tree with counts, the things of a topic, the doubtful ones first where they are asked for."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.organise.topic_summary import SURE
from trailmark.report import Report
from trailmark.store.organised import Organised
from trailmark.verbs.organise import TOPICS_FILE
from trailmark.workspace import Workspace

NOWHERE = "-"
"""Stands for no topic."""
DOUBT = "?"
"""Stands for all things whose topic is unsure."""


@dataclass(frozen=True, slots=True)
class TopicThing:
    """A thing in a topic."""

    key: str
    title: str
    authors: str
    url: str
    topic: str | None
    chance: float | None
    cited: int


@dataclass(frozen=True, slots=True)
class TopicView(Report):
    """Topics with how many things each has, and some things of the one that is asked for."""

    organised: bool
    topics: tuple[tuple[str, int], ...]
    nowhere: int
    doubtful: int
    count: int
    things: tuple[TopicThing, ...]
    written: str
    """The topics file; empty where there is none."""


def topic_view(workspace: Workspace, topic: str = DOUBT, *, most: int = 50, skip: int = 0) -> TopicView:
    """A topic, `-` for none or `?` for unsure ones -> what is shown of it."""
    file = workspace.folder / TOPICS_FILE
    written = file.read_text(encoding="utf-8-sig", errors="replace") if file.is_file() else ""
    organised = Organised.open_to_read(workspace.folder, timeout=workspace.settings.store.busy_timeout)
    if organised is None:
        return TopicView(False, (), 0, 0, 0, (), written)
    with organised:
        rows = organised.connection.execute(
            "SELECT topic, COUNT(*) FROM items GROUP BY topic ORDER BY topic"
        ).fetchall()
        condition, values = _wanted(topic)
        (count,) = organised.connection.execute(_COUNT + condition, values).fetchone()
        (doubtful,) = organised.connection.execute(_COUNT + _wanted(DOUBT)[0], {"sure": SURE}).fetchone()
        found = organised.connection.execute(
            _THINGS + condition + _ORDER, {"sure": None, **values, "most": most, "skip": skip}
        ).fetchall()
    counts = dict(rows)
    return TopicView(
        True,
        tuple((str(name), int(number)) for name, number in rows if name is not None),
        int(counts.get(None, 0)),
        int(doubtful),
        int(count),
        tuple(TopicThing(*row) for row in found),
        written,
    )


_COUNT = "SELECT COUNT(*) FROM items WHERE "
_THINGS = "SELECT key, title, authors, url, topic, topic_chance, cited FROM items WHERE "
_ORDER = (
    " ORDER BY CASE WHEN :sure IS NULL THEN 0 ELSE topic_chance END, cited DESC, title, key LIMIT :most OFFSET :skip"
)


def _wanted(topic: str) -> tuple[str, dict[str, object]]:
    """A condition on things, and its values."""
    if topic == NOWHERE:
        return "topic IS NULL", {}
    if topic == DOUBT:
        return "topic_chance < :sure", {"sure": SURE}
    return "topic = :topic", {"topic": topic}
