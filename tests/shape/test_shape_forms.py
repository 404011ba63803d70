"""Values in their one form: what is read, what is left alone because it could be read in two ways, and laws."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.shape.column_type import column_type, sort_number
from trailmark.shape.normal_form import FORMS, normal_form, read_date, read_number, read_price


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234.50", "1234.50"),
        ("1.234,50", "1234.50"),
        ("1 234,5", "1234.5"),
        ("1'234", "1234"),
        ("1,234", "1234"),
        ("1.5", "1.5"),
        ("0,5", "0.5"),
        ("1,234,567", "1234567"),
        ("1.234.567", "1234567"),
        ("\u22123", "-3"),
        ("+7 %", "7"),
        ("27 pages", "27"),
        ("1 to 5", None),
        ("none", None),
        ("", None),
    ],
)
def test_numbers(text: str, number: str | None) -> None:
    assert read_number(text) == number


def test_who_writes_a_comma_before_the_fraction_says_so() -> None:
    assert read_number("1.234", decimal=",") == "1234"
    assert read_number("1,234", decimal=",") == "1.234"


@pytest.mark.parametrize(
    ("text", "price"),
    [("$1,234.50", "1234.50 USD"), ("12 EUR", "12 EUR"), ("€ 9,99", "9.99 EUR"), ("7", "7"), ("free", None)],
)
def test_prices(text: str, price: str | None) -> None:
    assert read_price(text) == price


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("12 March 2024", "2024-03-12"),
        ("March 12th, 2024", "2024-03-12"),
        ("Tuesday, 12 Mar 2024", "2024-03-12"),
        ("12. März 2024", "2024-03-12"),
        ("le 1er août 2023", "2023-08-01"),
        ("2024-03-12", "2024-03-12"),
        ("2024/3/12", "2024-03-12"),
        ("25/12/2003", "2003-12-25"),
        ("12/25/2003", "2003-12-25"),
        ("03/04/2003", None),
        ("March 2024", "2024-03"),
        ("3/2024", "2024-03"),
        ("2003", "2003"),
        ("30 February 2024", None),
        ("room 12", None),
        ("tomorrow", None),
    ],
)
def test_dates(text: str, day: str | None) -> None:
    assert read_date(text) == day


def test_the_order_of_a_date_is_said() -> None:
    assert read_date("03/04/2003", order="dmy") == "2003-04-03"
    assert read_date("03/04/2003", order="mdy") == "2003-03-04"


@given(st.dates(min_value=date(1000, 1, 1), max_value=date(2999, 12, 31)))
def test_a_day_comes_through_whatever_its_order(day: date) -> None:
    assert read_date(f"{day.day}/{day.month}/{day.year}", order="dmy") == day.isoformat()
    assert read_date(f"{day.month}/{day.day}/{day.year}", order="mdy") == day.isoformat()
    assert read_date(day.isoformat()) == day.isoformat()


@given(st.text(max_size=60), st.sampled_from(FORMS))
def test_a_form_is_final(text: str, form: str) -> None:
    once = normal_form(text, form)  # type: ignore[arg-type]
    assert once is None or normal_form(once, form) == once  # type: ignore[arg-type]


@given(st.integers(min_value=-(10**12), max_value=10**12))
def test_a_number_survives_its_thousands(number: int) -> None:
    assert read_number(f"{number:,}") == str(number)
    assert sort_number(f"{number:,}") == number


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["$1.50", "$2", "£3.00"], "price"),
        (["1", "2,000", "3.5"], "number"),
        (["2003", "1999"], "number"),
        (["1 May 2003", "2 June 2004"], "date"),
        (["http://a.example/x", "https://b.example/y"], "link"),
        (["$1.50", "call us", "soon"], "text"),
        ([], "text"),
    ],
)
def test_what_a_column_is(values: list[str], kind: str) -> None:
    assert column_type(values) == kind
