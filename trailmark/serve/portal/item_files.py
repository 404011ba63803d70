"""An item as a file to take away: BibTeX, RIS, CSL-JSON, JSON-LD, CSV."""

from __future__ import annotations

from trailmark.datatypes import Record
from trailmark.export.bibtex_file import bibtex_entries
from trailmark.export.csl_json import csl_item, json_ld
from trailmark.export.csv_file import csv_rows
from trailmark.export.ris_file import ris_entries
from trailmark.quoting import json_text
from trailmark.serve.portal.kept_pages import Made
from trailmark.serve.portal.ways import Ways
from trailmark.verbs.portal_item import ItemView
from trailmark.verbs.portal_lists import ResultsView

KINDS = {
    "bib": "application/x-bibtex; charset=utf-8",
    "ris": "application/x-research-info-systems; charset=utf-8",
    "csl.json": "application/vnd.citationstyles.csl+json; charset=utf-8",
    "jsonld": "application/ld+json; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
}


def item_file(view: ItemView, form: str, ways: Ways) -> Made:
    """An item, and the ending of the file that is wanted -> the file. Its name is ours: that of the item could be anything."""
    record, address = view.record, view.entry.address
    if form == "bib":
        body = b"".join(bibtex_entries([record]))
    elif form == "ris":
        body = b"".join(ris_entries([record]))
    elif form == "csl.json":
        body = json_text([csl_item(record, address)], indent=1).encode("utf-8", "replace") + b"\n"
    elif form == "jsonld":
        body = json_text(json_ld(record, ways.whole(ways.item(address))), indent=1).encode("utf-8", "replace") + b"\n"
    else:
        body = b"".join(csv_rows([record], list(record.fields)))
    return Made(body, KINDS[form], headers=_as_file(f"{address}.{form}"))


def results_file(view: ResultsView, ways: Ways) -> Made:
    """What was found, one page of it -> a table."""
    records = [
        Record(
            result.entry.url,
            result.entry.kind,
            {
                name: (value,)
                for name, value in (
                    ("title", result.entry.title),
                    ("subtitle", result.entry.subtitle),
                    ("year", str(result.entry.year or "")),
                    ("topic", result.entry.topic or ""),
                    ("cited", str(result.entry.cited)),
                    ("address", ways.whole(ways.item(result.entry.address))),
                )
            },
        )
        for result in view.results
    ]
    columns = ("title", "subtitle", "year", "topic", "cited", "address")
    return Made(b"".join(csv_rows(records, columns)), KINDS["csv"], headers=_as_file("results.csv"))


def _as_file(name: str) -> tuple[tuple[str, str], ...]:
    return (("content-disposition", f'attachment; filename="{name}"'), ("x-robots-tag", "noindex"))
