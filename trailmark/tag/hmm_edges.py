"""Three states a class: the first word of a field, its last, and those between.

With one state a class a field may end behind any word. Here a field that was begun must be ended, and the words with which fields begin
(`Department`) and end (`Berkeley`) count for more there. What each state says leans on what its class says, the more so the less it was seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from trailmark.errors import InputError
from trailmark.sequence import HMM
from trailmark.sequence.sequences import Floats
from trailmark.tag.hmm_emissions import Counts, Emissions, Way, emissions
from trailmark.tag.hmm_structure import END, START, one_state_a_class
from trailmark.tag.hmm_tagger import HmmTagger, class_counts, logs, tokens_of
from trailmark.tag.tagged_text import TaggedDocument

FIRST, INSIDE, LAST = "first", "inside", "last"
LEANING = 6.0
"""Words of its class that are put beside the words of a state, for each distinct one that it has."""


def edged_hmm(documents: Sequence[TaggedDocument], *, name: str, distant: Counts, way: Way = "L*D") -> HmmTagger:
    """Tagged documents, and words that bibliographies label -> a tagger with three states a class."""
    chains = [list(_placed(tokens_of(document))) for document in documents]
    classes = tuple(sorted({label for chain in chains for _, (label, _) in chain}))
    if len(classes) < 2:
        raise InputError(f"{name}: tagged text with two labels or more is needed to learn a tagger.")
    emitted = emissions(class_counts(documents), distant, classes, way, endings=True)
    structure = one_state_a_class(
        [[f"{place} {label}" for _, (label, place) in chain] for chain in chains if chain], "ml"
    )
    counts: dict[str, Counter[str]] = {}
    for chain in chains:
        for token, (label, place) in chain:
            counts.setdefault(f"{place} {label}", Counter())[token] += 1
    inner = [number for number, state in enumerate(structure.classes) if state != START]
    states = [structure.classes[number] for number in inner]
    chances = np.zeros((len(emitted.words) + 1, len(states)))
    for number, state in enumerate(states):
        if state == END:
            chances[-1, number] = 1.0
        else:
            chances[:-1, number] = _leaning(counts[state], emitted, state.partition(" ")[2])
    arrays = {
        "state": logs(chances),
        "edge": logs(structure.steps[np.ix_(inner, inner)]),
        "start": logs(structure.steps[structure.classes.index(START), inner]),
    }
    named = tuple(state if state == END else state.partition(" ")[2] for state in states)
    return HmmTagger(name, classes, named, emitted.words, HMM.from_arrays(arrays))


def _placed(tokens: Sequence[tuple[str, str]]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Tokens with their labels -> each with its label and its place in its field; a field of one word has a first one."""
    for label, group in groupby(tokens, key=lambda token: token[1]):
        field = [token for token, _ in group]
        for place, token in enumerate(field):
            where = FIRST if place == 0 else LAST if place == len(field) - 1 else INSIDE
            yield token, (label, where)


def _leaning(counts: Counter[str], emitted: Emissions, label: str) -> Floats:
    """What a state says: its own words, and those of its class."""
    place = {word: number for number, word in enumerate(emitted.words)}
    own = np.zeros(len(emitted.words))
    for word, count in counts.items():
        own[place[word]] = count
    share = own.sum() / (own.sum() + LEANING * len(counts))
    return np.asarray(share * own / own.sum() + (1 - share) * emitted.chances[:, emitted.classes.index(label)])
