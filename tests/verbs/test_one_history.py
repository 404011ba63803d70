"""Changes of records stand in the journal with everything else, and hold whoever writes beside them and whatever is taken back."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from trailmark.datatypes import Annotation, Record
from trailmark.errors import InputError
from trailmark.shape.field_step import FieldStep
from trailmark.shape.value_edit import ValueEdit
from trailmark.store.act_table import DroppedActs, drop_oldest
from trailmark.store.record_table import Extraction
from trailmark.store.record_view import RecordView
from trailmark.store.schema import MIGRATIONS
from trailmark.verbs import shape
from trailmark.verbs.annotate import mark
from trailmark.verbs.forget import forget
from trailmark.verbs.reshaping import shown_now
from trailmark.verbs.undo import acts, undo
from trailmark.workspace import Workspace

ROOT = Path(__file__).parents[2]
PAGE, OTHER = "http://a.test/", "http://b.test/"
RENAME = FieldStep("rename", ("price",), ("cost",))


def item(url: str = PAGE, **fields: str) -> Record:
    return Record(url, "item", {name: (value,) for name, value in fields.items()}, "rule:a.test/1")


def lift(workspace: Workspace, *records: Record, url: str = PAGE) -> None:
    """As extraction keeps a page."""
    done = [(Extraction(url, "x", "v:", "records"), list(records))]
    with workspace.database.transaction(), shown_now(workspace) as shown:
        workspace.database.keep_extracted(done, maker="rule:", shown=shown)


def rows(workspace: Workspace) -> list[dict[str, list[str]]]:
    return [row["fields"] for row in RecordView(workspace.database).find()[1]]


def test_a_change_of_records_stands_among_all_that_was_done(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="1"))
        mark(opened, [Annotation(PAGE, "price", "1", "/html")])
        shape.change_field(opened, RENAME)
        shape.edit_value(opened, 1, "cost", ("2",))
        assert [act.verb for act in acts(opened).acts] == ["shape", "shape", "mark"]
        assert [act.id for act in acts(opened).acts] == [3, 2, 1]
        assert [act.id for act in shape.shape_acts(opened).acts] == [2, 3]
        undo(opened)
        assert rows(opened) == [{"cost": ["1"]}]
        undo(opened, 2)
        assert rows(opened) == [{"price": ["1"]}]
        undo(opened, 5)
        assert rows(opened) == [{"cost": ["1"]}]
        assert [act.undone for act in shape.shape_acts(opened).acts] == [False, True]


def test_taking_a_change_back_is_the_same_by_either_verb(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="1"))
        shape.change_field(opened, RENAME)
        shape.undo(opened, 1)
        assert [(act.id, act.undone_by) for act in acts(opened).acts] == [(2, None), (1, 2)]
        with pytest.raises(InputError, match="taken back already"):
            shape.undo(opened, 1)
        shape.redo(opened, 1)
        with pytest.raises(InputError, match="holds already"):
            shape.redo(opened, 1)
        shape.undo(opened, 1)
        assert rows(opened) == [{"price": ["1"]}]


def test_an_undoing_that_is_undone_and_undone_again(workspace: Path) -> None:
    """Act 1, undone by 2, which 3 undoes, which 4 undoes: the act does not stand, and is not to be undone once more."""
    with Workspace.open(workspace) as opened:
        mark(opened, [Annotation(PAGE, "price", "1", "/html")])
        for number in (1, 2, 3):
            undo(opened, number)
        assert list(opened.database.annotations()) == []
        assert [(act.id, act.undone_by) for act in acts(opened).acts] == [(4, None), (3, 4), (2, None), (1, 2)]
        with pytest.raises(InputError, match="undone already"):
            undo(opened, 1)
        undo(opened, 4)
        assert len(list(opened.database.annotations())) == 1
        stands = {act.id: act.undone_by for act in acts(opened).acts}
        assert stands == {5: None, 4: 5, 3: None, 2: 3, 1: None}


def test_a_record_that_comes_back_is_shown_as_the_others_are(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="1"), item(price="2"))
        number = forget(opened, "records", [1]).act
        shape.change_field(opened, RENAME)
        undo(opened, number)
        assert rows(opened) == [{"cost": ["1"]}, {"cost": ["2"]}]


def test_of_two_that_say_the_same_one_is_taken_back(workspace: Path) -> None:
    twins = [Record(PAGE, "item", {"price": ("1",)}, "rule:a.test/1", {"price": (f"/b[{n}]",)}) for n in (1, 2)]
    with Workspace.open(workspace) as opened:
        lift(opened, *twins)
        forget(opened, "records", [2])
        lift(opened, *twins)
        assert rows(opened) == [{"price": ["1"]}]
        (left,) = [row["id"] for row in RecordView(opened.database).find()[1]]
        forget(opened, "records", [left])
        lift(opened, *twins)
        assert rows(opened) == []
        undo(opened)
        lift(opened, *twins)
        assert rows(opened) == [{"price": ["1"]}]


def test_of_two_that_say_the_same_the_one_that_was_meant_is_changed(workspace: Path) -> None:
    twins = [Record(PAGE, "item", {"price": ("1",)}, "rule:a.test/1", {"price": (f"/b[{n}]",)}) for n in (1, 2)]
    with Workspace.open(workspace) as opened:
        lift(opened, *twins)
        shape.edit_value(opened, 2, "price", ("9",))
        assert rows(opened) == [{"price": ["1"]}, {"price": ["9"]}]


def test_what_was_given_to_one_record_never_goes_over_to_its_neighbour(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        both = item(name="Ada", price="1"), item(name="Bo", price="2")
        lift(opened, *both)
        shape.edit_value(opened, 1, "price", ("100",))
        forget(opened, "records", [1])
        lift(opened, *both)
        assert rows(opened) == [{"name": ["Bo"], "price": ["2"]}]


def test_a_form_that_was_sent_twice_changes_once(workspace: Path) -> None:
    double = FieldStep("replace", ("price",), pattern="a", put="aa")
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="a"))
        for _ in range(2):
            shape.change_field(opened, double)
            shape.change_field(opened, double)
        assert rows(opened) == [{"price": ["aa"]}]
        shape.change_field(opened, RENAME)
        shape.change_field(opened, RENAME)
        for _ in range(2):
            shape.edit_value(opened, 1, "cost", ("b",))
        assert len(acts(opened).acts) == 3


def test_two_who_change_values_at_once_lose_nothing(workspace: Path) -> None:
    """Each has a connection of its own, as two tabs have."""
    names = [f"f{n}" for n in range(8)]
    with Workspace.open(workspace) as opened:
        lift(opened, item(**dict.fromkeys(names, "old")))

    def change(field: str) -> None:
        with Workspace.open(workspace) as mine:
            shape.edit_value(mine, 1, field, ("new",))

    threads = [threading.Thread(target=change, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Workspace.open(workspace) as opened:
        assert rows(opened) == [{name: ["new"] for name in names}]
        assert len(acts(opened).acts) == 8


def test_what_was_undone_twice_at_once_is_undone_once(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        mark(opened, [Annotation(PAGE, "price", "1", "/html")])
    said: list[str] = []

    def take_back() -> None:
        with Workspace.open(workspace) as mine:
            try:
                undo(mine, 1, sure=lambda _: not barrier.wait(10) or True)
            except InputError as error:
                said.append(str(error))

    barrier = threading.Barrier(2)
    threads = [threading.Thread(target=take_back) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with Workspace.open(workspace) as opened:
        assert [(act.id, act.undoes) for act in acts(opened).acts] == [(2, 1), (1, None)]
    assert len(said) == 1
    assert "undone already" in said[0]


def test_what_was_forgotten_twice_at_once_is_forgotten_once(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="1"))
        with pytest.raises(InputError, match="There is no record 1"), Workspace.open(workspace) as other:
            forget(opened, "records", [1], sure=lambda *_: forget(other, "records", [1]).act is not None)
        assert [act.id for act in acts(opened).acts] == [1]


def test_a_value_given_while_records_are_lifted_is_kept(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="1"))
        with Workspace.open(workspace) as person:
            shape.edit_value(person, 1, "price", ("9",))
        lift(opened, item(price="1"))
        assert rows(opened) == [{"price": ["9"]}]


def test_changes_of_an_earlier_version_come_into_the_journal_by_their_time(tmp_path: Path) -> None:
    before = next(n for n, step in enumerate(MIGRATIONS) if any("renumbered" in each for each in step))
    with Workspace.create(tmp_path / "w") as made:
        lift(made, item(price="1"))
        mark(made, [Annotation(PAGE, "price", "1", "/html")])
        mark(made, [Annotation(PAGE, "price", "2", "/html")])
        undo(made, 2)
    with sqlite3.connect(tmp_path / "w" / "trailmark.db") as connection:
        for number, at in enumerate(("2026-01-01", "2026-01-03", "2026-01-05"), start=1):
            connection.execute("UPDATE acts SET at = ? WHERE id = ?", (at, number))
        edit = ValueEdit(PAGE, {"price": ("1",)}, "price", ("7",))
        for number, at, act, undone in (
            (1, "2026-01-02", RENAME.to_json(), 1),
            (2, "2026-01-04", edit.to_json(), 0),
        ):
            connection.execute("INSERT INTO record_acts VALUES (?, ?, ?, ?)", (number, at, json.dumps(act), undone))
        connection.execute("ALTER TABLE forgotten_records DROP COLUMN copies")
        connection.execute("ALTER TABLE fetches DROP COLUMN keywords")
        for later in (
            *("topic_moves", "tag_corrections", "updates", "group_acts", "bodies", "thing_acts", "thing_touches"),
            *("course_items", "courses", "course_corrections"),
        ):
            connection.execute(f"DROP TABLE {later}")
        connection.execute(f"PRAGMA user_version = {before}")
    connection.close()
    with Workspace.open(tmp_path / "w") as opened:
        listed = [(act.id, act.verb, act.undoes, act.undone_by) for act in acts(opened).acts[::-1]]
        assert listed == [
            (1, "mark", None, None),
            (2, "shape", None, 3),
            (3, "undo", 2, None),
            (4, "mark", None, 6),
            (5, "shape", None, None),
            (6, "undo", 4, None),
        ]
        assert [(act.id, act.undone) for act in shape.shape_acts(opened).acts] == [(2, True), (5, False)]
        undo(opened, 3)
        undo(opened, 5)
        assert rows(opened) == [{"cost": ["1"]}]
        undo(opened, 6)
        assert len(list(opened.database.annotations())) == 2


def test_the_journal_has_an_end_and_says_what_went(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        for number in range(6):
            mark(opened, [Annotation(PAGE, "price", str(number), "/html")])
        undo(opened, 6)
        with opened.database.transaction() as connection:
            drop_oldest(connection, most=3, least=1)
            drop_oldest(connection, most=3, least=1)
        report = acts(opened)
        assert [act.id for act in report.acts] == [7, 6, 5]
        assert report.dropped is not None
        assert str(report.dropped).startswith("4 earlier acts, until ")
        with pytest.raises(InputError, match="no act 4"):
            undo(opened, 4)
        with opened.database.transaction() as connection:
            drop_oldest(connection, rows=1, least=2)
        assert [act.id for act in acts(opened).acts] == [7, 6]
        assert acts(opened).dropped == DroppedActs(5, report.dropped.until)
        mark(opened, [Annotation(PAGE, "price", "9", "/html")])
        assert acts(opened).acts[0].id == 8
        assert len(list(opened.database.annotations())) == 6


def test_a_change_older_than_the_journal_is_taken_back_and_made_again(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="1"))
        shape.change_field(opened, RENAME)
        mark(opened, [Annotation(PAGE, "price", "1", "/html")])
        with opened.database.transaction() as connection:
            drop_oldest(connection, most=1, least=1)
        shape.undo(opened, 1)
        assert rows(opened) == [{"price": ["1"]}]
        undo(opened)
        assert rows(opened) == [{"cost": ["1"]}]
        shape.undo(opened, 1)
        shape.redo(opened, 1)
        assert rows(opened) == [{"cost": ["1"]}]


def test_a_pattern_that_never_ends_on_a_later_page_is_left_out_there(workspace: Path) -> None:
    """What pages say is their writers' choice: an expression that was through at once may never end on the next one."""
    endless = FieldStep("match", ("price",), pattern=r"^(\d+)+ EUR$")
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="12 EUR"))
        shape.change_field(opened, endless)
        assert rows(opened) == [{"price": ["12"]}]
        lift(opened, item(OTHER, price="1" * 40), url=OTHER)
        assert rows(opened) == [{"price": ["12"]}, {"price": ["1" * 40]}]
        shape.undo(opened, 1)
        shape.redo(opened, 1)
        assert rows(opened) == [{"price": ["12"]}, {"price": ["1" * 40]}]


@pytest.mark.slow
@pytest.mark.parametrize("what", ["shape.change_field(w, RENAME)", "shape.undo(w, 1)", "undo(w, 1)"])
def test_killed_between_the_change_and_what_it_shows_nothing_happened(workspace: Path, what: str) -> None:
    with Workspace.open(workspace) as opened:
        lift(opened, item(price="1"))
        if what != "shape.change_field(w, RENAME)":
            shape.change_field(opened, RENAME)
        before = rows(opened), acts(opened).acts, shape.shape_acts(opened).acts
    script = (
        "import os, signal, sys\n"
        "from tests.verbs.test_one_history import RENAME, Path, Workspace, shape, undo\n"
        "from trailmark.store.shaping_table import ShapingTable\n"
        "ShapingTable.show = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"with Workspace.open(Path(sys.argv[1])) as w: {what}\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(workspace)], check=False, cwd=ROOT)
    assert ended.returncode == -signal.SIGKILL
    with Workspace.open(workspace) as opened:
        assert (rows(opened), acts(opened).acts, shape.shape_acts(opened).acts) == before
