"""What a job may be told: only words on its verb's list, files inside of the fence, and nothing that leads out of it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.serve.app_visitor import Visitor
from trailmark.cli.main import cli
from trailmark.errors import InputError
from trailmark.serve.job_words import _OPTIONS, VERBS, Fence, job_words
from trailmark.serve.jobs import Jobs
from trailmark.serve.options import Options


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """A file of the owner's that is no business of a job."""
    file = tmp_path / ".bashrc"
    file.write_text("export MINE=1\n", encoding="utf-8")
    return file


def test_every_option_on_the_lists_is_one_of_its_verb() -> None:
    for verb in VERBS:
        command = cli.get_command(None, verb)  # type: ignore[arg-type]
        assert command is not None
        known = {name: option for option in command.params for name in option.opts}
        for name, judge in _OPTIONS[verb].items():
            assert (judge is None) == bool(getattr(known[name], "is_flag", False)), f"{verb} {name}"


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("extract", ["--out", "{outside}"]),
        ("extract", ["--out={outside}"]),
        ("extract", ["--out", "../.bashrc"]),
        ("extract", ["--out", "exports/../../.bashrc"]),
        ("extract", ["--out", "exports/link/.bashrc"]),
        ("extract", ["--out", "trailmark.db"]),
        ("extract", ["--out", "serve/keys.json"]),
        ("extract", ["--out", "models/rules.json"]),
        ("extract", ["--out", "."]),
        ("extract", ["--archive", "{outside}"]),
        ("forage", ["--seeds", "{outside}"]),
        ("forage", ["--seeds", "/etc/passwd"]),
        ("forage", ["--seeds", "link"]),
        ("forage", ["--seeds", "serve/secret"]),
        ("forage", ["--seeds", "serve/seeds/../secret"]),
        ("forage", ["--seeds", "serve"]),
        ("forage", ["--log", "{outside}"]),
        ("forage", ["--plot", "{outside}"]),
        ("forage", ["--replay", "{outside}"]),
        ("forage", ["file:///etc/passwd"]),
        ("forage", ["http://a.example/", "-w", "/"]),
        ("teach", ["{outside}"]),
        ("teach", ["--annotations", "{outside}"]),
        ("teach", ["--ask", "3"]),
        ("teach", ["--", "{outside}"]),
        ("demo", ["--out", "{outside}"]),
        ("demo", ["--out", "serve"]),
        ("learn", ["-w", "/"]),
        ("learn", ["--workspace", "/"]),
        ("learn", ["--help"]),
        ("learn", ["--goal"]),
        ("learn", ["--goal", "--quick"]),
        ("learn", ["--quick=1"]),
        ("learn", ["x"]),
        ("learn", ["-"]),
        ("extract", ["--jobs", "-1"]),
        ("extract", ["--jobs", "9" * 20]),
        ("serve", []),
        ("init", ["x"]),
        ("", []),
    ],
)
def test_what_leads_out_is_refused(folder: Path, outside: Path, verb: str, words: list[str]) -> None:
    (folder / "exports").mkdir()
    (folder / "exports" / "link").symlink_to(outside.parent)
    (folder / "link").symlink_to(outside)
    jobs = Jobs(folder)
    with pytest.raises(InputError):
        jobs.start(verb, *(word.replace("{outside}", str(outside)) for word in words), title="x")
    assert jobs.all() == []
    assert outside.read_text(encoding="utf-8") == "export MINE=1\n"


def test_what_lies_inside_is_taken_as_where_it_is(folder: Path, tmp_path: Path) -> None:
    archive = tmp_path / "site.warc.gz"
    archive.touch()
    (tmp_path / "again").symlink_to(archive)
    fence, home = Fence(folder, (tmp_path / "again",)), str(folder.resolve())
    assert job_words("extract", ["--out", "exports/a.csv", "--again"], fence) == ("--out", f"{home}/exports/a.csv", "--again")  # fmt: skip
    assert job_words("extract", [f"--archive={archive}"], fence) == ("--archive", str(archive.resolve()))
    assert job_words("teach", ["trails.jsonl", "--replay", str(tmp_path / "again")], fence) == (f"{home}/trails.jsonl", "--replay", str(archive.resolve()))  # fmt: skip
    assert job_words("forage", ["http://a.example/", "--seeds", "serve/seeds/1.txt"], fence)[2] == f"{home}/serve/seeds/1.txt"  # fmt: skip
    assert job_words("demo", ["--web-only"], fence) == ("--web-only", "--out", f"{home}/demo")


@pytest.mark.parametrize("words", [["x" * 5000], ["x"] * 2000, ["x" * 3000] * 100, ["a\0b"], ["\ud800"], ["a\nb"]])
def test_words_are_few_short_and_writable(folder: Path, words: list[str]) -> None:
    with pytest.raises(InputError, match="word"):
        job_words("teach", words, Fence(folder))


def test_programs_and_a_job_that_was_kept_before_are_held_to_it_too(folder: Path, outside: Path) -> None:
    visitor = Visitor(folder)
    for words in (["--out", str(outside)], ["--archive", str(outside)]):
        answer = visitor.http.post("/api/jobs", json={"verb": "extract", "arguments": words}, headers=visitor.bearer())
        assert answer.status_code == 400
        assert "workspace" in answer.json()["error"]
    path = folder / "serve" / "jobs" / "0001"
    path.mkdir(parents=True)
    kept = {"id": "0001", "verb": "extract", "arguments": ["--out", str(outside)], "title": "", "started": 0.0}
    (path / "job.json").write_text(json.dumps(kept), encoding="utf-8")
    answer = visitor.http.post("/api/jobs/0001", json={"do": "resume"}, headers=visitor.bearer())
    assert answer.status_code == 400
    assert outside.read_text(encoding="utf-8") == "export MINE=1\n"


@pytest.mark.slow
def test_an_archive_that_was_named_at_the_start_may_be_read(folder: Path, outside: Path) -> None:
    visitor = Visitor(folder, Options(archives=(outside,)))
    sent = {"verb": "extract", "arguments": ["--archive", str(outside)]}
    assert visitor.http.post("/api/jobs", json=sent, headers=visitor.bearer()).status_code == 201


def test_jobs_do_not_get_the_token(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRAILMARK_TOKEN", "a-long-enough-secret")
    jobs = Jobs(folder)
    job = jobs.start("learn", title="x")
    environment = Path(f"/proc/{job.pid}/environ")
    assert not environment.exists() or b"a-long-enough-secret" not in environment.read_bytes()
    assert os.environ["TRAILMARK_TOKEN"]
    jobs.stop(job.id)
