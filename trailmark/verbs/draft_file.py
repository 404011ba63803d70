"""Drafts of courses as files of a workspace, in its folder `drafts`; or anywhere else."""

from __future__ import annotations

import hashlib
import unicodedata
from pathlib import Path

from trailmark.course.draft.draft import LARGEST, Draft, draft_course, draft_plan, draft_text, parse_draft
from trailmark.course.package.content import Plan
from trailmark.course.package.file_name import LONGEST_STEM, file_stem
from trailmark.datatypes import Course
from trailmark.errors import InputError
from trailmark.store.course_table import read_courses
from trailmark.store.json_lines import written_whole
from trailmark.store.live_files import refuse_database
from trailmark.workspace import Workspace

FOLDER = "drafts"


def draft_folder(workspace: Workspace) -> Path:
    """Where a workspace has its drafts."""
    return workspace.folder / FOLDER


def draft_path(workspace: Workspace, title: str) -> Path:
    """The title of a draft -> the file that it has in the workspace; a digest tells titles apart that lose letters in a file's name."""
    stem = file_stem(title, "course")
    is_cut = len(stem) >= LONGEST_STEM - 1
    if is_cut or any(sign.isalnum() and not sign.isascii() for sign in unicodedata.normalize("NFKD", title)):
        stem += "-" + hashlib.sha256(title.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return draft_folder(workspace) / f"{stem}.json"


def draft_files(workspace: Workspace) -> list[Path]:
    """The drafts of a workspace, by name; those whose names are no text are left out."""
    found = sorted(draft_folder(workspace).glob("*.json"))
    return [file for file in found if file.name.encode("utf-8", "ignore").decode() == file.name]


def read_draft(file: str | Path) -> Draft:
    """A file -> the draft in it; InputError where it is none."""
    file = Path(file)
    refuse_database(file)
    try:
        with file.open("rb") as opened:
            body = opened.read(LARGEST + 1)
    except OSError as error:
        raise InputError(f"{file} can't be read ({error.strerror}): name the file of a draft.") from error
    if len(body) > LARGEST:
        raise InputError(f"{file} is larger than {LARGEST // 1_000_000} MB: no draft is.")
    try:
        return parse_draft(body.decode("utf-8-sig"), str(file))
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text: name the file of a draft, or save it as UTF-8.") from error


def write_draft(file: Path, draft: Draft) -> None:
    """Keep a draft in a file, whole or not at all."""
    if file.parent.name == FOLDER:
        file.parent.mkdir(exist_ok=True)
    if not file.parent.is_dir():
        raise InputError(f"There is no folder {file.parent} to write a draft to: make it first, or name another file.")
    with written_whole(file) as opened:
        opened.write(draft_text(draft).encode("utf-8", "replace"))


def planned_course(workspace: Workspace, draft: Draft) -> tuple[Course, Plan]:
    """A draft -> the course of the items that are in, and how it is taught."""
    ids = {item.course for week in draft.weeks for item in week.items if item.course}
    known = {course.id: course for course in read_courses(workspace.database, sorted(ids))}
    return draft_course(draft, known), draft_plan(draft, known)
