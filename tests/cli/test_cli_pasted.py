"""What the command line suggests can be pasted; numbers agree with their nouns; a shell's list of archives is one option."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ended, SmallWeb
from trailmark.cli.named_commands import with_workspace
from trailmark.cli.verb_list import VERBS
from trailmark.quoting import count_of

Run = Callable[..., Ended]


def test_suggested_commands_name_the_workspace_where_it_is_not_the_current_folder(
    trailmark: Run, tmp_path: Path, small_web: SmallWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my project's"
    assert trailmark("init", folder).code == 0
    taught = trailmark("-w", folder, "teach", small_web.file(*small_web.good()), "--replay", small_web.archive)
    assert taught.code == 0
    said = trailmark("-w", folder, "status").out
    (line,) = [line for line in said.splitlines() if "Next: " in line]
    words = shlex.split(line.partition("Next: ")[2].rstrip("."))
    assert words == ["trailmark", "-w", str(folder), "learn"]
    assert trailmark(*words[1:], "--quick").code == 0
    wrong = trailmark("-w", folder, "extract")
    assert shlex.split(wrong.err.rpartition(": ")[2]) == ["trailmark", "-w", str(folder), "wrap"]
    monkeypatch.chdir(folder)
    assert ": trailmark forage URL" in trailmark("status").out


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_that_works_on_a_workspace_is_given_it(verb: str, tmp_path: Path) -> None:
    said = with_workspace(f"Next: trailmark {verb}", tmp_path)
    assert (f"-w {tmp_path} {verb}" in said) == (verb not in ("init", "evaluate", "demo"))


def test_what_names_a_workspace_already_is_left_alone(tmp_path: Path) -> None:
    assert with_workspace("Try trailmark -w x learn.", tmp_path) == "Try trailmark -w x learn."
    assert with_workspace("Make one: trailmark init DIR", tmp_path) == "Make one: trailmark init DIR"
    assert with_workspace("see trailmark learn", None) == "see trailmark learn"


def test_one_is_one(trailmark: Run, workspace: Path, small_web: SmallWeb) -> None:
    file = small_web.file(small_web.good()[0])
    assert "Imported 1 trail." in trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).out
    assert "It knows 1 trail." in trailmark("-w", workspace, "status").out
    learnt = trailmark("-w", workspace, "learn", "--quick").out
    assert "from 1 trail on 1 site (" in learnt
    assert "Picked nothing" not in learnt
    assert "There was too little to compare ways to learn." in learnt
    assert (count_of(1, "page"), count_of(2, "page"), count_of(0, "entry", "entries")) == (
        "1 page",
        "2 pages",
        "0 entries",
    )


def test_a_list_of_archives_as_a_shell_spells_it_out(
    trailmark: Run, workspace: Path, small_web: SmallWeb, tmp_path: Path
) -> None:
    import lzma

    other = tmp_path / "b.xz"
    import gzip

    other.write_bytes(lzma.compress(gzip.decompress(small_web.archive.read_bytes())))
    ended = trailmark("-w", workspace, "cluster", "--archive", small_web.archive, other, "--json")
    assert ended.code == 0
    assert ended.report["clusters"]
    alone = trailmark("-w", workspace, "cluster", other)
    assert alone.code == 2
    assert "unexpected" in alone.err
