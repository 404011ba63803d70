"""Changes of fields and of single values: what they do, that they hold when pages are lifted again, that they can be taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.test_extract_run import SITE, items, learnt, write  # noqa: F401 - the fixture
from tests.extract.test_extract_run import folder as folder  # the fixture
from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.shape import FieldStep, Shaper, ValueEdit
from trailmark.shape.field_step import checked, step_from_json
from trailmark.shape.step_trial import try_step
from trailmark.shape.time_limit import check_time
from trailmark.verbs.extract import extract
from trailmark.verbs.shape import change_field, edit_value, redo, shape_acts, try_change, undo
from trailmark.workspace import Workspace

PAGE = "http://a.example/"


def record(**fields: str | tuple[str, ...]) -> Record:
    values = {name: (text,) if isinstance(text, str) else text for name, text in fields.items()}
    places = {name: tuple(f"/{name}[{n}]" for n, _ in enumerate(texts)) for name, texts in values.items()}
    return Record(PAGE, "item", values, "rule:a/1", places, tuple(n for n in values if n == "odd"))


def after(step: FieldStep, **fields: str | tuple[str, ...]) -> dict[str, list[str]]:
    return {name: list(values) for name, values in checked(step)(record(**fields)).fields.items()}


def test_what_steps_do() -> None:
    assert after(FieldStep("rename", ("a",), ("b",)), a="1", c="2") == {"b": ["1"], "c": ["2"]}
    assert after(FieldStep("split", ("a",), ("b", "c"), ", "), a="Last, First, Jr") == {
        "b": ["Last"],
        "c": ["First, Jr"],
    }
    assert after(FieldStep("split", ("a",), (), ";"), a="x; y;;z") == {"a": ["x", "y", "z"]}
    assert after(FieldStep("join", ("b", "a"), ("c",), " "), a="1", b="2") == {"c": ["2 1"]}
    assert after(FieldStep("join", ("b", "a"), ("c",), " "), a="1") == {"c": ["1"]}
    assert after(FieldStep("match", ("a",), pattern=r"\d{4}"), a=("in 2003", "never")) == {"a": ["2003"]}
    assert after(FieldStep("match", ("a",), pattern=r"by (\w+)"), a="by Ada L.") == {"a": ["Ada"]}
    assert after(FieldStep("replace", ("a",), pattern=r"(\d+) USD", put=r"$\1"), a="5 USD") == {"a": ["$5"]}
    assert after(FieldStep("type", ("a",), form="price"), a=("$1,000", "free")) == {"a": ["1000 USD", "free"]}
    assert after(FieldStep("rename", ("x",), ("b",)), a="1") == {"a": ["1"]}


def test_places_and_doubts_go_along() -> None:
    changed = FieldStep("rename", ("odd",), ("even",))(record(odd="1"))
    assert (changed.sources, changed.unsure) == ({"even": ("/odd[0]",)}, ("even",))
    parts = FieldStep("split", ("odd",), (), ",")(record(odd="1,2"))
    assert parts.sources == {"odd": ("/odd[0]", "/odd[0]")}


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (FieldStep("rename", ("a",)), "what the field is to be called"),
        (FieldStep("rename", (), ("b",)), "Name the field"),
        (FieldStep("split", ("a",)), "which sign"),
        (FieldStep("join", ("a",), ("b",)), "two fields"),
        (FieldStep("match", ("a",), pattern="("), "no regular expression"),
        (FieldStep("match", ("a",), pattern="x" * 301), "up to 300"),
        (FieldStep("type", ("a",), form="colour"), "no form"),  # type: ignore[arg-type]
        (FieldStep("paint", ("a",)), "can't be changed by"),  # type: ignore[arg-type]
        (FieldStep("split", ("a",), ("b", "b"), ","), "each once"),
        (FieldStep("rename", ("a",), ("b\u202ec",)), "letters that can be seen"),
    ],
)
def test_what_can_not_be_done_is_said(step: FieldStep, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        checked(step)


names = st.sampled_from(["a", "b", "c", "odd"])
steps = st.one_of(
    st.builds(lambda a, b: FieldStep("rename", (a,), (b,)), names, st.sampled_from(["x", "y"])),
    st.builds(lambda a, sign: FieldStep("split", (a,), ("p", "q"), sign), names, st.sampled_from([",", " "])),
    st.builds(lambda a, sign: FieldStep("split", (a,), (), sign), names, st.sampled_from([",", " "])),
    st.builds(lambda: FieldStep("join", ("a", "b"), ("j",), "-")),
    st.builds(lambda a, form: FieldStep("type", (a,), form=form), names, st.sampled_from(["number", "date", "text"])),
)
records = st.dictionaries(names, st.lists(st.text(max_size=12).filter(str.strip), min_size=1, max_size=3).map(tuple))


@given(st.lists(steps, max_size=4), records)
def test_no_step_leaves_an_empty_value_or_an_unnamed_field(acts: list[FieldStep], fields: dict[str, Any]) -> None:
    shaper = Shaper(acts)
    (shaped,) = shaper([record(**fields)])
    assert all(values and all(value.strip() for value in values) for values in shaped.shown.fields.values())
    assert set(shaped.shown.fields) <= set(shaper.names(fields))
    assert all(
        len(shaped.shown.sources.get(name, values)) == len(values) for name, values in shaped.shown.fields.items()
    )
    assert all(step_from_json(json.loads(json.dumps(act.to_json()))) == act for act in acts)


def test_an_edit_finds_its_record_when_the_page_is_lifted_again() -> None:
    rows = [record(title="One", year="1"), record(title="Two", year="2"), record(title="Three", year="3")]
    edit = ValueEdit(PAGE, rows[1].fields, "year", ("1998",))
    moved = [rows[2], record(title="New", year="9"), record(title="Two", year="two"), rows[0]]
    shown = [shaped.shown.fields["year"] for shaped in Shaper([edit])(moved)]
    assert shown == [("3",), ("9",), ("1998",), ("1",)]
    gone = [rows[0], rows[2]]
    assert [shaped.edited for shaped in Shaper([edit])(gone)] == [(), ()]
    alone = Shaper([edit])([record(title="Zwei", year="2")])
    assert alone[0].shown.fields["year"] == ("1998",)  # a page with one record


def test_an_edit_is_sure_and_follows_a_later_rename() -> None:
    acts: list[FieldStep | ValueEdit] = [
        ValueEdit(PAGE, {"odd": ("1",)}, "odd", ("2",)),
        FieldStep("rename", ("odd",), ("even",)),
    ]
    (shaped,) = Shaper(acts)([record(odd="1")])
    assert (shaped.shown.fields, shaped.shown.unsure, shaped.edited) == ({"even": ("2",)}, (), ("even",))
    assert shaped.lifted.fields == {"odd": ("1",)}


def test_a_trial_counts_what_it_would_do() -> None:
    rows = [record(a="$1"), record(a="free"), record(b="1")]
    trial = try_step(FieldStep("type", ("a",), form="price"), rows)
    assert (trial.records, trial.changed, trial.unread, trial.emptied) == (2, 1, 1, 0)
    assert "1 of 2 records change" in trial.summary
    trial = try_step(FieldStep("match", ("a",), pattern=r"\d"), rows)
    assert (trial.emptied, [row.after for row in trial.rows]) == (1, [(("a", ("1",)),), (("a", ()),)])


@pytest.mark.slow
def test_a_pattern_that_never_ends_is_refused() -> None:
    step = FieldStep("match", ("a",), pattern=r"(a+)+$")
    with pytest.raises(InputError, match="takes too long"):
        check_time(step, ["a" * 40 + "!"], seconds=1)
    check_time(step, ["aaa"])


# --- in a workspace ----------------------------------------------------------------------------------------------


def prices(workspace: Workspace, field: str = "price") -> list[str]:
    return [value for row in workspace.database.records() for value in row.fields.get(field, ())]


@pytest.mark.slow
def test_changes_hold_when_pages_are_lifted_again_and_can_be_taken_back(folder: Path, tmp_path: Path) -> None:
    archive = write(tmp_path / "b.warc.gz", items(range(4)))
    with Workspace.open(folder) as workspace:
        extract(workspace, [archive], jobs=1)
        assert prices(workspace) == ["$0.50", "$1.50", "$2.50", "$3.50"]
        change_field(workspace, FieldStep("type", ("price",), form="price"))
        number = next(n for n in range(1, 9) if _field(workspace, n, "price") == "2.50 USD")
        edit_value(workspace, number, "price", ("9 EUR",))
        change_field(workspace, FieldStep("rename", ("price",), ("cost",)))
        expected = ["0.50 USD", "1.50 USD", "9 EUR", "3.50 USD"]
        assert prices(workspace, "cost") == expected
        report = extract(workspace, [archive], jobs=1, again=True, out=tmp_path / "o.csv")
        assert prices(workspace, "cost") == expected
        assert (report.fields["cost"], report.fill["cost"], "price" in report.fields) == (4, 1.0, False)
        assert "url,kind,title,cost,made_by" in (tmp_path / "o.csv").read_text()
        edit = next(act for act in shape_acts(workspace).acts if act.is_edit)
        undo(workspace, edit.id)
        assert prices(workspace, "cost")[2] == "2.50 USD"
        redo(workspace, edit.id)
        assert prices(workspace, "cost") == expected
        for act in shape_acts(workspace).acts:
            undo(workspace, act.id)
        assert prices(workspace) == ["$0.50", "$1.50", "$2.50", "$3.50"]
        rows = workspace.database.connection.execute("SELECT COUNT(*) FROM records WHERE lifted IS NOT NULL")
        assert rows.fetchone()[0] == 0


def _field(workspace: Workspace, number: int, field: str) -> str:
    from trailmark.store.record_view import RecordView

    row = RecordView(workspace.database).get(number)
    return "; ".join(row["fields"].get(field, ())) if row else ""


@pytest.mark.slow
def test_on_the_command_line(folder: Path, tmp_path: Path, trailmark: Any) -> None:
    archive = write(tmp_path / "b.warc.gz", items(range(4)))
    assert trailmark("-w", folder, "extract", "--archive", archive).code == 0
    tried = trailmark("-w", folder, "shape", "price", "--type", "price", "--try")
    assert "4 of 4 records change. Nothing was changed." in " ".join(tried.out.split())
    with Workspace.open(folder) as workspace:
        assert prices(workspace)[0] == "$0.50"
    assert "It is change 1" in trailmark("-w", folder, "shape", "price", "--type", "price").out
    report = trailmark("-w", folder, "shape", "title", "--split", " number ", "--into", "word", "--into", "n", "--json")
    assert [act["id"] for act in report.report["acts"]] == [1, 2]
    again = trailmark("-w", folder, "extract", "--archive", archive, "--again", "--out", tmp_path / "o.csv")
    assert again.code == 0
    assert (tmp_path / "o.csv").read_text().splitlines()[1] == f"{SITE}0,item,Thing,0,0.50 USD,rule:shop.example/1,"
    assert "taken back" in trailmark("-w", folder, "shape", "--undo", "1").out
    for words, sentence in (
        (("colour", "--rename", "x"), "No record has a field 'colour'"),
        (("price", "--rename", "n"), "There is a field 'n' already"),
        (("price",), "name a field and one of"),
        (("--undo", "77"), "There is no change 77"),
        (("price", "--match", "("), "no regular expression"),
        (("price", "n", "--rename", "x"), "only --join"),
    ):
        ended = trailmark("-w", folder, "shape", *words)
        assert (ended.code, sentence in ended.err) == (2, True), ended.err


@pytest.mark.slow
def test_a_change_is_tried_before_it_is_made(folder: Path, tmp_path: Path) -> None:
    archive = write(tmp_path / "b.warc.gz", items(range(3)))
    with Workspace.open(folder) as workspace:
        extract(workspace, [archive], jobs=1)
        trial = try_change(workspace, FieldStep("match", ("price",), pattern=r"\d+"))
        assert [dict(row.after)["price"] for row in trial.rows] == [("0",), ("1",), ("2",)]
        assert shape_acts(workspace).acts == ()
        with pytest.raises(InputError, match="no record 999"):
            edit_value(workspace, 999, "price", ("x",))
        with pytest.raises(InputError, match="No record has a field 'x'"):
            edit_value(workspace, 1, "x", ("x",))
