"""`ModelChoice`: which kind of model is kept for tagged text, by cross-validation on that text, and how much each kind errs.

Both kinds are asked for the same words of the same documents. Of much text some is looked at, spread evenly over the file, so that choosing takes about
as long as learning.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from trailmark.errors import InputError
from trailmark.tag.bibtex import BibEntry
from trailmark.tag.crf_tagger import PLAIN, CrfTagger, learnt_tagger
from trailmark.tag.hmm_distant import DISTANT, distant_counts
from trailmark.tag.hmm_edges import edged_hmm
from trailmark.tag.hmm_tagger import HmmTagger
from trailmark.tag.lexicon import lexicon_of
from trailmark.tag.recipes import RECIPES, with_more
from trailmark.tag.tagged_text import TaggedDocument

CRF, HMM = "crf", "hmm"
PARTS = 3
LEAST_DOCUMENTS = 12
"""Below which nothing is measured: a part of fewer than four documents says nothing."""
MOST_DOCUMENTS, MOST_WORDS = 1000, 20_000
"""That are looked at. Fewer would favour the model that learns from little: of 211 of 1,474 addresses the hidden Markov model errs less, of 737 it does not."""


@dataclass(frozen=True, slots=True)
class KindError:
    """The share of words that a kind of model got wrong."""

    model: str
    word_error: float


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The kind that is kept, and what was measured: nothing where there was too little text."""

    model: str
    errors: tuple[KindError, ...] = ()
    documents: int = 0
    """That were looked at, each once, tagged by what the other parts taught."""
    parts: int = PARTS


def learnt_model(
    model: str, documents: Sequence[TaggedDocument], name: str, entries: Sequence[BibEntry]
) -> CrfTagger | HmmTagger:
    """The kind of a model, tagged documents, its name, and bibliographies -> a tagger."""
    return LEARNERS[model](documents, name, entries)


def _crf(documents: Sequence[TaggedDocument], name: str, entries: Sequence[BibEntry]) -> CrfTagger:
    recipe = RECIPES.get(name, PLAIN)
    more = with_more(documents, recipe, entries)
    return learnt_tagger(more, name=name, lexicon=lexicon_of(entries), recipe=recipe)


def _hmm(documents: Sequence[TaggedDocument], name: str, entries: Sequence[BibEntry]) -> HmmTagger:
    distant = distant_counts(entries, DISTANT.get(name, {}))
    return edged_hmm(documents, name=name, distant=distant, way="L*D" if distant else "L")


LEARNERS: dict[str, Callable[[Sequence[TaggedDocument], str, Sequence[BibEntry]], CrfTagger | HmmTagger]] = {
    CRF: _crf,
    HMM: _hmm,
}
"""By the kind of the model; of two that err alike the first is kept, which sees how a page is printed."""


def model_choice(documents: Sequence[TaggedDocument], name: str, entries: Sequence[BibEntry]) -> ModelChoice:
    """Tagged documents, the name of a tagger and bibliographies -> the kind that errs least on parts that it did not learn from."""
    some = _spread(documents)
    if len(some) < LEAST_DOCUMENTS:
        return ModelChoice(CRF)
    wrong, words = dict.fromkeys(LEARNERS, 0), 0
    edges = [len(some) * number // PARTS for number in range(PARTS + 1)]
    for start, end in pairwise(edges):
        train, test = [*some[:start], *some[end:]], some[start:end]
        truth = [label for document in test for line in document.labels for label in line]
        words += len(truth)
        for model in LEARNERS:
            try:
                tagged = learnt_model(model, train, name, entries).tag([document.lines for document in test])
            except InputError:  # one label alone is left in this part
                return ModelChoice(CRF)
            said = (tag.label for lines in tagged for line in lines for tag in line)
            wrong[model] += sum(one != other for one, other in zip(truth, said, strict=True))
    best = min(LEARNERS, key=lambda model: wrong[model])
    errors = tuple(KindError(model, round(count / max(words, 1), 4)) for model, count in wrong.items())
    return ModelChoice(best, errors, len(some))


def _spread(documents: Sequence[TaggedDocument]) -> list[TaggedDocument]:
    """Some of the documents, as far apart as the bounds make them."""
    words = sum(len(line) for document in documents for line in document.lines)
    step = max(1, -(-len(documents) // MOST_DOCUMENTS), -(-words // MOST_WORDS))
    return list(documents[::step])
