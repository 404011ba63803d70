"""What people say of things, laid over the doubles that were found: its laws."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.organise.test_things import record
from trailmark.organise.thing import Thing, things_of
from trailmark.organise.thing_acts import KnownThings, ThingAct, one_of_each
from trailmark.thing_datatypes import How, ThingName

TITLES = ("Marking and sweeping of heaps", "Trains of thought in lazy languages", "Marking and sweeping of heaps")
RECORDS = [
    *(record(f"http://a.example/{n}.pdf", "paper", title=title, author="Ada Lovelace", date="1990") for n, title in enumerate(TITLES)),
    *(record("http://b.example/list", "course", title=title, code=f"C {title[-1]}") for title in ("Sea", "Sky", "Sun")),
]  # fmt: skip
THINGS = things_of(enumerate(RECORDS, start=1))
KNOWN = KnownThings((thing.key, thing.kind, thing.url) for thing in THINGS)
NAMES = [KNOWN.name(thing.key, thing.kind, thing.url) for thing in THINGS]
acts = st.lists(
    st.builds(
        ThingAct,
        st.sampled_from(("hide", "together", "apart")),
        st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True).map(tuple),
    ),
    max_size=5,
)


def members(thing: Thing) -> set[str]:
    return {source.thing for source in thing.sources}


def act(how: How, *places: int) -> ThingAct:
    return ThingAct(how, tuple(NAMES[place] for place in places))


@given(said=acts)
def test_nothing_is_lost_or_doubled_and_what_was_hidden_is_not_shown(said: list[ThingAct]) -> None:
    curated = one_of_each(THINGS, said)
    every = [*curated.shown, *curated.hidden]
    assert sorted(key for thing in every for key in members(thing)) == sorted(thing.key for thing in THINGS)
    assert len({thing.key for thing in every}) == len(every)
    hidden = {name.key for each in said if each.how == "hide" for name in each.names}
    assert not hidden & {key for thing in curated.shown for key in members(thing)}
    assert all(hidden & members(thing) for thing in curated.hidden)


@given(said=acts)
def test_the_last_act_holds(said: list[ThingAct]) -> None:
    curated = one_of_each(THINGS, said)
    groups = [members(thing) for thing in (*curated.shown, *curated.hidden)]
    last = [each for each in said if each.how != "hide"][-1:]
    for each in last:
        first, *others = (name.key for name in each.names)
        mine = next(group for group in groups if first in group)
        assert all((other in mine) == (each.how == "together") for other in others)


@given(said=acts)
def test_the_same_is_made_of_the_same_and_an_act_that_is_taken_back_never_was(said: list[ThingAct]) -> None:
    assert one_of_each(THINGS, said) == one_of_each(THINGS, list(said))
    assert one_of_each(THINGS, [*said, act("hide", 0)][:-1]) == one_of_each(THINGS, said)


def test_a_double_is_found_is_taken_apart_and_keeps_what_it_was_found_with() -> None:
    (first,) = (thing for thing in one_of_each(THINGS).shown if len(thing.sources) > 1)
    assert members(first) == {THINGS[0].key, THINGS[2].key}
    apart = one_of_each(THINGS, [act("apart", 2, 0)]).shown
    assert all(len(thing.sources) == 1 for thing in apart)
    assert {source.found for thing in apart for source in thing.sources if source.thing == THINGS[2].key} == {first.key}


def test_the_one_that_was_named_first_is_shown() -> None:
    merged = one_of_each(THINGS, [act("together", 4, 0, 2)]).shown
    (thing,) = (each for each in merged if len(each.sources) == 3)
    assert (thing.title, thing.sources[0].thing) == ("Sky", THINGS[4].key)
    later = one_of_each(THINGS, [act("together", 4, 0, 2), act("together", 0, 4)]).shown
    assert next(each for each in later if len(each.sources) == 3).title == TITLES[0]


def test_a_thing_is_known_again_by_its_address_where_it_was_alone() -> None:
    renamed = KnownThings([("new", "paper", "http://a.example/0.pdf")])
    assert NAMES[0].alone
    assert renamed.key(NAMES[0]) == "new"
    assert not NAMES[3].alone
    assert KnownThings([("new", "course", "http://b.example/list")]).key(NAMES[3]) is None
    two = KnownThings([("new", "paper", "http://a.example/0.pdf"), ("other", "paper", "http://a.example/0.pdf")])
    assert two.key(NAMES[0]) is None
    assert two.keys(ThingAct("apart", (NAMES[0], ThingName("new", "", "", alone=False)))) == ()
