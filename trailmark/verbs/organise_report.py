"""What `organise` reports."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from trailmark.organise.topic_summary import SURE
from trailmark.report import Report
from trailmark.store.organised import Organised
from trailmark.verbs.organise_things import Taken

DOUBTFUL = 20
LONGEST_TITLE = 300


@dataclass(frozen=True, slots=True)
class TopicCount:
    """A leaf, how many things are in it, and its strongest words."""

    id: str
    items: int
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DoubtfulItem:
    """A thing whose topic is unsure."""

    key: str
    title: str
    topic: str | None
    chance: float


@dataclass(frozen=True, slots=True)
class TopicConfusion:
    """Two topics that share things."""

    topic: str
    other: str
    items: float


@dataclass(frozen=True, slots=True)
class OrganiseReport(Report):
    """What changed, and what there is now."""

    items: int
    new: int
    changed: int
    gone: int
    topics: tuple[TopicCount, ...]
    elsewhere: int
    """Things that belong in no topic."""
    learnt: str
    """`anew` where topics were learnt from all things, `added` where new things were placed by what was known, `nothing` where nothing was due, `none` without topics."""
    doubtful: tuple[DoubtfulItem, ...]
    confusions: tuple[TopicConfusion, ...]
    references: int
    cited: int
    """Different papers that they mean."""
    linked: int
    """References to papers that are here."""
    citations: str
    """`anew` where all references were grouped, `added` where new ones joined groups or founded some, `settled` where only what people said of groups was new, `nothing` where nothing was due."""
    advised: int
    """Items of courses with an abstract, or with something that other courses have on the same."""


def organise_report(
    organised: Organised,
    taken: Taken,
    learnt: str,
    words: Mapping[str, tuple[str, ...]],
    confusions: tuple[TopicConfusion, ...],
    advised: int,
) -> OrganiseReport:
    """What was done, and what there is now, from the file."""
    counts = dict(organised.connection.execute("SELECT topic, COUNT(*) FROM items GROUP BY topic"))
    unsure = organised.connection.execute(
        "SELECT key, title, topic, topic_chance FROM items WHERE topic_chance < ? ORDER BY topic_chance, key LIMIT ?",
        (SURE, DOUBTFUL),
    )
    topics = sorted({*words, *(topic for topic in counts if topic is not None)})
    return OrganiseReport(
        items=sum(counts.values()),
        new=taken.new,
        changed=taken.changed,
        gone=taken.gone,
        topics=tuple(TopicCount(topic, counts.get(topic, 0), words.get(topic, ())) for topic in topics),
        elsewhere=counts.get(None, 0) if learnt != "none" else 0,
        learnt=learnt,
        doubtful=tuple(DoubtfulItem(key, title[:LONGEST_TITLE], topic, chance) for key, title, topic, chance in unsure),
        confusions=confusions,
        references=_count(organised, "SELECT COUNT(*) FROM citations"),
        cited=_count(organised, "SELECT COUNT(DISTINCT grp) FROM citations"),
        linked=_count(organised, "SELECT COUNT(*) FROM citations WHERE cited IS NOT NULL"),
        citations=taken.citations,
        advised=advised,
    )


def _count(organised: Organised, query: str) -> int:
    return int(organised.connection.execute(query).fetchone()[0])
