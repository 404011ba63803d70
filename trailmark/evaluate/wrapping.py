"""`evaluate wrap`: fields lifted off pages of one template after 1, 2, 3 annotated pages (Vertex, section III-C5).

A folder holds `NAME.warc.xz` (or another packing) with `NAME.truth.jsonl` (`{"url", "values": {field: [values]}}`). Pages to
annotate are chosen by our own sampling; their true values are the annotations, by value alone. All other pages are tested.
The first value must equal one of the true ones, blanks and entities aside; `set` compares all values. Beside it, in the same
run, the absolute path of the annotated text, which breaks with the first change of a page.

Fields whose true values are found on too few pages as whole texts can't be told from wrong truth: they are in all figures,
and the figures without them stand beside.
"""

from __future__ import annotations

import html
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.cluster import annotation_order, page_nodes
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.read import parse_html
from trailmark.store.archive import SUFFIXES, archives_in, read_archive
from trailmark.store.json_lines import read_json_lines
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules
from trailmark.wrap.node_columns import column, value

Progress = Callable[[Iterable[Any], str], Iterator[Any]]
Values = dict[str, list[str]]

SAMPLE = 20
FINDABLE = 0.9
LEARNERS = ("rules", "absolute path")


@dataclass(frozen=True, slots=True, eq=False)
class TruePage:
    """A page with its true values."""

    url: str
    body: bytes
    content_type: str
    values: Values


def _silent(items: Iterable[Any], label: str) -> Iterator[Any]:
    del label
    yield from items


def evaluate_wrap(
    folder: Path, *, pages: Sequence[int] = (1, 2, 3), sites: Sequence[str] = (), progress: Progress = _silent
) -> dict[str, Any]:
    """Scores by number of annotated pages and learner, over all fields and for each site and field."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: give one with archives and their truth.")
    rows: list[dict[str, Any]] = []
    seconds: dict[str, float] = {"extract": 0.0, "learn": 0.0, "pages": 0.0, "learnt": 0.0, "slowest": 0.0}
    for archive in progress(archives_in(folder), "sites"):
        name = plain_name(archive)
        if not sites or name in sites:
            rows += _site_rows(name, true_pages(archive, name), pages, seconds)
    if not rows:
        raise InputError(
            f"{folder} holds no archive with a truth file beside it: give NAME.warc.xz and NAME.truth.jsonl."
        )
    return {
        "task": "wrap",
        "sites": rows,
        "totals": [_total(rows, count, learner) for count in pages for learner in LEARNERS],
        "ms_a_page": 1000 * seconds["extract"] / max(seconds["pages"], 1),
        "seconds_to_learn_a_cluster": seconds["learn"] / max(seconds["learnt"], 1),
        "slowest_to_learn": seconds["slowest"],
    }


def _site_rows(
    name: str, pages: list[TruePage], counts: Sequence[int], seconds: dict[str, float]
) -> list[dict[str, Any]]:
    if not pages:
        return []
    order = annotation_sample(pages)
    tables = [NodeTable(root_of(page)) for page in pages]
    findable = {field: _findable(field, pages, tables) for field in pages[0].values}
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
                pairs = [(found[at].get(field, ()), pages[number].values[field]) for at, number in enumerate(tested)]
                row = {"site": name, "field": field, "annotated": count, "learner": learner}
                rows.append({**row, "findable": findable[field], **field_scores(pairs)})
    return rows


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
    begun = time.process_time()
    found = [dict(rules.record(page.url, NodeTable(root_of(page))).fields) for page in pages]
    seconds["extract"] += time.process_time() - begun
    seconds["pages"] += len(pages)
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


def field_scores(pairs: Sequence[tuple[Sequence[str], Sequence[str]]]) -> dict[str, Any]:
    """Precision, recall and F1 of the first value, and F1 of the pages whose values are all right."""
    right = wrong = missed = whole = 0
    for found, wanted in pairs:
        got, true = [plain(each) for each in found], {plain(each) for each in wanted}
        hit = bool(got) and got[0] in true
        right += hit
        wrong += bool(got) and not hit
        missed += bool(true) and not hit
        whole += hit and set(got) == true
    counts = {"right": right, "wrong": wrong, "missed": missed, "whole": whole}
    return {
        **counts,
        **_figures(right, wrong, missed),
        "set_f1": _figures(whole, right + wrong - whole, right + missed - whole)["f1"],
    }


def _figures(right: int, wrong: int, missed: int) -> dict[str, float]:
    """A field that no page has and that is never found is perfect."""
    if right + wrong + missed == 0:
        return {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    return {
        "precision": right / (right + wrong) if right + wrong else 0.0,
        "recall": right / (right + missed) if right + missed else 0.0,
        "f1": 2 * right / (2 * right + wrong + missed),
    }


def _total(rows: Sequence[dict[str, Any]], count: int, learner: str) -> dict[str, Any]:
    mine = [row for row in rows if row["annotated"] == count and row["learner"] == learner]
    sound = [row for row in mine if row["findable"] >= FINDABLE]
    return {
        "annotated": count,
        "learner": learner,
        "macro": macro_of(mine),
        "micro": _micro(mine),
        "macro_of_sound_truth": macro_of(sound),
        "micro_of_sound_truth": _micro(sound),
        "fields": len(mine),
        "fields_of_sound_truth": len(sound),
    }


def macro_of(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    names = ("precision", "recall", "f1", "set_f1")
    return {name: sum(row[name] for row in rows) / len(rows) if rows else 0.0 for name in names}


def _micro(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    return _figures(*(sum(row[name] for row in rows) for name in ("right", "wrong", "missed")))


def plain(text: str) -> str:
    """Blanks squeezed, entities decoded."""
    return " ".join(html.unescape(text).split())


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
