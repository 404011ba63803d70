"""Why a page or a link got its label and its score: the words and the steps that spoke for it and against it.

What is explained is a real quantity, the log-odds of a label against all other labels, log p / (1 - p), in the path so far:
`log_odds` is the sum of the values of `parts`, and the label's chance (eq. 6) is 1 / (1 + exp(-log_odds)).

Every label's log-score is a sum over words plus what the path brought. The log-score of the label minus the mean log-score of
the others, weighted by how likely each of them is, is therefore a sum over words and path as well; it is larger than the log-odds by
the entropy of the others, because several rivals are together stronger than their mean. That entropy is a part of its own.

A link's score (eq. 7) is itself a sum, of chance x reward over the labels: `terms`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from trailmark.datatypes import Link, Page
from trailmark.learn.bag import Bag, host_words, link_bag, page_bag
from trailmark.learn.label_space import GOAL
from trailmark.learn.navigator import Navigator, Verdict
from trailmark.learn.phrase import feature_phrase, state_phrase
from trailmark.sequence import probabilities
from trailmark.sequence.lattice import logsumexp

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that raised (value above 0) or lowered the log-odds."""

    phrase: str
    value: float
    kind: str = "word"
    """`word` of the page or link itself, `link` (a word of the link that led to the page), `path`, or `rivals`."""
    group: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A label's log-odds, in parts; the strongest part is first."""

    label: str
    chance: float
    log_odds: float
    parts: tuple[Reason, ...]

    def raised(self, count: int = 5) -> tuple[Reason, ...]:
        """What spoke most for the label."""
        return tuple(part for part in self.parts if part.value > 0)[:count]

    def lowered(self, count: int = 5) -> tuple[Reason, ...]:
        """What spoke most against it."""
        return tuple(part for part in self.parts if part.value < 0)[:count]


@dataclass(frozen=True, slots=True)
class Term:
    """One label's share of a link's score (eq. 7)."""

    label: str
    chance: float
    reward: float

    @property
    def value(self) -> float:
        return self.chance * self.reward


@dataclass(frozen=True, slots=True)
class LinkExplanation:
    """A link's score as the sum of its terms, and why its most likely label is that."""

    url: str
    anchor: str
    score: float
    terms: tuple[Term, ...]
    why: Explanation


@dataclass(frozen=True, slots=True)
class Approach:
    """How a page was reached: the page before it, what that page was judged to be, and the link that was followed."""

    page: Page
    verdict: Verdict
    link: Link


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Log-scores of the labels by origin: one row of labels a feature, or one for the path as a whole."""

    kind: str
    columns: tuple[int, ...]
    rows: Floats
    phrase: str = ""


def follow(navigator: Navigator, approach: Approach, *, site: str) -> Floats:
    """The memory of a link that was followed; `Navigator.judge` takes it for the page that answered."""
    alpha, delta = navigator.walking.leave(
        approach.verdict.memory, [_link_bag(navigator, approach.page, approach.link, site)]
    )
    return np.concatenate([alpha[0] - alpha[0].max(), delta[0] - delta[0].max()])


def walk_path(
    navigator: Navigator, pages: Sequence[Page], links: Sequence[Link], *, site: str
) -> tuple[Verdict, Approach | None]:
    """Judge every page of a path; the verdict on the last one and how it was reached (None at a root)."""
    verdict, approach = navigator.judge(pages[0], site=site), None
    for before, link, page in zip(pages, links, pages[1:], strict=False):
        approach = Approach(before, verdict, link)
        verdict = navigator.judge(page, site=site, memory=follow(navigator, approach, site=site))
    return verdict, approach


def explain_page(
    navigator: Navigator, page: Page, *, site: str, approach: Approach | None = None, label: str | None = None
) -> Explanation:
    """Why a page has a label (its most likely one unless another is named), with the path it was reached by."""
    bag = page_bag(page, site=site, page_tokens=navigator.recipe.page_tokens)
    evidence = [_page_words(navigator, bag)]
    if approach is not None:
        evidence += _link_evidence(navigator, approach, site=site, kind="link")
        evidence.append(_Evidence("path", (), navigator.walking.entries[None, :]))
    return _explained(navigator, _joined(evidence), label)


def explain_link(navigator: Navigator, approach: Approach, *, site: str, label: str | None = None) -> LinkExplanation:
    """Why a link has its score, before it is followed."""
    evidence = _link_evidence(navigator, approach, site=site, kind="word")
    chances = probabilities(sum(piece.rows.sum(axis=0) for piece in evidence))
    terms = [
        Term(name, float(p), float(r)) for name, p, r in zip(navigator.labels, chances, navigator.rewards, strict=True)
    ]
    terms.sort(key=lambda term: -term.value)
    why = _explained(navigator, evidence, label)
    return LinkExplanation(
        approach.link.url, approach.link.anchor, float(chances @ navigator.rewards), tuple(terms), why
    )


def _explained(navigator: Navigator, evidence: Sequence[_Evidence], label: str | None) -> Explanation:
    total = np.sum([piece.rows.sum(axis=0) for piece in evidence], axis=0)
    known = navigator.encoding.space.index
    target = int(np.argmax(total)) if label is None else known[GOAL if label == navigator.goal_name else label]
    contrast, entropy, odds = _contrast(total, target)
    names = navigator.encoding.vocabulary.names()
    parts = [Reason("several other labels compete with it", -entropy, "rivals")] if entropy > 0 else []
    possible = np.isfinite(total)
    for piece in evidence:
        values = piece.rows[:, possible] @ contrast[possible]
        if piece.columns:
            parts += [_word_part(names[c], float(v), piece.kind) for c, v in zip(piece.columns, values, strict=True)]
        elif piece.phrase:
            parts.append(Reason(piece.phrase, float(values.sum()), piece.kind))
    parts = sorted((part for part in parts if part.value), key=lambda part: (-abs(part.value), part.phrase))
    name = navigator.goal_name if target == known[GOAL] else navigator.labels[target]
    return Explanation(name, float(1 / (1 + np.exp(-odds))), odds, tuple(parts))


def _contrast(total: Floats, target: int) -> tuple[Floats, float, float]:
    """1 for the label, minus each other label's share of the others; their entropy; the log-odds."""
    others = total.copy()
    others[target] = -np.inf
    shares = probabilities(others)
    some = shares > 0
    entropy = float(-(shares[some] * np.log(shares[some])).sum())
    contrast = -shares
    contrast[target] = 1.0
    return contrast, entropy, float(total[target] - logsumexp(others[None, :])[0])


def _page_words(navigator: Navigator, bag: Bag) -> _Evidence:
    columns, values = navigator.encoding.vocabulary.row(bag)
    weights = navigator.model.state_weights_[columns, : len(navigator.labels)]
    return _Evidence("word", tuple(columns), np.array(values)[:, None] * weights)


def _link_evidence(navigator: Navigator, approach: Approach, *, site: str, kind: str) -> list[_Evidence]:
    """A link's words, and the step from the page it stands on. Where words belong to transitions (one state a label), a
    word counts as the mean over the labels that the page before may have; the rest is the step's."""
    bag = _link_bag(navigator, approach.page, approach.link, site)
    columns, values = navigator.encoding.vocabulary.row(bag)
    alpha = navigator.walking.leave(approach.verdict.memory, [bag])[0][0]
    size = len(navigator.labels)
    before = approach.verdict.memory[:size, None] + navigator.walking.steps
    if navigator.encoding.with_links:
        rows = np.array(values)[:, None] * navigator.model.state_weights_[columns, size:]
    else:
        own = np.array(values)[:, None, None] * navigator.model.weights_.conditioned[columns].reshape(-1, size, size)
        before = before + own.sum(axis=0)
        shares = np.apply_along_axis(probabilities, 0, np.where(np.isfinite(alpha), before, 0.0))
        rows = (own * shares).sum(axis=1)
    rows = rows.reshape(len(columns), size)
    step = np.where(np.isfinite(alpha), alpha - rows.sum(axis=0), -np.inf)
    phrase = _step_phrase(navigator, approach.verdict)
    return [_Evidence(kind, tuple(columns), rows), _Evidence("path", (), step[None, :], phrase)]


def _joined(evidence: Sequence[_Evidence]) -> list[_Evidence]:
    """The steps of the path as one piece: a step into a link's label and on to its page are one step to a person."""
    steps = [piece for piece in evidence if piece.kind == "path"]
    words = [piece for piece in evidence if piece.kind != "path"]
    if not steps:
        return words
    return [*words, _Evidence("path", (), np.sum([piece.rows for piece in steps], axis=0), steps[0].phrase)]


def _step_phrase(navigator: Navigator, verdict: Verdict) -> str:
    best = navigator.labels[int(np.argmax(verdict.chances))]
    return f"it comes from a page that {state_phrase(best, navigator.goal_name)}"


def _word_part(name: tuple[str, str], value: float, kind: str) -> Reason:
    group, word = name
    phrase = feature_phrase(group, word)
    if kind == "link":
        phrase = f"in the link to it, {phrase}"
    return Reason(phrase, value, kind, group, word)


def _link_bag(navigator: Navigator, page: Page, link: Link, site: str) -> Bag:
    return link_bag(link, source=page.url, own=host_words(site), window=navigator.recipe.window)
