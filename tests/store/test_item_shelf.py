"""Permanent addresses: what a new crawl, a corrected title, another order and a merger do to them."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.store.full_text import refresh_index
from trailmark.store.item_addresses import page_address, titled_address
from trailmark.store.item_shelf import Shelf, read_shelf
from trailmark.store.organised import Organised, StoredItem, put_items
from trailmark.thing_datatypes import ThingSource

URLS = ("http://a.example/1", "http://a.example/2", "http://b.example/list", "http://b.example/")
Told = tuple[str, str, tuple[str, ...]]
"""Kind, title, sources."""


def stored(told: Told, number: int) -> StoredItem:
    kind, title, urls = told
    key = f"{number:016x}"
    return StoredItem(
        key,
        kind,
        title,
        "",
        None,
        urls[0],
        "",
        {},
        "",
        key,
        tuple(ThingSource(number * 10 + n, url, key, kind, title, key) for n, url in enumerate(urls)),
    )


def shelf_of(folder: Path, items: list[Told]) -> Shelf:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "organised.db").unlink(missing_ok=True)
    with Organised.open(folder) as organised:
        with organised.transaction() as connection:
            put_items(connection, [stored(each, number) for number, each in enumerate(items)])
            refresh_index(connection)
        return read_shelf(organised.connection)


def test_a_paper_alone_on_its_page_keeps_its_address_when_its_title_is_corrected(tmp_path: Path) -> None:
    before = shelf_of(tmp_path, [("paper", "On Enginse", (URLS[0],))])
    after = shelf_of(tmp_path, [("paper", "On Engines", (URLS[0],))])
    assert before.addresses == after.addresses == (page_address("paper", URLS[0]),)


def test_items_of_one_list_have_addresses_of_their_own_and_the_page_leads_to_all(tmp_path: Path) -> None:
    shelf = shelf_of(
        tmp_path, [("course", "Sea", (URLS[2],)), ("course", "Sky", (URLS[2],)), ("paper", "Sky", (URLS[2],))]
    )
    assert len(set(shelf.addresses)) == 3
    assert shelf.find(page_address("course", URLS[2])) == (0, 1)
    assert shelf.find(page_address("paper", URLS[2])) == (2,)


def test_when_others_come_onto_its_page_or_go_the_address_it_had_leads_on(tmp_path: Path) -> None:
    alone = shelf_of(tmp_path, [("course", "Sea", (URLS[2],))]).addresses[0]
    several = shelf_of(tmp_path, [("course", "Sea", (URLS[2],)), ("course", "Sky", (URLS[2],))])
    assert several.find(alone) == (0, 1)
    again = shelf_of(tmp_path, [("course", "Sea", (URLS[2],))])
    assert again.find(several.addresses[0]) == (0,)


def test_merged_items_answer_to_the_addresses_of_both(tmp_path: Path) -> None:
    apart = shelf_of(tmp_path, [("paper", "On Engines", (URLS[0],)), ("paper", "On engines", (URLS[1],))])
    merged = shelf_of(tmp_path, [("paper", "On Engines", (URLS[1], URLS[0]))])
    assert len(merged) == 1
    for address in apart.addresses:
        assert merged.find(address) == (0,)
    assert merged.addresses == (apart.addresses[0],)
    assert merged.find("0" * 12) == ()


def test_the_same_title_twice_on_a_page_has_two_addresses(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, [("course", "Sea", (URLS[2],)), ("course", "sea!", (URLS[2],))])
    assert len(set(shelf.addresses)) == 2
    assert shelf.addresses[0] == titled_address(page_address("course", URLS[2]), "Sea")


told = st.tuples(
    st.sampled_from(("paper", "course")),
    st.sampled_from(("Sea", "Sky", "Érd", "海", "\ud800", "")),
    st.lists(st.sampled_from(URLS), min_size=1, max_size=3, unique=True).map(tuple),
)


@settings(deadline=None, max_examples=40)
@given(items=st.lists(told, max_size=8, unique_by=lambda each: (each[0], each[1])), seed=st.integers(0, 9))
def test_addresses_depend_on_what_there_is_and_not_on_its_order(items: list[Told], seed: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        plain = [(kind, title.replace("\ud800", "x"), urls) for kind, title, urls in items]
        first = shelf_of(Path(name), plain)
        mixed = plain[:]
        random.Random(seed).shuffle(mixed)
        second = shelf_of(Path(name), [(kind, title, tuple(reversed(urls))) for kind, title, urls in mixed])
        one = {tuple(each[:2]): first.addresses[place] for place, each in enumerate(plain)}
        other = {tuple(each[:2]): second.addresses[place] for place, each in enumerate(mixed)}
        assert one == other
        assert len(set(first.addresses)) == len(plain)
        assert all(first.find(address) == (place,) for place, address in enumerate(first.addresses))
