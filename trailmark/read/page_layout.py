"""Words where they stand on a sheet -> lines in the order in which a person reads them.

A file may hold its words in any order, and a line of one column beside that of the next. So: words that follow one another closely make a
piece; a gutter is looked for that few pieces cross while many stand on either side of it; what crosses it cuts the sheet into bands,
and in each band the left column is read before the right. Text that stands upright in the margin comes last: nothing is lost.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from trailmark.datatypes import Corners, PlacedWord, TextLine

WIDE_GAP = 1.1
"""Heights of a line that two pieces of it stand apart."""
LEAST_BESIDE = 6
"""Pieces on either side of a gutter."""
CROSSING = 0.6
"""Pieces that cross the gutter for each one on its poorer side, at most."""
ALIGNED = 0.4
"""Share of the pieces on the right that begin at the same place."""
TRIED = 40
"""Places between a third and two thirds of the sheet that are tried for a gutter."""

HEAD, HEAD_PIECES, HEAD_BLANK = 0.45, 40, 0.8
"""Of a sheet with two columns: the share of its height and the number of pieces in which its head ends, and the blank below, in heights of a line."""

Piece = list[PlacedWord]


def lines_in_order(
    words: Sequence[PlacedWord], width: float, turned: Sequence[PlacedWord] = ()
) -> tuple[TextLine, ...]:
    """The words of a sheet as its file has them, its width, and words that are known to be turned -> its lines in reading order."""
    upright, level = list[PlacedWord](), list[PlacedWord]()
    for word in words:
        left, top, right, bottom = word.box
        high = bottom - top > 2 * (right - left)  # few are: only those are looked at more closely
        (upright if high and _is_upright(word) else level).append(word)
    upright += turned
    pieces = _pieces(level)
    gutter = _gutter(pieces, width)
    rows = _rows(pieces) if gutter is None else _columns(pieces, gutter)
    last = _rows([[word] for word in upright])
    return tuple(TextLine(tuple(row)) for row in [*rows, *last])


def _is_upright(word: PlacedWord) -> bool:
    """Whether a word that is twice as high as it is wide is turned by a quarter, as stamps in a margin are."""
    _, top, _, bottom = word.box
    return len(word.text) >= 3 and bottom - top > 2 * max(word.size, 1.0)


def _pieces(words: Iterable[PlacedWord]) -> list[Piece]:
    """Words that follow one another in the file and stand close to one another on a line."""
    pieces: list[Piece] = []
    last: Piece = []
    before: Corners | None = None
    for word in words:
        box = word.box
        if before is not None and _continues(before, box):
            last.append(word)
        else:
            last = [word]
            pieces.append(last)
        before = box
    return pieces


def _continues(one: Corners, other: Corners) -> bool:
    """Whether a box goes on behind another on its line; asked of every word, and so without a call of `min` or `max`."""
    left, top, right, bottom = one
    left, upper, _, lower = other
    height, high = bottom - top, lower - upper
    height = high if high > height else height
    height = height if height > 1.0 else 1.0
    return -0.5 * height < left - right < WIDE_GAP * height and _same_line(one, other)


def _same_line(one: Corners, other: Corners) -> bool:
    """Whether two boxes overlap by half of the lower one's height."""
    _, top, _, bottom = one
    _, upper, _, lower = other
    height, high = bottom - top, lower - upper
    least = high if high < height else height
    shared = (lower if lower < bottom else bottom) - (upper if upper > top else top)
    return shared > 0.5 * (least if least > 0.1 else 0.1)


def _span(piece: Piece) -> tuple[float, float]:
    return piece[0].box[0], piece[-1].box[2]


def _gutter(pieces: Sequence[Piece], width: float) -> float | None:
    """The middle of the blank between two columns; None where there is one column."""
    spans = [_span(piece) for piece in pieces if len(piece) > 1]
    if len(spans) < 2 * LEAST_BESIDE:
        return None
    begins, ends = sorted(begin for begin, _ in spans), sorted(end for _, end in spans)
    counted = []
    for number in range(TRIED + 1):
        place = width * (1 + number / TRIED) / 3
        left, right = bisect_right(ends, place), len(begins) - bisect_left(begins, place)
        counted.append((len(spans) - left - right, -min(left, right), place))
    crossing, poorer, _ = min(counted)
    places = [place for across, beside, place in counted if (across, beside) == (crossing, poorer)]
    if -poorer < LEAST_BESIDE or crossing > -poorer * CROSSING:
        return None
    place = median(places)
    starts = Counter(round(begin / 3) for begin, _ in spans if begin >= place)
    near = max(starts[at] + starts[at + 1] for at in starts)
    return place if near >= ALIGNED * starts.total() else None


def _columns(pieces: Sequence[Piece], gutter: float) -> list[Piece]:
    """Band after band between what crosses the gutter, left column before right."""
    across = [piece for piece in pieces if _span(piece)[0] < gutter < _span(piece)[1]]
    pieces, across = _beside_joined(pieces, across)
    edges = sorted([*(_middle(piece) for piece in across), *_blank_below_heading(pieces, across)])
    bands: list[tuple[list[Piece], list[Piece], list[Piece]]] = [([], [], []) for _ in range(len(edges) + 1)]
    for piece in pieces:
        begin, end = _span(piece)
        side = 2 if begin < gutter < end else 0 if end <= gutter else 1
        bands[bisect_left(edges, _middle(piece))][side].append(piece)
    # What crosses stands at the lower edge of its band.
    return [row for left, right, crossing in bands for part in (left, right, crossing) for row in _rows(part)]


def _blank_below_heading(pieces: Sequence[Piece], across: Sequence[Piece]) -> list[float]:
    """Where the head of a sheet ends that has blocks of names in both columns: at the widest blank that goes through both, a little below
    what crosses the gutter last at the top. Without it the right column's names would be read behind the left column's text."""
    if not pieces or not across:
        return []
    top = min(piece[0].box[1] for piece in pieces)
    foot = max(piece[0].box[3] for piece in pieces)
    heads = [piece[0].box[3] for piece in across if piece[0].box[3] < top + HEAD * (foot - top)]
    start = max(heads, default=foot)
    below = sorted((piece[0].box[1], piece[0].box[3]) for piece in pieces if piece[0].box[1] >= start - 1)
    reach, best = start, (0.0, 0.0)
    for upper, lower in below[:HEAD_PIECES]:
        if upper > top + HEAD * (foot - top):
            break
        if upper - reach > HEAD_BLANK * max(lower - upper, 1.0) and reach > start:
            best = max(best, (upper - reach, (upper + reach) / 2))
        reach = max(reach, lower)
    return [best[1]] if best[0] else []


def _beside_joined(pieces: Sequence[Piece], across: Sequence[Piece]) -> tuple[list[Piece], list[Piece]]:
    """What stands on the line of a piece that crosses the gutter is read with it: names side by side over two columns."""
    rows = [[piece] for piece in across]
    rest: list[Piece] = []
    for piece in pieces:
        if any(piece is each for each in across):
            continue
        beside = next((row for row in rows if _same_line(row[0][0].box, piece[0].box) and _apart(row, piece)), None)
        (rest if beside is None else beside).append(piece)
    joined = [[word for piece in sorted(row, key=_span) for word in piece] for row in rows]
    return [*rest, *joined], joined


def _apart(row: Sequence[Piece], piece: Piece) -> bool:
    """Whether a piece stands beside those of a row, not over them."""
    begin, end = _span(piece)
    return all(end <= _span(other)[0] or begin >= _span(other)[1] for other in row)


def _middle(piece: Piece) -> float:
    return (piece[0].box[1] + piece[0].box[3]) / 2


def _rows(pieces: Iterable[Piece]) -> list[Piece]:
    """Pieces from top to bottom, those on one line joined from left to right."""
    rows: list[list[Piece]] = []
    for piece in sorted(pieces, key=_middle):
        if rows and any(_same_line(piece[0].box, other[0].box) for other in rows[-1][-3:]):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [[word for piece in sorted(row, key=_span) for word in piece] for row in rows]
