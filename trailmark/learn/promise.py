"""What may be promised of the next site: taught sites left out in turn, walked, and their pages counted; said in plain words.

Nothing is said that was not counted. The pages of trails were chosen by a person and a site has many more that look alike, so how often a verdict is
right on trails says little about a site; and of a page that nobody named, nobody can say whether the verdict on it is right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from trailmark.report import Json, Report

Obstacle = Literal["", "one site", "one host", "no pages"]
"""Why nothing could be counted."""


@dataclass(frozen=True)
class LeftOutSite(Report):
    """What a walk over a taught site made of its pages, led by what was taught on other sites."""

    site: str
    pages: int
    """Pages that it read."""
    wanted: int
    """Pages that were shown as wanted, met or not."""
    met: int
    """Of these, pages that the walk met."""
    called: int
    """Of these, pages that it called goals."""
    unsure: int
    """Of the wanted pages that were met, those left unsure."""
    others: int
    """Pages that were shown as something else and that it met."""
    others_called: int
    unnamed: int
    """Pages that it met and of which nobody has said what they are."""
    unnamed_called: int


@dataclass(frozen=True)
class Promise(Report):
    """What was counted on the sites left out, or why nothing could be."""

    left_out: tuple[LeftOutSite, ...] = ()
    obstacle: Obstacle = ""
    one_domain: bool = False
    """Whether all that was taught is of one registrable domain: sites elsewhere may be less alike."""

    @property
    def total(self) -> LeftOutSite:
        """All sites together."""
        rows = self.left_out
        return LeftOutSite(
            site="",
            pages=sum(row.pages for row in rows),
            wanted=sum(row.wanted for row in rows),
            met=sum(row.met for row in rows),
            called=sum(row.called for row in rows),
            unsure=sum(row.unsure for row in rows),
            others=sum(row.others for row in rows),
            others_called=sum(row.others_called for row in rows),
            unnamed=sum(row.unnamed for row in rows),
            unnamed_called=sum(row.unnamed_called for row in rows),
        )

    @property
    def measured(self) -> bool:
        """Whether there is anything to go by."""
        return bool(self.left_out) and not self.obstacle

    def to_json(self) -> dict[str, Json]:
        """The counts of all sites together, and of each."""
        counts = {name: count for name, count in self.total.to_json().items() if name != "site"}
        rows: Json = [row.to_json() for row in self.left_out]
        return {
            "obstacle": self.obstacle,
            "one_domain": self.one_domain,
            "sites": len(self.left_out),
            **counts,
            "left_out": rows,
        }


def promise_words(promise: Promise | None) -> list[str]:
    """What was counted -> the same for a person, and how to know more."""
    if promise is None:
        return ["How well it does on a site that it was not shown was not measured: learn without --quick measures it."]
    if promise.obstacle:
        return _WHY_NOT[promise.obstacle]
    alike = ["All of them are of one domain: sites elsewhere may be less alike."] if promise.one_domain else []
    return _counts(promise.total, len(promise.left_out)) + alike


def changed_promise(before: Promise | None, now: Promise | None) -> list[str]:
    """What was counted before and now -> what is otherwise; nothing where one of them was not measured."""
    if before is None or now is None or not before.measured or not now.measured:
        return []
    old, new = before.total, now.total
    pairs = (
        ("pages you want that it called goals", (old.called, old.wanted), (new.called, new.wanted)),
        ("pages it called goals that you showed as something else", (old.others_called,), (new.others_called,)),
        ("pages it called goals that nobody has named", (old.unnamed_called,), (new.unnamed_called,)),
    )
    return [
        f"On sites left out, {what}: {_of(were)} before, {_of(are)} now." for what, were, are in pairs if were != are
    ]


def _of(counts: Sequence[int]) -> str:
    return " of ".join(str(count) for count in counts)


_WHY_NOT: dict[str, list[str]] = {
    "one site": [
        "How well it does on another site can't be known yet: all trails to pages you want are from one site, and what that "
        "site's pages share can't be told from what the pages you want share.",
        "Teach the way on a second site, or walk one (trailmark forage) and run trailmark check.",
    ],
    "one host": [
        "How well it does on another site can't be known yet: all trails to pages you want are from one host, and what its "
        "pages share can't be told from what the pages you want share.",
        "Teach the way on a site elsewhere, or walk one (trailmark forage) and run trailmark check.",
    ],
    "no pages": [
        "How well it does on another site could not be measured: no page of the taught sites is at hand.",
        "Teach again with their pages, or walk a site (trailmark forage) and run trailmark check.",
    ],
}


def _counts(total: LeftOutSite, sites: int) -> list[str]:
    goals = total.called + total.others_called + total.unnamed_called
    sentences = [
        f"On sites left out in turn ({sites} of them, {_pages(total.pages)} walked) it {_listed(_fates(total))}.",
        _called(goals, total),
    ]
    if total.unnamed_called:
        sentences.append(
            "How many of all are right takes answers: walk a site (trailmark forage), then trailmark check."
        )
    elif not total.unnamed:
        sentences.append(
            "Only pages that you showed were at hand there; a whole site has more that look alike. "
            "How it does on those takes a walk (trailmark forage), then trailmark check."
        )
    return sentences


def _fates(total: LeftOutSite) -> list[str]:
    """What became of the wanted pages."""
    unmet, refused = total.wanted - total.met, total.met - total.called - total.unsure
    parts = (
        f"called {total.called} of the {_pages(total.wanted)} you want goals",
        f"left {total.unsure} unsure" if total.unsure else "",
        f"took {refused} for something else" if refused else "",
        f"did not come to {unmet}" if unmet else "",
    )
    return [part for part in parts if part]


def _called(goals: int, total: LeftOutSite) -> str:
    if not goals:
        return "It called no page a goal."
    parts = [f"{total.called} {_are(total.called)} among those you want"]
    if total.others_called:
        parts.append(f"{total.others_called} you showed as something else")
    if total.unnamed_called:
        parts.append(
            f"of {total.unnamed_called} nobody has said what {'it is' if total.unnamed_called == 1 else 'they are'}"
        )
    return f"Of the {_pages(goals)} that it called {'a goal' if goals == 1 else 'goals'}, {_listed(parts)}."


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _pages(count: int) -> str:
    return f"{count} page{'' if count == 1 else 's'}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
