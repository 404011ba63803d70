"""Jobs: verbs in the background that outlive the app; paused, taken up again, stopped, killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, wait_for
from trailmark.demo import DemoServer, DemoWeb, serve
from trailmark.errors import InputError
from trailmark.serve.jobs import Jobs
from trailmark.workspace import Workspace, change_setting

BUDGET = "25"


def ended(jobs: Jobs, name: str) -> Any:
    return wait_for(lambda: (job := jobs.get(name)) and not job.active and job)


@pytest.fixture(scope="module")
def server() -> Iterator[DemoServer]:
    with serve(DemoWeb(sites=1, seed=3, pages=100)) as made:
        yield made


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Visitor, str]:
    """A visitor of a workspace with a job that has failed: there was nothing to learn from."""
    folder = tmp_path_factory.mktemp("failed") / "w"
    Workspace.create(folder).close()
    visitor = Visitor(folder)
    sent = {"x-trailmark-csrf": visitor.csrf}
    job = visitor.http.post("/api/jobs", json={"verb": "learn"}, headers=sent).json()["id"]
    visitor.wait(job)
    return visitor, job


def walk(folder: Path, server: DemoServer) -> tuple[Jobs, Any]:
    """A job that walks a live site slowly enough to be interrupted."""
    for key, value in (("contact", "https://trailmark.test/"), ("allow_hosts", ("*.localhost",)), ("delay", 1.0)):
        change_setting(folder, "forage", key, value)
    jobs = Jobs(folder)
    arguments = (server.root(0), "--strategy", "breadth", "--budget", BUDGET)
    return jobs, jobs.start("forage", *arguments, title="Walking", back="/")


def fetched(folder: Path) -> int:
    with Workspace.open(folder) as workspace:
        return int(workspace.database.connection.execute("SELECT count(*) FROM fetches").fetchone()[0])


@pytest.mark.slow
def test_a_job_that_can_not_be_done_says_why(failed: tuple[Visitor, str]) -> None:
    visitor, job = failed
    found = visitor.get(f"/api/jobs/{job}").json()
    assert found["state"] == "failed"
    assert "teach some first" in found["message"]
    page = visitor.get(f"/jobs/{job}").text
    assert "could not be done" in page
    assert "teach some first" in page
    assert "teach some first" in visitor.get("/jobs").text


@pytest.mark.slow
def test_a_title_that_no_utf8_can_hold_is_kept(folder: Path) -> None:
    """The verb runs by the time that the job is written down: an error then would leave a job that nobody knows."""
    jobs = Jobs(folder)
    job = jobs.start("learn", title="half a \ud83d")
    assert jobs.get(job.id).title == "half a \ud83d"
    ended(jobs, job.id)


@pytest.mark.slow
def test_a_button_that_is_pressed_twice_begins_one_job(folder: Path, server: DemoServer) -> None:
    jobs, job = walk(folder, server)
    assert jobs.start("forage", *job.arguments, title="Walking", back="/").id == job.id
    other = jobs.start("forage", *job.arguments, "--again", title="Walking", back="/")
    assert other.id != job.id
    for each in (job, other):
        jobs.stop(each.id)
        ended(jobs, each.id)
    assert jobs.start("forage", *job.arguments, title="Walking", back="/").id not in (job.id, other.id)
    jobs.stop(jobs.all()[0].id)
    ended(jobs, jobs.all()[0].id)


@pytest.mark.parametrize("text", ["[" * 100_000, "9" * 5000, "[]", "{"])
def test_files_of_a_job_that_are_no_such_files_count_as_none(folder: Path, text: str) -> None:
    job = folder / "serve" / "jobs" / "0001"
    job.mkdir(parents=True)
    (job / "job.json").write_text(text, encoding="utf-8")
    assert Jobs(folder).all() == []
    (job / "job.json").write_text(
        '{"id": "0001", "verb": "learn", "arguments": [], "title": "", "started": 0}', encoding="utf-8"
    )
    (job / "out").write_text(text, encoding="utf-8")
    assert Jobs(folder).report("0001") == {}


def test_only_known_verbs_become_jobs(folder: Path) -> None:
    with pytest.raises(InputError, match="can't be run"):
        Jobs(folder).start("serve", title="x")
    assert Jobs(folder).all() == []


@pytest.mark.slow
def test_no_word_of_a_job_is_read_by_the_shell(folder: Path, tmp_path: Path) -> None:
    jobs = Jobs(folder)
    word = f"$(touch {tmp_path}/ran); touch {tmp_path}/ran `touch {tmp_path}/ran`"
    job = ended(jobs, jobs.start("teach", word, title=word).id)
    assert job.state == "failed"
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_walk_is_paused_taken_up_killed_and_taken_up_by_another_app(folder: Path, server: DemoServer) -> None:
    jobs, job = walk(folder, server)
    wait_for(lambda: fetched(folder) >= 2)
    jobs.pause(job.id)
    assert ended(jobs, job.id).state == "paused"
    before = fetched(folder)
    assert before < int(BUDGET)
    assert jobs.get(job.id).resumable
    job = jobs.resume(job.id)
    wait_for(lambda: fetched(folder) > before)
    again = Jobs(folder)
    assert again.get(job.id).active, "a restart of the app does not end a job"
    os.killpg(job.pid, signal.SIGKILL)
    assert ended(again, job.id).state == "broken"
    change_setting(folder, "forage", "delay", 0.0)
    again.resume(job.id)
    assert ended(again, job.id).state == "done"
    assert again.report(job.id)["resumed"] is True
    assert fetched(folder) == int(BUDGET)


def test_stop_asked_twice_is_at_once(folder: Path, server: DemoServer) -> None:
    jobs, job = walk(folder, server)
    jobs.stop(job.id)
    jobs.stop(job.id)
    assert ended(jobs, job.id).state == "stopped"
    assert jobs.stop(job.id).state == "stopped", "stopping what has ended does nothing"


def test_one_without_a_report_is_no_end_of_the_verbs_own(folder: Path) -> None:
    jobs = Jobs(folder)
    for number, (wish, out, state) in enumerate(
        [
            ("stop", "", "stopped"),
            ("pause", "", "paused"),
            ("", "", "broken"),
            ("stop", "{}", "trouble"),
            ("", "{}", "trouble"),
        ]
    ):
        path = jobs.folder / f"{number:04d}"
        path.mkdir(parents=True)
        kept = {"id": path.name, "verb": "learn", "arguments": [], "title": "", "started": 0.0, "wish": wish}
        (path / "job.json").write_text(json.dumps(kept), encoding="utf-8")
        (path / "code").write_text("1\n", encoding="utf-8")
        (path / "out").write_text(out, encoding="utf-8")
        assert jobs.get(path.name).state == state


@pytest.mark.slow
def test_a_number_that_was_given_to_another_process_is_not_the_job(failed: tuple[Visitor, str], folder: Path) -> None:
    shutil.copytree(failed[0].folder / "serve", folder / "serve")
    jobs = Jobs(folder)
    job = jobs.get(failed[1])
    path = jobs.folder / job.id
    (path / "code").unlink()
    text = (path / "job.json").read_text(encoding="utf-8")
    (path / "job.json").write_text(text.replace(f'"pid": {job.pid}', f'"pid": {os.getpid()}'), encoding="utf-8")
    assert jobs.get(job.id).state == "broken"


@pytest.mark.slow
def test_events_tell_until_the_end(failed: tuple[Visitor, str]) -> None:
    visitor, job = failed
    with visitor.http.stream("GET", f"/jobs/{job}/events") as stream:
        lines = [line for line in stream.iter_lines() if line]
        assert stream.headers["content-type"].startswith("text/event-stream")
    assert '"state": "failed"' in lines[0]
    assert lines[1:] == ["event: end", "data: {}"]


def test_there_is_no_stream_of_unknown_jobs(visitor: Visitor) -> None:
    for only in ("77", "", "..", "0001,x"):
        assert visitor.get(f"/jobs/events?only={only}").status_code == 400


@pytest.mark.slow
def test_a_damaged_job_is_passed_over(failed: tuple[Visitor, str], folder: Path) -> None:
    shutil.copytree(failed[0].folder / "serve", folder / "serve")
    jobs = Jobs(folder)
    (jobs.folder / "0002").mkdir()
    (jobs.folder / "0003").mkdir()
    (jobs.folder / "0003" / "job.json").write_text("{", encoding="utf-8")
    assert [job.id for job in jobs.all()] == [failed[1]]
    with pytest.raises(InputError, match="no job 0003"):
        jobs.get("0003")


@pytest.mark.slow
def test_pages_lead_back_to_pages_of_ours_only(failed: tuple[Visitor, str]) -> None:
    visitor, job = failed
    for back in ("//evil.example/", "http://evil.example/", "/\\evil.example", "\\\\evil.example"):
        sent = {"csrf": visitor.csrf, "do": "none", "back": back}
        answer = visitor.http.post(f"/jobs/{job}", data=sent, follow_redirects=False)
        assert answer.headers["location"] == f"/jobs/{job}"
