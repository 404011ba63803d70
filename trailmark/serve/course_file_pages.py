"""A course as a file to take away: a package for a learning system, or the map of what it teaches."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.rendering import State, to
from trailmark.verbs.correct_course import find_course
from trailmark.verbs.map import map_courses
from trailmark.verbs.package import package

router = APIRouter(include_in_schema=False)
MAPS = {
    "html": "text/html; charset=utf-8",
    "svg": "image/svg+xml",
    "ttl": "text/turtle; charset=utf-8",
    "jsonld": "application/ld+json",
    "graphml": "application/graphml+xml",
}
"""Forms of a map, and what they are called on the way; all are saved, none is shown in the app."""


@router.get("/courses/{number}/package/{form}")
def package_file(request: Request, state: State, number: str, form: str) -> Response:
    """A course as a package."""
    try:
        with state.workspace() as workspace, tempfile.TemporaryDirectory(prefix="trailmark-") as folder:
            course = find_course(workspace, number)
            report = package(workspace, folder, courses=[course.id], form=form)
            if not report.packages:
                return to(request, f"/courses/{course.id}", said="None of its items can be packed.", wrong=True)
            file = report.packages[0].file
            return _saved(file.read_bytes(), file.name, "application/zip")
    except TrailmarkError as error:
        return to(request, "/courses", said=str(error), wrong=True)


@router.get("/courses/{number}/map/{form}")
def map_file(request: Request, state: State, number: str, form: str) -> Response:
    """The map of what a course teaches."""
    if form not in MAPS:
        return to(request, "/courses", said=f"A map has one of these forms: {', '.join(MAPS)}.", wrong=True)
    try:
        with state.workspace() as workspace, tempfile.TemporaryDirectory(prefix="trailmark-") as folder:
            course = find_course(workspace, number)
            file = Path(folder) / f"map-{course.id}.{form}"
            map_courses(workspace, file, courses=[course.id])
            return _saved(file.read_bytes(), file.name, MAPS[form])
    except TrailmarkError as error:
        return to(request, "/courses", said=str(error), wrong=True)


def _saved(body: bytes, name: str, kind: str) -> Response:
    return Response(body, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
