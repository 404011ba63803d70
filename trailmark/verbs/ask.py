"""`teach --ask N`: which pages to ask about, and what is done with the answers.

First come pages that the last run left unsure, then those at hand that the navigator is least sure of. It learns afresh from the trails before every few questions, so that an answer counts for the next ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice

from trailmark.datatypes import Page, Trail
from trailmark.errors import InputError
from trailmark.learn.example import Example, make_examples
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.questions import (
    Family,
    Question,
    answer_trail,
    choose_questions,
    family,
    path_chances,
    paths_to_ask,
)
from trailmark.learn.recipe import Recipe, learn_recipe
from trailmark.learn.taught_goals import taught_for, taught_goals
from trailmark.progress import Progress, silent
from trailmark.quoting import count_of
from trailmark.read import read_page
from trailmark.report import Json, Report, as_json
from trailmark.store.replay import Replay
from trailmark.teach import find_link
from trailmark.verbs.contradictions import counting_trails
from trailmark.verbs.named_paths import NamedPaths, named_paths
from trailmark.verbs.run_questions import is_askable, keep_run_answer, unsure_trails, wanted_endings
from trailmark.verbs.taught_pages import TaughtPages
from trailmark.workspace import Workspace, names_of

ROUND = 5
"""Questions after which it learns again."""
SOURCE = "questions"

Ask = Callable[[Question, "Asking"], str | None]
"""Shows a question; `goal`, `fail`, a milestone's name, "" to skip, or None to stop."""


@dataclass
class Asking:
    """A round of questions under way."""

    goal: str
    labels: list[str]
    total: int
    titles: dict[str, str] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    asked: list[Family] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said of a page; None where the question was skipped."""

    url: str
    answer: str | None


@dataclass(frozen=True, slots=True)
class AskReport(Report):
    """The answers of one sitting."""

    answers: tuple[Answer, ...]
    goals: int
    """Answers that a page is wanted."""

    @property
    def skipped(self) -> int:
        return sum(answer.answer is None for answer in self.answers)

    @property
    def trails(self) -> int:
        """Answers that were kept as trails."""
        return len(self.answers) - self.skipped

    @property
    def summary(self) -> str:
        """One line for a person."""
        if not self.answers:
            return "No answers."
        counts = f"Kept {count_of(self.trails, 'answer as a trail', 'answers as trails')} ({self.goals} to goals). {self.skipped} skipped."
        return counts + (" Next: trailmark learn." if self.trails else "")

    def __str__(self) -> str:
        return self.summary

    def to_json(self) -> dict[str, Json]:
        """What `--json` prints."""
        counts: dict[str, Json] = {"asked": len(self.answers), "trails": self.trails, "goals": self.goals}
        return {**counts, "skipped": self.skipped, "answers": as_json(self.answers), "summary": self.summary}


def ask(
    workspace: Workspace,
    count: int,
    answer_to: Ask,
    archives: NamedPaths = (),
    *,
    goal: str | None = None,
    progress: Progress = silent,
) -> AskReport:
    """How many questions, and who answers them -> the answers; each is kept at once, so stopping loses nothing.

    `answer_to(question, asking)` says `goal`, `fail`, a milestone's name, "" to skip, or None to stop. Where several goals were
    taught, `goal` says which one is asked about.
    """
    goal, labels = goal_and_labels(workspace, goal)
    asking = Asking(goal, labels, count)
    with TaughtPages(workspace, named_paths(archives), [], progress) as pages:
        for question in _questions(workspace, pages.replay, asking, progress):
            answer = answer_to(question, asking)
            if answer is None:
                break
            asking.answers.append(Answer(question.url, answer or None))
            asking.asked.append(family(question.example))
            if answer:
                keep_answer(workspace, pages, question.example.trail, answer, goal=goal)
    goals = sum(answer.answer in ("goal", goal) for answer in asking.answers)
    return AskReport(tuple(asking.answers), goals)


def goal_and_labels(workspace: Workspace, goal: str | None = None) -> tuple[str, list[str]]:
    """The goal that is asked about, by its name or as the only one, and the other names that pages have been given."""
    taught = list(workspace.database.trails())
    goals = taught_goals(taught)
    if not goals:
        raise InputError(
            f"There is no trail to a goal in {workspace.folder}; questions come after the first: trailmark teach TRAILS.jsonl"
        )
    if goal is None and len(goals) > 1:
        raise InputError(
            f"Several goals were taught in {workspace.folder}: {names_of(goals)}; say which one to ask about with --goal NAME."
        )
    if goal is not None and goal not in goals:
        raise InputError(f"The goal {names_of([goal])} was not taught in {workspace.folder}, but {names_of(goals)}.")
    goal = goals[0] if goal is None else goal
    names = dict.fromkeys(step.label for trail in taught for step in trail.steps if step.label and step.label != goal)
    return goal, list(names)


def choose_round(
    workspace: Workspace, replay: Replay, asking: Asking, count: int, progress: Progress
) -> tuple[list[Question], dict[str, str]]:
    """The questions that help most now, and what each page at hand is taken for."""
    recipe = _recipe(workspace, asking.goal)
    page_at = _reader(workspace, replay)
    chosen = _unsure(workspace, page_at, recipe, asking, count)
    examples = _candidates(workspace, page_at, recipe, progress)
    if not examples:
        return _titled(chosen, asking, page_at), {}
    trails = _examples(_taught(workspace, asking), page_at, recipe)
    navigator = make_navigator(trails, recipe, goal=asking.goal)
    chosen += _others(navigator, examples, count - len(chosen), asking, chosen)
    _titled(chosen, asking, page_at)
    best = path_chances(navigator, examples).argmax(axis=1)
    ends = [example.trail.steps[-1].url for example in examples]
    guesses = {url: navigator.labels[at] for url, at in zip(ends, best, strict=True)}
    return chosen, guesses


def _titled(questions: list[Question], asking: Asking, page_at: Callable[[str], Page | None]) -> list[Question]:
    """Questions as they are, the titles of their pages being known from now on."""
    urls = _urls([question.example for question in questions])
    asking.titles.update((url, page.title) for url in urls if (page := page_at(url)))
    return questions


def _unsure(
    workspace: Workspace, page_at: Callable[[str], Page | None], recipe: Recipe, asking: Asking, count: int
) -> list[Question]:
    """Questions about what the last run left unsure, with the run's verdict."""
    done = [answer.url for answer in asking.answers]
    questions = []
    for page, trail in islice(unsure_trails(workspace, page_at, done=done), count):
        (example,) = _examples([trail], page_at, recipe)
        chance = page.goal_probability
        questions.append(Question(example, chance, asking.goal, chance, 1.0 - abs(2.0 * chance - 1.0), page.run))
    return questions


def _others(
    navigator: Navigator, examples: Sequence[Example], count: int, asking: Asking, chosen: Sequence[Question]
) -> list[Question]:
    """Questions about other pages at hand, as far as the unsure ones of the last run do not suffice."""
    done = {*(answer.url for answer in asking.answers), *(question.url for question in chosen)}
    left = [example for example in examples if example.trail.steps[-1].url not in done]
    return choose_questions(navigator, left, count, asked=asking.asked) if left and count > 0 else []


def _questions(workspace: Workspace, replay: Replay, asking: Asking, progress: Progress) -> Iterator[Question]:
    """Questions in rounds, each chosen by what the trails so far teach."""
    recipe = _recipe(workspace, asking.goal)
    page_at = _reader(workspace, replay)
    examples = _candidates(workspace, page_at, recipe, progress)
    if not examples and next(unsure_trails(workspace, page_at), None) is None:
        raise InputError(
            "Every page at hand was taught already; fetch more with trailmark forage, or name an archive with --replay."
        )
    asking.titles.update((url, page.title) for url in _urls(examples) if (page := page_at(url)))
    while len(asking.answers) < asking.total:
        count = min(ROUND, asking.total - len(asking.answers))
        chosen = _unsure(workspace, page_at, recipe, asking, count)
        if len(chosen) < count:
            trails = _examples(_taught(workspace, asking), page_at, recipe)
            navigator = make_navigator(trails, recipe, goal=asking.goal)
            chosen += _others(navigator, examples, count - len(chosen), asking, chosen)
        if not chosen:
            return
        yield from _titled(chosen, asking, page_at)


def _taught(workspace: Workspace, asking: Asking) -> list[Trail]:
    return list(taught_for(counting_trails(workspace), asking.goal).trails)


def _candidates(
    workspace: Workspace, page_at: Callable[[str], Page | None], recipe: Recipe, progress: Progress
) -> list[Example]:
    trails = list(workspace.database.trails())
    labels = {step.url: step.label for trail in trails for step in trail.steps if step.label}
    ends = {step.url for trail in trails for step in trail.steps if step.label} | {t.steps[-1].url for t in trails}
    endings = wanted_endings(trails)
    watched = progress(range(1), "looking for pages to ask about")
    paths = [
        path
        for _ in watched
        for path in paths_to_ask(sorted({trail.site for trail in trails}), page_at, taught=ends, labels=labels)
        if (page := page_at(path.steps[-1].url)) is not None and is_askable(page, endings)
    ]
    return _examples(paths, page_at, recipe)


def _examples(trails: list[Trail], page_at: Callable[[str], Page | None], recipe: Recipe) -> list[Example]:
    def page(url: str) -> Page:
        return page_at(url) or Page(url)

    return make_examples(trails, page, find_link, page_tokens=recipe.page_tokens, window=recipe.window)


def _reader(workspace: Workspace, replay: Replay) -> Callable[[str], Page | None]:
    settings = replace(workspace.settings.read, page_tokens=-1)

    @cache
    def page_at(url: str) -> Page | None:
        response = replay.fetch(url)
        return read_page(response, settings) if response.status == 200 else None

    return page_at


def _recipe(workspace: Workspace, goal: str) -> Recipe:
    """That of the goal's navigator, where one was learnt and can be read; else that of the settings."""
    with suppress(InputError):
        return workspace.navigator(goal).recipe
    return learn_recipe(workspace.settings.learn)


def _urls(examples: Sequence[Example]) -> list[str]:
    return list(dict.fromkeys(step.url for example in examples for step in example.trail.steps))


def keep_answer(
    workspace: Workspace,
    pages: TaughtPages,
    asked: Trail,
    answer: str,
    *,
    goal: str,
    source: str = SOURCE,
    run: int | None = None,
) -> None:
    """The answer about the last page of a path, as a trail; where a run read the page, as an answer of that run too."""
    trail = answer_trail(asked, answer, goal=goal)
    trail = trail if trail.outcome == "goal" else replace(trail, about=(goal,))
    what = f"Answered: {asked.steps[-1].url} is {'wanted' if trail.outcome == 'goal' else 'not wanted'}"
    with workspace.acts.act("answer", what).part():
        pages.keep(trail)
        workspace.database.add_trails([trail], source=source, told_again=True)
        keep_run_answer(workspace, asked.steps[-1].url, wanted=trail.outcome == "goal", asked_by=source, run=run)
