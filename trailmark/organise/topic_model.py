"""Topics from keywords: preliminary labels, naive Bayes, EM with shrinkage (Cora, section 5, table 7).

Departures, each with what it gained where whole collections were measured (docs/why/topics.md):
- Items with keywords are held to their labels by half (`HOLD`): with all labels soft EM drifts, with all hard the mistakes of keywords stay.
- Keywords are weighed, and after a first bootstrap weighed anew by what the items with them turned out to be (`keyword_votes.reliability`).
- An item speaks with at most `EVIDENCE` words: words of one text depend on each other, and naive Bayes, which takes them for independent, is far too sure of long ones.
- Sizes of topics are learnt from items that a person placed, not from what EM believes of them (they feed on themselves).
- Items that belong nowhere have a place of their own under the root, which starts from the items without any keyword (5.4): left without one they
  take over a topic.
- Where there are few items for each topic, keywords speak for themselves too, in every round (`VOICE`), and count as words of their topic (`SEEDS`).
- What an item hangs together with is evidence too (`ties`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.item import Item
from trailmark.organise.keyword_votes import KeywordFinder, keywords_of, rarity, regions, reliability, votes
from trailmark.organise.shrinkage import Shrinkage
from trailmark.organise.ties import Bond, bonds_of, evidence
from trailmark.organise.topic_tree import Topic, TopicTree
from trailmark.organise.word_counts import Counts, Numbers, Vocabulary, item_words, vocabulary_of
from trailmark.progress import Progress, silent

ROUNDS = 8
HOLD = 0.5
EVIDENCE = 12.0
TIE = 1e-3
"""What the keywords of a topic weigh between leaves under it and others with as many votes."""
PRIOR = 5.0
"""Items that each leaf is taken to have before any was placed by a person."""
SEEDS = 3.0
"""Items that the keywords of a leaf count for as words of it, so that a leaf without any item is not like all others."""
VOICE = 50.0
"""Items for each leaf at which votes of keywords speak half as loud as in a small collection: the more items, the better words speak for themselves."""
SAID = 5.0
"""Items that one which a person placed counts for: it is right, and was worth the trouble."""
ELSEWHERE = "elsewhere"
"""Where items go that belong in no topic: the last column of every posterior."""


@dataclass(frozen=True, slots=True)
class TopicOptions:
    """What of the method is used; all of it but for tables that show what each part gains."""

    rounds: int = ROUNDS
    hold: float = HOLD
    evidence: float = EVIDENCE
    shrinkage: bool = True
    ties: bool = True
    weigh_keywords: bool = True
    elsewhere: bool = True
    seeds: float = SEEDS
    voice: float = VOICE
    unlabelled: bool = True
    """Whether items without keywords are learnt from."""


@dataclass(frozen=True, slots=True)
class TopicModel:
    """What was learnt: enough to place an item that comes later."""

    tree: TopicTree
    vocabulary: Vocabulary
    log_words: Numbers
    """A row a leaf, and one for elsewhere: log probability of each word."""
    log_prior: Numbers
    keyword_weights: Numbers
    evidence: float

    def posterior(self, items: Sequence[Item]) -> Numbers:
        """Items that were not learnt from -> the probability of each leaf, by their words alone."""
        texts = [item_words(item) for item in items]
        return softmax(scores(self.vocabulary.counts(texts), self.log_words, self.evidence) + self.log_prior)


@dataclass(frozen=True, slots=True)
class Placement:
    """Items in topics."""

    model: TopicModel
    posterior: Numbers
    """A row an item, a column a leaf, and the last for elsewhere."""
    labelled: npt.NDArray[np.bool_]
    """Which items had a keyword."""


def softmax(logs: Numbers) -> Numbers:
    """Rows of logs -> probabilities."""
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def scores(counts: Counts, log_words: Numbers, most: float) -> Numbers:
    """Eq. 12 in logs but for the prior, no item with the weight of more than `most` words."""
    lengths = np.asarray(counts.sum(axis=1))
    scale = np.minimum(1.0, most / np.maximum(lengths, 1e-12))
    return np.asarray(counts @ log_words.T) * scale[:, None]


def bootstrap(
    tree: TopicTree,
    items: Sequence[Item],
    moved: Mapping[str, int] | None = None,
    *,
    options: TopicOptions | None = None,
    progress: Progress = silent,
) -> Placement:
    """A tree with keywords, and items -> where each belongs. `moved`: ids of items that a person placed, with the place of their leaf."""
    options = options or TopicOptions()
    texts = [item_words(item) for item in items]
    finder = KeywordFinder(keywords_of(tree))
    vocabulary = vocabulary_of(texts, (word for keyword in finder.keywords for word in keyword.words))
    run = _Bootstrap(
        tree,
        vocabulary,
        vocabulary.counts(texts),
        finder.occurrences(texts),
        finder,
        bonds_of(items) if options.ties else (),
        options,
    )
    fixed = {place: moved[item.id] for place, item in enumerate(items) if moved and item.id in moved}
    return run.placed(fixed, progress)


@dataclass(frozen=True, slots=True)
class _Held:
    """What rounds of EM start from and go by."""

    labels: Numbers
    """Preliminary labels: a row an item, all nothing where there is none."""
    said: Numbers
    """What keywords say of each item, as loud as they may speak."""
    fixed: npt.NDArray[np.bool_]
    """Which items a person placed."""


class _Bootstrap:
    """The rounds of EM, and what they go on."""

    def __init__(
        self,
        tree: TopicTree,
        vocabulary: Vocabulary,
        counts: Counts,
        occurrences: Counts,
        finder: KeywordFinder,
        bonds: Sequence[Bond],
        options: TopicOptions,
    ) -> None:
        self.tree, self.vocabulary, self.counts, self.occurrences = tree, vocabulary, counts, occurrences
        self.finder, self.bonds, self.options = finder, bonds, options
        texts = [
            [word for keyword in finder.keywords if keyword.topic == leaf for word in keyword.words]
            for leaf in tree.leaves
        ]
        self._with_seeds = sparse.vstack([counts, vocabulary.counts(texts)], format="csr")
        self._seed_shares = np.eye(len(texts), len(texts) + 1) * options.seeds

    def placed(self, fixed: Mapping[int, int], progress: Progress) -> Placement:
        """Once with keywords by rarity, then with keywords by what they turned out to say."""
        weights = rarity(self.occurrences)
        passes = 2 if self.options.weigh_keywords else 1
        steps = iter(progress(range(passes * (self.options.rounds + 1)), "rounds of EM"))
        posterior = log_words = np.zeros((0, 0))
        for number in range(passes):
            if number:
                weights = reliability(self.occurrences, self.finder.keywords, self.tree, posterior[:, :-1])
            held = self._held(weights, fixed)
            posterior, log_words = self._rounds(held, steps)
        for _ in steps:
            pass
        model = TopicModel(self.tree, self.vocabulary, log_words, self._log_prior(held), weights, self.options.evidence)
        return Placement(model, posterior, np.asarray(held.labels.any(axis=1)))

    def _held(self, weights: Numbers, fixed: Mapping[int, int]) -> _Held:
        """Preliminary labels: all of an item in the leaf with the most votes; nothing where there is none."""
        ballots = votes(self.occurrences, self.finder.keywords, weights, self.tree)
        above = regions(self.occurrences, self.finder.keywords, weights, self.tree)
        voice = self.options.voice / max(1.0, self.options.voice + len(ballots) / ballots.shape[1])
        said = np.hstack([ballots, np.zeros((len(ballots), 1))]) * voice
        voted = ballots.sum(axis=1) > 0
        held = np.zeros((len(ballots), ballots.shape[1] + 1))
        held[np.flatnonzero(voted), (ballots + TIE * above)[voted].argmax(axis=1)] = 1.0
        # Keywords of a topic above its leaves say where to begin; no leaf is held to them.
        only_above = ~voted & (above.sum(axis=1) > 0)
        best = above[only_above] == above[only_above].max(axis=1, keepdims=True)
        held[only_above, :-1] = best / best.sum(axis=1, keepdims=True)
        held[list(fixed)] = np.eye(held.shape[1])[list(fixed.values())]
        return _Held(held, said, np.isin(np.arange(len(held)), list(fixed)))

    def _rounds(self, start: _Held, steps: Iterator[int]) -> tuple[Numbers, Numbers]:
        options, held, fixed = self.options, start.labels, start.fixed
        hold = np.where(fixed, 1.0, np.where(held.max(axis=1) == 1.0, options.hold, 0.0))[:, None]
        log_prior = self._log_prior(start)
        learnt_from = np.where(fixed, SAID, 1.0)[:, None] * (options.unlabelled | held.any(axis=1, keepdims=True))
        shares = held.copy()
        shares[:, -1] += ~held.any(axis=1) * options.elsewhere
        words = self._words()
        for number in range(options.rounds + 1):
            next(steps, None)
            log_words = words(self._with_seeds, np.vstack([shares * learnt_from, self._seed_shares]))
            logs = scores(self.counts, log_words, options.evidence) + log_prior + start.said
            posterior = softmax(logs)
            if number and self.bonds:
                posterior = softmax(logs + evidence(self.bonds, posterior))
            shares = hold * held + (1 - hold) * posterior
        return np.where(fixed[:, None], held, posterior), log_words

    def _log_prior(self, held: _Held) -> Numbers:
        """Eq. 11, over the items that a person placed."""
        sizes = held.labels[held.fixed].sum(axis=0) + PRIOR
        sizes[-1] = sizes[-1] if self.options.elsewhere else 1e-300
        return np.asarray(np.log(sizes / sizes.sum()))

    def _words(self) -> Callable[[Counts, Numbers], Numbers]:
        """What turns counts of words by leaf into log probabilities."""
        if not self.options.shrinkage:
            return _laplace
        beside = Topic(f"{self.tree.topics[0].id}/{ELSEWHERE}", ELSEWHERE, (), 0, leaf=True)
        return Shrinkage(TopicTree((*self.tree.topics, beside)), len(self.vocabulary.columns)).log_probabilities


def _laplace(counts: Counts, shares: Numbers) -> Numbers:
    """Eq. 10."""
    sums = np.asarray((counts.T @ shares).T) + 1.0
    return np.asarray(np.log(sums / sums.sum(axis=1, keepdims=True)))
