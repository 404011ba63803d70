"""A trail while a person shows it: pages clicked so far, taken back, named; at the end one trail or several."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

from trailmark.datatypes import Outcome, Step, Trail
from trailmark.errors import InputError
from trailmark.report import Json, as_json

MOST_STEPS = 100
LONGEST_LABEL = 80


@dataclass(frozen=True, slots=True)
class DraftStep:
    """A page of the draft."""

    url: str
    """Where the page answered."""
    anchor: str | None = None
    """Text of the link that was clicked to get here; None for the first page."""
    title: str = ""
    label: str | None = None


@dataclass(frozen=True, slots=True)
class TrailDraft:
    """What was shown so far; never empty."""

    site: str
    steps: tuple[DraftStep, ...]
    live: bool = True
    """Whether its pages come from the network."""
    version: int = 1
    """Counts changes, so that a click on a page that is no longer the last one is noticed."""

    @property
    def here(self) -> DraftStep:
        return self.steps[-1]


def begin(url: str, title: str, *, live: bool) -> TrailDraft:
    """A draft that stands on the first page of a site."""
    return TrailDraft(url, (DraftStep(url, title=title),), live)


def follow(draft: TrailDraft, url: str, anchor: str, title: str) -> TrailDraft:
    """One page further."""
    if len(draft.steps) >= MOST_STEPS:
        raise InputError(f"A trail has at most {MOST_STEPS} pages; take some steps back first.")
    return _changed(draft, (*draft.steps, DraftStep(url, anchor, title)))


def back_to(draft: TrailDraft, number: int) -> TrailDraft:
    """Back to an earlier page (0 is the first); the steps after it are forgotten."""
    return _changed(draft, draft.steps[: max(0, number) + 1])


def undo(draft: TrailDraft) -> TrailDraft:
    """One step back; the first page stays."""
    return back_to(draft, max(0, len(draft.steps) - 2))


def name(draft: TrailDraft, number: int, label: str) -> TrailDraft:
    """Name a page of the draft a milestone; an empty name takes it away."""
    if not 0 <= number < len(draft.steps):
        raise InputError("There is no such step in the trail any more.")
    steps = list(draft.steps)
    steps[number] = replace(steps[number], label=clean_label(label))
    return _changed(draft, tuple(steps))


def clean_label(label: str) -> str | None:
    """A milestone's name without needless blanks; None where nothing is left."""
    return (
        " ".join("".join(letter if letter.isprintable() else " " for letter in label).split())[:LONGEST_LABEL] or None
    )


def finish(draft: TrailDraft, outcome: Outcome, label: str | None = None) -> Trail:
    """The trail that ends on the page where the draft stands."""
    steps = [Step(step.url, step.label, step.anchor) for step in draft.steps]
    if label and steps[-1].label is None:
        steps[-1] = replace(steps[-1], label=label)
    return Trail(draft.site, outcome, tuple(steps))


def finish_all(draft: TrailDraft, links: Iterable[tuple[str, str]], outcome: Outcome, label: str | None) -> list[Trail]:
    """A trail for each of the links (URL, anchor) of the page where the draft stands: they are all wanted, or all not."""
    way = finish(draft, outcome).steps
    ends = dict.fromkeys((url, anchor) for url, anchor in links)
    return [Trail(draft.site, outcome, (*way, Step(url, label, anchor or None))) for url, anchor in ends]


def draft_to_json(draft: TrailDraft) -> Json:
    """The draft as it is kept."""
    return as_json(draft)


def draft_from_json(value: object) -> TrailDraft:
    """What was kept -> the draft; ValueError where it is none. Fields of later versions are passed over."""
    try:
        steps = tuple(DraftStep(**_known(DraftStep, step)) for step in _known(TrailDraft, value)["steps"])
        if not steps:
            raise ValueError("not a draft of a trail: it has no page")
        return TrailDraft(**{**_known(TrailDraft, value), "steps": steps})
    except (KeyError, TypeError) as error:
        raise ValueError(f"not a draft of a trail: {error}") from error


def _known(kind: type[TrailDraft | DraftStep], value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{type(value).__name__} where an object is meant")
    return {item.name: value[item.name] for item in fields(kind) if item.name in value}


def _changed(draft: TrailDraft, steps: tuple[DraftStep, ...]) -> TrailDraft:
    return replace(draft, steps=steps, version=draft.version + 1)
