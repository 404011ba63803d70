"""RIS, CSL-JSON and JSON-LD: what a record says can't leave its line or its string."""

from __future__ import annotations

import json
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.datatypes import Record
from trailmark.export.csl_json import csl_item, csl_items, json_ld
from trailmark.export.ris_file import ris_entries
from trailmark.quoting import json_text

PAPER = Record(
    "http://a.example/1.pdf",
    "paper",
    {
        "title": ("On Engines",),
        "author": ("Ada Lovelace", "Babbage, Charles", "Plato"),
        "journal": ("Taylor's Memoirs",),
        "date": ("October 1843",),
        "pages": ("666--731",),
        "volume": ("3",),
        "abstract": ("Wheels.",),
    },
)
NAMES = ("title", "author", "journal", "date", "pages", "abstract", "keyword", "doi", "name", "odd")


def test_a_paper_as_ris() -> None:
    lines = b"".join(ris_entries([PAPER])).decode().split("\r\n")
    assert lines == [
        "TY  - JOUR", "TI  - On Engines", "AU  - Ada Lovelace", "AU  - Babbage, Charles", "AU  - Plato", "JO  - Taylor's Memoirs", "VL  - 3",
        "AB  - Wheels.", "PY  - 1843", "SP  - 666", "EP  - 731", "UR  - http://a.example/1.pdf", "ER  - ", "", "",
    ]  # fmt: skip


def test_a_paper_as_csl_and_as_linked_data() -> None:
    item = csl_item(PAPER, "x")
    assert item["author"] == [{"family": "Lovelace", "given": "Ada"}, {"family": "Babbage", "given": "Charles"}, {"literal": "Plato"}]  # fmt: skip
    assert (item["type"], item["issued"]) == ("article-journal", {"date-parts": [[1843]]})
    assert json.loads(b"".join(csl_items([PAPER, PAPER])))[1]["id"] == "item-2"
    linked = json_ld(PAPER, "https://library.test/item/1")
    assert (linked["@type"], linked["isBasedOn"]) == ("ScholarlyArticle", PAPER.url)
    assert json_ld(Record("", "course", {"name": ("Sea",), "instructor": ("A",)}))["name"] == "Sea"


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(NAMES), st.lists(HOSTILE, max_size=3).map(tuple)), HOSTILE)
def test_hostile_values_stay_in_their_place(fields: dict[str, tuple[str, ...]], url: str) -> None:
    record = Record(url, "paper", fields)
    text = b"".join(ris_entries([record, PAPER])).decode()
    entries = [part for part in text.split("ER  - \r\n\r\n") if part]
    assert len(entries) == 2
    assert all(re.match(r"[A-Z][A-Z0-9]  - ", line) for line in entries[0].split("\r\n") if line)
    assert not re.search("[\x00-\x09\x0b\x0c\x0e-\x1f\x85\u2028]", text)
    for value in (csl_item(record, "x"), json_ld(record)):
        assert json.loads(json_text(value).encode()) == json.loads(json.dumps(value))
