"""`teach`: trails files, browsers' recordings and marked values into the workspace.

1. Lines of files become trails, or problems with their line. 2. The pages that trails name are taken from archives or
fetched (`taught_pages`). 3. Every step must be linked from the one before. 4. Good trails are kept with their pages.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from trailmark.datatypes import Response, Trail
from trailmark.errors import FetchError, InputError
from trailmark.progress import Progress, silent
from trailmark.store.live_files import refuse_database
from trailmark.teach import Problem, check_trail, parse_annotations, parse_recording, parse_trails
from trailmark.verbs.taught_pages import TaughtPages
from trailmark.workspace import Workspace

_log = logging.getLogger(__name__)
MOST_TOLD = 50
"""Lines left out that are named in the log."""
BATCH = 50
"""Trails that are kept in one transaction."""


@dataclass(frozen=True, slots=True)
class Told:
    """A trail, and the file and line that tell it."""

    source: str
    line: int
    trail: Trail


def teach(
    workspace: Workspace,
    files: Sequence[Path],
    archives: Sequence[Path] = (),
    *,
    label: str | None = None,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Import trails files and browsers' recordings; `label` names the last page of a recording."""
    read = [told_in(file, label) for file in files]
    told = [each for told, _, _ in read for each in told]
    problems = [problem for _, bad, _ in read for problem in bad]
    supplied = [response for _, _, responses in read for response in responses]
    new, known, bad = keep_trails(workspace, told, archives, progress, supplied)
    sites = sorted({each.trail.site for each in told})
    return teach_report("trails", new, known, problems + bad, sites=sites)


def teach_trails(
    workspace: Workspace,
    trails: Sequence[Trail],
    archives: Sequence[Path] = (),
    *,
    source: str,
    progress: Progress = silent,
) -> dict[str, Any]:
    """Keep trails that were clicked just now; `source` says where, and problems count them from 1."""
    told = [Told(source, number, trail) for number, trail in enumerate(trails, 1)]
    new, known, bad = keep_trails(workspace, told, archives, progress)
    return teach_report("trails", new, known, bad, sites=sorted({trail.site for trail in trails}))


def teach_annotations(workspace: Workspace, files: Sequence[Path]) -> dict[str, Any]:
    """Import marked values."""
    new = total = 0
    problems: list[Problem] = []
    with workspace.database.transaction():
        for file in files:
            good, bad = parse_annotations(lines_of(file), str(file))
            problems += bad or nothing_in(file, good)
            total += len(good)
            new += workspace.database.add_annotations([annotation for _, annotation in good], source=file.name)
    return teach_report("annotations", new, total - new, problems)


def lines_of(file: Path) -> list[str]:
    """The lines of a file that a person named."""
    refuse_database(file)
    try:
        return file.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError as error:
        raise InputError(f"{file} does not exist; check the name.") from error
    except IsADirectoryError as error:
        raise InputError(f"{file} is a folder; name the files in it.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{file} is not UTF-8 text (byte {error.start}); save it as UTF-8.") from error


def told_in(file: Path, label: str | None = None) -> tuple[list[Told], list[Problem], tuple[Response, ...]]:
    """What a trails file or a browser's recording tells; `label` names the last page of a recording."""
    lines = lines_of(file)
    recording = parse_recording("\n".join(lines), str(file), label=label)
    if isinstance(recording, Problem):
        return [], [recording], ()
    if recording is not None:
        return [Told(str(file), 1, trail) for trail in recording.trails], [], recording.responses
    good, bad = parse_trails(lines, str(file))
    return [Told(str(file), line, trail) for line, trail in good], bad or nothing_in(file, good), ()


def keep_trails(
    workspace: Workspace,
    told: Sequence[Told],
    archives: Sequence[Path],
    progress: Progress,
    supplied: Sequence[Response] = (),
) -> tuple[int, int, list[Problem]]:
    """Get the pages, check that every step is linked from the one before, keep the good ones: new, known already, problems."""
    new = known = 0
    problems: list[Problem] = []
    with TaughtPages(workspace, archives, [each.trail for each in told], progress, supplied) as pages:
        watched = progress(told, "checking trails")
        while batch := list(islice(watched, BATCH)):
            # What a batch said is kept together; a run that is stopped loses no batch before.
            with workspace.database.transaction():
                for each in batch:
                    try:
                        checked = check_trail(each.trail, pages.page, final_url=pages.final_url)
                        pages.keep(checked)
                    except (ValueError, FetchError) as reason:
                        problems.append(Problem(each.source, each.line, str(reason).rstrip(".")))
                        continue
                    source = Path(each.source).name
                    added = workspace.database.add_trails([checked], source=source, lines=[each.line])
                    new, known = new + added, known + 1 - added
    return new, known, problems


def nothing_in(file: Path, good: Sequence[object]) -> list[Problem]:
    """A file without a single line is more likely a slip than a wish."""
    return [] if good else [Problem(str(file), 1, "the file is empty")]


def teach_report(what: str, new: int, known: int, problems: list[Problem], **more: Any) -> dict[str, Any]:
    for problem in problems[:MOST_TOLD]:
        _log.warning("%s, line %d is left out: %s", problem.source, problem.line, problem.reason)
    left_out = f" {len(problems)} left out." if problems else ""
    again = f" {known} known already." if known else ""
    return {
        what: new,
        "known_already": known,
        "good": new + known,
        "problems": [{"file": p.source, "line": p.line, "reason": p.reason} for p in problems],
        "summary": f"Imported {new} {what}.{again}{left_out}",
        **more,
    }
