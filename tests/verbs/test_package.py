"""`trailmark package`: courses of a workspace to files, the same bytes every time, and checks of any maker's packages."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ended
from tests.course.package_world import COURSE, PAGES, find, unpacked
from tests.course.package_world import HOME as HOME
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.course_table import StoredCourse, keep_courses
from trailmark.workspace import Workspace

Run = Callable[..., Ended]


@pytest.fixture
def school(workspace: Path) -> Path:
    """A workspace with one course, whose pages are archived."""
    with Workspace.open(workspace) as opened, ArchiveWriter(opened.archive_folder) as writer:
        for name in PAGES:
            archived = find(HOME + name)
            assert archived is not None
            opened.keep_page(HOME + name, archived.response, writer)
        keep_courses(opened.database, [StoredCourse(COURSE, "", "")])
    return workspace


@pytest.mark.parametrize(
    ("form", "ending"), [("scorm12", ".scorm12.zip"), ("scorm2004", ".scorm2004.zip"), ("imscc", ".imscc")]
)
def test_a_course_becomes_a_file_that_a_learning_system_loads(
    trailmark: Run, school: Path, tmp_path: Path, form: str, ending: str
) -> None:
    report = trailmark("-w", school, "package", "--out", tmp_path / "out", "--format", form, "--json").report
    (made,) = report["packages"]
    assert (made["course"], made["items"], made["copies"], made["faults"]) == (COURSE.id, 10, 5, [])
    assert made["file"].endswith(f"cs-101-1996-autumn-{COURSE.id}{ending}")
    files = unpacked(Path(made["file"]).read_bytes())
    assert "imsmanifest.xml" in files
    assert report["why_linked"]["not archived"] == 1


def test_the_same_courses_make_the_same_bytes(trailmark: Run, school: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert trailmark("-w", school, "package", "--out", tmp_path / name).code == 0
    (one,), (two,) = ([*(tmp_path / name).iterdir()] for name in ("one", "two"))
    assert one.name == two.name
    assert one.read_bytes() == two.read_bytes()


def test_the_owner_may_copy_all(trailmark: Run, school: Path, tmp_path: Path) -> None:
    toml = school / "trailmark.toml"
    toml.write_text(toml.read_text().replace('# copies = "open"', 'copies = "all"'))
    report = trailmark("-w", school, "package", "--out", tmp_path / "out", "--json").report
    assert report["packages"][0]["copies"] == 7


def test_people_read_what_was_written_and_what_is_a_link(trailmark: Run, school: Path, tmp_path: Path) -> None:
    ended = trailmark("-w", school, "package", "--out", tmp_path / "out", "--course", HOME)
    assert ended.code == 0
    assert "CS 101: Introduction <to> Computing: 10 items, 5 copies" in ended.out
    assert "2 items as a link: no licence that allows copies." in ended.out


def test_bad_input_is_told_in_a_sentence(trailmark: Run, workspace: Path, school: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "There is no course 'x' in " in trailmark("-w", school, "package", "--out", out, "--course", "x").err
    assert "either --out" in trailmark("-w", school, "package").err
    assert "--course and --draft are for" in trailmark("package", "--check", out, "--course", "x").err
    assert "holds no schemas" in trailmark("-w", school, "package", "--out", out, "--schemas", tmp_path / "none").err
    other = tmp_path / "empty"
    assert trailmark("init", other).code == 0
    assert "There are no courses" in trailmark("-w", other, "package", "--out", out).err


def test_packages_of_any_maker_are_checked(trailmark: Run, school: Path, tmp_path: Path) -> None:
    assert trailmark("-w", school, "package", "--out", tmp_path / "out").code == 0
    (file,) = (tmp_path / "out").iterdir()
    ended = trailmark("package", "--check", file)
    assert (ended.code, "nothing is wrong" in ended.out) == (0, True)
    (tmp_path / "bad.zip").write_bytes(file.read_bytes()[:500])
    ended = trailmark("package", "--check", file, "--check", tmp_path / "bad.zip", "--json")
    assert ended.code == 1
    assert [len(each["faults"]) for each in json.loads(ended.out)["packages"]] == [0, 1]
    assert "no such file" in trailmark("package", "--check", tmp_path / "gone.zip").err
