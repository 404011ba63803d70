"""Types of the items of course pages (Intinno, section 3.1.2), with keyword rules beside what is learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.course.course_file import WrittenCourse, item_key, labelled, written_courses
from trailmark.course.item_typer import LabelledCourse, learnt_typer
from trailmark.course.keyword_rule import RULES
from trailmark.course.page_item import ItemPage, item_page
from trailmark.course.typer_file import typer_from_bytes
from trailmark.datatypes import OTHER
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.store.archive import read_archive
from trailmark.store.benchmark_web import LIST_NAME, read_webs
from trailmark.verbs.ready_typer import ready_typer

OURS, READY = "ours", "ships"
"""What is learnt of the other courses; and the typer that comes with Trailmark, which no typed course taught."""
Typing = Callable[[LabelledCourse], list[list[str]]]
"""A course -> the type of every item of every page."""


@dataclass(frozen=True, slots=True)
class Course:
    """A course of a file, with its pages."""

    file: str
    written: WrittenCourse
    labelled: LabelledCourse
    missing: int
    """Pages that no archive holds."""


def evaluate_courses(
    folder: Path,
    *,
    webs: Path | None = None,
    train: Sequence[str] = (),
    test: Sequence[str] = (),
    progress: Progress = silent,
) -> dict[str, Any]:
    """Scores by test file: rules and what was learnt, from `train` or else from the courses of all other webs."""
    files = {file.name: file for file in sorted(folder.glob("*.jsonl"))}
    if not files:
        raise InputError(f"{folder} holds no .jsonl file with courses: give the folder of typed courses.")
    for name in (*train, *test):
        if name not in files:
            raise InputError(f"{folder} has no file {name}: choose of {', '.join(files)}.")
    tests = test or tuple(name for name in files if name not in train) or tuple(files)
    teachers = train or (tuple(name for name in files if name not in tests) if test else ()) or tuple(files)
    wanted = {name: read_written(files[name]) for name in dict.fromkeys((*teachers, *tests))}
    pages = _pages(
        [course for courses in wanted.values() for course in courses], webs or folder.parent / "webs", progress
    )
    courses = [_course(name, each, pages) for name, found in wanted.items() for each in found]
    taught = [course for course in courses if course.file in teachers]
    apart = bool(train or test)
    found = dict(_typed([course for course in courses if course.file in tests], taught, apart=apart, progress=progress))
    return {
        "task": "courses",
        "tests": {
            name: _file_report([course for course in courses if course.file == name], found)
            for name in dict.fromkeys(tests)
        },
    }


def read_written(file: Path) -> list[WrittenCourse]:
    """A file of typed courses -> its courses."""
    try:
        return written_courses(file.read_text(encoding="utf-8").split("\n"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file} can't be read ({error}): give a UTF-8 file.") from error


def _pages(courses: Sequence[WrittenCourse], webs: Path, progress: Progress) -> dict[tuple[str, str], ItemPage]:
    """(Web, address) -> page; only the pages that are named are read."""
    wanted: dict[str, set[str]] = {}
    for course in courses:
        wanted.setdefault(course.web, set()).update(course.pages)
    archives = {web: archive_of_web(webs, web) for web in wanted}
    found = {}
    for web in progress(sorted(wanted), "courses: webs"):
        for response in read_archive(archives[web]):
            if response.url in wanted[web] and response.status == 200:
                found[web, response.url] = item_page(response)
    return found


def archive_of_web(folder: Path, web: str) -> Path:
    """The folder of webs and the name of one -> its archive; InputError where it is not there."""
    for ending in (".warc.gz", ".warc"):
        if (folder / f"{web}{ending}").is_file():
            return folder / f"{web}{ending}"
    if (folder / LIST_NAME).is_file():
        for listed in read_webs(folder):
            if listed.name == web:
                return listed.archive
    raise InputError(
        f"The web '{web}' of the courses is not in {folder}: put {web}.warc.gz there, or name its folder with --webs."
    )


def _course(file: str, written: WrittenCourse, pages: Mapping[tuple[str, str], ItemPage]) -> Course:
    own = {url: pages[written.web, url] for url in written.pages if (written.web, url) in pages}
    return Course(file, written, labelled(written, own), len(written.pages) - len(own))


def _typed(
    tests: Sequence[Course], teachers: Sequence[Course], *, apart: bool, progress: Progress
) -> Iterator[tuple[str, dict[str, list[list[str]]]]]:
    """(Course, method -> the types of its items); nothing is learnt of a course that is tested, nor of its web unless files were named."""
    groups: dict[str, list[Course]] = {}
    for course in tests:
        groups.setdefault("" if apart else course.written.web, []).append(course)
    shipped = typer_from_bytes(ready_typer())
    for group in progress(list(groups.values()), "courses: learning"):
        named = {course.written.course for course in group}
        own = {course.written.web for course in group} if not apart else set()
        lessons = [each for each in teachers if each.written.course not in named and each.written.web not in own]
        if not lessons:
            raise InputError(
                "There is no course to learn from but those of the web that is tested: add courses of another web."
            )
        typer = learnt_typer([each.labelled for each in lessons])
        for course in group:
            typed: dict[str, list[list[str]]] = {
                name: [[rule(item) for item in page.items] for page in course.labelled.pages]
                for name, rule in RULES.items()
            }
            typed[READY] = [[item.kind for item in page] for page in shipped.typed(course.labelled.pages)]
            typed[OURS] = [[item.kind for item in page] for page in typer.typed(course.labelled.pages)]
            yield course.written.course, typed


def _file_report(courses: Sequence[Course], found: Mapping[str, dict[str, list[list[str]]]]) -> dict[str, Any]:
    rows: dict[str, list[list[Judged]]] = {method: [] for method in (*RULES, READY, OURS)}
    for course in courses:
        typed = found[course.written.course]
        for method in rows:
            rows[method].append(_judged(course, typed[method]))
    report: dict[str, Any] = {method: _scores(judged, wide=method == OURS) for method, judged in rows.items()}
    report["courses"] = len(courses)
    report["links"] = sum(map(len, rows[OURS]))
    report["pages_missing"] = sum(course.missing for course in courses)
    return report


Judged = tuple[str, str, int]
"""(Type, type that was said, case)."""


def _judged(course: Course, typed: Sequence[Sequence[str]]) -> list[Judged]:
    """Every link that a person typed; one that was not found on its page counts as taken for `other`."""
    said = {
        (page.url, item.url): kind
        for page, kinds in zip(course.labelled.pages, typed, strict=True)
        for item, kind in zip(page.items, kinds, strict=True)
    }
    return [(item.kind, said.get((item.page, item_key(item)), OTHER), item.case) for item in course.written.items]


def _scores(courses: Sequence[Sequence[Judged]], *, wide: bool) -> dict[str, Any]:
    every = [row for rows in courses for row in rows]
    scores: dict[str, Any] = {
        "accuracy": _share(row for row in every if row[0] != OTHER),
        "accuracy_all": _share(every),
    }
    if wide:
        scores["mean_of_courses"] = sum(_share(rows) for rows in courses) / max(1, len(courses))
        scores["types"] = {
            kind: _share(row for row in every if row[0] == kind) for kind in sorted({row[0] for row in every})
        }
        scores["counts"] = dict(sorted(Counter(row[0] for row in every).items()))
    scores["cases"] = {
        str(case): _share(row for row in every if row[2] == case) for case in sorted({row[2] for row in every})
    }
    return scores


def _share(rows: Iterator[Judged] | Sequence[Judged]) -> float:
    """The share that is right, 0 of none."""
    right = [true == said for true, said, _ in rows]
    return sum(right) / len(right) if right else 0.0
