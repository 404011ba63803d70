"""How the taggers that come ready are learnt: what was best by cross-validation on the tagged text of each kind."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.tag.bibtex import BibEntry
from trailmark.tag.crf_tagger import CrfRecipe
from trailmark.tag.feature_blocks import Window
from trailmark.tag.line_chain import LineRecipe
from trailmark.tag.mixed_text import mixed
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.worn_text import worn
from trailmark.tag.written_references import written_references

RECIPES = {
    "headers": CrfRecipe(Window(1, 2, 1), least=2, l2=0.1, l2_wide=1.0, max_iterations=90, lines=LineRecipe()),
    "references": CrfRecipe(Window(1, 3, 0), least=2, l2=0.2, l2_wide=8.0, max_iterations=120, written=150, worn=True),
    "talks": CrfRecipe(Window(1, 4, 1), least=3, l2=0.1, l2_wide=1.0, max_iterations=100),
    "addresses": CrfRecipe(Window(1, 2, 0), least=1, l2=0.1, l2_wide=4.0, mixed=8, restyled=True),
}
"""Name of a tagger -> its recipe; a tagger of another name is learnt as `CrfRecipe()` says."""


def with_more(
    documents: Sequence[TaggedDocument], recipe: CrfRecipe, entries: Sequence[BibEntry]
) -> list[TaggedDocument]:
    """Tagged documents and what a recipe adds to them: what bibliographies give, worn copies, and mixed ones."""
    more = written_references(entries, recipe.written) if recipe.written else []
    blends = mixed(documents, recipe.mixed, restyled=recipe.restyled)
    return [*documents, *more, *(worn(documents) if recipe.worn else []), *blends]
