"""Start a course: a title and a syllabus become a draft, week by week; what is in is ticked, and the package taken away."""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.course.draft.draft import KINDS, Draft, DraftItem
from trailmark.course.draft.syllabus import weeks_of
from trailmark.course.package.content import plain_title
from trailmark.errors import InputError, TrailmarkError
from trailmark.serve.jobs import Job
from trailmark.serve.rendering import Form, Sent, State, number_in, page, to
from trailmark.serve.state import AppState
from trailmark.store.json_lines import written_whole
from trailmark.verbs.draft_file import draft_files, draft_folder, draft_path, read_draft, write_draft
from trailmark.verbs.package import package
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,60}")
LISTED = 200


@router.get("/drafts")
def drafts_page(request: Request, state: State) -> Response:
    """The drafts, and a form that begins one."""
    with state.workspace() as workspace:
        files = draft_files(workspace)
        rows = [_row(file) for file in files[:LISTED]]
    return page(
        request, "drafts.html", title="Start a course", rows=rows, count=len(files), working=state.jobs.active("draft"), name="", syllabus="", wrong="",
    )  # fmt: skip


@router.post("/drafts")
def begin(request: Request, state: State, form: Sent) -> Response:
    """A draft is made in the background; what was typed stays where it can't be."""
    title, text = plain_title(form["title"]), form.raw("syllabus").replace("\r\n", "\n")
    try:
        with state.workspace() as workspace:
            return to(request, f"/drafts/{_begin(state, workspace, title, text).stem}")
    except TrailmarkError as error:
        return page(
            request, "drafts.html", code=400, title="Start a course", rows=[], count=0, working=(), name=title, syllabus=text, wrong=str(error)
        )  # fmt: skip


def _begin(state: AppState, workspace: Workspace, title: str, text: str) -> Path:
    if not title or title.startswith("-"):
        raise InputError("A course needs a title that does not begin with a dash.")
    weeks_of(text, "The syllabus")
    target = draft_path(workspace, title)
    if target.exists():
        raise InputError(f"There is a draft called {target.stem} already: open it, forget it, or choose another title.")
    syllabus = draft_folder(workspace) / f"{target.stem}.txt"
    syllabus.parent.mkdir(exist_ok=True)
    with written_whole(syllabus) as file:
        file.write(text.encode("utf-8", "replace"))
    words = ("--title", title, "--syllabus", str(syllabus))
    state.jobs.start("draft", *words, title=f"Starting “{title[:60]}”", back=f"/drafts/{target.stem}")
    return target


@router.get("/drafts/{name}")
def draft_page(request: Request, state: State, name: str) -> Response:
    """A draft with its weeks; while it is made, how far that is."""
    with state.workspace() as workspace:
        file = _file(workspace, name)
        jobs = [job for job in state.jobs.all() if job.verb == "draft" and job.back == f"/drafts/{name}"][:1]
        draft = read_draft(file) if file.is_file() else None
    if draft is None and not jobs:
        raise InputError("There is no such draft: load the page Start a course again.")
    return page(request, "draft.html", title="A draft", name=name, draft=draft, jobs=_shown(jobs, draft), kinds=KINDS)


def _shown(jobs: list[Job], draft: Draft | None) -> list[Job]:
    """The job that makes the draft, as long as it is not there."""
    return jobs if draft is None else [job for job in jobs if job.active]


@router.post("/drafts/{name}")
def change(request: Request, state: State, name: str, form: Sent) -> Response:
    """Keep what is ticked; add an item that a person names; or forget the draft."""
    here = f"/drafts/{name}"
    try:
        with state.workspace() as workspace:
            file = _file(workspace, name)
            if form["do"] == "forget":
                file.unlink(missing_ok=True)
                file.with_suffix(".txt").unlink(missing_ok=True)
                return to(request, "/drafts", said=f"The draft {name} is gone.")
            draft = read_draft(file).with_used(_ticked(form))
            if form["do"] == "add":
                draft = draft.with_item(number_in(form["week"]), _named(form))
            write_draft(file, draft)
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here, said=f"Kept: {draft.used} of its items are in.")


@router.get("/drafts/{name}/package/{form}")
def draft_package(request: Request, state: State, name: str, form: str) -> Response:
    """A draft as a package: what is ticked and was kept."""
    try:
        with state.workspace() as workspace, tempfile.TemporaryDirectory(prefix="trailmark-") as folder:
            report = package(workspace, folder, drafts=[_file(workspace, name)], form=form)
            if not report.packages:
                return to(
                    request, f"/drafts/{name}", said="None of its items is in: tick some, and keep them.", wrong=True
                )
            made = report.packages[0].file
            headers = {"content-disposition": f'attachment; filename="{made.name}"'}
            return Response(made.read_bytes(), media_type="application/zip", headers=headers)
    except TrailmarkError as error:
        return to(request, "/drafts", said=str(error), wrong=True)


def _file(workspace: Workspace, name: str) -> Path:
    """The file of a draft that is there, whatever its maker called it, or that is being made."""
    known = {file.stem: file for file in draft_files(workspace)}
    if name in known:
        return known[name]
    if not _NAME.fullmatch(name):
        raise InputError("There is no such draft: load the page Start a course again.")
    return draft_folder(workspace) / f"{name}.json"


def _ticked(form: Form) -> dict[int, set[int]]:
    """Boxes that were ticked, each named by its week and place -> places by week."""
    used: defaultdict[int, set[int]] = defaultdict(set)
    for word in form.all("use"):
        week, _, place = word.partition(".")
        used[number_in(week)].add(number_in(place))
    return dict(used)


def _named(form: Form) -> DraftItem:
    return DraftItem(form["type"], plain_title(form["title"]) or plain_title(form["url"]), form["url"], is_used=True)


def _row(file: Path) -> tuple[str, str, str]:
    """(Name, title, what there is to say) of a draft."""
    try:
        draft = read_draft(file)
    except TrailmarkError as error:
        return file.stem, file.stem, str(error)
    return file.stem, draft.title, f"{len(draft.weeks)} weeks, {draft.used} items in"
