"""Rounds of questions about one goal: first what the last run left unsure, then the pages at hand that the navigator is least sure of.

It learns afresh from the trails before every round, so that an answer counts for the next ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice

from trailmark.datatypes import Page, Trail
from trailmark.errors import InputError
from trailmark.learn.askable import is_askable, wanted_endings
from trailmark.learn.example import Example, make_examples
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.questions import Family, Question, choose_questions, path_chances, paths_to_ask
from trailmark.learn.recipe import Recipe, learn_recipe
from trailmark.learn.taught_goals import taught_for
from trailmark.progress import Progress
from trailmark.read import read_page
from trailmark.store.replay import Replay
from trailmark.teach import find_link
from trailmark.verbs.contradictions import counting_trails
from trailmark.verbs.run_questions import unsure_trails
from trailmark.workspace import Workspace

ROUND = 5
"""Questions after which it learns again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said of a page; None where the question was skipped."""

    url: str
    answer: str | None


@dataclass
class Asking:
    """A round of questions under way."""

    goal: str
    labels: list[str]
    total: int
    titles: dict[str, str] = field(default_factory=dict)
    answers: list[Answer] = field(default_factory=list)
    asked: list[Family] = field(default_factory=list)


class QuestionRounds:
    """What a sitting can ask about: the pages at hand as the goal's recipe reads them."""

    def __init__(self, workspace: Workspace, replay: Replay, asking: Asking, progress: Progress) -> None:
        self._workspace, self._asking = workspace, asking
        self._recipe = _recipe(workspace, asking.goal)
        self._page_at = _reader(workspace, replay)
        self._candidates = self._examples(_paths(workspace, self._page_at, asking.goal, progress))

    def chosen(self, count: int) -> tuple[list[Question], dict[str, str]]:
        """The questions that help most now, and what each page at hand is taken for."""
        chosen = self._unsure(count)
        if not self._candidates:
            return self._titled(chosen), {}
        navigator = self._navigator()
        chosen += self._others(navigator, count - len(chosen), chosen)
        best = path_chances(navigator, self._candidates).argmax(axis=1)
        ends = [example.trail.steps[-1].url for example in self._candidates]
        guesses = {url: navigator.labels[at] for url, at in zip(ends, best, strict=True)}
        return self._titled(chosen), guesses

    def all(self) -> Iterator[Question]:
        """Questions in rounds, each chosen by what the trails so far teach, until as many were answered as are wished."""
        asking = self._asking
        if not self._candidates and next(unsure_trails(self._workspace, self._page_at, asking.goal), None) is None:
            raise InputError(
                "Every page at hand was taught already; fetch more with trailmark forage, or name an archive with --replay."
            )
        while len(asking.answers) < asking.total:
            count = min(ROUND, asking.total - len(asking.answers))
            chosen = self._unsure(count)
            if len(chosen) < count:
                chosen += self._others(self._navigator(), count - len(chosen), chosen)
            if not chosen:
                return
            yield from self._titled(chosen)

    def _unsure(self, count: int) -> list[Question]:
        """Questions about what the last run left unsure, with the run's verdict."""
        goal, done = self._asking.goal, [answer.url for answer in self._asking.answers]
        questions = []
        for page, trail in islice(unsure_trails(self._workspace, self._page_at, goal, done=done), count):
            (example,) = self._examples([trail])
            chance = page.goal_probability
            questions.append(Question(example, chance, goal, chance, 1.0 - abs(2.0 * chance - 1.0), page.run))
        return questions

    def _others(self, navigator: Navigator, count: int, chosen: Sequence[Question]) -> list[Question]:
        """Questions about other pages at hand, as far as the unsure ones of the last run do not suffice."""
        done = {*(answer.url for answer in self._asking.answers), *(question.url for question in chosen)}
        left = [example for example in self._candidates if example.trail.steps[-1].url not in done]
        return choose_questions(navigator, left, count, asked=self._asking.asked) if left and count > 0 else []

    def _navigator(self) -> Navigator:
        goal = self._asking.goal
        taught = taught_for(counting_trails(self._workspace), goal).trails
        return make_navigator(self._examples(list(taught)), self._recipe, goal=goal)

    def _titled(self, questions: list[Question]) -> list[Question]:
        """Questions as they are, the titles of their pages being known from now on."""
        urls = dict.fromkeys(step.url for question in questions for step in question.example.trail.steps)
        self._asking.titles.update((url, page.title) for url in urls if (page := self._page_at(url)))
        return questions

    def _examples(self, trails: list[Trail]) -> list[Example]:
        def page(url: str) -> Page:
            return self._page_at(url) or Page(url)

        recipe = self._recipe
        return make_examples(trails, page, find_link, page_tokens=recipe.page_tokens, window=recipe.window)


def _paths(workspace: Workspace, page_at: Callable[[str], Page | None], goal: str, progress: Progress) -> list[Trail]:
    """Ways to pages at hand that nobody has named and that may be asked about."""
    trails = list(workspace.database.trails())
    labels = {step.url: step.label for trail in trails for step in trail.steps if step.label}
    ends = {step.url for trail in trails for step in trail.steps if step.label} | {t.steps[-1].url for t in trails}
    endings = wanted_endings(taught_for(trails, goal).trails)
    watched = progress(range(1), "looking for pages to ask about")
    return [
        path
        for _ in watched
        for path in paths_to_ask(sorted({trail.site for trail in trails}), page_at, taught=ends, labels=labels)
        if (page := page_at(path.steps[-1].url)) is not None and is_askable(page, endings)
    ]


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
