"""Which pages records come from: those that were found or chosen, unless asked; borrowed ones only on request, and marked."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from trailmark.datatypes import Annotation, Response
from trailmark.extract.page_scope import PageScope
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.cluster import cluster
from trailmark.verbs.extract import extract, wanted_pages
from trailmark.verbs.found import pages_for_records
from trailmark.verbs.wrap import wrap
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html; charset=utf-8"),)
SITE = "http://shop.example/"


def item(number: int) -> bytes:
    return (
        f"<html><head><title>Item {number}</title></head><body><div class='item'><h1>Thing number {number}</h1>"
        f"<p><b>Price:</b> <span class='now'>${number}.50</span></p></div></body></html>"
    ).encode()


def guide(number: int) -> bytes:
    """Another template of the same site, on which the rules of the first would find something."""
    rows = "".join(f"<tr><td>row {n}</td><td>{n}</td></tr>" for n in range(6))
    return (
        f"<html><head><title>Guide</title></head><body><table>{rows}</table><div class='item'><h1>Guide {number}</h1>"
        f"<p><b>Price:</b> <span class='now'>${number}.00</span></p></div><form><input><select></select></form></body></html>"
    ).encode()


def write(path: Path, pages: Mapping[str, bytes]) -> Path:
    with ArchiveWriter(path) as writer:
        for url, body in pages.items():
            writer.write(Response(url, 200, HTML, body))
    return path


def found_by_a_run(folder: Path, verdicts: Mapping[str, int | None]) -> None:
    """A run that fetched these pages, each with its verdict."""
    with sqlite3.connect(folder / "trailmark.db") as connection:
        run = connection.execute("INSERT INTO runs (digest, said, started_at) VALUES ('d', '{}', '2026')").lastrowid
        for n, (url, goal) in enumerate(verdicts.items()):
            connection.execute(
                "INSERT INTO fetches (run_id, n, site, url, status, score, label, goal, goal_probability, parent_n, depth, final_url, "
                "content_hash, gist, failure) VALUES (?, ?, 0, ?, 200, 1, '', ?, 0.9, 0, 1, ?, 'x', 0, '')",
                (run, n, url, goal, url),
            )
    connection.close()


def answered(folder: Path, url: str, answer: bool) -> None:
    with sqlite3.connect(folder / "trailmark.db") as connection:
        connection.execute("INSERT INTO answers VALUES (1, ?, ?, 'check', '2026')", (url, answer))
    connection.close()


ITEMS = {f"{SITE}item/{n}": item(n) for n in range(1, 13)}
GUIDES = {f"{SITE}guide/{n}": guide(n) for n in range(1, 13)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with two groups of pages, one page of the first marked, rules learnt."""
    archive = write(tmp_path / "a.warc.gz", {**ITEMS, **GUIDES})
    with Workspace.create(tmp_path / "w") as workspace:
        cluster(workspace, [archive])
        marks = {"title": "Thing number 3", "price": "$3.50"}
        workspace.database.add_annotations([Annotation(f"{SITE}item/3", *mark) for mark in marks.items()], "m")
        wrap(workspace)
    return tmp_path / "w"


def pages_with_records(folder: Path) -> set[str]:
    with Workspace.open(folder) as workspace:
        return {record.url for record in workspace.database.records()}


@pytest.mark.slow
def test_records_come_from_the_group_that_was_chosen(folder: Path, trailmark: Any) -> None:
    report = trailmark("-w", folder, "extract", "--json").report
    assert (report["rows"], report["lifted_pages"], report["borrowed"]) == (12, 12, 0)
    assert pages_with_records(folder) == set(ITEMS)


@pytest.mark.slow
def test_a_found_page_is_lifted_and_borrows_only_on_request(folder: Path, trailmark: Any, tmp_path: Path) -> None:
    found_by_a_run(folder, {f"{SITE}guide/1": 1, f"{SITE}guide/2": None, f"{SITE}guide/3": 0})
    assert trailmark("-w", folder, "extract", "--json").report["rows"] == 12
    out = tmp_path / "out.csv"
    report = trailmark("-w", folder, "extract", "--borrow", "--out", out, "--json").report
    assert (report["records"], report["borrowed"]) == (12, 1)  # the unsure page and the one that is no goal stay away
    marked = {row["url"] for row in csv.DictReader(out.open()) if row["borrowed"]}
    assert marked == {f"{SITE}guide/1"}
    assert trailmark("-w", folder, "export", tmp_path / "out.json", "--json").code == 0
    lines = json.loads((tmp_path / "out.json").read_text())
    assert [line["url"] for line in lines if line.get("borrowed")] == [f"{SITE}guide/1"]
    rows = list(csv.DictReader(_exported(folder, trailmark, tmp_path / "again.csv").open()))
    assert [row["url"] for row in rows if row["borrowed"]] == [f"{SITE}guide/1"]


def _exported(folder: Path, trailmark: Any, path: Path) -> Path:
    assert trailmark("-w", folder, "export", path).code == 0
    return path


@pytest.mark.slow
def test_what_a_person_refused_is_not_lifted(folder: Path) -> None:
    found_by_a_run(folder, {f"{SITE}item/5": 0, f"{SITE}item/3": 0})
    answered(folder, f"{SITE}item/5", False)
    answered(folder, f"{SITE}item/3", False)
    with Workspace.open(folder) as workspace:
        assert extract(workspace).rows == 11
    assert f"{SITE}item/5" not in pages_with_records(folder)
    assert f"{SITE}item/3" in pages_with_records(folder)  # it was marked


@pytest.mark.slow
def test_the_last_word_on_a_page_counts_also_where_an_earlier_run_calls_it_a_goal(folder: Path) -> None:
    """What Check says that goes on to records, and what is lifted, are the same pages."""
    page = f"{SITE}guide/5"
    found_by_a_run(folder, {page: 1, f"{SITE}guide/6": 1})
    with Workspace.open(folder) as workspace:
        assert pages_for_records(workspace) == (page, f"{SITE}guide/6")
        assert wanted_pages(workspace, {}).is_asked(page) is True
    answered(folder, page, False)
    with Workspace.open(folder) as workspace:
        assert pages_for_records(workspace) == (f"{SITE}guide/6",)
        assert wanted_pages(workspace, {}).is_asked(page) is False
        assert wanted_pages(workspace, {}).is_asked(f"{SITE}guide/6") is True


@pytest.mark.slow
def test_all_is_everything_and_the_next_run_says_what_it_takes_out(folder: Path, trailmark: Any) -> None:
    report = trailmark("-w", folder, "extract", "--all", "--borrow", "--json").report
    assert (report["records"], report["borrowed"], report["rows"]) == (12, 12, 24)
    dry = trailmark("-w", folder, "extract", "--dry-run", "--json").report
    assert (dry["rows"], dry["taken_out"], dry["dry_run"]) == (12, 12, True)
    assert len(pages_with_records(folder)) == 24
    said = trailmark("-w", folder, "extract").out
    assert "12 records of an earlier run were taken out" in said
    assert pages_with_records(folder) == set(ITEMS)
    assert trailmark("-w", folder, "extract", "--json").report["taken_out"] == 0


@pytest.mark.slow
def test_a_dry_run_measures_and_keeps_nothing(folder: Path, trailmark: Any) -> None:
    said = trailmark("-w", folder, "extract", "--dry-run").out
    assert "It will give 12 rows from 12 pages. Nothing was kept." in said
    assert pages_with_records(folder) == set()
    assert trailmark("-w", folder, "extract", "--json").report["extracted"] == 12


@pytest.mark.slow
def test_a_page_that_is_in_two_archives_counts_once(folder: Path, tmp_path: Path) -> None:
    with Workspace.open(folder) as workspace:
        write(folder / "archive" / "own.warc.gz", {f"{SITE}item/1": item(1)})
        report = extract(workspace, dry_run=True)
        assert (report.rows, report.lifted_pages) == (12, 12)
        assert extract(workspace).rows == len(list(workspace.database.records()))


@pytest.mark.slow
def test_an_archive_that_is_named_gives_all_its_pages_as_ever(folder: Path, tmp_path: Path, trailmark: Any) -> None:
    """Benchmarks from outside rely on it."""
    archive = write(tmp_path / "b.warc.gz", {**ITEMS, f"{SITE}guide/1": guide(1)})
    report = trailmark("-w", folder, "extract", "--archive", archive, "--out", tmp_path / "o.jsonl", "--json").report
    assert (report["records"], report["borrowed"], report["taken_out"]) == (12, 1, 0)
    lines = [json.loads(line) for line in (tmp_path / "o.jsonl").read_text().splitlines()]
    assert all({"url", "kind", "fields", "made_by"} <= set(line) for line in lines)
    assert trailmark("-w", folder, "extract", "--archive", archive, "--no-borrow", "--json").report["borrowed"] == 0
    assert "--all is for" in trailmark("-w", folder, "extract", "--archive", archive, "--all").err


@pytest.mark.slow
def test_a_page_that_came_later_joins_its_group_by_its_structure(folder: Path) -> None:
    new = {f"{SITE}item/{n}": item(n) for n in (40, 41)} | {f"{SITE}guide/40": guide(40)}
    write(folder / "archive" / "later.warc.gz", new)
    with Workspace.open(folder) as workspace:
        report = extract(workspace)
    assert (report.rows, report.unasked) == (14, 1)
    assert pages_with_records(folder) == {*ITEMS, f"{SITE}item/40", f"{SITE}item/41"}


@pytest.mark.slow
def test_a_field_that_many_records_lack_raises_a_hint(folder: Path, tmp_path: Path, trailmark: Any) -> None:
    bare = item(1).replace(b"<p><b>Price:</b> <span class='now'>$1.50</span></p>", b"<p>sold</p>")
    pages = {**ITEMS, **{f"{SITE}item/{n}": bare for n in range(1, 6)}}
    archive = write(tmp_path / "b.warc.gz", pages)
    ran = trailmark("-w", folder, "extract", "--archive", archive)
    assert "'price' is filled on 7 of 12 records only (58%)" in ran.out
    report = trailmark("-w", folder, "extract", "--archive", archive, "--json").report
    assert [(each["field"], each["filled"], each["records"]) for each in report["sparse"]] == [("price", 7, 12)]


def test_a_scope_says_who_is_wanted() -> None:
    scope = PageScope(
        False,
        frozenset("f"),
        frozenset("m"),
        frozenset("mr"),
        frozenset({"g"}),
        {"a": "g", "b": "h", "c": None, "r": "g"},
    )
    answers = {url: scope.is_asked(url) for url in "fmrabcx"}
    assert answers == {"f": True, "m": True, "r": False, "a": True, "b": False, "c": False, "x": None}
    assert PageScope().is_asked("x") is True
