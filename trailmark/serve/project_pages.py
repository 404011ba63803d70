"""The projects of the app: all workspaces of the folder that it was started on, with how each stands; open one, or make one."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.rendering import Sent, State, page, to
from trailmark.verbs.pipeline import Stage, pipeline

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class ProjectRow:
    """A project as a row of the table."""

    name: str
    stages: tuple[Stage, ...]
    working: int
    trouble: str = ""
    """Why it can't be opened, where it can't."""

    @property
    def done(self) -> int:
        return sum(stage.state == "done" for stage in self.stages)

    @property
    def next(self) -> str:
        return next((stage.name.capitalize() for stage in self.stages if stage.state == "next"), "")


@router.get("/projects")
def projects_page(request: Request, state: State) -> Response:
    """All projects; of one workspace alone there is nothing to choose."""
    projects = request.app.state.projects
    if projects.alone:
        return to(request, "/")
    rows = [_row(request, name) for name in projects.names()]
    return page(request, "projects.html", title="Projects", rows=rows, here=state.project, folder=projects.folder)


@router.post("/projects")
def change(request: Request, state: State, form: Sent) -> Response:
    """Go to a project, or make a new one and go there."""
    projects, name = request.app.state.projects, form["name"]
    try:
        chosen = projects.make(name) if form["do"] == "make" else projects.choose(name)
    except TrailmarkError as error:
        return to(request, "/projects", said=str(error), wrong=True)
    answer = to(request, "/")
    if chosen:
        options = state.options
        answer.set_cookie(options.project_cookie, chosen, httponly=True, samesite="lax", secure=options.secure)
    return answer


def _row(request: Request, name: str) -> ProjectRow:
    try:
        state = request.app.state.projects.state(name)
        with state.workspace() as workspace:
            return ProjectRow(name, pipeline(workspace).stages, len(state.jobs.active()))
    except TrailmarkError as error:  # one that is damaged does not hide the others
        return ProjectRow(name, (), 0, str(error))
