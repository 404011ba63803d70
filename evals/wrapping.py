"""`evaluate wrap`: fields lifted off pages of one template after 1, 2, 3 annotated pages (Vertex, section III-C5).

A folder holds `NAME.warc.xz` (or another packing) with `NAME.truth.jsonl` (`{"url", "values": {field: [values]}}`). Pages to
annotate are chosen by our own sampling; their true values are the annotations, by value alone. All other pages are tested.
The first value must equal one of the true ones, blanks and entities aside; `set` compares all values. Beside it, in the same
run, the absolute path of the annotated text, which breaks with the first change of a page.

Values that most rules agree on (`SURE`) have a precision of their own: what is below is what a person would be asked about.

Fields whose true values are found on too few pages as whole texts can't be told from wrong truth: they are in all figures,
and the figures without them stand beside.
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
from evals.wrapping_scores import FINDABLE, field_scores, macro_of, total_of
from trailmark.cluster import annotation_order, page_nodes
from trailmark.datatypes import Annotation
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
SURE = 0.9
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
        shares = _shares(rules, [tables[number] for number in tested])
        paths = _by_path(pages, tables, order[:count], tested)
        for learner, found in zip(LEARNERS, (ours, paths), strict=True):
            for field in pages[0].values:
                pairs = [(found[at].get(field, ()), pages[number].values[field]) for at, number in enumerate(tested)]
                row = {"site": name, "field": field, "annotated": count, "learner": learner}
                sure = [pair for pair, share in zip(pairs, shares[field], strict=True) if share >= SURE]
                agreed = field_scores(sure) if learner == LEARNERS[0] else {"right": 0, "wrong": 0}
                more = {"sure_right": agreed["right"], "sure_wrong": agreed["wrong"], "findable": findable[field]}
                rows.append({**row, **more, **field_scores(pairs)})
    return rows


def _shares(rules: RuleSet, tables: Sequence[NodeTable]) -> dict[str, list[float]]:
    """For each field and page how far the rules agree on the first value; 1 where something else than rules said it."""
    found = {each.name: [each.found(table) for table in tables] for each in rules.fields if rules.entries is None}
    shares = {name: [said[0].share if said else 1.0 for said in each] for name, each in found.items()}
    return defaultdict(lambda: [1.0] * len(tables), shares)


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


def _extracted(rules: RuleSet, pages: Sequence[TruePage], seconds: dict[str, float]) -> list[dict[str, Sequence[str]]]:
    """Page by page, as when an archive is read; what learning keeps alive is no cost of extraction."""
    gc.freeze()
    found = []
    for page in pages:
        begun = time.process_time()
        root = root_of(page)
        parsed = time.process_time()
        found.append(dict(rules.record(page.url, NodeTable(root)).fields))
        seconds["parse"] += parsed - begun
        seconds["extract"] += time.process_time() - begun
    seconds["pages"] += len(pages)
    gc.unfreeze()
    return [dict(each) for each in found]


def _by_path(
    pages: Sequence[TruePage], tables: Sequence[NodeTable], annotated: Sequence[int], tested: Sequence[int]
) -> list[dict[str, Sequence[str]]]:
    """The absolute paths of the first annotated text of each field, tried in turn."""
    paths: dict[str, dict[tuple[int, int], None]] = {}
    for number in annotated:
        table = tables[number]
        for field, values in pages[number].values.items():
            row = next((row for row, text in enumerate(table.texts) if text in values), None)
            if row is not None:
                paths.setdefault(field, {})[_address(table, row)] = None
    found: list[dict[str, Sequence[str]]] = []
    for number in tested:
        table = tables[number]
        rows = {_address(table, row): row for row in range(len(table) - 1, -1, -1)}
        hits = {field: next((rows[each] for each in kept if each in rows), None) for field, kept in paths.items()}
        found.append({field: (table.texts[row],) for field, row in hits.items() if row is not None})
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
    chosen = annotation_order([page_nodes(root) for page in pages if (root := root_of(page)) is not None], most=SAMPLE)
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
        if each.url in truth and _parses(each.body, each.header("content-type"))
    ]


def _parses(body: bytes, content_type: str) -> bool:
    return parse_html(body, content_type)[0] is not None


def plain_name(archive: Path) -> str:
    return next(archive.name.removesuffix(suffix) for suffix in SUFFIXES[::-1] if archive.name.endswith(suffix))
