"""References that come later -> for each the group that it joins, or founds: only those are compared that share keys with it.

How it may differ from grouping everything anew: a newcomer never makes one of two groups, nor moves a reference that was there. `organise --again` groups anew.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from trailmark.organise.reference_candidates import MANY_KEYS
from trailmark.organise.reference_groups import imprint, join_group, keys_of
from trailmark.organise.reference_parts import ReferenceParts

Near = Callable[[Sequence[str], int], Mapping[int, Sequence[ReferenceParts]]]
"""Keys, and how many of them must be shared -> groups that were there before, with members, those that share the most first."""


def reference_keys(parts: ReferenceParts) -> list[str]:
    """All keys of a reference: those of `keys_of`, and one that is shared by what needs no comparison."""
    return [*dict.fromkeys(keys_of(parts)), f"={imprint(parts)!r}"]


def least_shared(keys: Sequence[str]) -> int:
    """How many keys two references must share to be compared, as where all are grouped."""
    return 2 if len(keys) > MANY_KEYS else 1


def join_groups(references: Mapping[int, ReferenceParts], near: Near) -> dict[int, int]:
    """Numbers of references with their parts, in the order in which they come -> the number of each one's group: its own where it founds one."""
    late = _Late()
    for number, parts in references.items():
        keys = reference_keys(parts)
        groups = {group: list(members) for group, members in near(keys, least_shared(keys)).items()}
        for group in late.sharing(keys):
            groups[group] = [*groups.get(group, ()), *late.members[group]]
        mine = _same(parts, groups)
        if mine is None:
            mine = join_group(parts, groups)
        late.add(number, parts, keys, number if mine is None else mine)
    return late.group


@dataclass(slots=True)
class _Late:
    """Newcomers so far."""

    group: dict[int, int] = field(default_factory=dict)
    members: dict[int, list[ReferenceParts]] = field(default_factory=lambda: defaultdict(list))
    holders: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, number: int, parts: ReferenceParts, keys: Sequence[str], group: int) -> None:
        self.group[number] = group
        self.members[group].append(parts)
        for key in keys:
            self.holders[key].append(number)

    def sharing(self, keys: Sequence[str]) -> list[int]:
        """Groups of newcomers that share keys enough."""
        shared = Counter(number for key in keys for number in self.holders.get(key, ()))
        least = least_shared(keys)
        return list(dict.fromkeys(self.group[number] for number, n in shared.items() if n >= least))


def _same(parts: ReferenceParts, groups: Mapping[int, Sequence[ReferenceParts]]) -> int | None:
    """The group with a member that is the same without a comparison."""
    own = imprint(parts)
    return next((number for number in sorted(groups) if any(imprint(each) == own for each in groups[number])), None)
