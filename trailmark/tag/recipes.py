"""How the taggers that come ready are learnt: what was best by cross-validation on the tagged text of each kind."""

from __future__ import annotations

from trailmark.tag.crf_tagger import CrfRecipe
from trailmark.tag.feature_blocks import Window

RECIPES = {
    "headers": CrfRecipe(Window(1, 2, 1), least=2, l2=0.1, l2_wide=1.0, max_iterations=120),
    "references": CrfRecipe(Window(1, 3, 0), least=2, l2=0.2, l2_wide=4.0, max_iterations=150),
    "talks": CrfRecipe(Window(1, 4, 1), least=3, l2=0.1, l2_wide=1.0, max_iterations=100),
    "addresses": CrfRecipe(Window(1, 2, 0), least=1, l2=0.1, l2_wide=4.0, max_iterations=150),
}
"""Name of a tagger -> its recipe; a tagger of another name is learnt as `CrfRecipe()` says."""
