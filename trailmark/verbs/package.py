"""`package`: courses of the workspace, with what was archived of them -> files that a learning system loads.

1. The courses are chosen. 2. For each, what may be copied is copied and all else is linked to. 3. The files get their manifest and are
zipped, the same bytes for the same course. 4. What was written is checked as a package of any other maker would be, and against
schemas where there are some.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from trailmark.course.draft.draft import Draft
from trailmark.course.package.content import Content, package_content, why_counts
from trailmark.course.package.file_name import file_stem
from trailmark.course.package.manifest import FORMATS, SUFFIXES, Format, package_files
from trailmark.course.package.metadata import course_title
from trailmark.course.package.package_check import CheckedPackage, Fault, checked_package, manifest_of
from trailmark.course.package.schema_check import schema_check
from trailmark.course.package.zip_file import write_zip
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.report import Report
from trailmark.store.json_lines import written_whole
from trailmark.verbs.archived_pages import archived_finder, chosen_courses
from trailmark.verbs.draft_file import planned_course, read_draft
from trailmark.workspace import Workspace

MOST_SCHEMAS, MOST_SCHEMA_BYTES = 500, 5_000_000


@dataclass(frozen=True, slots=True)
class WrittenPackage(Report):
    """A package that was written."""

    course: str
    title: str
    file: Path
    items: int
    copies: int
    """Items that the package has a copy of; the others are links."""
    types: Mapping[str, int]
    left_out: int
    """Items that lead to no address of the web, or are more than a package takes."""
    bytes: int
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class PackageReport(Report):
    """What `package --json` prints."""

    folder: Path
    format: str
    packages: tuple[WrittenPackage, ...]
    why_linked: Mapping[str, int]
    """How many items are links, by the reason."""
    empty: tuple[str, ...]
    """Ids of courses without an item of the types that packages hold, and titles of drafts without an item that is in: none was written."""

    @property
    def faults(self) -> int:
        """What is wrong with the packages that were written, counted."""
        return sum(len(each.faults) for each in self.packages)


@dataclass(frozen=True, slots=True)
class CheckedFile(Report):
    """A package that was looked at."""

    file: Path
    form: str
    items: int
    files: int
    bytes: int
    faults: tuple[Fault, ...]
    unchecked: tuple[str, ...] = ()
    """Namespaces of its manifest that no usable schema was there for; empty where no schemas were named."""


@dataclass(frozen=True, slots=True)
class PackageCheckReport(Report):
    """What `package --check --json` prints."""

    packages: tuple[CheckedFile, ...] = field(default=())

    @property
    def faults(self) -> int:
        """What is wrong with them, counted."""
        return sum(len(each.faults) for each in self.packages)


def package(
    workspace: Workspace,
    folder: str | Path,
    *,
    courses: Sequence[str] = (),
    drafts: Sequence[str | Path] = (),
    form: str = "scorm12",
    schemas: str | Path | None = None,
    progress: Progress = silent,
) -> PackageReport:
    """The workspace's courses, or those of these ids or addresses and these drafts, -> one package each in a folder."""
    wanted = _form(form)
    known = _schemas(Path(schemas)) if schemas is not None else {}
    drafted = [planned_course(workspace, draft) for draft in _drafts(drafts)]
    chosen = [(course, None) for course in chosen_courses(workspace, courses)] if courses or not drafts else []
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    packages: list[WrittenPackage] = []
    contents: list[Content] = []
    empty: list[str] = []
    with workspace.replay(all_known=True) as replay:
        find = archived_finder(workspace, replay)
        for course, plan in progress([*chosen, *drafted], "packing courses"):
            content = package_content(course, find, workspace.settings.package, plan)
            if not content.lessons:
                empty.append(course.id if plan is None else course.title)
                continue
            packages.append(_written(content, wanted, folder, workspace, known))
            contents.append(content)
    return PackageReport(folder, wanted, tuple(packages), why_counts(contents), tuple(empty))


def check_packages(
    files: Sequence[str | Path], *, schemas: str | Path | None = None, progress: Progress = silent
) -> PackageCheckReport:
    """Packages of any maker -> what is wrong with each."""
    known = _schemas(Path(schemas)) if schemas is not None else {}
    return PackageCheckReport(tuple(_checked(Path(file), known) for file in progress(files, "checking packages")))


def _drafts(files: Sequence[str | Path]) -> list[Draft]:
    """Files -> their drafts, each file once; InputError where two have one title, and their packages would have one name."""
    found: dict[str, tuple[str, Draft]] = {}
    for file in dict.fromkeys(map(str, files)):
        draft = read_draft(file)
        other, _ = found.setdefault(draft.title, (file, draft))
        if other != file:
            raise InputError(f"{other} and {file} have one title: change that of one, or pack them into two folders.")
    return [draft for _, draft in found.values()]


def _form(form: str) -> Format:
    for each in FORMATS:
        if each == form:
            return each
    raise InputError(f"'{form}' is no format of packages; choose one of {', '.join(FORMATS)}.")


def _written(
    content: Content, form: Format, folder: Path, workspace: Workspace, schemas: Mapping[str, bytes]
) -> WrittenPackage:
    course = content.course
    stem = file_stem(f"{course.number or course.title} {course.term}", "course")
    file = folder / f"{stem}-{course.id}{SUFFIXES[form]}"
    packed = io.BytesIO()
    write_zip(package_files(content, form, workspace.settings.package), packed)
    with written_whole(file) as opened:
        opened.write(packed.getvalue())
    checked = _checked(file, schemas)
    kinds = Counter(lesson.item.kind for lesson in content.lessons)
    copies = sum(1 for lesson in content.lessons if lesson.copy)
    return WrittenPackage(
        course.id,
        course_title(content),
        file,
        len(content.lessons),
        copies,
        dict(kinds),
        content.left_out,
        packed.tell(),
        checked.faults,
    )


def _checked(file: Path, schemas: Mapping[str, bytes]) -> CheckedFile:
    with file.open("rb") as opened:
        found: CheckedPackage = checked_package(opened)
        manifest = manifest_of(opened) if schemas else None
    told = schema_check(manifest, schemas) if manifest is not None else None
    faults = (*found.faults, *(told.faults if told else ()))
    return CheckedFile(file, found.form, found.items, found.files, found.bytes, faults, told.unchecked if told else ())


def _schemas(folder: Path) -> dict[str, bytes]:
    """Schema files of a folder by their paths."""
    files = sorted(folder.rglob("*.xsd"))[:MOST_SCHEMAS] if folder.is_dir() else []
    found = {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in files
        if file.stat().st_size <= MOST_SCHEMA_BYTES
    }
    if not found:
        raise InputError(f"{folder} holds no schemas: name a folder with the .xsd files of the package's format.")
    return found
