"""`teach`: trails files, browsers' recordings and marked values into the workspace.

1. Lines of files become trails, or problems with their line. 2. The pages that trails name are taken from archives or
fetched (`taught_pages`). 3. Every step must be linked from the one before. 4. Good trails are kept with their pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from trailmark.datatypes import Response, Trail
from trailmark.errors import FetchError, InputError
from trailmark.learn.taught_goals import about_goals
from trailmark.progress import Progress, silent
from trailmark.store.live_files import refuse_database
from trailmark.teach import Problem, check_trail, parse_annotations, parse_recording, parse_trails
from trailmark.verbs.contradictions import contradictions
from trailmark.verbs.named_paths import NamedPaths, named_paths
from trailmark.verbs.taught_pages import TaughtPages
from trailmark.verbs.teach_report import TeachReport, teach_report
from trailmark.workspace import Workspace

CLICKED = "clicked in the app"
"""The source of trails that were clicked: to click the same again is to say it again."""
BATCH = 50
"""Trails that are kept in one transaction."""


@dataclass(frozen=True, slots=True)
class SourcedTrail:
    """A trail, and the file and line that it was read from."""

    source: str
    line: int
    trail: Trail


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a file teaches: its trails, the lines that can't be used, and the pages that came with it."""

    trails: tuple[SourcedTrail, ...]
    problems: tuple[Problem, ...] = ()
    responses: tuple[Response, ...] = ()


def teach(
    workspace: Workspace,
    files: NamedPaths,
    archives: NamedPaths = (),
    *,
    label: str | None = None,
    progress: Progress = silent,
) -> TeachReport:
    """Trails files and browsers' recordings -> how many trails were new, known or not usable; the good ones are kept.

    Pages come from the archives, or from the network where none is named. `label` names the last page of a recording.
    """
    lessons = [read_lesson("\n".join(lines_of(file)), str(file), label) for file in named_paths(files)]
    return teach_lessons(workspace, lessons, named_paths(archives), progress=progress)


def teach_lessons(
    workspace: Workspace, lessons: Sequence[Lesson], archives: Sequence[Path] = (), *, progress: Progress = silent
) -> TeachReport:
    """Lessons that were read already -> what was kept of them, and what was not."""
    trails = [sourced for lesson in lessons for sourced in _with_goals(lesson.trails)]
    responses = [response for lesson in lessons for response in lesson.responses]
    unread = [problem for lesson in lessons for problem in lesson.problems]
    new, known, bad = keep_trails(workspace, trails, archives, progress, responses)
    workspace.remember_taught(archives)  # `learn` walks the taught sites over what is at hand of them
    sites = sorted({sourced.trail.site for sourced in trails})
    ends = {sourced.trail.steps[-1].url for sourced in trails}
    both = [each for each in contradictions(workspace) if each.url in ends]
    return teach_report("trails", new, known, [*unread, *bad], sites, both)


def _with_goals(sourced: Sequence[SourcedTrail]) -> list[SourcedTrail]:
    """The trails of one lesson -> the same, the failed ones with the goal of the lesson that each is about."""
    told = about_goals(each.trail for each in sourced)
    return [replace(each, trail=trail) for each, trail in zip(sourced, told, strict=True)]


def clicked_lesson(trails: Sequence[Trail], source: str) -> Lesson:
    """Trails that were clicked just now -> a lesson; `source` says where, and its lines count from 1."""
    return Lesson(tuple(SourcedTrail(source, number, trail) for number, trail in enumerate(trails, 1)))


def teach_annotations(workspace: Workspace, files: NamedPaths) -> TeachReport:
    """Annotations files -> how many marked values were new, known or not usable; the good ones are kept."""
    new = total = 0
    problems: list[Problem] = []
    with workspace.acts.act("mark", f"Taught marks: {_sources(map(str, named_paths(files)))}").part():
        for file in named_paths(files):
            good, bad = parse_annotations(lines_of(file), str(file))
            problems += bad or nothing_in(str(file), good)
            total += len(good)
            new += workspace.database.add_annotations([annotation for _, annotation in good], source=file.name)
    return teach_report("annotations", new, total - new, problems)


def lines_of(file: Path) -> list[str]:
    """A file that a person named -> its lines."""
    refuse_database(file)
    try:
        return file.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError as error:
        raise InputError(f"{file} does not exist; check the name.") from error
    except IsADirectoryError as error:
        raise InputError(f"{file} is a folder; name the files in it.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from error


def read_lesson(text: str, source: str, label: str | None = None) -> Lesson:
    """The text of a trails file or of a browser's recording -> what it teaches; `source` names it in problems."""
    recording = parse_recording(text, source, label=label)
    if isinstance(recording, Problem):
        return Lesson((), (recording,))
    if recording is not None:
        return Lesson(tuple(SourcedTrail(source, 1, trail) for trail in recording.trails), (), recording.responses)
    good, bad = parse_trails(text.split("\n"), source)
    trails = tuple(SourcedTrail(source, line, trail) for line, trail in good)
    return Lesson(trails, tuple(bad or nothing_in(source, good)))


def keep_trails(
    workspace: Workspace,
    trails: Sequence[SourcedTrail],
    archives: Sequence[Path],
    progress: Progress,
    supplied: Sequence[Response] = (),
) -> tuple[int, int, list[Problem]]:
    """Trails -> how many were new, how many known already, and why the others were left out.

    Their pages are got, every step must be linked from the one before, and good trails are kept.
    """
    new = known = 0
    problems: list[Problem] = []
    act = workspace.acts.act("teach", "")
    with TaughtPages(workspace, archives, [sourced.trail for sourced in trails], progress, supplied) as pages:
        watched = progress(trails, "checking trails")
        while batch := list(islice(watched, BATCH)):
            # A batch is kept together; a run that is stopped loses no batch before.
            with act.part():
                for sourced in batch:
                    try:
                        checked = check_trail(sourced.trail, pages.page, final_url=pages.final_url)
                        pages.keep(checked)
                    except (ValueError, FetchError) as reason:
                        problems.append(Problem(sourced.source, sourced.line, str(reason).rstrip(".")))
                        continue
                    source = Path(sourced.source).name
                    added = workspace.database.add_trails(
                        [checked], source=source, lines=[sourced.line], told_again=source == CLICKED
                    )
                    new, known = new + added, known + 1 - added
                taught = f"Taught {new} trail{'' if new == 1 else 's'}" if new else "Told again what was known"
                act.what = f"{taught}: {_sources(each.source for each in trails)}"
    return new, known, problems


def _sources(names: Iterable[str]) -> str:
    """Where things came from, each once, of many the first few."""
    found = list(dict.fromkeys(Path(name).name for name in names))
    return ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")


def nothing_in(source: str, good: Sequence[object]) -> list[Problem]:
    """A file's good lines -> a problem where there are none: an empty file is more likely a slip than a wish."""
    return [] if good else [Problem(source, 1, "the file is empty")]
