from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.datatypes import Response, Step, Trail
from trailmark.errors import InputError
from trailmark.store.archive import read_archive
from trailmark.store.benchmark_web import BenchmarkWeb, read_webs, write_web
from trailmark.store.json_lines import (
    read_json_lines,
    read_trails,
    trail_from_json,
    trail_to_json,
    write_json_lines,
    written_whole,
)

ROOT = "http://a.example/"
TRAILS = (
    Trail(ROOT, "goal", (Step(ROOT, "department"), Step(ROOT + "x", "course", "A course, with é"))),
    Trail(ROOT, "fail", (Step(ROOT), Step(ROOT + "y"))),
)
PAGES = (
    Response(ROOT, 200, body=b"root"),
    Response(ROOT + "x", 200, body=b"x"),
    Response(ROOT + "old", 301, (("Location", "/x"),)),
)


def _write(folder: Path, name: str = "one", roots: tuple[str, ...] = (ROOT,)) -> BenchmarkWeb:
    labels = {ROOT: "department", ROOT + "x,y": "course"}
    goals = {"course": TRAILS}
    return write_web(
        folder, name=name, roots=roots, responses=PAGES, labels=labels, trails_by_goal=goals, source="made", note="n"
    )


def test_a_web_written_is_read_back(tmp_path: Path) -> None:
    written = _write(tmp_path)
    (web,) = read_webs(tmp_path)
    assert web == written
    assert (web.name, web.roots, web.pages, web.reachable) == ("one", (ROOT,), 2, {"course": 1})
    assert web.labels() == {ROOT: "department", ROOT + "x,y": "course"}
    assert web.trails("course") == TRAILS
    assert [(each.url, each.body) for each in read_archive(web.archive)] == [(p.url, p.body) for p in PAGES]
    names = ["one.labels.csv", "one.trails.course.jsonl", "one.warc.gz", "webs.json"]
    assert sorted(file.name for file in tmp_path.iterdir()) == names


def test_webs_are_listed_with_the_agreed_keys(tmp_path: Path) -> None:
    _write(tmp_path)
    _write(tmp_path, "two", (ROOT, "http://b.example/"))
    one, two = json.loads((tmp_path / "webs.json").read_text())
    assert list(one) == ["name", "root", "archive", "labels", "pages", "goals", "source", "note"]
    assert one["goals"] == {
        "course": {"pages_reachable": 1, "trails": "one.trails.course.jsonl", "positives": 1, "negatives": 1}
    }
    assert two["roots"] == [ROOT, "http://b.example/"]
    assert read_webs(tmp_path)[1].roots == (ROOT, "http://b.example/")


def test_writing_again_replaces_and_gives_the_same_bytes(tmp_path: Path) -> None:
    _write(tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    _write(tmp_path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_a_goal_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose one of course"):
        _write(tmp_path).trails("faculty")


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "a b"])
def test_a_name_that_is_no_file_name_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="can't name a web"):
        _write(tmp_path / "folder", name)
    assert not (tmp_path / "folder").exists()


@pytest.mark.parametrize(
    "content",
    [None, "{", "{}", "[1]", '[{"name": "a"}]', '[{"name": "a", "archive": "a", "labels": "b", "goals": [1]}]'],
)
def test_a_bad_list_is_an_input_error_that_names_it(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "webs.json").write_text(content)
    with pytest.raises(InputError, match=r"webs\.json"):
        read_webs(tmp_path)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    _write(tmp_path)
    (tmp_path / "one.labels.csv").unlink()
    with pytest.raises(InputError, match=r"one\.labels\.csv.*restore"):
        read_webs(tmp_path)


@pytest.mark.parametrize("content", [b"", b"url,label\n", b"url,label,source\na,b\n", b"url,label,source\n\xff,b,c\n"])
def test_bad_labels_are_an_input_error(tmp_path: Path, content: bytes) -> None:
    web = _write(tmp_path)
    web.labels_path.write_bytes(content)
    with pytest.raises(InputError, match=r"one\.labels\.csv"):
        web.labels()


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        "null",
        "[" * 100_000,
        '{"site": 1}',
        '{"site": "s", "outcome": "won"}',
        '{"site": "s", "outcome": "goal", "steps": []}',
        '{"site": "s", "outcome": "goal", "steps": ["u"]}',
        '{"site": "s", "outcome": "goal", "steps": [{"url": "u", "label": 1}]}',
        '{"site": "s", "outcome": ["goal"], "steps": [{"url": "u"}]}',
    ],
)
def test_a_bad_line_is_named_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(trail_to_json(TRAILS[0])) + "\n\n" + line + "\n")
    with pytest.raises(InputError, match=r"t\.jsonl:3: "):
        list(read_trails(path))


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="check the name"):
        list(read_json_lines(tmp_path / "none.jsonl"))


def test_a_file_that_can_not_be_written_is_named_as_it_was_asked_for(tmp_path: Path) -> None:
    for file in (tmp_path / "none" / "x.html", tmp_path / ("y" * 255)):
        with pytest.raises(OSError, match=str(file)), written_whole(file):
            pass


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_json_lines(path, [{"a": "é"}, {"b": 1}])
    assert list(read_json_lines(path)) == [(1, {"a": "é"}), (2, {"b": 1})]

    def broken() -> None:
        with written_whole(path) as file:
            file.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        broken()
    assert list(read_json_lines(path))[1] == (2, {"b": 1})
    assert [file.name for file in tmp_path.iterdir()] == ["a.jsonl"]


_text = st.text(max_size=10)
_steps = st.lists(st.builds(Step, _text, st.none() | _text, st.none() | _text), min_size=1, max_size=4).map(tuple)


@pytest.mark.slow
@given(st.builds(Trail, _text, st.sampled_from(["goal", "fail"]), _steps))
def test_trails_survive_json(trail: Trail) -> None:
    assert trail_from_json(json.loads(json.dumps(trail_to_json(trail)))) == trail
