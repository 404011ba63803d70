"""What is known of a field over time: whether its values stay, whether every page has it, what they look like.

Vertex (section IV-B) has a person say which attributes are constant and which are mandatory. Here both are learnt: a field is
mandatory where nearly all bellwethers have it, and constant where its values stayed over earlier visits; before there were
any, where it is not of a type that changes by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trailmark.monitor.bellwether import Golden
from trailmark.wrap.rules.value_type import fits, types_of

MANDATORY_SHARE = 0.9
TYPED_SHARE = 0.9
STAYED_SHARE = 0.8
SEEN_ENOUGH = 20
"""Values compared over all visits before they settle whether a field is constant."""
VARYING_TYPES = frozenset(("price", "date", "number"))
_LONGER = 4.0
"""A value is out of shape where it is this many times longer than the longest golden one, and half a line more."""
_HALF_LINE = 40


@dataclass(frozen=True, slots=True)
class FieldTrait:
    """How a field behaves."""

    name: str
    constant: bool = True
    mandatory: bool = True
    several: bool = False
    type: str = ""
    longest: int = 0
    """Characters of its longest golden value."""

    def is_shaped(self, value: str) -> bool:
        """Whether the value looks like the golden ones: of their type, and not of another order of length."""
        if self.type:
            return fits(self.type, value)
        return len(value) <= _LONGER * self.longest + _HALF_LINE


def traits_of(
    goldens: Sequence[Golden], *, seen: Mapping[str, tuple[int, int]] | None = None, varying: Sequence[str] = ()
) -> dict[str, FieldTrait]:
    """The traits of each field that any golden extraction has. `seen` has, from earlier visits, how many values stayed and how many were compared;
    fields in `varying` are known to change by themselves.
    """
    names = dict.fromkeys(name for golden in goldens for name in golden.fields)
    return {name: _trait(name, goldens, (seen or {}).get(name, (0, 0)), name in varying) for name in names}


def _trait(name: str, goldens: Sequence[Golden], seen: tuple[int, int], varying: bool) -> FieldTrait:
    fields = [golden.fields.get(name, ()) for golden in goldens]
    values = [value for field in fields for value in field]
    kind = _type(values)
    stayed, compared = seen
    lasting = stayed >= STAYED_SHARE * compared if compared >= SEEN_ENOUGH else kind not in VARYING_TYPES
    return FieldTrait(
        name,
        constant=lasting and not varying,
        mandatory=bool(fields) and sum(map(bool, fields)) >= MANDATORY_SHARE * len(fields),
        several=any(len(field) > 1 for field in fields),
        type=kind,
        longest=max(map(len, values), default=0),
    )


def _type(values: Sequence[str]) -> str:
    """The type of nearly all values, the most telling first; an empty string where they have none."""
    counts = Counter(name for value in values for name in types_of(value))
    common = [name for name in types_of(values[0]) if counts[name] >= TYPED_SHARE * len(values)] if values else []
    if not common:
        common = [name for name, count in counts.most_common() if count >= TYPED_SHARE * len(values)]
    return common[0] if common else ""
