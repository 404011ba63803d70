"""What the log says of pages on the way: the first of a kind to everybody, the others to those who ask for all."""

from __future__ import annotations

import logging

import pytest

from trailmark.forage import remarks
from trailmark.forage.remarks import Remarks
from trailmark.forage.totals import MOST_PROBLEMS, Totals

SITE, OTHER = "http://a.test/", "http://b.test/"


def levels(caplog: pytest.LogCaptureFixture) -> list[int]:
    return [record.levelno for record in caplog.records]


def test_the_first_of_a_kind_on_a_site_is_told_the_others_are_details(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    told = Remarks()
    for site, what in ((SITE, "depth"), (SITE, "depth"), (SITE, "file type"), (OTHER, "depth"), (SITE, "depth")):
        told.tell(site, what, f"{site}x")
    assert levels(caplog) == [logging.INFO, logging.DEBUG, logging.INFO, logging.INFO, logging.DEBUG]
    assert caplog.messages[0] == "http://a.test/: depth (http://a.test/x)"


def test_what_is_remembered_is_bounded(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(remarks, "MOST_TOLD", 3)
    told = Remarks()
    for number in range(6):
        told.tell(SITE, f"reason {number}", SITE)
    assert levels(caplog) == [logging.INFO] * 3 + [logging.DEBUG] * 3


def test_a_page_that_could_not_be_judged_leaves_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    totals = Totals()
    for number in range(MOST_PROBLEMS + 5):
        try:
            raise ValueError(f"number {number}")
        except ValueError as error:
            totals.trouble(SITE, error)
    assert len(caplog.records) == len(totals.problems) == MOST_PROBLEMS
    assert "ValueError: number 0" in caplog.text
    assert "Traceback" in caplog.text
