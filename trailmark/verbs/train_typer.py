"""`course --train`: files of courses whose items were typed by hand -> a typer of the workspace's own, learnt beside generated courses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from trailmark.course.course_file import WrittenCourse, labelled, written_courses
from trailmark.course.course_report import TyperReport
from trailmark.course.item_typer import LabelledCourse, learnt_typer
from trailmark.course.page_item import ItemPage, item_page
from trailmark.course.typer_file import typer_to_bytes
from trailmark.errors import InputError
from trailmark.store.json_lines import written_whole
from trailmark.verbs.ready_typer import COURSES, FILE, generated_lessons
from trailmark.workspace import Workspace

BASE = "course typer learnt from"
"""Under which the workspace remembers it: corrections are learnt beside that."""


def train_typer(workspace: Workspace, files: Sequence[Path], archives: Sequence[Path] = ()) -> TyperReport:
    """Files of typed courses, and archives with their pages beside those of the workspace -> a typer in the workspace's models."""
    courses = [course for file in files for course in _written(file)]
    pages = _pages(workspace, courses, archives)
    lessons = [labelled(course, pages) for course in courses]
    body = typer_to_bytes(learnt_typer([*lessons, *generated_lessons()]))
    target = workspace.folder / "models" / FILE
    with written_whole(target) as file:
        file.write(body)
    base = {"files": [str(file.resolve()) for file in files], "archives": [str(each.resolve()) for each in archives]}
    workspace.database.set_meta(BASE, json.dumps(base))
    missing = sum(url not in pages for course in courses for url in course.pages)
    items = sum(len(course.items) for course in courses)
    return TyperReport(len(courses), items, missing, COURSES, str(target))


def base_lessons(workspace: Workspace, kept: str | None) -> list[LabelledCourse]:
    """What the workspace's own typer was learnt from, read again; InputError where that is not known, or gone."""
    base = json.loads(kept or "{}")
    again = "name the files again: trailmark course --train FILE"
    if not base.get("files"):
        raise InputError(f"It is not known which courses the workspace's typer was learnt from; {again}")
    try:
        courses = [course for file in base["files"] for course in _written(Path(file))]
    except InputError as error:
        raise InputError(
            f"What the workspace's typer was learnt from can't be read any more ({error}); {again}"
        ) from error
    archives = [path for each in base["archives"] if (path := Path(each)).exists()]
    pages = _pages(workspace, courses, archives)
    return [*(labelled(course, pages) for course in courses), *generated_lessons()]


def _written(file: Path) -> list[WrittenCourse]:
    try:
        return written_courses(file.read_text(encoding="utf-8-sig").split("\n"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} can't be read as UTF-8 text ({error}): name a file of typed courses.") from error


def _pages(workspace: Workspace, courses: Sequence[WrittenCourse], archives: Sequence[Path]) -> dict[str, ItemPage]:
    """Addresses of the courses' pages -> those that archives have."""
    pages = {}
    with workspace.replay(archives, all_known=True) as replay:
        for url in dict.fromkeys(url for course in courses for url in course.pages):
            response = replay.fetch_once(url)
            if response.status == 200 and response.body:
                page = item_page(response)
                pages[url] = (
                    page if page.url == url else ItemPage(url, page.title, page.items, page.frames, page.headings)
                )
    return pages
