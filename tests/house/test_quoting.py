"""Each language reads back what its writer wrote, whatever the text is; and what it can't hold never breaks it."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import tomllib
import unicodedata
from pathlib import Path
from typing import Any

import lxml.html
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

import trailmark
from tests.hostile_text import HOSTILE
from trailmark.quoting import (
    UNKNOWN,
    figure_text,
    is_xml,
    json_text,
    python_literal,
    shell_command,
    terminal_text,
    toml_string,
    unicode_text,
    xml_attribute,
    xml_text,
    xpath_literal,
    xpath_name,
    xslt_template,
)
from trailmark.serve.rendering import environment

PACKAGE = Path(trailmark.__file__).parent
XSLT = "http://www.w3.org/1999/XSL/Transform"
quick = settings(deadline=None)


def held(text: str) -> str:
    """The text as XML can hold it."""
    return "".join(letter if is_xml(letter) else UNKNOWN for letter in text)


@quick
@given(HOSTILE)
def test_python(text: str) -> None:
    written = python_literal(text)
    assert ast.literal_eval(written) == text
    assert ast.literal_eval(written.encode().decode()) == text
    assert not any(unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") for letter in written)


@quick
@given(HOSTILE)
def test_xml(text: str) -> None:
    root = etree.fromstring(f"<a b={xml_attribute(text)}>{xml_text(text)}</a>".encode())
    assert (root.text or "") == root.get("b") == held(text)
    assert len(root) == 0


@quick
@given(HOSTILE)
def test_xslt(text: str) -> None:
    sheet = (
        f'<x:stylesheet version="1.0" xmlns:x="{XSLT}"><x:template match="/"><a b={xslt_template(text)}/>'
        "</x:template></x:stylesheet>"
    )
    made = etree.XSLT(etree.fromstring(sheet.encode()))(etree.XML("<x/>"))
    assert made.getroot().get("b") == held(text)


@quick
@given(HOSTILE)
def test_xpath(text: str) -> None:
    text = held(text)
    assert etree.Element("a").xpath(xpath_literal(text)) == text
    assert etree.Element("a").xpath(f"self::{xpath_name(text)}") == []


@pytest.mark.slow
@quick
@given(st.recursive(HOSTILE, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(HOSTILE, inner, max_size=2)))
def test_json(value: object) -> None:
    for indent in (None, 1):
        written = json_text(value, indent=indent)
        assert json.loads(written.encode()) == json.loads(json.dumps(value))
        assert indent or len(written.splitlines()) == 1


@quick
@given(HOSTILE)
def test_no_control_character_stands_in_json(text: str) -> None:
    written = json_text([text])
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in written)
    assert not any(
        unicodedata.bidirectional(letter) in ("RLO", "LRO", "RLE", "LRE", "PDF", "RLI", "LRI", "FSI", "PDI")
        for letter in written
    )


@quick
@given(HOSTILE)
def test_toml(text: str) -> None:
    written = toml_string(text)
    assert tomllib.loads(f"a = {written}\n") == {"a": unicode_text(text)}
    assert len(written.splitlines()) == 1


@quick
@given(HOSTILE)
def test_terminal(text: str) -> None:
    shown = terminal_text(text)
    assert len(shown) == len(text)
    assert shown.replace("\u200c", "").replace("\u200d", "").isprintable()
    assert terminal_text(shown) == shown
    assert shown.encode().decode() == shown


def test_a_terminal_shows_letters_of_all_scripts_and_no_commands() -> None:
    assert terminal_text("naïve 你好 می‌شود ≤") == "naïve 你好 می‌شود ≤"
    assert terminal_text("a\u00a0b\tc\nd\r\ne") == "a b c d  e"
    assert terminal_text("\x1b[2J\x9b\x00\u202e\u2066") == f"{UNKNOWN}[2J" + UNKNOWN * 4


@settings(deadline=None, max_examples=30)
@given(st.lists(HOSTILE.map(lambda text: text.replace("\0", "")), min_size=1, max_size=8))
def test_a_shell_reads_the_words(words: list[str]) -> None:
    command = shell_command("printf", "%s\\0", *words)
    assert terminal_text(command) == command, "it is printed as it is"
    said = subprocess.run(["bash", "-c", command], capture_output=True, check=True, stdin=subprocess.DEVNULL).stdout
    assert said.split(b"\0")[:-1] == [_bytes(word) for word in words]


def _bytes(word: str) -> bytes:
    """Of a file name: a byte that is no text stands in it as one of the halves U+DC80 to U+DCFF."""
    halves = [UNKNOWN if "\ud800" <= each < "\udc80" or "\udcff" < each <= "\udfff" else each for each in word]
    return "".join(halves).encode("utf-8", "surrogateescape")


def test_file_names_that_are_no_text_reach_the_shell() -> None:
    name = os.fsdecode(b"caf\xe9 \n.jsonl")
    said = subprocess.run(["bash", "-c", shell_command("printf", "%s", name)], capture_output=True, check=True).stdout
    assert said == b"caf\xe9 \n.jsonl"
    assert shell_command("trailmark", "-w", "my project", "learn") == "trailmark -w 'my project' learn"


@quick
@given(HOSTILE)
def test_no_text_is_a_formula_to_matplotlib(text: str) -> None:
    from matplotlib.text import Text

    drawn: Any = Text(0, 0, "")
    said, formula = drawn._preprocess_math(figure_text(text))
    assert formula is False
    assert said == terminal_text(text)


@pytest.mark.parametrize("tag", ["p", "h1", "x-y"])
def test_plain_tags_stay_plain(tag: str) -> None:
    assert xpath_name(tag) == tag


def test_templates_escape_everything() -> None:
    """Nothing is marked as safe, and every value within a tag stands in quotes."""
    for template in sorted((PACKAGE / "serve/templates").glob("*.html")):
        text = template.read_text(encoding="utf-8")
        assert not re.search(r"\|\s*safe\b|autoescape|Markup|<script(?![^>]*\bsrc=)", text), template.name
        assert not re.search(r"\s[\w-]+=\{\{", text), f"{template.name}: a value without quotes"
        assert not re.search(r"""\bon[a-z]+\s*=|javascript:|style\s*=\s*["'][^"']*\{\{""", text), template.name
    for module in sorted((PACKAGE / "serve").glob("*.py")):
        assert not re.search(r"\bMarkup\(|autoescape=False", module.read_text(encoding="utf-8")), module.name


def test_scripts_write_no_markup() -> None:
    scripts = [*(PACKAGE / "serve/static").glob("*.js"), *(PACKAGE.parent / "extension").glob("*.js")]
    assert len(scripts) >= 8
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        found = re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc", text)
        assert found is None, f"{script.name}: {found and found[0]}"


@pytest.mark.slow
@quick
@given(HOSTILE)
def test_html(text: str) -> None:
    template = environment().from_string('<a title="{{ text }}" href="/x?y={{ text|urlencode }}">{{ text }}</a>')
    root = lxml.html.fromstring(unicode_text(template.render(text=f"x{held(text)}x")))
    seen = re.sub(r"\r\n?", "\n", f"x{held(text)}x")
    assert (root.tag, len(root), sorted(root.attrib)) == ("a", 0, ["href", "title"])
    assert (root.text, root.get("title")) == (seen, seen)
    assert not set(root.get("href") or "<") & set("\"'<> \n")


def test_text_of_pages_is_written_by_its_language() -> None:
    """Other ways of writing a language of ours are called in one place each: here they are pinned, with the reason."""
    allowed = {
        "saxutils": set(),
        "ensure_ascii=False": {"quoting.py", "serve/jobs.py", "serve/api.py", "store/benchmark_web.py", "store/record_table.py", "store/run_table.py", "store/shaping_table.py"},
        "rich.text": {"cli/printing.py", "cli/forage_progress.py", "cli/search.py"},
        "click.echo": {"cli/complaint.py", "cli/main.py", "cli/printing.py", "cli/reference.py"},
    }  # fmt: skip
    for words, known in allowed.items():
        found = {str(each.relative_to(PACKAGE)) for each in PACKAGE.rglob("*.py") if words in each.read_text("utf-8")}
        assert found <= known, f"{words}: {found - known} should call trailmark/quoting.py"
