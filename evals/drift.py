"""`evaluate drift`: rules learnt at one date, monitored and repaired at a later one (Vertex, section IV).

A folder holds `NAME.t0.warc.xz` and `NAME.t1.warc.xz` (or another packing), the same pages at two dates, with
`NAME.truth.jsonl`, or `NAME.t0.truth.jsonl` and `NAME.t1.truth.jsonl` where the truth differs. At t0 three pages, chosen by our
own sampling, are annotated by value alone. At t1 the bellwethers are visited again; what broke is repaired from golden values, and no
truth of t1 is looked at but to score. Scored are all pages but the three.

- Fields: those of which nine tenths of the true values at t0, over the whole folder, are whole texts of their page.
- A template *changed* where the markup did: of the pairs of tag and class that half of its pages have at t0 or at t1, less
  than `SAME_MARKUP` are in both. Neither the rules nor the tests are asked for that.
- A field *broke* where either F1 of the old rules at t1 is lower than at t0 by more than `FELL`, on all pages.
- `f1`: the first value must be a true one. `set_f1`: all values of all pages, found against true.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.value_scores import plain, value_scores
from trailmark.cluster import annotation_order, assign, group_pages, page_nodes, sign_page
from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.monitor.bellwether import BellwetherVisit, FieldValues, choose_bellwethers, lift
from trailmark.monitor.breakage import Breakage, find_breakage
from trailmark.monitor.field_trait import FieldTrait, traits_of
from trailmark.monitor.repair import Repair, propose_repair
from trailmark.progress import Progress, silent
from trailmark.read import parse_html
from trailmark.settings import MonitorSettings
from trailmark.store.archive import SUFFIXES, archives_in, read_archive
from trailmark.store.json_lines import read_json_lines
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules

ANNOTATED = 3
SAMPLE = 20
FINDABLE = 0.9
SAME_MARKUP = 0.9
FELL = 0.02
STAGES = ("t0", "t1 before", "t1 after")
_STEP = re.compile(r"(.+)\.t([01])")


@dataclass(frozen=True, slots=True, eq=False)
class DatedPage:
    """A page at one date, with its true values."""

    url: str
    root: Any
    table: NodeTable
    values: Mapping[str, Sequence[str]]


Pair = tuple[list[DatedPage], list[DatedPage]]
"""The pages at both dates, in the same order."""


def evaluate_drift(
    folder: Path,
    *,
    sites: Sequence[str] = (),
    settings: MonitorSettings = MonitorSettings(),  # noqa: B008 - frozen
    progress: Progress = silent,
) -> dict[str, Any]:
    """What was found and what was mended, for each site and field, and for changed and unchanged templates apart."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder: give one with archives of two dates and their truth.")
    archives = {name: pair for name, pair in _archives(folder).items() if not sites or name in sites}
    fields = _findable_fields(archives, progress)
    rows: list[dict[str, Any]] = []
    for name, (old, new) in progress(sorted(archives.items()), "monitoring"):
        pages = _pages(name, old, new)
        if len(pages[0]) > ANNOTATED:
            rows.append(_site(name, pages, fields, settings))
    if not rows:
        raise InputError(
            f"{folder} holds no archives of two dates: give NAME.t0.warc.xz, NAME.t1.warc.xz and NAME.truth.jsonl."
        )
    changed = [row for row in rows if row["changed"]]
    unchanged = [row for row in rows if not row["changed"]]
    return {
        "task": "drift",
        "fields": sorted(fields),
        "changed": _summary(changed),
        "unchanged": _summary(unchanged),
        "all": _summary(rows),
        "sites": rows,
    }


# --- one site ----------------------------------------------------------------------------------------------------


def _site(name: str, pages: Pair, fields: set[str], settings: MonitorSettings) -> dict[str, Any]:
    old, new = pages
    known = [field for field in old[0].values if field in fields]
    order = _order(old)
    taught, tested = order[:ANNOTATED], [number for number in range(len(old)) if number not in order[:ANNOTATED]]
    marks = {old[number].url: _marks(old[number], known) for number in taught}
    rules = learn_rules(name, [AnnotatedPage(old[number].table, marks.get(old[number].url, ())) for number in order])
    traits, breakage, repair = _monitored(rules, pages, marks, settings)
    found = {
        "t0": [lift(rules, page.url, page.table).fields for page in old],
        "t1 before": [lift(rules, page.url, page.table).fields for page in new],
        "t1 after": [lift(repair.rules, page.url, page.table).fields for page in new],
        "absolute path at t0": _by_path(old, [old[number] for number in taught], known),
        "absolute path at t1": _by_path(new, [old[number] for number in taught], known),
    }
    dated = {stage: old if stage.endswith("t0") else new for stage in found}
    scores = {field: {stage: _scores(found[stage], dated[stage], tested, field) for stage in found} for field in known}
    return {
        "site": name,
        "pages": len(old),
        "changed": markup_kept(old, new) < SAME_MARKUP,
        "markup_kept": round(markup_kept(old, new), 4),
        "unlike": breakage.unlike,
        "status": breakage.status,
        "flagged": breakage.status != "ok",
        "fields": [_field_row(field, scores[field], traits, breakage, repair) for field in known],
    }


def _monitored(
    rules: RuleSet, pages: Pair, marks: Mapping[str, tuple[Annotation, ...]], settings: MonitorSettings
) -> tuple[dict[str, FieldTrait], Breakage, Repair]:
    """As `trailmark monitor --repair` does: bellwethers with golden extractions, both tests, repair."""
    old, new = ({page.url: page for page in each} for each in pages)
    templates = group_pages([sign_page(page.root) for page in old.values()]).templates
    visits = [
        BellwetherVisit(
            lift(rules, url, old[url].table),
            new[url].table,
            assign(sign_page(new[url].root), templates) is not None,
            marks.get(url, ()),
        )
        for url in choose_bellwethers(old, most=settings.pages, first=list(marks))
    ]
    traits = traits_of([visit.golden for visit in visits])
    breakage = find_breakage(
        rules, visits, traits, template_share=settings.template_share, field_share=settings.field_share
    )
    repair = Repair(rules)
    if breakage.status in ("broken", "changed"):
        repair = propose_repair(rules, visits, traits, broken=breakage.broken, share=settings.field_share)
    return traits, breakage, repair


def _field_row(
    field: str,
    scores: Mapping[str, dict[str, float]],
    traits: Mapping[str, FieldTrait],
    breakage: Breakage,
    repair: Repair,
) -> dict[str, Any]:
    fell = any(scores["t1 before"][each] < scores["t0"][each] - FELL for each in ("f1", "set_f1"))
    repaired = next((each for each in repair.repaired if each.rules.name == field), None)
    verdict = next((each for each in breakage.fields if each.field == field), None)
    return {
        "field": field,
        "several": traits[field].several if field in traits else None,
        "broke": fell,
        "found_broken": bool(verdict and verdict.broken),
        "broken_share": verdict.broken_share if verdict else None,
        "repaired": repaired is not None and not repaired.worn,
        "renewed": repaired is not None and repaired.worn,
        "reused": bool(verdict and not verdict.broken) and (repaired is None or repaired.worn),
        "left_to_a_person": field in repair.left,
        "scores": dict(scores),
    }


def _order(pages: Sequence[DatedPage]) -> list[int]:
    """The pages to learn from, those to annotate first."""
    chosen = annotation_order([page_nodes(page.root) for page in pages], most=SAMPLE)
    return (chosen + [number for number in range(len(pages)) if number not in chosen])[:SAMPLE]


def _marks(page: DatedPage, fields: Sequence[str]) -> tuple[Annotation, ...]:
    return tuple(Annotation(page.url, field, each) for field in fields for each in page.values[field] or (None,))


def _scores(
    found: Sequence[FieldValues], pages: Sequence[DatedPage], tested: Sequence[int], field: str
) -> dict[str, float]:
    return value_scores([(found[number].get(field, ()), pages[number].values[field]) for number in tested])


def _by_path(pages: Sequence[DatedPage], taught: Sequence[DatedPage], fields: Sequence[str]) -> list[FieldValues]:
    """The absolute paths of the annotated texts, tried in turn."""
    paths: dict[str, dict[str, None]] = {}
    for page in taught:
        for field in fields:
            wanted = {plain(each) for each in page.values[field]}
            rows = [row for row, text in enumerate(page.table.texts) if text in wanted]
            paths.setdefault(field, {}).update(dict.fromkeys(page.table.xpath(row) for row in rows[:1]))
    return [{field: _at(page.root, kept) for field, kept in paths.items()} for page in pages]


def _at(root: Any, paths: Iterable[str]) -> tuple[str, ...]:
    found = (root.getroottree().xpath(path) for path in paths)
    return next(((" ".join(str(nodes[0]).split()),) for nodes in found if nodes), ())


def markup_kept(old: Sequence[DatedPage], new: Sequence[DatedPage]) -> float:
    """Of the pairs of tag and class that half of the pages have at either date, the share that is in both."""
    before, after = _usual_markup(old), _usual_markup(new)
    return len(before & after) / max(len(before | after), 1)


def _usual_markup(pages: Sequence[DatedPage]) -> set[tuple[str, str]]:
    counts = Counter(
        pair
        for page in pages
        for pair in {(str(each.tag), name) for each in page.root.iter("*") for name in each.get("class", "").split()}
    )
    return {pair for pair, count in counts.items() if 2 * count >= len(pages)}


# --- totals ------------------------------------------------------------------------------------------------------


def _summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Counts of templates and of fields, and means over fields."""
    fields = [field for row in rows for field in row["fields"]]
    broke = [field for field in fields if field["broke"]]
    sound = [field for field in fields if not field["broke"]]
    scores = {
        name: {stage: _mean(fields, stage, name) for stage in (*STAGES, "absolute path at t0", "absolute path at t1")}
        for name in ("f1", "set_f1")
    }
    return {
        "templates": len(rows),
        "flagged": sum(row["flagged"] for row in rows),
        "flagged_share": sum(row["flagged"] for row in rows) / len(rows) if rows else 1.0,
        "quiet_share": sum(not row["flagged"] for row in rows) / len(rows) if rows else 1.0,
        "alarms": sum(row["status"] in ("broken", "unreachable") for row in rows),
        "fields": len(fields),
        "broke": len(broke),
        "found_broken": sum(field["found_broken"] for field in broke),
        "found_or_repaired": sum(field["found_broken"] or field["repaired"] for field in broke),
        "found_share": sum(f["found_broken"] or f["repaired"] for f in broke) / len(broke) if broke else 1.0,
        "false_alarms": sum(field["found_broken"] for field in sound),
        "reused": sum(field["reused"] for field in fields),
        "renewed": sum(field["renewed"] for field in fields),
        "repaired": sum(field["repaired"] for field in fields),
        "left_to_a_person": sum(field["left_to_a_person"] for field in fields),
        **scores,
        "kept_after_repair": {
            name: each["t1 after"] / each["t0"] if each["t0"] else 1.0 for name, each in scores.items()
        },
    }


def _mean(fields: Sequence[dict[str, Any]], stage: str, name: str) -> float:
    return sum(field["scores"][stage][name] for field in fields) / len(fields) if fields else 0.0


# --- files -------------------------------------------------------------------------------------------------------


def _archives(folder: Path) -> dict[str, tuple[Path, Path]]:
    """Name -> the archives of both dates."""
    found: dict[str, dict[str, Path]] = {}
    for archive in archives_in(folder):
        plain_name = next(archive.name.removesuffix(s) for s in SUFFIXES[::-1] if archive.name.endswith(s))
        if dated := _STEP.fullmatch(plain_name):
            found.setdefault(dated[1], {})[dated[2]] = archive
    return {name: (each["0"], each["1"]) for name, each in found.items() if len(each) == 2}


def _truth(archive: Path, name: str, step: str) -> dict[str, dict[str, list[str]]]:
    both, own = (archive.with_name(each) for each in (f"{name}.truth.jsonl", f"{name}.{step}.truth.jsonl"))
    path = own if own.exists() else both
    if not path.exists():
        return {}
    try:
        return {entry["url"]: dict(entry["values"]) for _, entry in read_json_lines(path) if "values" in entry}
    except (KeyError, TypeError, ValueError, json.JSONDecodeError) as error:
        raise InputError(f"{path} is no truth file ({error!r}).") from error


def _dated(archive: Path, name: str, step: str) -> dict[str, DatedPage]:
    truth = _truth(archive, name, step)
    fields = dict.fromkeys(field for values in truth.values() for field in values)
    found: dict[str, DatedPage] = {}
    for response in read_archive(archive):
        root = parse_html(response.body, response.header("content-type"))[0] if response.url in truth else None
        if root is not None:
            values = {field: truth[response.url].get(field, []) for field in fields}
            found[response.url] = DatedPage(response.url, root, NodeTable(root), values)
    return found


def _pages(name: str, old: Path, new: Path) -> Pair:
    """Pages that are there at both dates."""
    before, after = _dated(old, name, "t0"), _dated(new, name, "t1")
    urls = sorted(before.keys() & after.keys())
    return [before[url] for url in urls], [after[url] for url in urls]


def _findable_fields(archives: Mapping[str, tuple[Path, Path]], progress: Progress) -> set[str]:
    """Fields whose true values at t0 are printed as they are."""
    whole: Counter[str] = Counter()
    every: Counter[str] = Counter()
    for name, (old, _) in progress(sorted(archives.items()), "looking which fields are printed"):
        truth = _truth(old, name, "t0")
        for response in read_archive(old):
            root = parse_html(response.body, response.header("content-type"))[0] if response.url in truth else None
            texts = set() if root is None else {" ".join(str(each).split()) for each in root.itertext()}
            for field, values in truth.get(response.url, {}).items():
                whole[field] += sum(plain(each) in texts for each in values)
                every[field] += len(values)
    return {field for field, count in every.items() if count and whole[field] >= FINDABLE * count}
