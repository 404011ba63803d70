"""The values of a field -> what they are: numbers, prices, dates, links or text, where nearly all of them are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Literal

from trailmark.shape.normal_form import currency_of, read_date, read_number

ColumnType = Literal["number", "price", "date", "link", "text"]
LOOKED_AT = 300
"""Values of a field that are looked at."""
NEARLY_ALL = 0.9
_LINK = re.compile(r"(?:https?://|mailto:|www\.)\S{3,2000}")
_BARE = re.compile(r"[\s\d.,'\u2019+\-\u2212%]{1,60}")


def column_type(values: Iterable[str]) -> ColumnType:
    """What nearly all of the values are; text where that is nothing else."""
    seen = list(islice(values, LOOKED_AT))
    for name, holds in _TYPES.items():
        if seen and sum(map(holds, seen)) >= NEARLY_ALL * len(seen):
            return name
    return "text"


def sort_number(text: str) -> float | None:
    """The number that a value is sorted by; None where it holds none, or several."""
    number = read_number(text)
    return float(number) if number is not None and len(number) < 40 else None


def _is_number(text: str) -> bool:
    return bool(_BARE.fullmatch(text)) and read_number(text) is not None


def _is_price(text: str) -> bool:
    return len(text) < 40 and bool(currency_of(text)) and read_number(text) is not None


def _is_date(text: str) -> bool:
    return len(text) < 60 and (read_date(text, order="dmy") or read_date(text, order="mdy")) is not None


_TYPES: dict[ColumnType, Callable[[str], bool]] = {
    "price": _is_price,
    "number": _is_number,
    "date": _is_date,
    "link": lambda text: bool(_LINK.fullmatch(text)),
}
