"""Things hidden, made one and taken out: at once and after organising anew, over new crawls and corrected titles, undone, and by two at once."""

from __future__ import annotations

import threading
from functools import partial
from pathlib import Path

import pytest

from tests.organise.test_late_things import FIRST, LATER, NAMES, TITLES, told
from tests.organise.test_things import keep, record
from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.store.item_addresses import page_address
from trailmark.store.item_shelf import Shelf, read_shelf
from trailmark.store.organised import Organised
from trailmark.verbs.curate import hide, merge, split
from trailmark.verbs.curated import curated, item_of_record, items_to_curate
from trailmark.verbs.organise import move_item, organise
from trailmark.verbs.search import search
from trailmark.verbs.staleness import stale_things
from trailmark.verbs.undo import undo
from trailmark.workspace import Workspace, create

PDF = "http://a.example/{}.pdf"
OTHER = record("http://b.example/copy.pdf", "paper", title=TITLES[0], author=NAMES[0], date="1990")
"""The first paper once more, at another address."""
ALIKE = [
    record("http://c.example/list", "course", title=title, code=code, room="R1")
    for title, code in (("Ships", "S 1"), ("Ships and boats", "S 2"), ("Planes", "P 1"))
]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = create(tmp_path / "w")
    keep(made, [*FIRST, *LATER, *ALIKE])
    organise(made)
    return made


def shelf(workspace: Workspace) -> Shelf:
    with Organised.open(workspace.folder) as organised:
        return read_shelf(organised.connection)


def titles(workspace: Workspace) -> list[str]:
    return sorted(shelf(workspace).titles)


def key(workspace: Workspace, title: str) -> str:
    found = shelf(workspace)
    return found.keys[found.titles.index(title)]


def keep_again(workspace: Workspace, records: list[Record]) -> None:
    """As after a new crawl: all records are gone and come again."""
    with workspace.database.transaction() as connection:
        connection.execute("DELETE FROM records")
    keep(workspace, records)


def test_what_is_hidden_is_gone_at_once_and_stays_away(workspace: Workspace) -> None:
    everything = told(workspace)
    report = hide(workspace, key(workspace, TITLES[0]), "  the author \n asked ")
    assert (report.holds, report.what) == (True, f"Hid “{TITLES[0]}”.")
    assert TITLES[0] not in titles(workspace)
    assert not search(workspace, f'title:"{TITLES[0]}"').total
    cited = told(workspace)[1]
    assert all(row[5] is None or row[5] in shelf(workspace).keys for row in cited)
    assert not stale_things(workspace)
    at_once = told(workspace)
    assert organise(workspace).citations == "nothing"
    organise(workspace, again=True)
    after = told(workspace)
    assert [row[:2] for row in after[0]] == [row[:2] for row in at_once[0]]
    assert after[2] == at_once[2]
    (act,) = curated(workspace).acts
    assert (act.how, act.why, act.title, act.urls) == ("hide", "the author asked", TITLES[0], (PDF.format(0),))
    undo(workspace)
    assert stale_things(workspace)[0].renew == "trailmark organise"
    organise(workspace)
    assert told(workspace)[0] == everything[0]
    assert told(workspace)[2] == everything[2]
    assert curated(workspace).acts == ()


def test_a_hidden_thing_stays_hidden_over_a_new_crawl_a_corrected_title_and_a_copy_elsewhere(
    workspace: Workspace,
) -> None:
    hide(workspace, page_address("paper", PDF.format(0)))
    renamed = record(PDF.format(0), "paper", title=f"{TITLES[0]}, corrected", author=NAMES[0], date="1990")
    keep_again(workspace, [renamed, *FIRST[1:], *LATER, *ALIKE])
    organise(workspace)
    assert not [title for title in titles(workspace) if title.startswith(TITLES[0])]
    keep_again(workspace, [*FIRST, *LATER, *ALIKE])
    organise(workspace)
    keep(workspace, [OTHER])
    organise(workspace)
    assert TITLES[0] not in titles(workspace)
    undo(workspace)
    organise(workspace)
    assert titles(workspace).count(TITLES[0]) == 1


def test_what_was_lifted_anew_since_is_hidden_at_once_too(workspace: Workspace) -> None:
    with workspace.database.transaction() as connection:
        connection.execute("DELETE FROM records")
    keep(workspace, [*LATER, *ALIKE, *FIRST])
    assert hide(workspace, page_address("paper", PDF.format(2))).holds
    assert TITLES[2] not in titles(workspace)
    organise(workspace)
    assert TITLES[2] not in titles(workspace)
    with workspace.database.transaction() as connection:
        connection.execute("DELETE FROM records WHERE id > 3")
    hide(workspace, page_address("paper", PDF.format(3)))
    assert TITLES[3] not in titles(workspace)


def test_an_address_that_was_hidden_is_given_to_nobody_else(workspace: Workspace) -> None:
    before = shelf(workspace)
    place = before.titles.index("Ships and boats")
    address = before.addresses[place]
    hide(workspace, address)
    hide(workspace, key(workspace, "Planes"))
    after = shelf(workspace)
    assert set(after.hidden) == {address, before.addresses[before.titles.index("Planes")]}
    assert after.hidden[address].at
    assert after.find(address) == ()
    assert after.addresses[after.titles.index("Ships")] == before.addresses[before.titles.index("Ships")]


def test_things_are_made_one_and_the_old_address_leads_on(workspace: Workspace) -> None:
    before = shelf(workspace)
    first, second = before.titles.index("Ships and boats"), before.titles.index("Ships")
    assert not merge(workspace, before.keys[first], [before.keys[second]]).holds
    organise(workspace)
    after = shelf(workspace)
    assert (len(after), "Ships" in after.titles) == (len(before) - 1, False)
    place = after.titles.index("Ships and boats")
    assert after.addresses[place] == before.addresses[first]
    assert after.find(before.addresses[second]) == (place,)
    assert set(after.joined) == {before.addresses[second]}
    with Organised.open(workspace.folder) as organised:
        record_number = organised.connection.execute(
            "SELECT min(record) FROM sources WHERE key = ?", (after.keys[place],)
        ).fetchone()[0]
    item = item_of_record(workspace, record_number)
    assert item is not None
    assert [source.by_hand for source in item.sources] == [False, True]
    keep_again(workspace, [*LATER, *ALIKE, *FIRST])
    organise(workspace)
    assert "Ships" not in titles(workspace)
    undo(workspace)
    organise(workspace)
    assert shelf(workspace).known.keys() == before.known.keys()


def test_things_of_two_kinds_and_addresses_are_made_one(workspace: Workspace) -> None:
    before = shelf(workspace)
    paper, course = before.titles.index(TITLES[2]), before.titles.index("Planes")
    merge(workspace, before.keys[course], [before.keys[paper]])
    organise(workspace)
    after = shelf(workspace)
    place = after.titles.index("Planes")
    assert after.addresses[place] == before.addresses[course]
    assert after.find(before.addresses[paper]) == (place,)
    assert after.find(before.addresses[course]) == (place,)


def test_a_wrong_double_is_taken_apart_and_stays_so(workspace: Workspace) -> None:
    keep(workspace, [OTHER])
    organise(workspace)
    assert titles(workspace).count(TITLES[0]) == 1
    found = items_to_curate(workspace, f'title:"{TITLES[0]}"').items[0]
    assert {source.url for source in found.sources} == {PDF.format(0), OTHER.url}
    assert not any(source.by_hand for source in found.sources)
    assert items_to_curate(workspace).items[0].key == found.key
    address = shelf(workspace).addresses[shelf(workspace).places[found.key]]
    split(workspace, found.key, OTHER.url)
    organise(workspace)
    assert titles(workspace).count(TITLES[0]) == 2
    assert shelf(workspace).known.keys() >= {address, page_address("paper", OTHER.url)}
    organise(workspace, again=True)
    keep_again(workspace, [OTHER, *FIRST, *LATER, *ALIKE])
    organise(workspace)
    assert titles(workspace).count(TITLES[0]) == 2
    undo(workspace)
    organise(workspace)
    assert titles(workspace).count(TITLES[0]) == 1


def test_what_was_made_one_is_taken_apart_again_the_later_act_holds(workspace: Workspace) -> None:
    ships, planes = key(workspace, "Ships"), key(workspace, "Planes")
    merge(workspace, ships, [planes])
    organise(workspace)
    split(workspace, key(workspace, "Ships"), planes)
    organise(workspace)
    assert {"Ships", "Planes"} <= set(titles(workspace))
    undo(workspace)
    organise(workspace)
    assert "Planes" not in titles(workspace)


def test_a_move_is_known_again_after_its_title_was_corrected(workspace: Workspace) -> None:
    (workspace.folder / "topics.json").write_text(
        '{"name": "all", "children": [{"name": "heaps", "keywords": ["heaps"]}, {"name": "thought", "keywords": ["thought"]}]}'
    )
    organise(workspace)
    move_item(workspace, key(workspace, TITLES[0]), "all/thought")
    renamed = record(PDF.format(0), "paper", title="Marking of heaps and heaps of heaps", author=NAMES[0], date="1990")
    keep_again(workspace, [renamed, *FIRST[1:], *LATER, *ALIKE])
    organise(workspace)
    found = shelf(workspace)
    assert found.topics[found.titles.index("Marking of heaps and heaps of heaps")] == "all/thought"


def test_nonsense_is_a_sentence_and_nothing_is_kept(workspace: Workspace, tmp_path: Path) -> None:
    one = key(workspace, TITLES[0])
    acts = [
        partial(hide, workspace, "nothing"),
        partial(hide, workspace, ""),
        partial(merge, workspace, one, [one]),
        partial(merge, workspace, one, ["' OR 1=1 --"]),
        partial(split, workspace, one, "http://elsewhere.example/"),
        partial(split, workspace, one, PDF.format(0)),
    ]
    for act in acts:
        with pytest.raises(InputError):
            act()
    assert curated(workspace).acts == ()
    with create(tmp_path / "empty") as empty, pytest.raises(InputError, match="organised"):
        hide(empty, one)


def test_two_who_curate_and_one_who_organises_at_once_lose_nothing(workspace: Workspace) -> None:
    keys = [key(workspace, title) for title in (*TITLES[:3], "Planes")]
    wrong: list[BaseException] = []

    def work(mine: list[str]) -> None:
        try:
            with Workspace.open(workspace.folder) as own:
                for each in mine:
                    hide(own, each)
        except BaseException as error:  # noqa: BLE001 - told by the test
            wrong.append(error)

    def organise_too() -> None:
        try:
            with Workspace.open(workspace.folder) as own:
                for _ in range(3):
                    organise(own, again=True)
        except BaseException as error:  # noqa: BLE001 - told by the test
            wrong.append(error)

    threads = [
        threading.Thread(target=work, args=(keys[:2],)),
        threading.Thread(target=work, args=(keys[2:],)),
        threading.Thread(target=organise_too),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    organise(workspace)
    assert not {*TITLES[:3], "Planes"} & set(titles(workspace))
    assert len(curated(workspace).acts) == 4
    assert not stale_things(workspace)
