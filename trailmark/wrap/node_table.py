"""One pass over a page's tree -> a table of its texts, in which rules are learnt and applied.

A row is a text node that is not blank. What can be said of a row is in `node_columns`: features are triples (type, level,
value) as in Vertex (section III-C). Columns are made when they are first asked for: learning asks for all of them,
extraction only for those that its rules name.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from trailmark.wrap.node_address import text_address

Numbers = NDArray[np.int64]

MOST_ELEMENTS = 60_000
"""What stands behind them is not seen: no page that a person made is longer."""
LONGEST = 200
"""Characters of a neighbouring text that count; a longer one is never a label."""

_NO_TEXT = frozenset(("script", "style", ""))  # comments have an empty tag here


class NodeTable:
    """The texts of one page in document order, their blanks squeezed, and the elements that hold them.

    Arrays over elements have one entry more than there are elements: the last stands for no element.
    """

    def __init__(self, root: etree._Element | None, *, most: int = MOST_ELEMENTS) -> None:
        self.elements: list[Any] = [] if root is None else list(islice(root.iter(), most))
        self.tags = [tag if isinstance(tag := each.tag, str) else "" for each in self.elements]
        none = len(self.elements)
        position = {each: number for number, each in enumerate(self.elements)}
        parents = [position.get(each.getparent(), none) for each in self.elements]
        self.parent: Numbers = np.array([*parents, none], dtype=np.int64)
        self._kept: dict[Any, Any] = {}
        self._walk(parents)

    def _walk(self, parents: list[int]) -> None:
        """Texts in document order: what an element opens with and, after all within it, what follows it."""
        none = len(parents)
        texts: list[str] = []
        owner: list[int] = []
        behind: list[int] = []
        first, end = [0] * (none + 1), [0] * (none + 1)
        inside = [each.text for each in self.elements]
        tails = [each.tail for each in self.elements]
        mute = [tag in _NO_TEXT for tag in self.tags] + [True]
        open_ones: list[int] = []
        # The last round has no element: it closes what is open.
        for number, parent in enumerate([*parents, -1]):
            while open_ones and open_ones[-1] != parent:
                closed = open_ones.pop()
                end[closed] = len(texts)
                text, holder = tails[closed], parents[closed]
                if text and not text.isspace() and not mute[holder]:
                    texts.append(" ".join(text.split()))
                    owner.append(holder)
                    behind.append(closed)
            if number == none:
                break
            first[number] = len(texts)
            open_ones.append(number)
            text = inside[number]
            if text and not text.isspace() and not mute[number]:
                texts.append(" ".join(text.split()))
                owner.append(number)
                behind.append(-1)
        self.texts = texts
        self.owner: Numbers = np.array(owner, dtype=np.int64)
        self.behind: Numbers = np.array(behind, dtype=np.int64)
        """The element that the text follows; -1 where it opens its owner."""
        self.first_text: Numbers = np.array(first, dtype=np.int64)
        self.end_text: Numbers = np.array(end, dtype=np.int64)
        """Rows of the first text within each element, and of the first behind it."""

    def __len__(self) -> int:
        return len(self.texts)

    def kept(self, key: Any, make: Callable[[], Any]) -> Any:
        """What was made for the key, made at the first call."""
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def ancestor(self, level: int) -> Numbers:
        """The element of each row, `level` steps up."""
        if level == 0:
            return self.owner
        made: Numbers = self.kept(("ancestor", level), lambda: self.parent[self.ancestor(level - 1)])
        return made

    def number_of(self, element: Any) -> int | None:
        """The place of an element in `elements`."""
        found: dict[Any, int] = self.kept("numbers", lambda: {each: at for at, each in enumerate(self.elements)})
        return found.get(element)

    def text(self, node: int) -> str:
        """What stands at a node, its blanks squeezed."""
        return self.texts[node]

    def xpath(self, node: int) -> str:
        """The XPath that selects the node on this page, and nothing else."""
        behind = int(self.behind[node])
        return text_address(self.elements[int(self.owner[node])], self.elements[behind] if behind >= 0 else None)

    def label(self, row: int) -> str:
        """A text as a label: an empty string where there is none, or where it is too long to be one."""
        text = self.texts[row] if 0 <= row < len(self.texts) else ""
        return text if len(text) <= LONGEST else ""
