"""All records: filter, search, sort, export; each value is one click from the place in the page it came from."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import InputError
from trailmark.serve.rendering import Sent, State, Whole, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_pages import signed
from trailmark.store.record_view import RecordView
from trailmark.verbs import export as records_export
from trailmark.wrap import MAKER

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/records", tags=["records"])

SHOWN = 50
COLUMNS = 8
KINDS_OF_FILE = {"csv": "text/csv; charset=utf-8", "json": "application/json", "jsonl": "application/jsonl"}


class Trial(NamedTuple):
    """What a dry run found: a sentence, and how much of the records would have each field."""

    summary: str
    fill: dict[str, float]
    borrowed: int
    everything: bool
    borrow: bool


@router.get("/records")
def records_page(
    request: Request, state: State, q: str = "", kind: str = "", by: str = "", skip: Whole = 0
) -> Response:
    """One page of the table."""
    with state.workspace() as workspace, workspace.database.snapshot():
        view = RecordView(workspace.database)
        count, rows = view.find(kind=kind or None, containing=q, by=by, most=SHOWN, skip=max(skip, 0))
        fields, kinds = view.fields(), view.kinds()
        has_rules = workspace.has_rules()
    return page(
        request,
        "records.html",
        title="Records",
        rows=rows,
        count=count,
        fields=fields,
        columns=list(fields)[:COLUMNS],
        kinds=kinds,
        q=q,
        kind=kind,
        by=by,
        skip=max(skip, 0),
        most=SHOWN,
        has_rules=has_rules,
        trial=_trial(state),
        working=[*state.jobs.active("wrap"), *state.jobs.active("extract")],
    )


@router.post("/records")
def lift(request: Request, state: State, form: Sent) -> Response:
    """Lift records off the pages that were found or chosen, or see how many there would be, in the background."""
    words = [*(["--all"] if form["all"] else []), *(["--borrow"] if form["borrow"] else [])]
    if form["do"] == "try":
        state.jobs.start("extract", *words, "--dry-run", title="Counting the rows it would give", back="/records")
    else:
        state.jobs.start("extract", *words, title="Lifting records", back="/records")
    return to(request, "/records")


def _trial(state: AppState) -> Trial | None:
    """What the last dry run found, unless records were lifted since."""
    job = next((job for job in state.jobs.all() if job.verb == "extract"), None)
    if job is None or job.state != "done" or "--dry-run" not in job.arguments:
        return None
    report = state.jobs.report(job.id)
    fill = report.get("fill")
    shares = {str(name): float(str(share)) for name, share in fill.items()} if isinstance(fill, dict) else {}
    borrowed = int(str(report.get("borrowed", 0)))
    return Trial(
        str(report.get("summary", "")), shares, borrowed, "--all" in job.arguments, "--borrow" in job.arguments
    )


@router.get("/records/place")
def place_page(request: Request, state: State, id: Whole = 0, field: str = "", n: Whole = 0) -> Response:  # noqa: A002
    """The page that a value came from, at the value."""
    record = _record(state, id)
    values, places = record["fields"].get(field, []), record["sources"].get(field, [])
    value = values[n] if 0 <= n < len(values) else ""
    focus = places[n] if 0 <= n < len(places) and places[n].startswith("/") else ""
    cluster = record["made_by"].removeprefix(MAKER) if record["made_by"].startswith(MAKER) else ""
    return page(
        request,
        "record_place.html",
        title="Where a value stands",
        record=record,
        field=field,
        value=value,
        place=places[n] if 0 <= n < len(places) else "",
        cluster=cluster,
        frame=signed(state, "/view/annotate", id=cluster, url=record["url"], focus=focus or "/*"),
    )


@router.get("/records/export.{form}")
def export(state: State, form: str, kind: str = "") -> Response:
    """All records as a file."""
    if form not in KINDS_OF_FILE:
        raise InputError(f"Records can be had as {', '.join(KINDS_OF_FILE)}; not as {form[:10]}.")
    with TemporaryDirectory() as folder, state.workspace() as workspace:
        file = Path(folder) / f"records.{form}"
        records_export.export(workspace, file, kind=kind or None)
        body = file.read_bytes()
    headers = {"content-disposition": f'attachment; filename="records.{form}"'}
    return Response(body, media_type=KINDS_OF_FILE[form], headers=headers)


@api.get("")
def records_json(state: State, q: str = "", kind: str = "", by: str = "", skip: Whole = 0) -> dict[str, Any]:
    """One page of the records with these letters in a value or the URL."""
    with state.workspace() as workspace:
        count, rows = RecordView(workspace.database).find(
            kind=kind or None, containing=q, by=by, most=1000, skip=max(skip, 0)
        )
    return {"count": count, "records": rows}


@api.get("/{number}")
def record_json(state: State, number: Whole) -> dict[str, Any]:
    """One record with where each value stood (`trailmark show URL --record`)."""
    return _record(state, number)


def _record(state: AppState, number: int) -> dict[str, Any]:
    with state.workspace() as workspace:
        stored = RecordView(workspace.database).get(number)
    if stored is None:
        raise InputError(f"There is no record {number}; it may have been lifted anew since.")
    return stored
