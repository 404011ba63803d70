"""Whole papers: titles, authors and references of PDFs against a list that a person made by reading them; and the test of what is a paper.

Papers are known by their digest alone: the lists beside the tests name facts, and hold nothing of what the papers say.
"""

from __future__ import annotations

import csv
import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.paper_test import measured
from trailmark.datatypes import Record, Response
from trailmark.errors import DocumentError, InputError
from trailmark.progress import Progress, silent
from trailmark.read.pdf_document import read_pdf
from trailmark.settings import TagSettings
from trailmark.tag.document_tagger import make_tagger
from trailmark.tag.models import HEADERS, REFERENCES, file_name, read_tagger
from trailmark.tag.normal_forms import normal_name
from trailmark.tag.paper import find_paper
from trailmark.tag.words import Tagger
from trailmark.verbs.ready_taggers import ready_tagger

LISTS = Path(__file__).parents[1] / "tests" / "tag"
CHECKLIST, COUNTS = LISTS / "papers.checklist.csv", LISTS / "reference_counts.csv"
_LETTERS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a person read on the first page of a paper."""

    title: str
    authors: tuple[str, ...]


def checklist() -> dict[str, Checked]:
    """Digest of a paper -> its title and authors."""
    rows = csv.DictReader(CHECKLIST.read_text(encoding="utf-8").splitlines())
    return {
        row["sha1"]: Checked(row["title"], tuple(name for name in row["authors"].split("; ") if name)) for row in rows
    }


def reference_counts() -> dict[str, int]:
    """Digest of a paper -> how many references a person counted in it."""
    rows = csv.DictReader(COUNTS.read_text(encoding="utf-8").splitlines())
    return {row["sha1"]: int(row["references"]) for row in rows if row["references"]}


def plain(text: str) -> str:
    """Letters and digits alone, without accents and case: how a title is printed is not what it says."""
    spelt = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return _LETTERS.sub("", spelt)


def title_right(found: Sequence[str], wanted: str) -> bool:
    """Whether the first title that was found is the one that was read, letter by letter."""
    return bool(found) and plain(found[0]) == plain(wanted)


def authors_right(found: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether the names that were found are those that were read, each by its family name and first initial, none more."""
    return sorted(map(_name_key, found)) == sorted(map(_name_key, wanted))


def _name_key(name: str) -> str:
    family, _, given = normal_name(name).partition(", ")
    return f"{plain(family)},{plain(given)[:1]}"


def evaluate_papers(folder: Path, models: Path | None = None, *, progress: Progress = silent) -> dict[str, Any]:
    """Every PDF of a folder that is in the list -> what was right of it; taggers of a folder, else the ready ones."""
    known, counts = checklist(), reference_counts()
    work = make_tagger(taggers_of(models), None, TagSettings())
    rows: list[dict[str, Any]] = []
    for file in progress(sorted(folder.glob("*.pdf")), "papers"):
        body = file.read_bytes()
        digest = hashlib.sha1(body, usedforsecurity=False).hexdigest()
        if digest in known:
            rows.append(_row(file.name, body, known[digest], counts.get(digest), work))
    if not rows:
        raise InputError(f"{folder} holds no paper of the list {CHECKLIST.name}; name the folder of its PDFs.")
    counted = [row for row in rows if row["references_counted"] is not None]
    return {
        "task": "papers",
        "papers": len(rows),
        "readable": sum(row["outcome"] != "failed" for row in rows),
        "called_papers": sum(row["is_paper"] for row in rows),
        "titles_right": sum(row["title_right"] for row in rows),
        "authors_right": sum(row["authors_right"] for row in rows),
        "both_right": sum(row["title_right"] and row["authors_right"] for row in rows),
        "counted": len(counted),
        "counts_right": sum(row["references_found"] == row["references_counted"] for row in counted),
        "counts_close": sum(_close(row["references_found"], row["references_counted"]) for row in counted),
        "paper_test": measured(_judged(folder)),
        "rows": rows,
    }


def _judged(folder: Path) -> list[tuple[bool, bool]]:
    """(a person says it is a paper, the test says so) of every PDF that can be read."""
    rows = csv.DictReader(COUNTS.read_text(encoding="utf-8").splitlines())
    known = {row["sha1"]: row["is_paper"] == "yes" for row in rows}
    judged = []
    for file in sorted(folder.glob("*.pdf")):
        body = file.read_bytes()
        digest = hashlib.sha1(body, usedforsecurity=False).hexdigest()
        with suppress(DocumentError):
            if digest in known:
                judged.append((known[digest], find_paper(read_pdf(body)).is_paper))
    return judged


def _close(found: int, counted: int) -> bool:
    """Within one, or a twentieth."""
    return abs(found - counted) <= max(1, counted // 20)


def _row(
    name: str, body: bytes, wanted: Checked, counted: int | None, work: Callable[[Response], Any]
) -> dict[str, Any]:
    tagged = work(Response(f"file:///{name}", 200, body=body))
    paper = next((record for record in tagged.records if record.kind == "paper"), Record("", "paper", {}))
    titles, names = paper.fields.get("title", ()), paper.fields.get("author", ())
    return {
        "file": name,
        "outcome": tagged.outcome,
        "is_paper": tagged.outcome == "records",
        "title_right": title_right(titles, wanted.title),
        "authors_right": tagged.outcome == "records" and authors_right(names, wanted.authors),
        "title": list(titles[:2]),
        "authors": list(names),
        "wanted": wanted.title,
        "wanted_authors": list(wanted.authors),
        "references_found": sum(record.kind == "reference" for record in tagged.records),
        "references_counted": counted,
        "note": tagged.note,
    }


def taggers_of(models: Path | None) -> dict[str, Tagger]:
    """Taggers of headers and references in a folder, else the ready ones."""
    found = {}
    for name in (HEADERS, REFERENCES):
        file = models / file_name(name) if models is not None else None
        body = file.read_bytes() if file is not None and file.is_file() else ready_tagger(name)
        if body is None:
            raise InputError(f"There is no tagger '{name}' in {models}; learn it with `make models`.")
        found[name] = read_tagger(body, str(file or name))
    return found
