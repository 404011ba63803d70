"""Things that records speak of, as organising, the store and the verbs pass them on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

How = Literal["hide", "together", "apart"]
"""What a person says of things. `together`: all are one, and the first is shown. `apart`: the first is another than each of the others.
`hide`: none is shown, nor what is one with them."""


@dataclass(frozen=True, slots=True)
class ThingName:
    """How an act names a thing."""

    key: str
    kind: str
    url: str
    alone: bool
    """Whether no other thing of its kind stood at its address."""


class ThingSource(NamedTuple):
    """A record that a thing was made of; a tuple, since there are as many as records."""

    record: int
    url: str
    thing: str
    """Key of the thing that it is by itself."""
    kind: str
    title: str
    found: str = ""
    """Key of the thing that it was found to be one with, its own where it is with none: what people say of it aside."""
