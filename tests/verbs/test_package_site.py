"""`trailmark package --from URL`: from the address of a department, or of a course, to packages, with nothing taught."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ended
from tests.serve.advice_world import EVIL, PAGES
from tests.verbs.course_world import write_pages
from trailmark.course.course_walk import TAKEN, CourseWalk, is_course_page
from trailmark.course.package.package_check import checked_package
from trailmark.datatypes import Response
from trailmark.demo import DemoWeb
from trailmark.read import read_page
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.strategy import FollowedLink

Run = Callable[..., Ended]
WEB = DemoWeb(sites=1, pages=100, classes=True)


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("site") / "site.warc.gz"
    with ArchiveWriter(file) as writer:
        for response in WEB.site(0).responses():
            writer.write(response)
    return file


def test_a_departments_address_becomes_packages(trailmark: Run, workspace: Path, tmp_path: Path, archive: Path) -> None:
    ended = trailmark("-w", workspace, "package", "--from", WEB.root(0), "--replay", archive, "--out", tmp_path, "--json")  # fmt: skip
    report = ended.report
    packages = report["packed"]["packages"]
    there = {WEB.site(0).material_of(path).code for path in WEB.site(0).course_homes}
    named = [each["title"].partition(":")[0] for each in packages]
    assert len(there & set(named)) >= 0.7 * len(there)
    assert len(set(named) - there) <= 1
    assert report["by_words"]
    assert sum(each["copies"] for each in packages) > 0, "pages under an open licence are copied"
    for each in packages:
        with Path(each["file"]).open("rb") as file:
            assert checked_package(file).faults == ()


def test_a_courses_own_address_will_do_and_people_are_told_how_to_load_it(trailmark: Run, workspace: Path, tmp_path: Path, archive: Path) -> None:  # fmt: skip
    site = WEB.site(0)
    home = site.url(next(iter(site.course_homes.values())))
    ended = trailmark("-w", workspace, "package", "--from", home, "--replay", archive, "--budget", "1", "--out", tmp_path)  # fmt: skip
    assert ended.code == 0
    assert "Moodle" in ended.out
    assert ".scorm12.zip" in ended.out


def test_an_address_that_can_not_be_read_is_told_with_the_reason(
    trailmark: Run, workspace: Path, tmp_path: Path
) -> None:
    file = workspace / "trailmark.toml"
    file.write_text('[forage]\ncontact = "a@example.org"\n', encoding="utf-8")
    ended = trailmark("-w", workspace, "package", "--from", "http://127.0.0.1:8000/", "--out", tmp_path / "p")
    assert ended.code == 1
    assert "has no public address" in ended.out


def test_a_site_without_courses_gives_none_and_says_so(trailmark: Run, workspace: Path, tmp_path: Path) -> None:
    root = "http://x.example/"
    file = write_pages(tmp_path / "x.warc.gz", {root: "<title>Shop</title><a href=/a/>Buy</a>", f"{root}a/": "<p>Soap"})
    ended = trailmark("-w", workspace, "package", "--from", root, "--replay", file, "--out", tmp_path / "p")
    assert (ended.code, "No course with material" in ended.out) == (1, True)
    assert trailmark("-w", workspace, "course", "--list", "--json").report["courses"] == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--from", "cs.example.edu", "--out", "p"), "no address"),
        (("--from", "ftp://cs.example.edu/", "--out", "p"), "no address"),
        (("--from", "http://x.example/", "--check", "f"), "--from"),
        (("--budget", "3", "--out", "p"), "go with --from"),
        (("--from", "http://x.example/", "--course", "x", "--out", "p"), "stands alone"),
    ],
)
def test_bad_input_is_told_in_a_sentence(trailmark: Run, workspace: Path, arguments: tuple[str, ...], words: str) -> None:  # fmt: skip
    ended = trailmark("-w", workspace, "package", *arguments)
    assert (ended.code, words in ended.err) == (2, True)


def test_links_that_speak_of_courses_are_followed_first() -> None:
    text = '<a href="/news/">News</a> <a href="/people/">People</a> <a href="/c/">Courses</a> <a href="/x/cs101/">CS 101</a>'
    page = read_page(Response("http://x.example/", 200, (("Content-Type", "text/html"),), text.encode()))
    scores = CourseWalk().visit(page, FollowedLink("http://x.example/", page.url, 1)).scores.tolist()
    assert scores[2] > scores[3] > scores[1] > scores[0] > 0


def test_what_is_a_course_page_is_told_by_its_own_material() -> None:
    html = (("Content-Type", "text/html"),)
    lists = "".join(f"<li><a href=l{n}.ps>Lecture {n}</a> <a href=hw{n}.ps>Homework {n}</a>" for n in range(4))
    assert is_course_page(read_page(Response("http://x.example/cs101/", 200, html, lists.encode())))
    assert not is_course_page(read_page(Response("http://x.example/", 200, html, lists.encode())))
    assert not is_course_page(
        read_page(Response("http://x.example/ada/", 200, html, f"<title>Ada</title>{lists}".encode()))
    )
    named = f"<title>Algorithms</title><h1>Course notes</h1>{lists}"
    page = read_page(Response("http://x.example/ada/", 200, html, named.encode()))
    judged = CourseWalk().visit(page, FollowedLink("http://x.example/", page.url, 1)).judgement
    assert (judged.goal, judged.goal_probability) == (True, TAKEN)
    assert not is_course_page(read_page(Response(EVIL, 200, html, PAGES[EVIL].encode())))
