"""The data set of records that the settings name, beside those of the workspace: counts, one page of it, what was set aside. Nothing is changed there."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import InputError
from trailmark.serve.rendering import State, Whole, page
from trailmark.serve.state import AppState
from trailmark.verbs.data_sets import DataSetReport, data_set_page

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/data-set", tags=["records"])
SHOWN = 50


@router.get("/records/data-set")
def listed(request: Request, state: State, q: str = "", kind: str = "", skip: Whole = 0) -> Response:
    """One page of its records."""
    report = _report(state, q, kind, skip)
    return page(
        request, "data_set.html", title="Data set", report=report, q=q, kind=kind, skip=max(skip, 0), most=SHOWN
    )


@api.get("")
def listed_json(state: State, q: str = "", kind: str = "", skip: Whole = 0) -> dict[str, Any]:
    """One page of the records of the data set that `scale.records` names (`trailmark show --data-set`)."""
    return _report(state, q, kind, skip).to_json()


def _report(state: AppState, q: str, kind: str, skip: int) -> DataSetReport:
    named = state.settings.scale.records
    if not named:
        raise InputError("No data set is named: write its folder or address under [scale] records in trailmark.toml.")
    return data_set_page(named, kind=kind or None, containing=q, most=SHOWN, skip=max(skip, 0))
