"""Tagged lines -> values: runs of words with one label, each with its place and its probability, and its plain form beside it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trailmark.datatypes import PlacedWord, Record, words_text
from trailmark.tag.normal_forms import names_in, normal_date, normal_name, normal_pages, normal_venue
from trailmark.tag.page_lines import PageLine
from trailmark.tag.tagged_text import NO_FIELD
from trailmark.tag.words import Tag

_NAMES = frozenset(("author", "editor"))
_PLAIN = {"date": normal_date, "pages": normal_pages, "journal": normal_venue, "booktitle": normal_venue}
_LEFT_OUT = frozenset((NO_FIELD, "other", "intro", "page"))
_MARKS = " ,;:"
_BARE = frozenset(("author", "editor", "title"))
_SIGNS = re.compile(r"[*†‡§¶∗⋆♯#´`˜¨ˆ]{1,4}")
_JOINT = re.compile(r"\s*[,;&]\s*|(?:^|\s+)(?:and|und|et)\s+", re.IGNORECASE)
_ENDS_OPEN = re.compile(r"(?:[,;&-]|^and)$", re.IGNORECASE)
RAISED, LONGEST_MARK, FAR_SMALLER = 0.8, 5, 0.62
"""A word of a name or a title that is so much smaller than the others, and so short, is a mark; one that is far smaller is none of its words."""
WIDE_GAP, FAR_GAP, WIDER = 0.85, 3.0, 1.8
"""Sizes of a letter between two names that stand side by side, and how much wider than the narrowest blank of the line that is."""
MOST_TEXT = 10_000
"""Letters of one value."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value as it was found, where it stands, and how probable it is."""

    field: str
    text: str
    place: str
    probability: float


def values_of(lines: Sequence[PageLine], tags: Sequence[Sequence[Tag]]) -> list[Value]:
    """Lines and a tag for each of their words -> the values of their fields, in order. Names in a list are values of their own."""
    values: list[Value] = []
    for label, run in _runs(lines, tags):
        probability = round(min(tag.probability for *_, tag in run), 4)
        largest = max(word.size for _, _, word, _ in run)
        for part in _names_apart(run) if label in _NAMES else [run]:
            text = _text(part, label, largest).strip(_MARKS)[:MOST_TEXT]
            texts = names_in(text) if label in _NAMES else [text]
            values += [Value(label, each, _place(part), probability) for each in texts if each]
    return values


def one_title(values: Sequence[Value]) -> list[Value]:
    """The values of a header with the parts of its title joined: something may stand between two lines of it."""
    titles = [value for value in values if value.field == "title"]
    if len(titles) < 2:
        return list(values)
    whole = Value(
        "title", " ".join(each.text for each in titles), titles[0].place, min(each.probability for each in titles)
    )
    rest = [value for value in values if value.field != "title"]
    return [whole, *rest]


_Run = list[tuple[PageLine, int, PlacedWord, Tag]]


def _runs(lines: Sequence[PageLine], tags: Sequence[Sequence[Tag]]) -> Iterator[tuple[str, _Run]]:
    run: _Run = []
    for line, row in zip(lines, tags, strict=True):
        start = line.start
        for number, (word, tag) in enumerate(zip(line.line.words, row, strict=True)):
            start += number > 0 and not word.glued
            if run and run[-1][3].label != tag.label:
                yield from _told(run)
                run = []
            run.append((line, start, word, tag))
            start += len(word.text)
    yield from _told(run)


def _text(run: _Run, label: str, largest: float) -> str:
    """The words of a value; of a title or a name without the small marks that hang on them, which part one name from the next."""
    if label not in _BARE:
        return words_text([word for _, _, word, _ in run])
    texts: list[str] = []
    for _, _, word, _ in run:
        if texts and word.glued:
            texts[-1] += word.text
        elif not _is_mark(word, largest):
            texts.append(word.text)
        elif texts and label in _NAMES and not texts[-1].endswith(","):
            texts[-1] += ","
    return " ".join(texts)


def _is_mark(word: PlacedWord, largest: float) -> bool:
    small = word.size < RAISED * largest and len(word.text) <= LONGEST_MARK
    return small or word.size < FAR_SMALLER * largest or bool(_SIGNS.fullmatch(word.text))


def _names_apart(run: _Run) -> Iterator[_Run]:
    """Names that stand far from one another on a line, or one below the other, are several, whether a comma tells so or not."""
    part: _Run = []
    for each in run:
        if part and _is_apart(part, each):
            yield part
            part = []
        part.append(each)
    if part:
        yield part


def _is_apart(part: _Run, each: tuple[PageLine, int, PlacedWord, Tag]) -> bool:
    before = part[-1]
    # The words behind the last comma or `and`: one alone is no name yet, and goes on.
    behind = _JOINT.split(" ".join(word.text for _, _, word, _ in part))[-1].split()
    if before[0] is each[0]:
        gap, least = each[2].box[0] - before[2].box[2], WIDE_GAP if len(behind) > 1 else FAR_GAP
        return before[0].height > 0 and gap > max(least * each[2].size, WIDER * _least_gap(each[0]))
    return len(behind) > 1 and not _JOINT.match(f"{each[2].text} ") and not _ENDS_OPEN.search(before[2].text)


def _least_gap(line: PageLine) -> float:
    """The narrowest blank between two words of a line: print that was set wide has wide ones everywhere."""
    words = line.line.words
    gaps = (right.box[0] - left.box[2] for left, right in itertools.pairwise(words))
    return min((gap for gap in gaps if gap > 0), default=0.0)


def _told(run: _Run) -> Iterator[tuple[str, _Run]]:
    if run and run[0][3].label not in _LEFT_OUT:
        yield run[0][3].label, run


def _place(run: _Run) -> str:
    """Page and box in points from the upper left; characters of the text where a document has no layout."""
    first = run[0][0]
    if not first.height:
        return f"char={run[0][1]},{run[-1][1] + len(run[-1][2].text)}"
    boxes = [word.box for line, _, word, _ in run if line.page == first.page]
    left, top, right, bottom = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))  # fmt: skip
    return f"page={first.page + 1}&xywh={left:.1f},{top:.1f},{right - left:.1f},{bottom - top:.1f}"


def record_of(values: Sequence[Value], url: str, kind: str, made_by: str, *, sure: float) -> Record:
    """Values -> a record: texts as found, plain forms beside them, and the fields that are unsure."""
    names = list(dict.fromkeys(value.field for value in values))
    by_name = {name: [value for value in values if value.field == name] for name in names}
    fields: dict[str, tuple[str, ...]] = {}
    for name, found in by_name.items():
        fields[name] = tuple(value.text for value in found)
        plain = tuple(_plain(name, value.text) for value in found)
        if any(plain):
            fields[f"{name}_normal"] = plain
    return Record(
        url,
        kind,
        fields,
        made_by,
        sources={name: tuple(value.place for value in found) for name, found in by_name.items()},
        unsure=tuple(name for name, found in by_name.items() if any(value.probability < sure for value in found)),
        probabilities={name: tuple(value.probability for value in found) for name, found in by_name.items()},
    )


def _plain(name: str, text: str) -> str:
    if name in _NAMES:
        return normal_name(text)
    return _PLAIN[name](text) if name in _PLAIN else ""
