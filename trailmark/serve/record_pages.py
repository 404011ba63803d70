"""All records: filter, search, sort, export; each value is one click from the place in the page it came from."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import InputError
from trailmark.export import FORMATS
from trailmark.serve.record_columns import NUMBERS, cells_of, columns_of, without_plain_forms
from trailmark.serve.rendering import TAGGED, Sent, State, Whole, document_place, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_pages import signed
from trailmark.shape.column_type import sort_number
from trailmark.shape.step_trial import StepTrial
from trailmark.store.record_view import Only, RecordView
from trailmark.verbs import export as records_export
from trailmark.verbs.curated import item_of_record
from trailmark.verbs.organised_record import organised_record
from trailmark.verbs.shape import shape_acts
from trailmark.verbs.show_record import rule_sentences
from trailmark.wrap import MAKER

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/records", tags=["records"])

SHOWN = 50
COLUMNS = 12
KINDS_OF_FILE = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "jsonl": "application/jsonl",
    "parquet": "application/vnd.apache.parquet",
    "sqlite": "application/vnd.sqlite3",
}
FILE_NAMES = {"csv": "CSV", "xlsx": "Excel", "json": "JSON", "parquet": "Parquet", "sqlite": "SQLite"}


class Trial(NamedTuple):
    """What a dry run found: a sentence, and how much of the records would have each field."""

    summary: str
    fill: dict[str, float]
    borrowed: int
    everything: bool
    borrow: bool


class Asked(NamedTuple):
    """Which records are shown."""

    q: str = ""
    kind: str = ""
    within: str = ""
    rows: Only = ""
    by: str = ""
    down: bool = False
    skip: int = 0


@router.get("/records")
def records_page(
    request: Request,
    state: State,
    q: str = "",
    kind: str = "",
    within: str = "",
    rows: Only = "",
    by: str = "",
    down: bool = False,
    skip: Whole = 0,
) -> Response:
    """One page of the table."""
    return table_page(request, state, Asked(q, kind, within, rows, by, down, max(skip, 0)))


def table_page(
    request: Request,
    state: AppState,
    asked: Asked,
    step_trial: StepTrial | None = None,
    sent: dict[str, Any] | None = None,
    wrong: str = "",
) -> Response:
    """The table, with what a change of a field would do where one is tried; `sent` are the words of its form."""
    with state.workspace() as workspace, workspace.database.snapshot():
        columns = columns_of(workspace, asked.kind or None)
        types = {column.name: column.type for column in columns}
        count, rows = RecordView(workspace.database).find(
            kind=asked.kind or None,
            containing=asked.q,
            within=asked.within,
            only=asked.rows,
            by=asked.by,
            down=asked.down,
            number=sort_number if types.get(asked.by) in NUMBERS else None,
            most=SHOWN,
            skip=asked.skip,
        )
        kinds, rules = RecordView(workspace.database).kinds(), rule_sentences(workspace)
        has_rules, acts = workspace.has_rules(), shape_acts(workspace).acts
    shown = without_plain_forms(columns, asked.within)[:COLUMNS]
    names = [column.name for column in shown]
    return page(
        request,
        "records.html",
        title="Records",
        rows=[(row, cells_of(row, names, rules)) for row in rows],
        count=count,
        columns=shown,
        more=[column.name for column in columns if column not in shown],
        fields=[column.name for column in columns],
        sparse=[column for column in columns if column.sparse],
        kinds=kinds,
        asked=asked,
        most=SHOWN,
        files=FILE_NAMES,
        acts=acts[::-1],
        step_trial=step_trial,
        sent=sent or {},
        wrong=wrong,
        has_rules=has_rules,
        trial=_trial(state),
        without_rules=_without_rules(state),
        data_set=state.settings.scale.records,
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
    summary, borrowed = str(report.get("summary", "")), int(str(report.get("borrowed", 0)))
    return Trial(summary, shares, borrowed, "--all" in job.arguments, "--borrow" in job.arguments)


def _without_rules(state: AppState) -> int:
    """Pages that were wanted and gave nothing the last time, because their groups have no rules."""
    job = next((job for job in state.jobs.all() if job.verb == "extract"), None)
    return int(str(state.jobs.report(job.id).get("without_rules", 0))) if job is not None and job.state == "done" else 0


@router.get("/records/place")
def place_page(request: Request, state: State, id: Whole = 0, field: str = "", n: Whole = 0) -> Response:  # noqa: A002
    """The page that a value came from, at the value; and a form to give another one."""
    record = _record(state, id)
    values, places = record["fields"].get(field, []), record["sources"].get(field, [])
    value = values[n] if 0 <= n < len(values) else ""
    focus = places[n] if 0 <= n < len(places) and places[n].startswith("/") else ""
    cluster = record["made_by"].removeprefix(MAKER) if record["made_by"].startswith(MAKER) else ""
    with state.workspace() as workspace:
        organised, item = organised_record(workspace, id), item_of_record(workspace, id)
    return page(
        request,
        "record_place.html",
        organised=organised,
        item=item,
        title="Where a value stands",
        record=record,
        field=field,
        value=value,
        values=values,
        place=places[n] if 0 <= n < len(places) else "",
        cluster=cluster,
        document=document_place(record, places[n] if 0 <= n < len(places) else "") if _is_tagged(record) else "",
        frame=""
        if _is_tagged(record)
        else signed(state, "/view/annotate", id=cluster, url=record["url"], focus=focus or "/*"),
    )


def _is_tagged(record: dict[str, Any]) -> bool:
    return bool(record["made_by"].startswith(TAGGED))


@router.get("/records/export.{form}")
def export(state: State, form: str, kind: str = "") -> Response:
    """All records as a file."""
    if form not in KINDS_OF_FILE or f".{form}" not in FORMATS:
        raise InputError(f"Records can be had as {', '.join(KINDS_OF_FILE)}; not as {form[:10]}.")
    with TemporaryDirectory() as folder, state.workspace() as workspace:
        file = Path(folder) / f"records.{form}"
        records_export.export(workspace, file, kind=kind or None)
        body = file.read_bytes()
    headers = {"content-disposition": f'attachment; filename="records.{form}"'}
    return Response(body, media_type=KINDS_OF_FILE[form], headers=headers)


@api.get("")
def records_json(
    state: State,
    q: str = "",
    kind: str = "",
    within: str = "",
    rows: Only = "",
    by: str = "",
    down: bool = False,
    skip: Whole = 0,
) -> dict[str, Any]:
    """One page of the records with these letters in a value or the URL."""
    with state.workspace() as workspace:
        count, records = RecordView(workspace.database).find(
            kind=kind or None,
            containing=q,
            within=within,
            only=rows,
            by=by,
            down=down,
            most=1000,
            skip=max(skip, 0),
        )
    return {"count": count, "records": records}


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
