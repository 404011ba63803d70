"""Which few pages, fetched already but named by nobody, are worth a question (PathLearner 1.2, active learning).

1. `paths_to_ask`: pages that links lead to from the roots, each with its shortest path.
2. `path_chances`: what the navigator believes each of them is, in its path.
3. `choose_questions`: the few whose answers help most.
4. `answer_trail`: an answer as a trail, to be learnt from like any other.

An answer is about one page, and so is its trail. The whole path would also teach its steps, which nobody looked at: after 16 answers as whole
paths the goal's F1 on another web's trails fell from 0.84 to 0.30, and with whole paths for a yes alone it still fell from 0.89 to 0.31
on the worst web; with the page alone it held.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Page, Step, Trail
from trailmark.learn.example import Example
from trailmark.learn.label_space import FAIL, GOAL
from trailmark.learn.navigator import Navigator
from trailmark.sequence import probabilities

Floats = npt.NDArray[np.float64]
Family = tuple[str, ...]

REPEATED = 0.3
"""What a question still counts when a page of the same family was asked about before."""
MOST_PAGES, DEEPEST = 2000, 8


@dataclass(frozen=True, slots=True)
class Question:
    """A page to ask about, and what it is taken for so far."""

    example: Example
    goal_probability: float
    label: str
    chance: float
    value: float
    """How much the answer is expected to help; only its order means something."""
    run: int | None = None
    """The run that left the page unsure; None where none did."""

    @property
    def url(self) -> str:
        return self.example.trail.steps[-1].url


def paths_to_ask(
    roots: Iterable[str],
    page_at: Callable[[str], Page | None],
    *,
    taught: Collection[str] = (),
    labels: Mapping[str, str] | None = None,
    most: int = MOST_PAGES,
    deepest: int = DEEPEST,
) -> list[Trail]:
    """Shortest paths over links from the roots to pages that were fetched and not taught; breadth first, each page once.

    `page_at` gives None for a page that was not fetched. `labels` are names that pages on the way are known by.
    """
    known = labels or {}
    paths: list[Trail] = []
    seen: set[str] = set()
    queue: deque[tuple[str, tuple[Step, ...]]] = deque((root, (Step(root),)) for root in dict.fromkeys(roots))
    while queue and len(paths) < most:
        site, steps = queue.popleft()
        page = page_at(steps[-1].url)
        if page is None or page.url in seen:
            continue
        seen.add(page.url)
        steps = (*steps[:-1], replace(steps[-1], url=page.url, label=known.get(page.url)))
        if len(steps) > 1 and page.url not in taught:
            paths.append(Trail(site, "fail", steps))
        if len(steps) < deepest:
            ways = {link.url: link for link in reversed(page.links) if link.url not in seen}
            queue.extend((site, (*steps, Step(url, None, link.anchor))) for url, link in reversed(ways.items()))
    return paths


def path_chances(navigator: Navigator, examples: Sequence[Example]) -> Floats:
    """Examples x labels: the chance of each label at the last page of each path (eq. 6). Paths share what they begin with."""
    walking = navigator.walking
    bags = {id(bag): bag for example in examples for bag in example.pages}
    scores = dict(zip(bags, walking.page_scores(list(bags.values())), strict=True))
    memories: dict[tuple[str, ...], Floats] = {}
    size = len(navigator.labels)
    chances = np.zeros((len(examples), size))
    for number, example in enumerate(examples):
        key: tuple[str, ...] = (example.site,)
        memory: Floats | None = None
        for position, (step, bag) in enumerate(zip(example.trail.steps, example.pages, strict=True)):
            key = (*key, step.url)
            if key not in memories:
                arrived = (scores[id(bag)],) * 2
                if memory is not None:
                    left = walking.leave(memory, [example.links[position - 1]])
                    arrived = walking.arrive(np.concatenate([left[0][0], left[1][0]]), scores[id(bag)])
                memories[key] = np.concatenate([logs - logs.max() for logs in arrived])
            memory = memories[key]
        assert memory is not None
        chances[number] = probabilities(memory[:size])
    return chances


def family(example: Example) -> Family:
    """Pages that one page links to in the same kind of place are of a kind: members of a list, entries of a menu."""
    if not example.links:
        return (example.site,)
    return (example.trail.steps[-2].url, *example.links[-1].get("place", ()))


def choose_questions(
    navigator: Navigator, examples: Sequence[Example], count: int, *, asked: Iterable[Family] = ()
) -> list[Question]:
    """The pages whose answers help most, the best first; `asked` are the families of earlier questions.

    Worth asking is what the navigator is unsure about (entropy of goal or not), and not again and again in one family: each earlier question
    there leaves `REPEATED` of the worth. Large families were tried as worth more (density): they are menus and archives more often
    than goals, and it did not help.
    """
    chances = path_chances(navigator, examples)
    goal = navigator.encoding.space.index[GOAL]
    families = [family(example) for example in examples]
    before = Counter(asked)
    worth = _entropy(chances[:, goal])
    chosen: list[Question] = []
    left = set(range(len(examples)))
    while left and len(chosen) < count:
        value = {n: float(worth[n]) * REPEATED ** before[families[n]] for n in left}
        best = max(sorted(left), key=value.__getitem__)
        left.remove(best)
        before[families[best]] += 1
        chosen.append(_question(navigator, examples[best], chances[best], value[best]))
    return chosen


def is_wanted(answer: str, goal: str) -> bool:
    """An answer and the name of the goal -> whether it says yes. No is no, also where the goal is called `fail`."""
    return answer == GOAL or (answer == goal and answer != FAIL)


def answer_trail(path: Trail, answer: str, *, goal: str = GOAL) -> Trail:
    """The asked page alone as a trail: `goal` (or the goal's name), `fail`, or a milestone's name."""
    last = replace(path.steps[-1], anchor=None)
    if is_wanted(answer, goal):
        return Trail(path.site, "goal", (replace(last, label=None if goal == GOAL else goal),))
    return Trail(path.site, "fail", (replace(last, label=None if answer == FAIL else answer),))


def _question(navigator: Navigator, example: Example, chances: Floats, value: float) -> Question:
    best = int(np.argmax(chances))
    goal = navigator.encoding.space.index[GOAL]
    label = navigator.goal_name if best == goal else navigator.labels[best]
    return Question(example, float(chances[goal]), label, float(chances[best]), value)


def _entropy(chance: Floats) -> Floats:
    inside = np.clip(chance, 1e-12, 1 - 1e-12)
    return -(inside * np.log2(inside) + (1 - inside) * np.log2(1 - inside))
