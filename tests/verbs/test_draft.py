"""`trailmark draft`: a syllabus to a draft, and the draft to a package, by the rules that all packages have."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from tests.conftest import Ended
from tests.course.map_world import AUTOMATON, TURING
from tests.course.package_world import unpacked
from tests.serve.advice_world import LANGUAGES, MACHINES, PAGES, page
from tests.verbs.course_world import write_pages
from trailmark.errors import InputError
from trailmark.store.course_table import read_courses
from trailmark.verbs.course import course
from trailmark.verbs.draft import draft
from trailmark.verbs.draft_file import draft_path, read_draft
from trailmark.workspace import Workspace

Run = Callable[..., Ended]
T = TypeVar("T")
SYLLABUS = "Week 1: Regular grammars\nWeek 2: Turing machines\nWeek 3: Onion soup\n"
OPEN = '<link rel=license href="https://creativecommons.org/licenses/by/4.0/">'


@pytest.fixture
def school(workspace: Path, tmp_path: Path) -> Path:
    pages = {url: (OPEN + text if url == f"{MACHINES}t.html" else text) for url, text in PAGES.items()}
    archive = write_pages(tmp_path / "a.warc.gz", pages)
    with Workspace.open(workspace) as opened:
        course(opened, [LANGUAGES, MACHINES], [archive])
    (tmp_path / "s.txt").write_text(SYLLABUS, encoding="utf-8")
    return workspace


def test_a_syllabus_becomes_a_draft_and_a_package(trailmark: Run, school: Path, tmp_path: Path) -> None:
    report = trailmark("-w", school, "draft", "--title", "Languages", "--syllabus", tmp_path / "s.txt", "--json").report
    assert [len(week["items"]) for week in report["weeks"]] == [2, 2, 0]
    assert (report["used"], report["without"]) == (2, [3])
    file = Path(report["file"])
    assert file == school / "drafts" / "languages.json"
    value = json.loads(file.read_text(encoding="utf-8"))
    for item in value["weeks"][1]["items"]:
        item["use"] = True
    file.write_text(json.dumps(value), encoding="utf-8")
    packed = trailmark("-w", school, "package", "--draft", file, "--out", tmp_path / "p", "--json").report
    (made,) = packed["packages"]
    assert (made["items"], made["copies"], made["faults"]) == (3, 1, []), "copied is what states a licence"
    manifest = unpacked(Path(made["file"]).read_bytes())["imsmanifest.xml"].decode()
    assert manifest.index("1. Regular grammars") < manifest.index("2. Turing machines")
    assert "Onion soup" not in manifest


def test_people_read_the_weeks_and_what_to_do_next(trailmark: Run, school: Path, tmp_path: Path) -> None:
    said = trailmark("-w", school, "draft", "--title", "Languages", "--syllabus", tmp_path / "s.txt").out
    assert "Nothing that was found fits." in said
    assert "both speak of turing machine" in said
    assert "package --draft" in said


def test_a_draft_that_was_edited_is_not_written_over(trailmark: Run, school: Path, tmp_path: Path) -> None:
    arguments = (
        "-w",
        school,
        "draft",
        "--title",
        "Languages",
        "--syllabus",
        tmp_path / "s.txt",
        "--out",
        tmp_path / "d.json",
    )
    assert trailmark(*arguments).code == 0
    ended = trailmark(*arguments)
    assert (ended.code, "is there already" in ended.err) == (2, True)
    (tmp_path / "mine.txt").write_text("[forage]")
    ended = trailmark(*arguments[:-1], tmp_path / "mine.txt", "--again")
    assert (ended.code, "no draft" in ended.err) == (2, True)
    assert (tmp_path / "mine.txt").read_text() == "[forage]"
    assert trailmark(*arguments, "--again").code == 0


def test_an_assignment_in_the_courses_own_folder_is_proposed_and_recommended(
    trailmark: Run, school: Path, tmp_path: Path
) -> None:
    pages = {
        MACHINES: PAGES[MACHINES] + "<h2>Homework</h2><a href=hw1.html>Homework 1: Turing machines</a>",
        f"{MACHINES}hw1.html": page("Homework 1", f"{TURING} {AUTOMATON}"),
    }
    trailmark("-w", school, "course", MACHINES, "--archive", write_pages(tmp_path / "hw.warc.gz", pages))
    with Workspace.open(school) as opened:
        (found,) = [each for each in read_courses(opened.database) if each.url == MACHINES]
        assert f"{MACHINES}hw1.html" in found.pages
    report = trailmark("-w", school, "draft", "--title", "x", "--syllabus", tmp_path / "s.txt", "--json").report
    kinds = {item["url"]: item["kind"] for week in report["weeks"] for item in week["items"]}
    assert kinds[f"{MACHINES}hw1.html"] == "assignment"
    assert trailmark("-w", school, "recommend", f"{MACHINES}hw1.html", "--json").report["recommended"]


def write_file(file: Path, title: str, *weeks: tuple[tuple[str, str], ...]) -> Path:
    """A draft of weeks, each of items of a type and an address, all in."""
    items = [[{"type": kind, "url": f"http://x.example/{name}"} for kind, name in week] for week in weeks]
    told = [{"week": number, "title": "x", "items": week} for number, week in enumerate(items, start=1)]
    file.write_text(json.dumps({"draft": 1, "title": title, "weeks": told}), encoding="utf-8")
    return file


def test_a_draft_with_nothing_in_it_is_no_package_and_the_code_says_so(
    trailmark: Run, school: Path, tmp_path: Path
) -> None:
    ended = trailmark("-w", school, "package", "--draft", write_file(tmp_path / "d.json", "D"), "--out", tmp_path / "p")
    assert (ended.code, list(tmp_path.glob("p/*"))) == (1, [])


def test_what_is_in_is_packed_in_each_of_its_weeks_and_whatever_its_type(
    trailmark: Run, school: Path, tmp_path: Path
) -> None:
    file = write_file(
        tmp_path / "d.json", "D", (("reading", "r"), ("people", "p")), (("reading", "r"), ("reading", "r"))
    )
    report = trailmark("-w", school, "package", "--draft", file, "--out", tmp_path / "p", "--json").report
    (made,) = report["packages"]
    assert (made["items"], made["left_out"], made["types"]) == (3, 0, {"reading": 2, "people": 1})
    assert not made["faults"]


def test_drafts_that_would_overwrite_each_other_and_empty_ones_are_told(
    trailmark: Run, school: Path, tmp_path: Path
) -> None:
    one, two = (write_file(tmp_path / f"{name}.json", "Trees", (("reading", name),)) for name in ("one", "two"))
    ended = trailmark("-w", school, "package", "--draft", one, "--draft", two, "--out", tmp_path / "p")
    assert (ended.code, "one.json and" in ended.err, "have one title" in ended.err) == (2, True, True)
    again = trailmark("-w", school, "package", "--draft", one, "--draft", one, "--out", tmp_path / "p", "--json").report
    assert len(again["packages"]) == 1
    empty = write_file(tmp_path / "empty.json", "Nothing yet", ())
    assert "Nothing yet" in trailmark("-w", school, "package", "--draft", empty, "--out", tmp_path / "p").out


def test_titles_of_any_script_and_length_have_files_of_their_own(trailmark: Run, school: Path, tmp_path: Path) -> None:
    titles = ("\u6570\u636e\u7ed3\u6784", "\u56fe\u8bba", "C \u6570", "C \u8bba", "An introduction to the theory of computation 1", "An introduction to the theory of computation 2")  # fmt: skip
    for title in titles:
        ended = trailmark("-w", school, "draft", "--title", title, "--syllabus", tmp_path / "s.txt")
        assert ended.code == 0, ended.err
    assert len(list((school / "drafts").iterdir())) == len(titles)
    assert all(name.stem.isascii() and len(name.stem) <= 60 for name in (school / "drafts").iterdir())


def test_a_draft_that_came_while_texts_were_read_is_not_written_over(school: Path) -> None:
    with Workspace.open(school) as opened:
        target = draft_path(opened, "Trees")

        def progress(each: Iterable[T], *_: object) -> Iterator[T]:
            write_file(target, "Theirs", ())
            yield from each

        target.parent.mkdir()
        with pytest.raises(InputError, match="is there already"):
            draft(opened, "Trees", SYLLABUS, progress=progress)
        assert read_draft(target).title == "Theirs"


def test_bad_input_is_told_in_a_sentence(trailmark: Run, school: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n", encoding="utf-8")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00\x01")
    (tmp_path / "broken.json").write_text('{"draft": 1', encoding="utf-8")

    def told(*arguments: object) -> str:
        ended = trailmark("-w", school, *arguments)
        assert ended.code == 2
        assert "Traceback" not in ended.err
        return ended.err

    for name, words in (("none.txt", "can't be read"), ("empty.txt", "is empty"), ("binary.txt", "not UTF-8"), (".", "can't be read")):  # fmt: skip
        assert words in told("draft", "--title", "x", "--syllabus", tmp_path / name)
    assert "needs a title" in told("draft", "--title", " ", "--syllabus", tmp_path / "s.txt")
    assert "is a folder" in told(
        "draft", "--title", "x", "--syllabus", tmp_path / "s.txt", "--out", tmp_path, "--again"
    )
    for name in ("broken.json", "none.json", "."):
        assert told("package", "--draft", tmp_path / name, "--out", tmp_path / "p")
    with Workspace.create(tmp_path / "empty"):
        pass
    ended = trailmark("-w", tmp_path / "empty", "draft", "--title", "x", "--syllabus", tmp_path / "s.txt")
    assert (ended.code, "There are no courses" in ended.err) == (2, True)


def test_any_hash_seed_gives_the_same_bytes(school: Path, tmp_path: Path) -> None:
    found = []
    for seed in ("1", "2"):
        out = tmp_path / seed
        out.mkdir()
        for arguments in (
            ("draft", "--title", "Languages", "--syllabus", str(tmp_path / "s.txt"), "--out", str(out / "d.json")),
            ("package", "--draft", str(out / "d.json"), "--out", str(out)),
            ("map", str(out / "m.ttl")),
            ("map", str(out / "m.html")),
        ):
            subprocess.run(
                [sys.executable, "-m", "trailmark.cli.main", "-w", str(school), *arguments],
                env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True,
            )  # fmt: skip
        said = subprocess.run(
            [sys.executable, "-m", "trailmark.cli.main", "-w", str(school), "recommend", f"{LANGUAGES}l1.html", "--json"],
            env={**os.environ, "PYTHONHASHSEED": seed}, check=True, capture_output=True,
        )  # fmt: skip
        found.append({file.name: file.read_bytes() for file in sorted(out.iterdir())} | {"recommend": said.stdout})
    assert found[0] == found[1]
