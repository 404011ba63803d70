"""What `tag` reports: what became of the documents, or which tagger was learnt."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.report import Report
from trailmark.tag.model_choice import ModelChoice


@dataclass(frozen=True, slots=True)
class TagProblem:
    """A document that gave no records, or a line that is no tagged text, and why."""

    place: str
    reason: str


@dataclass(frozen=True, slots=True)
class TagReport(Report):
    """What became of the documents."""

    documents: int
    pages: int
    """Of those that were tagged now."""
    papers: int
    references: int
    records: int
    no_papers: int
    failed: int
    unchanged: int
    """Documents that were tagged before by the same models."""
    unsure: int
    """Records with a value that is worth a look."""
    models: tuple[str, ...]
    ready: tuple[str, ...]
    """Those of the models that came with Trailmark: the workspace has none of that name."""
    problems: tuple[TagProblem, ...]
    corrections: int = 0
    """Headers and references that people corrected, from which taggers learnt anew before."""
    articles: int = 0
    """Of dumps of wikis, that were kept now."""
    old_articles: int = 0
    """The same that were there already, and did not change."""


@dataclass(frozen=True, slots=True)
class TrainReport(Report):
    """A tagger that was learnt."""

    name: str
    documents: int
    words: int
    labels: tuple[str, ...]
    file: str
    generated: int
    """Papers that Trailmark set itself, and learnt from beside the tagged text: they teach what a page looks like."""
    bibtex_words: int
    """Words whose use was learnt from BibTeX files."""
    choice: ModelChoice
    """The kind of model that was kept, and by which figures."""
    problems: tuple[TagProblem, ...]
