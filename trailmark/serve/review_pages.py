"""Check: what a walk found, to be looked through. One page and one key at a time, or as a list that is sorted, filtered and confirmed in place.

Without a filter the queue is the sample by which the share of right pages is measured, so that looking through it is measuring it.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.export.csv_file import harmless
from trailmark.serve.check_pages import ANSWERS
from trailmark.serve.curve import curve_in, ticks
from trailmark.serve.rendering import Sent, State, Whole, number_in, own_path, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_pages import signed
from trailmark.store.found_view import ORDERS
from trailmark.verbs.check import check_report
from trailmark.verbs.explain import judge_url
from trailmark.verbs.found import (
    BANDS,
    FoundQuestion,
    answer_found,
    band_harvest,
    every_found,
    found_pages,
    next_found,
    pages_for_records,
)
from trailmark.verbs.runs import find_run, runs
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["runs"])

SHOWN = 50
REASONS = 4
CURVE_POINTS = 300
COLUMNS = ("url", "title", "site", "goal", "chance", "band", "checked", "keywords")
BAND_WORDS = {"sure": "90 % and more", "likely": "50 to 90 %", "doubtful": "below 50 %"}
Chance = Annotated[float, Query(ge=0.0, le=1.0)]


@dataclass(frozen=True, slots=True)
class Filter:
    """What of a run is looked at."""

    run: int
    band: str = ""
    least: float = 0.0
    q: str = ""
    checked: str = ""
    order: str = "chance"

    def path(self, **changes: object) -> str:
        """The address of the same with some of it changed."""
        words = {name: getattr(self, name) for name in ("run", "band", "least", "q", "checked", "order")} | changes
        return f"/check?{urlencode({name: value for name, value in words.items() if value not in ('', 0, 0.0)})}"

    @property
    def narrow(self) -> bool:
        return bool(self.band or self.least or self.q)


@router.get("/check")
def review_page(
    request: Request,
    state: State,
    run: Whole | None = None,
    band: str = "",
    least: Chance = 0.0,
    q: str = "",
    checked: str = "",
    order: str = "chance",
    skip: Whole = 0,
    at: Whole = 0,
) -> Response:
    """What a run found, the latest that found something unless one is named."""
    with state.workspace() as workspace:
        every = [each for each in runs(workspace).runs if each.goals or each.unsure]
        number = run if run is not None else next((each.id for each in every), None)
        if number is None:
            return page(request, "check_nothing.html", title="Check")
        chosen, skip, at = Filter(number, band, least, q, checked, order), max(skip, 0), max(at, 0)
        report = found_pages(workspace, number, band=band, least=least, containing=q, checked=checked, order=order, most=SHOWN, skip=skip)  # fmt: skip
        question = next_found(workspace, number, band=band, least=least, containing=q, skip=at)
        shown = _shown(workspace, number)
        why = _why(state, workspace, question)
        many = len(pages_for_records(workspace))
    return page(
        request,
        "review.html",
        title="Check",
        runs=every,
        chosen=chosen,
        found=report,
        question=question,
        why=why,
        at=at,
        skip=skip,
        most=SHOWN,
        orders=list(ORDERS),
        bands=[(name, BAND_WORDS[name], report.bands[name]) for name in BANDS],
        for_records=many,
        snapshots=[signed(state, "/view/question", url=each.url) for each in report.pages],
        frame=signed(state, "/view/question", url=question.page.url) if question else "",
        **shown,
    )


@router.post("/check")
def answer(request: Request, state: State, form: Sent) -> Response:
    """One answer: right, wrong, or skip."""
    back, number = own_path(form["back"], "/check"), number_in(form["run"])
    if form["answer"] not in ANSWERS:
        return to(request, back, said="Press one of the buttons: yes, no, or skip.", wrong=True)
    try:
        with state.workspace() as workspace:
            answer_found(workspace, number, form["url"], ANSWERS[form["answer"]], state.pages.archives_and_seen)
    except TrailmarkError as error:
        return to(request, back, said=str(error), wrong=True)
    return to(request, own_path(form["skipped"], back) if form["answer"] == "skip" else back)


@router.get("/check/found.csv")
def found_csv(state: State, run: Whole) -> Response:
    """All pages that a run found, as a file."""
    text = StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    with state.workspace() as workspace:
        for each in every_found(workspace, run):
            checked = {None: "", True: "right", False: "wrong"}[each.checked]
            cells = (each.url, each.title, each.site, each.goal_name or each.label, f"{each.goal_probability:.4f}")
            rows.writerow([*(harmless(cell) for cell in cells), each.band, checked, harmless("; ".join(each.keywords))])
    headers = {"content-disposition": f'attachment; filename="run-{run}-found.csv"'}
    return Response(text.getvalue().encode("utf-8", "replace"), media_type="text/csv; charset=utf-8", headers=headers)


@api.get("/runs/{number}/found")
def found_json(
    state: State,
    number: Whole,
    band: str = "",
    least: Chance = 0.0,
    q: str = "",
    checked: str = "",
    order: str = "chance",
    skip: Whole = 0,
) -> Mapping[str, Any]:
    """One page of what a run found, with bands and what people said of each."""
    with state.workspace() as workspace:
        return found_pages(
            workspace, number, band=band, least=least, containing=q, checked=checked, order=order, most=1000, skip=max(skip, 0)
        ).to_json()  # fmt: skip


@api.get("/found")
def for_records_json(state: State) -> list[str]:
    """The pages that go on to records by default: called goals by a run or checked right, without those checked wrong."""
    with state.workspace() as workspace:
        return list(pages_for_records(workspace))


def _shown(workspace: Workspace, run: int) -> dict[str, Any]:
    """The measure and the curves of a run."""
    sums, curves = find_run(workspace, run), band_harvest(workspace, run)
    highest = max(points[-1][1] for points in curves.values())
    paths = {
        name: curve_in(points[:: max(1, len(points) // CURVE_POINTS)] + points[-1:], sums.pages, sums.pages, highest)
        for name, points in curves.items()
    }
    return {
        "sums": sums,
        "measure": check_report(workspace, run),
        "curves": list(reversed(paths.items())),
        "ticks": ticks(sums.pages, highest),
    }


def _why(state: AppState, workspace: Workspace, question: FoundQuestion | None) -> list[str]:
    """What speaks for a page, in a few phrases; none where no navigator was learnt, or the page is no longer at hand."""
    if question is None:
        return []
    try:
        asked = judge_url(
            workspace, question.page.url, state.pages.archives_and_seen, goal=question.page.goal_name or None
        )
    except TrailmarkError:
        return []
    return [part.phrase for part in asked.page.why if part.value > 0][:REASONS]
