"""No page makes what is done with it take more than its share of time: twice the page, at most twice the time."""

from __future__ import annotations

import pytest

from tests.fuzz.fuzz_doubling import too_steep
from tests.fuzz.fuzz_files import FILES
from tests.fuzz.fuzz_pages import PAGES
from tests.fuzz.fuzz_work import WORK

FIRST, LAST = 128, 8_192
"""Sizes of the smallest and the largest page that are tried before a family is called quick."""


def steepness(work: str, family: str) -> str | None:
    prepare, measured = WORK[work]
    return too_steep(
        measured, lambda size: prepare(PAGES[family](size)), f"{work} on {family!r}", first=FIRST, last=LAST
    )


@pytest.mark.fuzz
@pytest.mark.parametrize("family", PAGES)
@pytest.mark.parametrize("work", WORK)
def test_work_doubles_with_the_page(work: str, family: str) -> None:
    assert steepness(work, family) is None


@pytest.mark.fuzz
@pytest.mark.parametrize("name", FILES)
def test_work_doubles_with_the_file(name: str) -> None:
    make, work = FILES[name]
    assert too_steep(work, make, name, first=FIRST, last=16 * LAST) is None
