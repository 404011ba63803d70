"""Nothing that a page, a label, a file name or an argument says takes effect on the terminal: no markup, no escape sequence, no line of its own."""

from __future__ import annotations

import io
import json
import os
import runpy
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from lxml import etree
from parsel import Selector
from rich.cells import cell_len
from rich.console import Console

from tests.hostile_text import HOSTILE
from trailmark.cli.main import _say_fault, run
from trailmark.cli.printing import Printer
from trailmark.datatypes import Response
from trailmark.quoting import terminal_text
from trailmark.store.archive_writer import ArchiveWriter

SITE = "http://dept.example/"
MARKUP = "[/bold]"
STEERS = "\x1b[2J[/bold]\u202e\x9b"


class Terminal(io.StringIO):
    """A terminal that keeps what was written to it."""

    def isatty(self) -> bool:
        return True


def printed(**said: Any) -> str:
    """What a printer writes to a wide terminal without colours."""
    printer = Printer(as_json=False)
    file = Terminal()
    printer.console = Console(file=file, width=4000, highlight=False, soft_wrap=True, color_system=None)
    printer.say(said["line"])
    printer.table(said["title"], [said["column"]], [[said["cell"]]])
    return file.getvalue()


def is_quiet(text: str) -> bool:
    """Whether no character steers the terminal but the line ends."""
    return not any(
        unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") for each in text.replace("\n", "")
    ) and not any(sign in text for sign in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f")


def visible(text: str) -> str:
    """What has a width of its own: a table that is laid out may drop the rest."""
    return "".join(each for each in terminal_text(text) if cell_len(each)).strip()


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
@example(MARKUP, MARKUP, MARKUP, MARKUP)
@example("[red]x", "[link=file:///x]x[/link]", ":smile:", "[@click=x]x")
def test_lines_and_tables_show_the_text_as_it_is(line: str, title: str, column: str, cell: str) -> None:
    title, column, cell = (f"<{text}>" for text in (title, column, cell))
    made = printed(line=line, title=title, column=column, cell=cell)
    assert is_quiet(made)
    first = made.split("\n", 1)[0]
    assert first == terminal_text(line)
    for text in (title, column, cell):
        assert visible(text) in visible(made)


@pytest.mark.slow
@settings(deadline=None)
@given(HOSTILE)
@example(MARKUP)
def test_a_bar_shows_its_label_as_it_is(label: str) -> None:
    errors, label = Terminal(), f"<{label}>"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stderr", errors)
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "4000")
        assert list(Printer(as_json=False).progress([1, 2], label)) == [1, 2]
    assert visible(label) in visible(errors.getvalue())
    assert "\x1b]0;" not in errors.getvalue()


@pytest.mark.slow
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    st.sampled_from([("show",), ("-w",), ("show", "x", "--replay"), ("export",), ("teach",), ("learn", "--goal"), ()]),
    HOSTILE.map(lambda text: os.fsdecode(text.replace("\0", "").encode("utf-8", "replace"))),
)
@example(("show",), STEERS)
@example(("teach",), os.fsdecode(b"caf\xe9.jsonl"))
@example((), STEERS)
@example((), "--\x1b[2J")
def test_arguments_are_only_named(
    capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory, verb: tuple[str, ...], argument: str
) -> None:
    if argument in ("-h", "--help"):
        return
    folder = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        code = run([*verb, argument])
    out, err = capsys.readouterr()
    assert code == 2
    assert is_quiet(out + err)
    if not out:
        assert err.startswith("trailmark: ")
        assert err.count("\n") == 1, "one sentence, and no second one that the argument says"


@pytest.fixture
def learnt(trailmark: Any, workspace: Path, small_web: Any) -> Path:
    """A navigator whose labels are markup."""
    good = [
        line.replace('"faculty"', json.dumps(STEERS)).replace('"department"', '"[/red]"') for line in small_web.good()
    ]
    assert trailmark("-w", workspace, "teach", small_web.file(*good), "--replay", small_web.archive).code == 0
    assert trailmark("-w", workspace, "learn", "--quick").code == 0
    return workspace


@pytest.mark.slow
def test_labels_are_no_markup(trailmark: Any, learnt: Path) -> None:
    for url in (SITE, SITE + "~ada/"):
        ended = trailmark("-w", learnt, "show", url, "--why")
        assert ended.code == 0
        assert "[/" in ended.out
        assert is_quiet(ended.out + ended.err)
        assert is_quiet(trailmark("-w", learnt, "show", url, "--why", "--json").out)
    ended = trailmark("-w", learnt, "status")
    assert ended.code == 0
    assert "[/red]" in ended.out


@pytest.mark.slow
def test_fields_are_no_markup(trailmark: Any, workspace: Path, small_web: Any) -> None:
    assert trailmark("-w", workspace, "cluster", "--archive", small_web.archive).code == 0
    marks = [{"url": SITE + "~bob/", "field": name, "value": "Nothing here."} for name in (MARKUP, STEERS)]
    file = small_web.file(*map(json.dumps, marks), name="marks.jsonl")
    taught = trailmark("-w", workspace, "teach", "--annotations", file)
    assert taught.code == 1, "a name that steers is left out, with a sentence"
    assert "line 2: 'field' must be" in taught.err
    assert is_quiet(taught.out + taught.err)
    clusters = trailmark("-w", workspace, "cluster", "--archive", small_web.archive, "--json").report["clusters"]
    cluster = next(each["id"] for each in clusters if SITE + "~bob/" in each["pages"])
    for arguments in (("wrap", "--preview", cluster), ("wrap",), ("extract", "--archive", small_web.archive)):
        ended = trailmark("-w", workspace, *arguments)
        assert ended.code == 0
        assert MARKUP in ended.out
        assert is_quiet(ended.out + ended.err)
    for name in ("items.csv", "items.jsonl", "items.json", "items.tsv"):
        assert trailmark("-w", workspace, "export", workspace / name).code == 0
    for name in ("rules.py", "rules.xslt", "rules.json"):
        ended = trailmark("-w", workspace, "export", workspace / name, "--rules")
        assert ended.code == 0
        assert is_quiet(ended.out + (workspace / name).read_text(encoding="utf-8"))
    ended = trailmark("-w", workspace, "show", SITE + "~bob/", "--record")
    assert ended.code == 0
    assert is_quiet(ended.out)


def test_a_fault_of_ours_is_told_without_what_a_page_commands(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        raise RuntimeError(f"a page said {STEERS}")
    except RuntimeError as error:
        _say_fault(type(error), error, error.__traceback__)
    err = capsys.readouterr().err
    assert err.startswith("Traceback (most recent call last):\n  File ")
    assert "RuntimeError: a page said" in err
    assert is_quiet(err)


FOREIGN = 'http://u"""\';{document(x)}@shop.example/'
"""As a URL in an archive that somebody else wrote: the part before the @ is in the name of the cluster."""


def foreign_page(number: int) -> str:
    """Halves of pairs, controls and markup in all that a page may name."""
    said = {"@type": "Product", "name": f"P\ud800 {number}", "\udc00": "\x1b[2J", "price": str(number)}
    return (
        f'<html><head><title>[/bold]\x1b[2J</title><script type="application/ld+json">{json.dumps(said)}</script></head>'
        f"<body><h1 class='[normalize-space()]'>P {number}</h1><x|y>Price:</x|y> <b>{number}</b></body></html>"
    )


def test_a_foreign_archive_carries_no_code_into_what_is_exported(
    trailmark: Any, workspace: Path, tmp_path: Path
) -> None:
    archive = tmp_path / "foreign.warc.gz"
    with ArchiveWriter(archive) as writer:
        for number in range(6):
            page = foreign_page(number).encode()
            writer.write(Response(f"{FOREIGN}{number}", 200, (("Content-Type", "text/html; charset=utf-8"),), page))
    for arguments in (("cluster", "--archive", archive), ("wrap",), ("extract", "--out", tmp_path / "o.jsonl")):
        ended = trailmark("-w", workspace, *arguments)
        assert ended.code == 0
        assert is_quiet(ended.out + ended.err)
    names = {each["fields"]["name"][0] for each in map(json.loads, (tmp_path / "o.jsonl").read_text().splitlines())}
    assert names == {f"P\ufffd {number}" for number in range(6)}
    for file in ("r.py", "r.xslt"):
        assert trailmark("-w", workspace, "export", tmp_path / file, "--rules").code == 0
    program = runpy.run_path(str(tmp_path / "r.py"))
    assert list(program["RULES"]) == [FOREIGN.removeprefix("http://") + "1"]
    cluster, found = next(iter(program["RULES"])), Selector(text=foreign_page(4))
    assert program["extract"](found, cluster)["price"] == ["4"]
    record = etree.XSLT(etree.parse(str(tmp_path / "r.xslt")))(etree.HTML(foreign_page(4))).getroot()
    assert {field.get("name"): field[0].text for field in record}["price"] == "4"
