"""Items without any topics -> a draft of a topics file: groups of items with the words that tell them apart.

Spherical k-means over tf-idf, started from items far from each other, then groups of groups. A draft: a person names the topics and weeds the keywords.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import sparse

from trailmark.organise.item import Item
from trailmark.organise.topic_tree import Topic, TopicTree
from trailmark.organise.word_counts import Counts, Numbers, item_words, vocabulary_of

ROUNDS = 20
KEYWORDS = 6
FEWEST_ITEMS = 3
"""In a group that becomes a topic."""
MOST_GROUPS = 24
SHORTEST = 3
"""Letters of a word that may be a keyword."""
SAMPLE = 20_000
"""Items that a draft is made from; of more, every so-and-so-many-th."""


def draft_topics(items: Sequence[Item], groups: int | None = None, *, name: str = "All") -> TopicTree | None:
    """Items -> a tree of one level with keywords; None where there are too few items to group."""
    items = items[:: max(1, math.ceil(len(items) / SAMPLE))]
    texts = [item_words(item) for item in items]
    vocabulary = vocabulary_of(texts)
    vectors = _tf_idf(vocabulary.counts(texts))
    wanted = groups or min(MOST_GROUPS, max(2, round(math.sqrt(len(items) / 2))))
    if len(items) < 2 * FEWEST_ITEMS or not vocabulary.columns:
        return None
    words = sorted(vocabulary.columns, key=vocabulary.columns.__getitem__)
    number = max(2, min(wanted, len(items) // FEWEST_ITEMS))
    keywords = _telling_words(vectors, _k_means(vectors, number), words)
    while len(keywords) < 2 < number:  # the groups were too small for topics: fewer are larger
        number -= 1
        keywords = _telling_words(vectors, _k_means(vectors, number), words)
    topics = [Topic(name, name, (), None, leaf=False)]
    for told in keywords:
        title = " ".join(told[:2]).capitalize()
        topics.append(Topic(f"{name}/{title}", title, tuple((word,) for word in told), 0, leaf=True))
    return TopicTree(tuple(topics)) if len(topics) > 2 else None


def _tf_idf(counts: Counts) -> Counts:
    """Rows of length one; a word counts the less the more items have it."""
    items = counts.shape[0]
    seen = np.bincount(counts.indices, minlength=counts.shape[1])
    weighed = counts.copy()
    weighed.data = counts.data * np.log((items + 1) / (seen[counts.indices] + 0.5))
    lengths = np.sqrt(np.asarray(weighed.power(2).sum(axis=1)))
    return sparse.csr_array(sparse.diags_array(1 / np.maximum(lengths, 1e-12)) @ weighed)


def _k_means(vectors: Counts, groups: int) -> npt.NDArray[np.int64]:
    """The group of each item; started from the item with the most words, then always the one least like those chosen."""
    centres = _far_apart(vectors, groups)
    member = np.zeros(vectors.shape[0], dtype=np.int64)
    for _ in range(ROUNDS):
        new = np.asarray((vectors @ centres.T).argmax(axis=1))
        if (new == member).all():
            break
        member = new
        centres = _centres(vectors, member, len(centres))
    return member


def _far_apart(vectors: Counts, groups: int) -> Numbers:
    rows = [int(np.argmax(np.diff(vectors.indptr)))]
    nearest = np.asarray(vectors @ vectors[rows[:1]].toarray().T)[:, 0]
    # An item of a few odd words is far from everything: what is hardly like any other makes no group.
    crowd = np.asarray(vectors @ np.asarray(vectors.sum(axis=0)))
    for _ in range(min(groups, vectors.shape[0]) - 1):
        score = np.where(nearest > 0.5, -1.0, (1 - nearest) * np.sqrt(np.maximum(crowd, 0.0)))
        rows.append(int(np.argmax(score)))
        nearest = np.maximum(nearest, np.asarray(vectors @ vectors[rows[-1:]].toarray().T)[:, 0])
    return vectors[rows].toarray()


def _centres(vectors: Counts, member: npt.NDArray[np.int64], groups: int) -> Numbers:
    ones = sparse.csr_array((np.ones(len(member)), (member, np.arange(len(member)))), shape=(groups, len(member)))
    sums = (ones @ vectors).toarray()
    return np.asarray(sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12))


def _telling_words(vectors: Counts, member: npt.NDArray[np.int64], words: list[str]) -> list[tuple[str, ...]]:
    """For each group that is large enough, the largest first, the words that it has and others have not; no word for two groups."""
    groups = int(member.max()) + 1
    centres = _centres(vectors, member, groups)
    sizes = np.bincount(member, minlength=groups)
    told = []
    taken: set[str] = set()
    for group in sorted(range(groups), key=lambda number: (-sizes[number], number)):
        if sizes[group] < FEWEST_ITEMS:
            continue
        others = np.delete(centres, group, axis=0).max(axis=0) if groups > 1 else 0.0
        gain = centres[group] - others
        order = np.argsort(-gain, kind="stable")[: KEYWORDS * 6]
        chosen = [
            words[column]
            for column in order
            if gain[column] > 0 and _is_keyword(words[column]) and words[column] not in taken
        ]
        if chosen:
            taken.update(chosen[:KEYWORDS])
            told.append(tuple(chosen[:KEYWORDS]))
    return told


def _is_keyword(word: str) -> bool:
    return len(word) >= SHORTEST and word.isalpha()
