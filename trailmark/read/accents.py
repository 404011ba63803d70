"""Letters and accents that were printed one over the other -> one letter.

Typesetters of the last century set an accent and a letter at the same place. A reader of PDFs gives both, in either order, and takes them for
words of their own: `Jos´e`, `Jose ´`, `Leit ˜ ao`. Whose accent it is, the places on the page tell.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

Box = tuple[float, float, float, float]
"""Left, top, right, bottom as PDF counts: upwards."""
NOTHING = "\x01"
"""Stands in the text where an accent stood: no blank, and no letter."""
ACCENTS = {"´": "\u0301", "`": "\u0300", "˜": "\u0303", "¨": "\u0308", "ˆ": "\u0302", "ˇ": "\u030c", "˚": "\u030a", "¸": "\u0327", "˘": "\u0306", "¯": "\u0304"}  # fmt: skip
"""An accent that stands alone -> the one that is put on a letter."""
_DOTLESS = {"ı": "i", "ȷ": "j"}
NEAR = 60
"""Letters to either side among which the accent's own is looked for."""
CLOSE = 0.18
"""Of a letter's height: the blank between two letters of one word, at most."""
MOST = 100
"""Accents of a page that are looked at."""


def with_accents(text: str, box: Callable[[int], Box]) -> str:
    """The text of a page, and where each letter stands -> the text of the same length, accents on their letters."""
    places = [place for place, letter in enumerate(text) if letter in ACCENTS][:MOST]
    if not places:
        return text
    letters = list(text)
    for place in places:
        own = _own_letter(letters, place, box)
        if own is not None:
            letters[own] = _composed(letters[own], letters[place])
            letters[place] = NOTHING
            _close_gap(letters, place, box)
    return "".join(letters)


def _composed(letter: str, accent: str) -> str:
    whole = unicodedata.normalize("NFC", _DOTLESS.get(letter, letter) + ACCENTS[accent])
    return whole if len(whole) == 1 else letter


def _own_letter(letters: list[str], place: int, box: Callable[[int], Box]) -> int | None:
    """The letter below or above an accent whose middle is nearest to the accent's."""
    accent = box(place)
    middle = (accent[0] + accent[2]) / 2
    best: tuple[float, int] | None = None
    for at in range(max(0, place - NEAR), min(len(letters), place + NEAR + 1)):
        if not letters[at].isalpha():
            continue
        left, top, right, bottom = box(at)
        same_line = min(top, accent[1]) - max(bottom, accent[3]) > 0.3 * (top - bottom)
        if same_line and left <= middle <= right and _composed(letters[at], letters[place]) != letters[at]:
            best = min(best or (1e9, 0), (abs((left + right) / 2 - middle), at))
    return best[1] if best else None


def _close_gap(letters: list[str], place: int, box: Callable[[int], Box]) -> None:
    """Blanks beside an accent that was taken away are no blanks where the letters around them touch."""
    begin, end = place, place
    while begin > 0 and letters[begin - 1] in (" ", NOTHING):
        begin -= 1
    while end + 1 < len(letters) and letters[end + 1] in (" ", NOTHING):
        end += 1
    if begin == 0 or end + 1 == len(letters) or not (letters[begin - 1].isalpha() and letters[end + 1].isalpha()):
        return
    before, after = box(begin - 1), box(end + 1)
    height = max(before[1] - before[3], 1.0)
    level = abs(before[3] - after[3]) < 0.3 * height
    if level and -CLOSE * height < after[0] - before[2] < CLOSE * height:
        letters[begin : end + 1] = [NOTHING] * (end + 1 - begin)
