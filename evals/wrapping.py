"""`evaluate wrap`: fields lifted off pages of one template after 1, 2, 3 annotated pages (Vertex, section III-C5).

A folder holds `NAME.warc.xz` (or another packing) with `NAME.truth.jsonl` (`{"url", "values": {field: [values]}}`). Pages to
annotate are chosen by our own sampling; their true values are the annotations, by value alone. All other pages are tested.
The first value must equal one of the true ones, blanks and entities aside; `set` compares all values. Beside it, in the same
run, the absolute path of the annotated text, which breaks with the first change of a page.

Values told as sure have a precision of their own, and `sure_and_wrong` is the share of all pages that were answered surely and wrongly:
worse than `left_out`, the share of those that have the field and got no answer. The path is always sure.

Every field that occurs counts, and every page of the archive: one that can't be read, or a value that nobody could find, is missed.
Beside it stand the figures without fields whose true values are whole texts on too few pages (`sound_truth`).
"""

from __future__ import annotations

import gc
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.value_scores import plain
from evals.wrapping_effort import effort_totals, pages_until_right
from evals.wrapping_scores import FINDABLE, field_scores, macro_of, sure_scores, total_of
from trailmark.cluster import annotation_order, page_nodes
from trailmark.datatypes import Annotation, Record
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.read import parse_html
from trailmark.store.archive import SUFFIXES, archives_in, read_archive
from trailmark.store.json_lines import read_json_lines
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules
from trailmark.wrap.page.node_columns import column, value

Values = dict[str, list[str]]

__all__ = [
    "TruePage",
    "annotation_sample",
    "evaluate_wrap",
    "field_scores",
    "macro_of",
    "plain_name",
    "root_of",
    "sampled",
    "true_pages",
]

SAMPLE = 20
LEARNERS = ("rules", "absolute path")


@dataclass(frozen=True, slots=True, eq=False)
class TruePage:
    """A page with its true values."""

    url: str
    body: bytes
    content_type: str
    values: Values


def evaluate_wrap(
    folder: Path, *, pages: Sequence[int] = (1, 2, 3), sites: Sequence[str] = (), progress: Progress = silent
) -> dict[str, Any]:
    """Scores by number of annotated pages and learner, over all fields and for each site and field."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: give one with archives and their truth.")
    rows: list[dict[str, Any]] = []
    efforts: list[dict[str, Any]] = []
    seconds: dict[str, float] = defaultdict(float)
    for archive in progress(archives_in(folder), "sites"):
        name = plain_name(archive)
        if not sites or name in sites:
            rows += _site_rows(name, true_pages(archive, name), pages, seconds, efforts)
    if not rows:
        raise InputError(
            f"{folder} holds no archive with a truth file beside it: give NAME.warc.xz and NAME.truth.jsonl."
        )
    return {
        "task": "wrap",
        "sites": rows,
        "totals": [total_of(rows, count, learner) for count in pages for learner in LEARNERS],
        "pages_until_right": {"sites": efforts, **effort_totals(efforts)},
        "ms_to_parse_a_page": 1000 * seconds["parse"] / max(seconds["pages"], 1),
        "ms_a_page": 1000 * seconds["extract"] / max(seconds["pages"], 1),
        "seconds_to_learn_a_cluster": seconds["learn"] / max(seconds["learnt"], 1),
        "slowest_to_learn": seconds["slowest"],
    }


def _site_rows(
    name: str,
    pages: list[TruePage],
    counts: Sequence[int],
    seconds: dict[str, float],
    efforts: list[dict[str, Any]],
) -> list[dict[str, Any]]:
    if not pages:
        return []
    order = annotation_sample(pages)
    tables = [NodeTable(root_of(page)) for page in pages]
    findable = {field: _findable(field, pages, tables) for field in pages[0].values}
    efforts.append(_effort(name, pages, tables, order, findable))
    rows = []
    for count in counts:
        begun = time.process_time()
        rules = learn_rules(name, sampled(pages, tables, order, count))
        taken = time.process_time() - begun
        seconds["learn"], seconds["learnt"] = seconds["learn"] + taken, seconds["learnt"] + 1
        seconds["slowest"] = max(seconds["slowest"], taken)
        tested = [number for number in range(len(pages)) if number not in order[:count]]
        ours = _extracted(rules, [pages[number] for number in tested], seconds)
        paths = _by_path(pages, tables, order[:count], tested)
        for learner, found in zip(LEARNERS, (ours, paths), strict=True):
            for field in pages[0].values:
                pairs = [
                    (record.fields.get(field, ()), pages[number].values[field])
                    for record, number in zip(found, tested, strict=True)
                ]
                row = {"site": name, "field": field, "annotated": count, "learner": learner}
                sure = sure_scores(pairs, [field not in record.unsure for record in found])
                rows.append({**row, **sure, "findable": findable[field], **field_scores(pairs)})
    return rows


def _effort(
    name: str, pages: list[TruePage], tables: list[NodeTable], order: list[int], findable: dict[str, float]
) -> dict[str, Any]:
    """How many pages it takes until the sample is right, in all fields and in those of sound truth."""

    def effort(fields: list[str]) -> dict[str, Any]:
        def learnt(annotated: list[int]) -> Callable[[int], bool]:
            first = [*annotated, *(number for number in order if number not in annotated)]
            rules = learn_rules(name, sampled(pages, tables, first, len(annotated)))

            def is_right(number: int) -> bool:
                found, true = rules.record("", tables[number]).fields, pages[number].values
                return all(_agrees(found.get(field, ()), true[field]) for field in fields)

            return is_right

        return pages_until_right(order, learnt)

    everything = list(pages[0].values)
    sound = [field for field in everything if findable[field] >= FINDABLE]
    whole = effort(everything)
    return {"site": name, "all_fields": whole, "sound_truth": whole if sound == everything else effort(sound)}


def _agrees(found: Sequence[str], true: Sequence[str]) -> bool:
    return plain(found[0]) in {plain(each) for each in true} if found else not true


def sampled(pages: list[TruePage], tables: list[NodeTable], order: list[int], count: int) -> list[AnnotatedPage]:
    """The first pages of the order annotated, the rest of the sample as it is."""
    return [
        AnnotatedPage(tables[number], _annotations(pages[number]) if place < count else ())
        for place, number in enumerate(order)
    ]


def _annotations(page: TruePage) -> tuple[Annotation, ...]:
    return tuple(
        Annotation(page.url, field, each) for field, values in page.values.items() for each in values or (None,)
    )


def _extracted(rules: RuleSet, pages: Sequence[TruePage], seconds: dict[str, float]) -> list[Record]:
    """Page by page, as when an archive is read; what learning keeps alive is no cost of extraction."""
    gc.freeze()
    found = []
    for page in pages:
        begun = time.process_time()
        root = root_of(page)
        parsed = time.process_time()
        found.append(rules.record(page.url, NodeTable(root)))
        seconds["parse"] += parsed - begun
        seconds["extract"] += time.process_time() - begun
    seconds["pages"] += len(pages)
    gc.unfreeze()
    return found


def _by_path(
    pages: Sequence[TruePage], tables: Sequence[NodeTable], annotated: Sequence[int], tested: Sequence[int]
) -> list[Record]:
    """The absolute paths of the first annotated text of each field, tried in turn."""
    paths: dict[str, dict[tuple[int, int], None]] = {}
    for number in annotated:
        table = tables[number]
        for field, values in pages[number].values.items():
            row = next((row for row, text in enumerate(table.texts) if text in values), None)
            if row is not None:
                paths.setdefault(field, {})[_address(table, row)] = None
    found: list[Record] = []
    for number in tested:
        table = tables[number]
        rows = {_address(table, row): row for row in range(len(table) - 1, -1, -1)}
        hits = {field: next((rows[each] for each in kept if each in rows), None) for field, kept in paths.items()}
        lifted = {field: (table.texts[row],) for field, row in hits.items() if row is not None}
        found.append(Record(pages[number].url, "", lifted))
    return found


def _address(table: NodeTable, row: int) -> tuple[int, int]:
    return int(column(table, "path")[row]), int(value(table, "nth", 0, row))


def _findable(field: str, pages: Sequence[TruePage], tables: Sequence[NodeTable]) -> float:
    """Share of the pages with the field of which a true value is a whole text."""
    having = [(page, table) for page, table in zip(pages, tables, strict=True) if page.values[field]]
    texts = [(page.values[field], set(table.texts)) for page, table in having]
    return sum(all(plain(each) in whole for each in values) for values, whole in texts) / len(texts) if texts else 1.0


def annotation_sample(pages: Sequence[TruePage]) -> list[int]:
    """The sample in the order in which it is annotated, filled up where a few pages cover all."""
    readable = {number: root for number, page in enumerate(pages) if (root := root_of(page)) is not None}
    numbers = list(readable)
    chosen = [numbers[at] for at in annotation_order([page_nodes(root) for root in readable.values()], most=SAMPLE)]
    return (chosen + [number for number in range(len(pages)) if number not in chosen])[:SAMPLE]


def root_of(page: TruePage) -> Any:
    return parse_html(page.body, page.content_type)[0]


def true_pages(archive: Path, name: str) -> list[TruePage]:
    path = archive.with_name(f"{name}.truth.jsonl")
    if not path.exists():
        return []
    truth = {entry["url"]: entry["values"] for _, entry in read_json_lines(path) if "values" in entry}
    fields = dict.fromkeys(field for values in truth.values() for field in values)
    return [
        TruePage(each.url, each.body, each.header("content-type"), {f: truth[each.url].get(f, []) for f in fields})
        for each in read_archive(archive)
        if each.url in truth
    ]


def plain_name(archive: Path) -> str:
    return next(archive.name.removesuffix(suffix) for suffix in SUFFIXES[::-1] if archive.name.endswith(suffix))
