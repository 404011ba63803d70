"""Runs and the jobs that walk them: a run is begun from a form as a job, and each is found by the other."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import NamedTuple

from trailmark.errors import InputError
from trailmark.forage.seeds import parse_seeds
from trailmark.learn.keyword_list import keyword_lines, parse_keywords
from trailmark.serve.job_pages import job_words
from trailmark.serve.jobs import Job
from trailmark.serve.rendering import Form
from trailmark.serve.state import AppState
from trailmark.store.json_lines import written_whole
from trailmark.store.live_files import refuse_database
from trailmark.store.run_view import RunSums
from trailmark.verbs.run_console import is_alive
from trailmark.verbs.runs import all_runs
from trailmark.verbs.strategies import STRATEGIES
from trailmark.workspace import Workspace

MOST_SEEDS = 100_000
JOBS_LOOKED_AT = 50


def begin_run(state: AppState, form: Form) -> Job:
    """The form of a run as it was sent -> the job that walks it; InputError where it can't be begun."""
    strategy = form["strategy"]
    good, _ = parse_seeds(form["seeds"].splitlines()[:MOST_SEEDS], "seeds")
    if bad := bad_lines(form["seeds"]):
        line, reason = next(iter(bad.items()))
        more = f" So {'is' if len(bad) == 2 else 'are'} {len(bad) - 1} more." if len(bad) > 1 else ""
        raise InputError(f"Line {line} can't be used: {reason}.{more} Nothing was begun; mend it below.")
    if not good:
        raise InputError("Paste the first pages of the sites to walk, one a line.")
    seeds = _kept_text(state, "seeds", "".join(f"{seed.url} {seed.scope}\n" for seed in good))
    arguments = ["--seeds", seeds]
    if keywords := form["keywords"].strip():
        text = keyword_lines(parse_keywords(keywords.splitlines(), "Keywords"))
        arguments += ["--keywords", _kept_text(state, "keywords", text)]
    else:
        arguments += ["--strategy", strategy if strategy in STRATEGIES else STRATEGIES[0]]
    for option in ("--budget", "--site-budget"):
        if value := form[option.strip("-").replace("-", "_")]:
            arguments += [option, _whole(value)]
    if not keywords:
        arguments += [word for goal in form.all("goal") for word in ("--goal", goal)]
    if form["from"] == "archive":
        arguments += state.archive_words("--replay")
    elif not state.settings.forage.contact:
        raise InputError("Say who is asking first (under Teach): sites like to know who visits them with a program.")
    many = f"{len(good)} sites" if len(good) > 1 else good[0].url
    return state.jobs.start("forage", *arguments, title=f"Walking {many}", back="/runs")


def _kept_text(state: AppState, kind: str, text: str) -> str:
    """What was pasted -> the file it is kept in, named by what is in it.

    Two who begin at once do not share a file, and a form that was sent twice asks for the same job.
    """
    folder = state.folder / "serve" / kind
    folder.mkdir(parents=True, exist_ok=True)
    content = text.encode("utf-8", "replace")
    path = folder / f"{hashlib.sha256(content).hexdigest()[:16]}.txt"
    with written_whole(path) as file:
        file.write(content)
    return str(path.resolve())


def bad_lines(seeds: str) -> dict[int, str]:
    """The seeds as they were pasted -> line and reason of each that can't be used, as a person counts lines."""
    _, bad = parse_seeds(seeds.splitlines()[:MOST_SEEDS], "seeds")
    return {each.line: each.reason for each in bad}


def _whole(value: str) -> str:
    if not (value.isascii() and value.isdigit() and len(value) < 10):
        raise InputError(f"A budget is a whole number of pages, not {value[:20]!r}.")
    return value


def run_of(state: AppState, job: Job, runs: list[RunSums]) -> RunSums | None:
    """The run that a job began or took up, as it told; an earlier run over the same sites is another one."""
    number = state.jobs.run(job.id)
    return next((run for run in runs if run.id == number), None)


def job_of(state: AppState, run: RunSums) -> Job | None:
    """The last job that told that it walks this run; else, of jobs that told nothing, one that asked the same before it began."""
    jobs = [job for job in state.jobs.all()[:JOBS_LOOKED_AT] if job.verb == "forage"]
    told = {job.id: state.jobs.run(job.id) for job in jobs}
    silent = (job for job in jobs if told[job.id] is None and not job.active)
    return next(
        (job for job in jobs if told[job.id] == run.id),
        next((job for job in silent if (asked := _asked(job)) is not None and _is_of(run, asked)), None),
    )


class Asked(NamedTuple):
    """What a job asks of a run."""

    seeds: frozenset[str]
    strategy: str
    goals: frozenset[str]
    """Those that it names; none where it looks for all."""


def state_words(state: AppState, workspace: Workspace) -> dict[int, str]:
    """How runs that have not ended stand, by number: as their job does, or as they said themselves a moment ago."""
    words = {}
    for run in all_runs(workspace):
        if run.finished_at is None:
            job = job_of(state, run)
            words[run.id] = (
                job_words(job) if job is not None else "at work" if is_alive(workspace, run) else "not at work"
            )
    return words


def _is_of(run: RunSums, asked: Asked) -> bool:
    """Whether a run is what was asked; an old run for one goal may not say which."""
    goals = not asked.goals or frozenset(run.goal_names) in (
        asked.goals,
        asked.goals if len(asked.goals) > 1 else frozenset(),
    )
    return goals and (frozenset(run.seeds), run.strategy) == asked[:2]


def _asked(job: Job) -> Asked | None:
    """Seeds, strategy and goals of a job."""
    words = list(job.arguments)
    values = [
        (word, words[at + 1]) for at, word in enumerate(words[:-1]) if word in ("--strategy", "--seeds", "--goal")
    ]
    strategy = next((value for word, value in values if word == "--strategy"), STRATEGIES[0])
    goals = frozenset(value for word, value in values if word == "--goal")
    lines = [word for word in words if "://" in word and word not in goals]
    try:
        for name in (value for word, value in values if word == "--seeds"):
            refuse_database(name)
            lines += Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError, InputError):
        return None
    good, _ = parse_seeds(lines, "seeds")
    return Asked(frozenset(seed.url for seed in good), strategy, goals) if good else None
