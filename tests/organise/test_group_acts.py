"""What a person says of groups holds, however they are found."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise.group_acts import (
    GroupAct,
    _known,
    _Said,
    apply_acts,
    merge_groups,
    not_the_same,
    split_off,
    taken_back,
)

NAMES = ["a", "b", "c", "d", "e", "f"]


def sets(groups: Sequence[int], names: Sequence[str] = NAMES) -> set[frozenset[str]]:
    return {
        frozenset(name for name, group in zip(names, groups, strict=True) if group == number) for number in set(groups)
    }


acts = st.lists(
    st.builds(
        GroupAct,
        st.sampled_from(["together", "apart"]),
        st.lists(st.sampled_from([*NAMES, "gone"]), min_size=2, max_size=4, unique=True).map(tuple),
    ),
    max_size=5,
)
groupings = st.lists(st.integers(0, 3), min_size=6, max_size=6)


def test_groups_that_are_merged_are_one_and_a_reference_that_is_split_off_is_alone() -> None:
    groups = [0, 0, 2, 2, 4, 5]
    assert apply_acts(NAMES, groups, [merge_groups(["a", "b"], ["c", "d"])]) == [0, 0, 0, 0, 4, 5]
    assert apply_acts(NAMES, [0] * 6, [split_off("a", NAMES)]) == [0, 1, 1, 1, 1, 1]
    assert apply_acts(NAMES, groups, [not_the_same("a", "b")]) == [0, 1, 2, 2, 4, 5]


def test_a_member_that_came_later_stays_with_those_who_stay() -> None:
    assert sets(apply_acts(NAMES, [0] * 6, [split_off("a", ["a", "b"])])) == {frozenset("a"), frozenset("bcdef")}


def test_a_member_of_whom_nothing_was_said_goes_with_the_likest() -> None:
    def likeness(one: int, other: int) -> float:
        return 1.0 if {one, other} in ({1, 2}, {0, 3}) else 0.1

    result = sets(apply_acts(NAMES[:4], [0] * 4, [not_the_same("a", "b")], likeness), NAMES[:4])
    assert result == {frozenset("ad"), frozenset("bc")}


def test_the_later_of_two_acts_that_contradict_each_other_holds() -> None:
    one, two = merge_groups(["a"], ["b"]), not_the_same("a", "b")
    assert apply_acts(NAMES, list(range(6)), [one, two])[:2] == [0, 1]
    assert apply_acts(NAMES, list(range(6)), [two, one])[:2] == [0, 0]


def test_taking_one_out_of_a_merged_group_leaves_the_rest_merged() -> None:
    merge = merge_groups(["a", "b"], ["c", "d"])
    result = sets(apply_acts(NAMES, [0, 0, 2, 2, 4, 5], [merge, split_off("a", ["a", "b", "c", "d"])]))
    assert frozenset("a") in result
    assert frozenset("bcd") in result


@given(groupings, acts)
def test_all_that_holds_is_kept_however_the_groups_were_found(groups: list[int], said: list[GroupAct]) -> None:
    result = apply_acts(NAMES, groups, said)
    place_of = {name: place for place, name in enumerate(NAMES)}
    holds = _Said.of([_known(act, place_of) for act in said])
    for one in range(6):
        for other in range(6):
            if holds.root(one) == holds.root(other):
                assert result[one] == result[other]
            if holds.root(other) in holds.foes.get(holds.root(one), ()):
                assert result[one] != result[other]


@given(groupings, acts)
def test_the_last_act_always_holds(groups: list[int], said: list[GroupAct]) -> None:
    if not said or "gone" in said[-1].references:
        return
    result = dict(zip(NAMES, apply_acts(NAMES, groups, said), strict=True))
    first, *rest = said[-1].references
    for other in rest:
        assert (result[first] == result[other]) == (said[-1].kind == "together")


@given(groupings, acts)
def test_acts_applied_again_change_nothing(groups: list[int], said: list[GroupAct]) -> None:
    once = apply_acts(NAMES, groups, said)
    assert apply_acts(NAMES, once, said) == once


@given(groupings, acts)
def test_what_no_act_names_stays_as_it_was(groups: list[int], said: list[GroupAct]) -> None:
    named = {name for act in said for name in act.references}
    untouched = {group for group in sets(groups) if not group & named}
    assert untouched <= sets(apply_acts(NAMES, groups, said))
    assert sets(apply_acts(NAMES, groups, [])) == sets(groups)


@given(groupings, acts, st.integers(0, 4))
def test_an_act_that_is_taken_back_is_as_if_it_had_never_been(
    groups: list[int], said: list[GroupAct], place: int
) -> None:
    rest = taken_back(said, place)
    assert len(rest) == len(said) - (place < len(said))
    assert taken_back([*said, GroupAct("together", ("a", "b"))], len(said)) == tuple(said)
    assert apply_acts(NAMES, groups, rest) == apply_acts(NAMES, groups, list(rest))


@given(groupings, acts)
def test_a_group_is_numbered_by_the_place_of_its_first_member(groups: list[int], said: list[GroupAct]) -> None:
    result = apply_acts(NAMES, groups, said)
    assert all(result.index(group) == group for group in result)
