"""Where a field's values stand on its pages: in texts, split over an element's texts, or in an attribute.

Texts come first and, where every annotated page has the value as a whole text, nothing else is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from trailmark.wrap.page.node_layer import LAYERS, layer_of
from trailmark.wrap.page.node_table import TEXT
from trailmark.wrap.rules.annotation_match import WHOLE, MarkedPage, fit_of


def in_layer(pages: Sequence[MarkedPage], layer: str) -> list[MarkedPage]:
    """The pages with the tables of that layer."""
    return [replace(page, table=layer_of(page.table, layer)) for page in pages]


def layers_to_try(pages: Sequence[MarkedPage]) -> list[str]:
    """Layers that hold a value of every annotated page, those with whole values first; at least that of texts."""
    marked = [page for page in pages if page.marks]
    fits = {TEXT: _worst_fit(marked, TEXT)}
    if fits[TEXT] < WHOLE:
        fits.update((layer, _worst_fit(marked, layer)) for layer in LAYERS[1:])
    having = [layer for layer in LAYERS if fits.get(layer, 0) > 0]
    return sorted(having, key=lambda layer: -fits[layer]) or [TEXT]


def _worst_fit(marked: Sequence[MarkedPage], layer: str) -> int:
    """As good as the page on which the layer fits least; pages after one that does not fit are not looked at."""
    worst = WHOLE
    for page in in_layer(marked, layer):
        worst = min(worst, fit_of(page))
        if not worst:
            break
    return worst
