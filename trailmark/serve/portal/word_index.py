"""Items -> an index that a browser can search: words in small files, of which a query loads the few that it needs.

Items are numbered from the most cited down, so that numbers in a list of postings are small steps and the better ones come first. A word's list is
`[step, weight, step, weight, ...]`; words are dealt to files by their first two letters, which serves words cut short by `*` too. A word's weight
on an item is the paper's log tf (Cora, section 2), fields weighted: 1 + log of what its occurrences in title (8), authors (4) and summary (1) sum up to.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from trailmark.quoting import json_text
from trailmark.serve.portal.shown_text import clean
from trailmark.verbs.portal_catalogue import Entry

TITLE, AUTHORS, SUMMARY = 8, 4, 1
MOST_LISTED = 3000
"""Items in the list of one word: those that it weighs most on, the more cited first."""
IN_FILE = 200
"""Items of one file of titles."""
LONGEST_WORD = 30
SCALE = 10
_WORD = re.compile(r"[^\W_]+")


@dataclass
class WordIndex:
    """Words of items as they come."""

    lists: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    items: list[tuple[str, str, str, int | None, str, int]] = field(default_factory=list)

    def add(self, entry: Entry, text: str = "") -> None:
        """One more item; they come in the order in which equals are shown."""
        number = len(self.items)
        self.items.append(
            (entry.address, clean(entry.title), clean(entry.subtitle), entry.year, entry.topic or "", entry.cited)
        )
        counts: Counter[str] = Counter()
        for words, weight in ((entry.title, TITLE), (entry.subtitle, AUTHORS), (f"{entry.summary} {text}", SUMMARY)):
            for word in words_in(words):
                counts[word] += weight
        for word, count in counts.items():
            self.lists.setdefault(word, []).append((number, round(SCALE * (1 + math.log(count)))))

    def files(self) -> Iterator[tuple[str, bytes]]:
        """The files of the index: (name, content)."""
        shards: dict[str, dict[str, list[int]]] = {}
        for word in sorted(self.lists):
            shards.setdefault(shard_of(word), {})[word] = _steps(self.lists[word])
        for name in sorted(shards):
            yield f"search/w-{name}.json", _compact(shards[name])
        for start in range(0, len(self.items), IN_FILE):
            yield f"search/i-{start // IN_FILE}.json", _compact(self.items[start : start + IN_FILE])
        topics = sorted({item[4] for item in self.items})
        place = {topic: number for number, topic in enumerate(topics)}
        yield (
            "search/about.json",
            _compact(
                {
                    "items": len(self.items),
                    "inFile": IN_FILE,
                    "scale": SCALE,
                    "topics": topics,
                    "topic": [place[item[4]] for item in self.items],
                    "year": [item[3] or 0 for item in self.items],
                    "shards": sorted(shards),
                }
            ),
        )


def words_in(text: str) -> Iterable[str]:
    """A text -> its words, in small letters without accents; the browser does the same."""
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(letter)
    )
    return (word[:LONGEST_WORD] for word in _WORD.findall(plain))


def shard_of(word: str) -> str:
    """The file that a word stands in: its first two letters, others than a to z and digits by their number."""
    return "".join(letter if letter.isascii() else f"u{ord(letter):x}" for letter in word[:2])


def _steps(listed: Sequence[tuple[int, int]]) -> list[int]:
    kept = listed
    if len(listed) > MOST_LISTED:
        kept = sorted(sorted(listed, key=lambda pair: (-pair[1], pair[0]))[:MOST_LISTED])
    steps, before = [], 0
    for number, weight in kept:
        steps += [number - before, weight]
        before = number
    return steps


def _compact(value: object) -> bytes:
    return json_text(value).replace("\u2028", "\\u2028").encode("utf-8", "replace") + b"\n"
