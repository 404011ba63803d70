"""Running text: a tagger that learnt from spans reads documents as it learnt to, and gives values as they stand."""

from __future__ import annotations

import json
from pathlib import Path

from tests.tag.test_tag import call, folder  # noqa: F401 - a fixture
from trailmark.datatypes import Document, PlacedWord, Sheet, TextLine
from trailmark.tag.pieces import in_pieces

# ruff: noqa: F811 - a fixture of another module is named by its arguments


def talk(hour: int, room: int, name: str) -> tuple[str, list[list[object]]]:
    """Running text with a time that is one word with what ends it."""
    start, end, place = f"{hour}:30pm", f"{hour + 1}pm", f"Room {room}"
    text = f"A talk.\nTime: {start}-{end}, in {place}.\nSpeaker: {name}\n"
    spans = [(start, "stime"), (end, "etime"), (place, "location"), (name, "speaker")]
    return text, [[text.index(value), text.index(value) + len(value), label] for value, label in spans]


def test_a_tagger_of_spans_finds_in_text_what_it_learnt_from_it(folder: Path) -> None:
    names = ("Ada Lovelace", "Alan Turing", "Grace Hopper", "Mary Somerville", "Emmy Noether")
    rows = [talk(1 + n % 9, 100 + n, names[n % 5]) for n in range(24)]
    file = folder / "talks.jsonl"
    file.write_text("\n".join(json.dumps({"text": text, "spans": spans}) for text, spans in rows))
    assert call(folder, "--train", file, "--name", "talks") == 0
    (folder / "talk.txt").write_text(rows[0][0])
    assert call(folder, folder / "talk.txt", "--model", "talks", "--out", folder / "o.jsonl", "--sources") == 0
    record = json.loads((folder / "o.jsonl").read_text())
    assert record["fields"] == {
        "stime": ["1:30pm"], "etime": ["2pm"], "location": ["Room 100"], "speaker": ["Ada Lovelace"],
    }  # fmt: skip
    start, end = map(int, record["sources"]["stime"][0].removeprefix("char=").split(","))
    assert rows[0][0][start:end] == "1:30pm"


def test_pieces_of_a_word_share_its_box_and_give_its_text() -> None:
    line = TextLine((PlacedWord("at", (0, 0, 20, 10)), PlacedWord("3:30", (30, 0, 70, 10)), PlacedWord("\u0301")))
    (sheet,) = in_pieces(Document("", "text", (Sheet((line,)),))).pages
    (cut,) = sheet.lines
    assert [word.text for word in cut.words][:4] == ["at", "3", ":", "30"]
    assert cut.words[1].box == (30, 0, 40, 10)
    assert cut.text == line.text
    assert cut.box == line.box
