"""A value as a page writes it -> its one form, so that values can be sorted and reckoned with; None where it is something else.

    number   1,234.50 and 1.234,50 and 1 234.5   ->  1234.50, 1234.50, 1234.5
    price    $1,234.50 and 12 EUR                ->  1234.50 USD, 12 EUR
    date     12 March 2024 and March 2024        ->  2024-03-12, 2024-03

What can be read in two ways (03/04/2024) is read only where it is said how.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Literal

Form = Literal["number", "price", "date", "text"]
FORMS: tuple[Form, ...] = ("number", "price", "date", "text")
Order = Literal["", "dmy", "mdy"]
"""Whether the day or the month comes first in 03/04/2024; "" where nobody said."""

LONGEST = 2000
_NUMBER = re.compile(r"[+\-\u2212]?\d(?:[\d.,'\u2019\u00a0\u202f ]{0,40}\d)?")
_GROUPED = re.compile(r"['\u2019\u00a0\u202f ]")
_CODE = re.compile(r"\b[A-Z]{3}\b")
_PARTS = re.compile(r"[^\W\d_]{2,12}|\d{1,4}")

SIGNS = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₽": "RUB", "₩": "KRW", "zł": "PLN", "Fr.": "CHF"}
_CODES = "USD EUR GBP JPY INR RUB KRW PLN CHF CAD AUD NZD SEK NOK DKK CZK HUF CNY BRL MXN ZAR TRY"
CODES = frozenset(_CODES.split())

_MONTHS = (
    "january jan januar janvier enero gennaio",
    "february feb februar fevrier febrero febbraio",
    "march mar marz mars marzo",
    "april apr avril abril aprile",
    "may mai mayo maggio",
    "june jun juni juin junio giugno",
    "july jul juli juillet julio luglio",
    "august aug aout agosto",
    "september sep sept septembre septiembre settembre",
    "october oct oktober okt octobre octubre ottobre",
    "november nov novembre noviembre",
    "december dec dezember dez decembre diciembre dicembre",
)
MONTHS = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names.split()}
_AROUND_DATES = """the of de del der den di on am le el st nd rd th er mon tue wed thu fri sat sun monday tuesday wednesday thursday friday
    saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche"""
_DATE_WORDS = frozenset(_AROUND_DATES.split())


def normal_form(text: str, form: Form, *, order: Order = "", decimal: str = "") -> str | None:
    """A value -> its one form; None where it is no such thing, or can be read in two ways."""
    readers: dict[Form, Callable[[], str | None]] = {
        "number": lambda: read_number(text, decimal=decimal),
        "price": lambda: read_price(text, decimal=decimal),
        "date": lambda: read_date(text, order=order),
        "text": lambda: unicodedata.normalize("NFC", " ".join(text.split())),
    }
    return readers[form]() if len(text) <= LONGEST else None


def read_number(text: str, *, decimal: str = "") -> str | None:
    """The only number in a text; `decimal` says which sign stands before the fraction, where it could be either."""
    numbers = _NUMBER.findall(text)
    return _plain(numbers[0], decimal) if len(numbers) == 1 else None


def read_price(text: str, *, decimal: str = "") -> str | None:
    """The only number in a text, with the code of its currency where one is named."""
    number = read_number(text, decimal=decimal)
    currency = currency_of(text)
    return f"{number} {currency}".rstrip() if number is not None else None


def currency_of(text: str) -> str:
    """The currency that a text names; empty where it is none."""
    code = next((code for code in _CODE.findall(text) if code in CODES), "")
    return code or next((code for sign, code in SIGNS.items() if sign in text), "")


def _plain(number: str, decimal: str) -> str | None:
    """Digits with a point before the fraction."""
    bare = _GROUPED.sub("", number).replace("\u2212", "-").removeprefix("+")
    fraction = _fraction_sign(bare, decimal)
    groups = bare.replace("," if fraction == "." else ".", "")
    plain = (
        groups.replace(",", ".") if fraction == "," else groups if fraction else bare.replace(",", "").replace(".", "")
    )
    return plain if plain.count(".") <= 1 else None


def _fraction_sign(bare: str, decimal: str) -> str:
    """The sign before the fraction; empty where there is none: of two kinds the last, of one kind that comes once unless it parts thousands."""
    points, commas = bare.count("."), bare.count(",")
    if points and commas:
        last = max(".,", key=bare.rfind)
        return last if bare.count(last) == 1 else ""
    sign = "." if points else "," if commas else ""
    if not sign or points + commas > 1:
        return ""
    thousands = len(bare) - bare.rfind(sign) == 4
    return sign if not thousands or sign == (decimal or ".") else ""


def read_date(text: str, *, order: Order = "") -> str | None:
    """A day, a month of a year, or a year, as ISO 8601 writes it."""
    words = _PARTS.findall(_bare_letters(text))
    names = [MONTHS[word] for word in words if word in MONTHS]
    numbers = [int(word) for word in words if word.isdigit()]
    others = [word for word in words if not word.isdigit() and word not in MONTHS and word not in _DATE_WORDS]
    if others or len(names) > 1 or not numbers or len(numbers) > 3:
        return None
    return _named_month(names[0], numbers) if names else _only_numbers(numbers, order)


def _bare_letters(text: str) -> str:
    """Small letters without accents."""
    spread = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in spread if not unicodedata.combining(letter))


def _named_month(month: int, numbers: list[int]) -> str | None:
    years = [number for number in numbers if number > 31]
    days = [number for number in numbers if number <= 31]
    if len(years) != 1 or len(days) > 1:
        return None
    return _written(years[0], month, days[0]) if days else f"{years[0]:04d}-{month:02d}"


def _only_numbers(numbers: list[int], order: Order) -> str | None:
    if len(numbers) == 1:
        return f"{numbers[0]:04d}" if 1000 <= numbers[0] <= 2999 else None
    if len(numbers) == 2:
        month, year = numbers if numbers[1] > 31 else reversed(numbers)
        return f"{year:04d}-{month:02d}" if 1 <= month <= 12 and year >= 1000 else None
    first, second, third = numbers
    if first > 31:
        return _written(first, second, third)
    if third < 1000:
        return None
    if first > 12 or (second <= 12 and order == "dmy"):
        return _written(third, second, first)
    return _written(third, first, second) if second > 12 or order == "mdy" or first == second else None


def _written(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None
