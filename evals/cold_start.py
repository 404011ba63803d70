"""Fields of a new site with no page annotated, from other sites of its kind (past Vertex).

Sites of one kind share the part of their name before the first hyphen. Each site is the new one in turn; of the others, those that
follow it (after the last comes the first) teach: three pages of each are annotated, chosen by our own sampling. All pages of the new site are tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.wrapping import (
    TruePage,
    annotation_sample,
    field_scores,
    macro_of,
    plain_name,
    root_of,
    sampled,
    true_pages,
)
from evals.wrapping_scores import occurs
from trailmark.progress import Progress
from trailmark.propose.proposal import propose_fields, rules_of_proposals
from trailmark.propose.site_kind import SAMPLE, SiteView, view_site
from trailmark.store.archive import archives_in
from trailmark.wrap import NodeTable, learn_rules

ANNOTATED = 3
"""Pages of each site that teaches."""
SEEDS = (1, 3, 5)


@dataclass(frozen=True, slots=True, eq=False)
class Site:
    """A site with its truth, seen as one that teaches."""

    name: str
    pages: list[TruePage]
    tables: list[NodeTable]
    view: SiteView


def kinds_of(names: Iterable[str]) -> dict[str, list[str]]:
    """Names of sites by kind, those of kinds with one site alone left out."""
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        found.setdefault(name.partition("-")[0], []).append(name)
    return {kind: sites for kind, sites in found.items() if len(sites) > 1}


def evaluate_cold_start(
    folder: Path, *, seeds: Sequence[int] = SEEDS, sites: Sequence[str] = (), progress: Progress
) -> list[dict[str, Any]]:
    """For each number of seed sites: scores over all fields, by kind, and of each field; fewer seeds where a kind has fewer."""
    archives = {plain_name(archive): archive for archive in archives_in(folder)}
    kinds = kinds_of(name for name in archives if not sites or name in sites)
    rows: list[dict[str, Any]] = []
    for kind in progress(list(kinds), "kinds of sites"):
        found = [read_known_site(name, true_pages(archives[name], name)) for name in kinds[kind]]
        known = [site for site in found if site is not None]
        counts = sorted({min(count, len(known) - 1) for count in seeds} - {0})
        for number in range(len(known)):
            others = known[number + 1 :] + known[:number]
            rows += [row for count in counts for row in _rows(kind, known[number], others[:count])]
    return [_total(rows, count) for count in sorted({row["seeds"] for row in rows})]


def read_known_site(name: str, pages: list[TruePage]) -> Site | None:
    """None where there is no page with its truth."""
    if not pages:
        return None
    tables = [NodeTable(root_of(page)) for page in pages]
    rules = learn_rules(name, sampled(pages, tables, annotation_sample(pages), ANNOTATED))
    step = max(len(tables) // SAMPLE, 1)
    return Site(name, pages, tables, view_site(tables[::step][:SAMPLE], rules))


def _rows(kind: str, new: Site, seeds: Sequence[Site]) -> list[dict[str, Any]]:
    proposals = propose_fields([seed.view for seed in seeds], new.view)
    sure = {each.field: each.confidence for each in proposals}
    rules = rules_of_proposals(new.name, proposals, new.view)
    found = [rules.record(page.url, table).fields for page, table in zip(new.pages, new.tables, strict=True)]
    rows = []
    for field in new.pages[0].values:
        pairs = [(each.get(field, ()), page.values[field]) for each, page in zip(found, new.pages, strict=True)]
        row = {"kind": kind, "site": new.name, "field": field, "seeds": len(seeds), "confidence": sure.get(field)}
        rows.append({**row, **field_scores(pairs)})
    return rows


def _total(rows: Sequence[dict[str, Any]], count: int) -> dict[str, Any]:
    mine = [row for row in rows if row["seeds"] == count and occurs(row)]
    by_kind = {
        kind: [row for row in mine if row["kind"] == kind] for kind in dict.fromkeys(row["kind"] for row in mine)
    }
    return {
        "seeds": count,
        "macro": macro_of(mine),
        "macro_f1": macro_of(mine)["f1"],
        "kinds": {kind: macro_of(each)["f1"] for kind, each in by_kind.items()},
        "fields": mine,
    }
