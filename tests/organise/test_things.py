"""Records as things, a draft of topics, the file of what was learnt, and the verb on a workspace."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import numpy as np
import pytest

from tests.organise.test_topics import ITEMS, SEA, TREE
from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.organise.thing import thing_key, things_of
from trailmark.organise.topic_draft import draft_topics
from trailmark.organise.topic_file import topic_model_bytes, topic_model_from_bytes
from trailmark.organise.topic_model import bootstrap
from trailmark.organise.topic_summary import confusions, strongest_words
from trailmark.organise.topic_tree import parse_topics, topics_json
from trailmark.store.organised import FILE, Organised
from trailmark.store.record_table import add_records
from trailmark.verbs.organise import move_item, organise, propose_topics
from trailmark.verbs.undo import undo
from trailmark.workspace import Workspace, create

TOPICS = '{"name": "all", "children": [{"name": "sea", "keywords": ["ship"]}, {"name": "sky", "keywords": ["plane"]}]}'


def record(url: str, kind: str = "item", **fields: str) -> Record:
    return Record(url, kind, {name: (value,) for name, value in fields.items()}, "rule:x")


def test_references_belong_to_the_paper_of_their_address() -> None:
    paper = record(
        "http://a.example/1.pdf",
        "paper",
        Title="On Engines",
        author="Ada Lovelace",
        date="June 1943",
        abstract="Wheels.",
    )
    cited = record("http://a.example/1.pdf", "reference", title="Sketch of an engine", date="1842")
    stray = record("http://a.example/2.pdf", "reference", title="Nobody's")
    (thing,) = things_of([(1, paper), (2, cited), (3, stray)])
    assert (thing.title, thing.authors, thing.year, thing.site) == ("On Engines", ("Ada Lovelace",), 1943, "a.example")
    assert thing.sources == ((1, "http://a.example/1.pdf", thing.key, "paper", "On Engines", thing.key),)
    assert [number for number, _ in thing.references] == [2]
    assert "Wheels." in thing.text
    assert "Sketch of an engine" in thing.text
    assert thing.item().ties == {"author": ("ada lovelace",)}


def test_a_key_stays_as_long_as_address_kind_and_title_do() -> None:
    one = thing_key("paper", "http://a.example/1", "On  Engines!")
    assert one == thing_key("paper", "http://a.example/1", "on engines")
    assert one != thing_key("course", "http://a.example/1", "on engines")
    assert len(thing_key("\udcff", "\x00", "")) == 16


def test_a_record_without_a_title_is_known_by_its_first_value_or_its_address() -> None:
    things = things_of(
        [(1, record("http://a.example/", price="$3", code="X1")), (2, Record("http://b.example/", "item", {}))]
    )
    assert [thing.title for thing in things] == ["$3", "http://b.example/"]


def test_a_draft_groups_items_and_can_be_read_as_topics() -> None:
    tree = draft_topics(ITEMS, 2)
    assert tree is not None
    assert parse_topics(topics_json(tree), "draft") == tree
    words = [{word for (word,) in topic.keywords} for topic in tree.topics[1:]]
    assert len(words) == 2
    assert sorted(each <= {*SEA, "ship"} for each in words) == [False, True]
    assert not words[0] & words[1]
    assert draft_topics(ITEMS[:3]) is None
    assert draft_topics([]) is None


def test_what_was_learnt_is_read_back_as_it_was_and_damage_is_said() -> None:
    model = bootstrap(TREE, ITEMS).model
    content = topic_model_bytes(model)
    assert content == topic_model_bytes(bootstrap(TREE, ITEMS).model)
    again = topic_model_from_bytes(content, TREE, "topics.npz")
    assert np.allclose(again.posterior(ITEMS), model.posterior(ITEMS), atol=1e-4)
    other = parse_topics('{"name": "x", "children": [{"name": "y", "keywords": ["z"]}]}', "t")
    for damaged, tree in ((b"", TREE), (content[:-30], TREE), (content, other)):
        with pytest.raises(InputError, match=r"topics\.npz .*organise --again"):
            topic_model_from_bytes(damaged, tree, "topics.npz")


def test_a_person_sees_strong_words_doubts_and_confusions() -> None:
    placed = bootstrap(TREE, ITEMS)
    sea, sky = strongest_words(placed)
    assert set(sea) & {"anchor", "harbour", "wave", "ship"}
    assert not set(sea) & set(sky)
    assert all(each.topic != each.other for each in confusions(placed))


def keep(workspace: Workspace, records: list[Record]) -> None:
    with workspace.database.transaction() as connection:
        add_records(connection, records, at="2026-01-01")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = create(tmp_path / "ws")
    keep(made, [record(f"http://a.example/{item.id}", title=item.id, body=item.text) for item in ITEMS])
    return made


def test_organising_again_does_nothing_new_and_a_new_record_is_placed_by_what_was_learnt(
    workspace: Workspace, tmp_path: Path
) -> None:
    file = tmp_path / "topics.json"
    file.write_text(TOPICS)
    first = organise(workspace, file)
    assert (first.items, first.new, first.learnt) == (60, 60, "anew")
    assert {topic.id: topic.items for topic in first.topics} == {"all/sea": 30, "all/sky": 30}
    assert organise(workspace).learnt == "nothing"
    keep(workspace, [record("http://a.example/late", title="late", body="anchor wave sail harbour")])
    later = organise(workspace)
    assert (later.new, later.changed, later.learnt) == (1, 0, "added")
    with Organised.open(workspace.folder) as organised:
        row = organised.connection.execute("SELECT topic FROM items WHERE title = 'late'").fetchone()
    assert row == ("all/sea",)


def test_the_least_sure_are_told_first(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "topics.json").write_text(TOPICS)
    organise(workspace, tmp_path / "topics.json")
    with Organised.open(workspace.folder) as organised, organised.transaction() as connection:
        connection.execute("UPDATE items SET topic_chance = 0.4 WHERE title = 'sea2'")
        connection.execute("UPDATE items SET topic_chance = 0.6 WHERE title = 'sea1'")
        connection.execute("UPDATE items SET topic_chance = 0.9 WHERE title = 'sea3'")
    assert [item.title for item in organise(workspace).doubtful][:2] == ["sea2", "sea1"]
    assert "sea3" not in [item.title for item in organise(workspace).doubtful]


def test_a_move_is_kept_learnt_from_and_can_be_undone(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "topics.json").write_text(TOPICS)
    organise(workspace, tmp_path / "topics.json")
    key = thing_key("item", "http://a.example/sea1", "sea1")
    move_item(workspace, key, "sky")
    moved = organise(workspace)
    assert moved.learnt == "anew"
    assert _topic(workspace, key) == ("all/sky", 1.0)
    assert "Moved 'sea1' to all/sky" in workspace.acts.acts()[0].what
    undo(workspace)
    organise(workspace)
    assert _topic(workspace, key)[0] == "all/sea"
    with pytest.raises(InputError, match="no topic at the end of a branch"):
        move_item(workspace, key, "all")
    with pytest.raises(InputError, match="no thing 'nothing'"):
        move_item(workspace, "nothing", "sky")
    move_item(workspace, key, "")
    organise(workspace)
    assert _topic(workspace, key) == (None, 1.0)


def _topic(workspace: Workspace, key: str) -> tuple[str | None, float]:
    with Organised.open(workspace.folder) as organised:
        row = organised.connection.execute("SELECT topic, topic_chance FROM items WHERE key = ?", (key,)).fetchone()
    return row[0], row[1]


def test_what_is_gone_from_the_records_is_gone_from_the_things(workspace: Workspace) -> None:
    assert organise(workspace).learnt == "none"
    with workspace.database.transaction() as connection:
        connection.execute("DELETE FROM records WHERE url = 'http://a.example/sea1'")
    report = organise(workspace)
    assert (report.items, report.gone, report.new) == (59, 1, 0)


def test_a_file_of_another_form_or_no_database_is_made_anew_or_said(workspace: Workspace) -> None:
    organise(workspace)
    file = workspace.folder / FILE
    with sqlite3.connect(file) as connection:
        connection.execute("PRAGMA user_version = 99")
    assert Organised.open_to_read(workspace.folder) is None
    assert organise(workspace).new == 60
    for path in workspace.folder.glob(f"{FILE}*"):
        path.unlink()
    file.write_bytes(b"not a database at all, " * 100)
    with pytest.raises(InputError, match="delete it and run: trailmark organise"):
        organise(workspace)


def test_without_records_the_sentence_says_what_to_do(tmp_path: Path) -> None:
    empty = create(tmp_path / "ws")
    with pytest.raises(InputError, match="trailmark extract"):
        organise(empty)
    with pytest.raises(InputError, match="trailmark extract"):
        propose_topics(empty)


@pytest.mark.parametrize("again", [False, True])
def test_when_all_records_are_gone_nothing_of_them_stays(tmp_path: Path, again: bool) -> None:
    workspace, topics = create(tmp_path / "ws"), tmp_path / "topics.json"
    topics.write_text(TOPICS)
    paper = record("http://a.example/1", "paper", title="A ship at sea", author="Ada Lovelace")
    cited = record(
        "http://a.example/1", "reference", text="J. Tanner. A plane in the sky. 1990.", title="A plane in the sky"
    )
    keep(workspace, [paper, cited, record("http://a.example/2", title="A plane in the sky")])
    assert organise(workspace, topics).items == 2
    with workspace.database.transaction() as connection:
        connection.execute("DELETE FROM records")
    report = organise(workspace, again=again)
    assert (report.items, report.gone, report.references, report.learnt) == (0, 2, 0, "nothing")
    with Organised.open(workspace.folder) as organised:
        for table in ("items", "sources", "citations", "ranks", "marks", "item_facts", "changed_items"):
            assert organised.connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone() == (0,)
    with pytest.raises(InputError, match="no records to organise"):
        organise(workspace)
    keep(workspace, [paper])
    assert (organise(workspace).new, organise(workspace).learnt) == (1, "nothing")


@pytest.mark.parametrize(("things", "wished"), [(9, 12), (6, 200), (30, 12), (7, None)])
def test_a_draft_has_fewer_topics_than_wished_for_where_there_are_few_things(things: int, wished: int | None) -> None:
    tree = draft_topics([*ITEMS[: things // 2], *ITEMS[-(things - things // 2) :]], wished)
    assert tree is not None
    assert 2 <= len(tree.leaves) <= things // 3


def test_too_few_things_for_a_draft_are_counted(tmp_path: Path) -> None:
    workspace = create(tmp_path / "ws")
    keep(workspace, [record(f"http://a.example/{n}", title=f"Ship {n}") for n in range(5)])
    with pytest.raises(InputError, match="3 records each, and here are 5 records"):
        propose_topics(workspace, 12)


def test_a_wrong_topics_file_leaves_the_one_that_was_kept(workspace: Workspace, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(TOPICS)
    bad.write_text('{"name": "all", "children": [{"name": "sea"}]}')
    organise(workspace, good)
    with pytest.raises(InputError, match=r"bad\.json, line 1: 'sea' has no keywords"):
        organise(workspace, bad)
    assert json.loads((workspace.folder / "topics.json").read_text()) == json.loads(TOPICS)
    assert organise(workspace).learnt == "nothing"
