"""Records -> those that are one thing found several times: at several addresses, as PDF and as PostScript, as a page and as a document.

Rather two of one thing than one of two: bytes that are the same first, then fields, and whatever two records both say must not contradict. Records of
different kinds are never one, but for a paper and the page that tells of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from trailmark.organise.paper_match import paper_parts
from trailmark.organise.reference_comparison import same_paper
from trailmark.organise.reference_groups import group_references
from trailmark.organise.reference_parts import ReferenceParts, plain_words

PAPER = "paper"
SURE = 0.5
"""Chance of two papers from which they are one, on average over a group."""
LONG_TITLE = 3
"""Words of a title that tell one paper from another."""
YEARS = 1
"""A year of print and a year on the web may differ by this."""
RARE = 5
"""Records of a kind with one value, for the value to tell one thing from others."""
AGREEING = 2
"""Fields beside the title that must say the same."""
_PART = re.compile(r"[ivx]{1,5}|[b-z]")
_NOT_COMPARED = frozenset(("title", "name", "url", "text", "body", "number"))


@dataclass(frozen=True, slots=True)
class Finding:
    """A record, as doubles are looked for."""

    id: str
    kind: str
    url: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    digest: str = ""
    """Of the document or the page; empty where that is not known."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Double:
    """Records that are one thing, the first being the one to show, and why."""

    ids: tuple[str, ...]
    reason: str


SAME_BYTES = "the same file"
SAME_PAPER = "the same title, authors and year"
SAME_FIELDS = "the same title, and all that both say agrees"


def find_doubles(findings: Sequence[Finding]) -> list[Double]:
    """Records -> groups of two or more that are one thing, in the order of their first records."""
    groups = _Groups(len(findings))
    _join(groups, _by_digest(findings), SAME_BYTES)
    _join(groups, _papers(findings), SAME_PAPER)
    _join(groups, _by_fields(findings), SAME_FIELDS)
    doubles = []
    for places, reasons in groups.found():
        ordered = sorted(places, key=lambda place: (-_richness(findings[place]), place))
        doubles.append((min(places), Double(tuple(findings[place].id for place in ordered), "; ".join(reasons))))
    return [double for _, double in sorted(doubles, key=lambda pair: pair[0])]


def _richness(finding: Finding) -> int:
    """How much is known: the richest is shown."""
    told = sum(bool(part) for part in (finding.title, finding.authors, finding.year))
    return told + sum(any(values) for values in finding.fields.values())


class _Groups:
    """Places that were found to be one, with the reasons."""

    def __init__(self, size: int) -> None:
        self._home = list(range(size))
        self._reasons: dict[int, list[str]] = {}

    def _top(self, place: int) -> int:
        while self._home[place] != place:
            self._home[place] = self._home[self._home[place]]
            place = self._home[place]
        return place

    def join(self, one: int, other: int, reason: str) -> None:
        first, second = sorted((self._top(one), self._top(other)))
        told = self._reasons.setdefault(first, [])
        more = [reason, *(self._reasons.pop(second, []) if second != first else [])]
        told += [each for each in dict.fromkeys(more) if each not in told]
        self._home[second] = first

    def found(self) -> Iterable[tuple[list[int], list[str]]]:
        members: dict[int, list[int]] = defaultdict(list)
        for place in range(len(self._home)):
            members[self._top(place)].append(place)
        return [(places, self._reasons[top]) for top, places in members.items() if len(places) > 1]


def _join(groups: _Groups, sets: Iterable[Sequence[int]], reason: str) -> None:
    for places in sets:
        for other in places[1:]:
            groups.join(places[0], other, reason)


def _by_digest(findings: Sequence[Finding]) -> Iterable[list[int]]:
    """The same bytes, kind and title: many records of one list share its bytes, not their titles."""
    seen: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for place, finding in enumerate(findings):
        if finding.digest:
            seen[finding.digest, finding.kind, " ".join(plain_words(finding.title))].append(place)
    for places in seen.values():
        # Records of one address are several things there: two courses of a list that bear the same title.
        urls = Counter(findings[place].url for place in places)
        if len(places) > 1 and max(urls.values()) == 1:
            yield places


def _papers(findings: Sequence[Finding]) -> Iterable[list[int]]:
    """Papers by title and authors, by the comparison of references, then by year; pages of other kinds only beside a paper."""
    chosen = [place for place, finding in enumerate(findings) if _like_a_paper(finding)]
    parts = [paper_parts(findings[place].title, findings[place].authors, None) for place in chosen]
    groups = group_references(parts, threshold=SURE, similarity=_surely, keys=halves)
    members: dict[int, list[int]] = defaultdict(list)
    for place, group in zip(chosen, groups, strict=True):
        members[group].append(place)
    for alike in members.values():
        for places in _by_year(alike, findings):
            kinds = {findings[place].kind for place in places}
            same = places if len(kinds) <= 2 else [place for place in places if findings[place].kind == PAPER]
            if PAPER in kinds and len(same) > 1:
                yield same


def halves(parts: ReferenceParts) -> list[str]:
    """A paper -> the keys under which all find it whose title differs by one misprint at most: that leaves the first or the second half as it is.

    One letter more or less moves the middle, so there are keys for both middles.
    """
    letters = "".join(parts.title_words)
    lengths = {max(1, (len(letters) + more - 2) // 2) for more in (0, 1)}
    return [key for size in sorted(lengths) for key in (f"{letters[:size]} ", f" {letters[-size:]}")]


def _by_year(places: Sequence[int], findings: Sequence[Finding]) -> list[list[int]]:
    """Papers of one title -> those of one time. One without a year belongs to the others where they are of one time, else nobody can say to which."""
    runs: list[list[int]] = []
    first = 0
    for year, place in sorted((year, place) for place in places if (year := findings[place].year) is not None):
        if not runs or year - first > YEARS:
            runs.append([])
            first = year
        runs[-1].append(place)
    return runs if len(runs) > 1 else [list(places)]


def _like_a_paper(finding: Finding) -> bool:
    return bool(finding.authors) and len(plain_words(finding.title)) >= LONG_TITLE


def _surely(one: ReferenceParts, other: ReferenceParts) -> float:
    """Two papers -> the chance that they are one; 0 where their titles differ by more than a misprint, or authors or numbers differ."""
    common, fewer = set(one.names) & set(other.names), min(len(set(one.names)), len(set(other.names)))
    if not common or len(common) * 2 < fewer or one.numbers != other.numbers or _part(one) != _part(other):
        return 0.0
    return same_paper(one, other) if _misprint("".join(one.title_words), "".join(other.title_words)) else 0.0


def _misprint(one: str, other: str) -> bool:
    """Whether two texts differ in one letter at most: another, one more, or two that changed places."""
    start = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    one, other = one[start:], other[start:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) <= 1 or (len(one) == 2 and one == other[::-1])


def _part(parts: ReferenceParts) -> list[str]:
    """Of a paper in several parts which one it is: `II`, `B`."""
    return [word for word in parts.title_words if _PART.fullmatch(word)]


def _by_fields(findings: Sequence[Finding]) -> Iterable[list[int]]:
    """Courses, products and the like: the same title, fields that agree, one of them with a value that few have, and none that contradicts."""
    titles: dict[tuple[str, str], list[int]] = defaultdict(list)
    values = [_values(finding) for finding in findings]
    common: Counter[tuple[str, str, str]] = Counter()
    for place, finding in enumerate(findings):
        common.update((finding.kind, name, value) for name, held in values[place].items() for value in held)
        words = plain_words(finding.title)
        if words and finding.kind != PAPER:
            titles[finding.kind, " ".join(words)].append(place)
    for (kind, _), places in titles.items():
        sets: list[list[int]] = []
        for place in places:
            mine = next(
                (
                    same
                    for same in sets
                    if all(
                        findings[place].url != findings[other].url
                        and _agree(values[place], values[other], kind, common)
                        for other in same
                    )
                ),
                None,
            )
            if mine is None:
                sets.append([place])
            else:
                mine.append(place)
        yield from (same for same in sets if len(same) > 1)


def _values(finding: Finding) -> dict[str, frozenset[str]]:
    """The fields that are compared, each with its values in plain words."""
    fields: dict[str, tuple[str, ...]] = {**finding.fields}
    if finding.year is not None:
        fields.setdefault("year", (str(finding.year),))
    plain = {
        name: frozenset(" ".join(plain_words(value)) for value in values)
        for name, values in fields.items()
        if name not in _NOT_COMPARED and not name.endswith("_normal")
    }
    return {name: values - {""} for name, values in plain.items() if values - {""}}


def _agree(
    one: Mapping[str, frozenset[str]],
    other: Mapping[str, frozenset[str]],
    kind: str,
    common: Mapping[tuple[str, str, str], int],
) -> bool:
    """Whether two say the same in all that both say, in some fields, and in one that tells things apart."""
    both = sorted(set(one) & set(other))
    telling = any(
        common[kind, name, value] <= RARE and any(map(str.isdigit, value))
        for name in both
        for value in one[name] & other[name]
    )
    return len(both) >= AGREEING and telling and all(one[name] == other[name] for name in both)
