"""Things that come later are taken in beside the others; the result is that of organising all anew."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.organise import references
from evals.matching import pair_scores
from tests.organise.test_things import keep, record
from trailmark.datatypes import Record
from trailmark.organise import citation_graph
from trailmark.organise.late_references import join_groups
from trailmark.organise.reference_groups import group_references, keys_of
from trailmark.organise.reference_parts import ReferenceParts
from trailmark.store.organised import Organised
from trailmark.verbs import organise_citations, organise_late, organise_ranks, organise_things
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace, create

TITLES = [
    "Marking and sweeping of heaps",
    "Trains of thought in lazy languages",
    "Generations of objects in small machines",
    "A survey of garbage collectors for everybody",
    "Counting references without counting twice",
]
NAMES = ["Ada Lovelace", "John Tanner", "Grace Miller", "Edsger Baker", "Alan Fuller"]


def paper(number: int, cites: Sequence[int], manner: int = 0) -> list[Record]:
    """A paper of the list above, and its references to others of the list in one of two manners."""
    url = f"http://a.example/{number}.pdf"
    made = [record(url, "paper", title=TITLES[number], author=NAMES[number], date=str(1990 + number))]
    for other in cites:
        family, given = NAMES[other].split()[1], NAMES[other].split()[0]
        author = f"{family}, {given[0]}." if manner else NAMES[other]
        text = f"{author} {TITLES[other]}. {'J. Mem.' if manner else 'Journal of Memory'} 7, {1990 + other}."
        made.append(record(url, "reference", text=text, author=author, title=TITLES[other]))
    return made


FIRST = [*paper(0, [1, 2]), *paper(1, [0, 2, 3], 1), *paper(2, [0, 1])]
LATER = [*paper(3, [0, 1, 2, 4], 1), *paper(4, [3, 0])]


def filled(folder: Path, *batches: Sequence[Record]) -> Workspace:
    workspace = create(folder)
    for batch in batches:
        keep(workspace, list(batch))
    return workspace


def told(workspace: Workspace) -> tuple[list[Any], list[Any], list[Any]]:
    """All that is kept of things and citations, but for the order in which they were written."""
    with Organised.open(workspace.folder) as organised:
        execute = organised.connection.execute
        items = execute("SELECT key, title, digest, cited FROM items ORDER BY key").fetchall()
        cited = execute("SELECT record, citing, name, found, grp, cited FROM citations ORDER BY record").fetchall()
        ranks = execute("SELECT key, cited, round(hub, 2), round(pagerank, 2) FROM ranks ORDER BY key").fetchall()
    return items, cited, ranks


def test_what_was_taken_in_later_is_as_if_all_had_been_organised_at_once(tmp_path: Path) -> None:
    workspace = filled(tmp_path / "one", FIRST)
    assert organise(workspace).citations == "anew"
    keep(workspace, LATER)
    report = organise(workspace)
    assert (report.new, report.changed, report.gone, report.citations) == (2, 0, 0, "added")
    assert (report.references, report.cited, report.linked) == (13, 5, 13)
    other = filled(tmp_path / "other", FIRST, LATER)
    assert organise(other).citations == "anew"
    assert told(workspace) == told(other)


def ranks_of(workspace: Workspace) -> dict[str, tuple[float, ...]]:
    with Organised.open(workspace.folder) as organised:
        rows = organised.connection.execute("SELECT key, cited, hub, authority, pagerank FROM ranks").fetchall()
    return {key: tuple(ranks) for key, *ranks in rows}


def test_ranks_are_right_however_things_came_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few that cite nothing here are ranked beside the others, and what they get is what ranking all gives."""
    alone = [
        record(f"http://b.example/{n}", "page", title=f"Page {n} of its own", abstract=f"word{n}") for n in range(60)
    ]
    workspace = filled(tmp_path / "one", FIRST, alone[:30])
    organise(workspace)
    monkeypatch.setattr(organise_ranks, "NEAR", 0.2)
    ranked = []
    whole = citation_graph.ranking
    monkeypatch.setattr(organise_ranks, "ranking", lambda graph: ranked.append(graph) or whole(graph))  # type: ignore[func-returns-value]
    keep(workspace, alone[30:33])
    organise(workspace)
    assert not ranked
    keep(workspace, LATER)
    organise(workspace)
    assert len(ranked) == 1
    for more in alone[33:]:
        keep(workspace, [more])
        organise(workspace)
    assert len(ranked) < 10
    other = filled(tmp_path / "other", FIRST, alone[:33], LATER, alone[33:])
    organise(other)
    mine, theirs = ranks_of(workspace), ranks_of(other)
    assert mine.keys() == theirs.keys()
    for key, expected in theirs.items():
        assert mine[key] == pytest.approx(expected, rel=0.5)
    newest = min(theirs.values(), key=lambda ranks: ranks[3])
    assert min(ranks[3] for ranks in mine.values()) == pytest.approx(newest[3], rel=1e-6)


def test_a_second_run_with_nothing_new_computes_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = filled(tmp_path / "one", FIRST)
    organise(workspace)

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError

    for module, name in (
        (organise_things, "citations_of"),
        (organise_things, "one_of_each"),
        (organise_ranks, "ranking"),
        (organise_late, "join_groups"),
        (organise_late, "match_papers"),
        (organise_citations, "group_references"),
    ):
        monkeypatch.setattr(module, name, never)
    with Organised.open(workspace.folder) as watching:
        before = watching.connection.execute("PRAGMA data_version").fetchone()
        assert organise(workspace).citations == "nothing"
        assert watching.connection.execute("PRAGMA data_version").fetchone() == before


def test_a_double_a_change_and_a_record_that_is_gone_take_reading_all(tmp_path: Path) -> None:
    workspace = filled(tmp_path / "one", FIRST)
    organise(workspace)
    keep(workspace, [record("http://b.example/0.pdf", "paper", title=TITLES[0], author=NAMES[0], date="1990")])
    report = organise(workspace)
    assert (report.items, report.citations) == (3, "anew")
    with workspace.database.transaction() as connection:
        connection.execute("DELETE FROM records WHERE kind = 'reference' AND id = 2")
    assert organise(workspace).citations == "anew"
    keep(workspace, [record("http://a.example/0.pdf", "reference", text="J. Tanner, Of pages that had records, 1991.")])
    assert organise(workspace).citations == "anew"
    assert organise(workspace, again=True).citations == "anew"


def test_groups_that_newcomers_join_are_nearly_those_of_grouping_all(tmp_path: Path) -> None:
    """They may differ where a newcomer makes two groups alike, or where the whole takes another pair first: rarely."""
    made = [parts for parts, _ in references(600, seed=3)]
    first, late = made[:450], made[450:]
    known = group_references(first)
    members: dict[int, list[ReferenceParts]] = {}
    holders: dict[str, set[int]] = {}
    for place, group in enumerate(known):
        members.setdefault(group, []).append(first[place])
        for key in keys_of(first[place]):
            holders.setdefault(key, set()).add(group)

    def near(keys: Sequence[str], least: int) -> dict[int, list[ReferenceParts]]:
        shared: dict[int, int] = {}
        for key in keys:
            for group in holders.get(key, ()):
                shared[group] = shared.get(group, 0) + 1
        return {group: members[group] for group, n in shared.items() if n >= least}

    joined = join_groups({450 + place: parts for place, parts in enumerate(late)}, near)
    incremental = [*known, *(joined[450 + place] for place in range(len(late)))]
    precision, recall, _ = pair_scores(incremental, group_references(made))
    assert min(precision, recall) > 0.97
    order = list(range(len(late)))
    Random(1).shuffle(order)
    assert join_groups({450 + place: late[place] for place in order}, near).keys() == joined.keys()
