"""Settings, schedules and notices in the app: kept with the file's comments, refused with the form as it was, done when due."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SITE
from tests.serve.app_visitor import Visitor
from tests.verbs.test_found import ROOT, found_run
from trailmark.forage.named_hosts import host_problem
from trailmark.serve.jobs import Job, Jobs
from trailmark.serve.notices import Told, notice_of
from trailmark.serve.schedule import Scheduled, cron_line, schedule
from trailmark.serve.timer import Timer
from trailmark.settings import Settings, parse_settings, with_setting
from trailmark.verbs.notices import Notice, notice_of_report, tell
from trailmark.workspace import Workspace, change_setting, change_settings, settings_in

HOUR = 3600.0
FORM = {
    "forage.contact": "me@example.org",
    "forage.delay": "2.5",
    "forage.budget": "500",
    "forage.site_budget": "0",
    "forage.retries": "2",
    "forage.timeout": "30",
    "forage.obey_robots": "yes",
    "forage.allow_hosts": "a.localhost\n b.localhost \n",
}


# --- the form ----------------------------------------------------------------------------------------------------


def test_settings_are_kept_and_comments_stay(folder: Path) -> None:
    file = folder / "trailmark.toml"
    file.write_text("# mine\n[forage]\ndelay = 1.0  # a slow site\nretries = 2\n", encoding="utf-8")
    visitor = Visitor(folder)
    assert "Kept" in visitor.said(visitor.post("/settings", part="fetching", **FORM))
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# mine\n")
    assert "delay = 2.5  # a slow site" in text
    settings = settings_in(folder).forage
    assert (settings.contact, settings.delay, settings.budget) == ("me@example.org", 2.5, 500)
    assert settings.allow_hosts == ("a.localhost", "b.localhost")
    assert settings.obey_robots
    assert "timeout" not in text, "what has its value already is not written"
    visitor.post("/settings", part="fetching", **{**FORM, "forage.obey_robots": ""})
    assert not settings_in(folder).forage.obey_robots


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("forage.contact", "nonsense", "neither an e-mail"),
        ("forage.delay", "-1", "out of bounds"),
        ("forage.delay", "soon", "a number is wanted"),
        ("forage.delay", "nan", "too large to be a number"),
        ("forage.budget", "1.5", "a whole number is wanted"),
        ("forage.budget", "9" * 5000, "whole number|too large"),
    ],
)
def test_what_can_not_be_kept_comes_back_with_the_form(visitor: Visitor, name: str, value: str, why: str) -> None:
    import re

    before = (visitor.folder / "trailmark.toml").read_bytes()
    answer = visitor.post("/settings", part="fetching", **{**FORM, name: value, "forage.retries": "7"})
    assert answer.status_code == 400
    assert re.search(why, answer.text)
    assert 'value="7"' in answer.text, "the rest of the form is as it was filled in"
    assert value[:100] in answer.text
    assert (visitor.folder / "trailmark.toml").read_bytes() == before


def test_no_command_and_no_odd_address_comes_in_by_the_form(visitor: Visitor) -> None:
    hours = {"serve.crawl_hours": "0", "serve.update_hours": "0", "serve.watch_hours": "24"}
    answer = visitor.post("/settings", part="schedule", **hours, **{"serve.webhook": "file:///etc/passwd"})
    assert "only http" in answer.text
    words = {
        **hours,
        "serve.webhook": "https://hook.example/x",
        "serve.mail_command": "touch /tmp/x",
        "mail_command": "x",
    }
    visitor.post("/settings", part="schedule", **words)
    settings = settings_in(visitor.folder).serve
    assert (settings.webhook, settings.watch_hours) == ("https://hook.example/x", 24.0)
    assert settings.mail_command == ()


HOURS = {"serve.crawl_hours": "0", "serve.update_hours": "0", "serve.watch_hours": "0"}


@pytest.mark.parametrize(
    "webhook",
    [
        "http://127.0.0.1:8080/x",
        "http://localhost/",
        "http://a.localhost/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://hook.example/\r\nX: 1",
        "http://hook.example/a b",
    ],
)
def test_an_address_that_could_never_be_told_is_refused_when_it_is_entered(visitor: Visitor, webhook: str) -> None:
    answer = visitor.post("/settings", part="schedule", **HOURS, **{"serve.webhook": webhook})
    assert answer.status_code == 400
    assert "t be told: it h" in answer.text
    assert settings_in(visitor.folder).serve.webhook == ""


def test_a_private_address_may_be_told_once_its_host_is_named(visitor: Visitor) -> None:
    change_settings(visitor.folder, {("forage", "allow_hosts"): ("127.0.0.1",)})
    visitor.post("/settings", part="schedule", **HOURS, **{"serve.webhook": "http://127.0.0.1:8080/x"})
    assert settings_in(visitor.folder).serve.webhook == "http://127.0.0.1:8080/x"


@pytest.mark.parametrize(
    "line", ["a b", "http://x.example/", "*", "..", "10.0.0.0/8", "x:80", "\x00", "x" * 3000, 'a"]', "*.*"]
)
def test_a_line_that_is_no_host_is_not_kept_in_silence(line: str) -> None:
    assert "is not the name of a host" in host_problem(line)


@pytest.mark.parametrize("line", ["localhost", "*.localhost", "a-b.example.", "my_host", "192.168.0.7", "::1", "[::1]"])
def test_hosts_as_people_write_them_are_kept(line: str) -> None:
    assert host_problem(line) == ""


def test_all_or_nothing_is_written(folder: Path) -> None:
    before = (folder / "trailmark.toml").read_text(encoding="utf-8")
    with pytest.raises(Exception, match="out of bounds"):
        change_settings(folder, {("forage", "delay"): 3.0, ("forage", "timeout"): -1.0})
    assert (folder / "trailmark.toml").read_text(encoding="utf-8") == before


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ('contact = "a#b@example.org" # who', 'contact = "x@example.org"  # who'),
        ('contact = "plain" # a "quoted" # remark', 'contact = "x@example.org"  # a "quoted" # remark'),
        ('contact = "plain"', 'contact = "x@example.org"'),
    ],
)
def test_the_remark_behind_a_value_stays(line: str, kept: str) -> None:
    text = with_setting(f"[forage]\n{line}\n", "forage", "contact", "x@example.org")
    assert text == f"[forage]\n{kept}\n"
    assert parse_settings(text).forage.contact == "x@example.org"


# --- the schedule ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hours", "last", "now", "due"),
    [
        (0.0, None, 0.0, False),
        (1.0, None, 0.0, True),
        (1.0, 1000.0, 1000.0 + HOUR - 1, False),
        (1.0, 1000.0, 1000.0 + HOUR, True),
    ],
)
def test_when_a_task_is_due(hours: float, last: float | None, now: float, due: bool) -> None:
    assert Scheduled("watch", hours, last, ()).due(now) is due
    assert not Scheduled("watch", hours, last, None).due(now), "where there is nothing to do again"


@pytest.mark.parametrize(
    ("hours", "when"),
    [(0.5, "*/30 * * * *"), (6.0, "0 */6 * * *"), (23.9, "0 3 * * *"), (24.0, "0 3 * * *"), (72.0, "0 3 */3 * *")],
)
def test_lines_for_cron(hours: float, when: str) -> None:
    line = cron_line("/a folder", Scheduled("crawl", hours, None, ("http://a.example/x%20y", "--again")))
    assert line == f"{when} trailmark -w '/a folder' forage --tell 'http://a.example/x\\%20y' --again".replace("'http", "http").replace("y' -", "y -")  # fmt: skip
    assert cron_line("/a", Scheduled("crawl", 0.0, None, ())) == ""
    assert cron_line("/a\n* * * * * rm", Scheduled("crawl", 1.0, None, ())) == ""


def test_the_timer_begins_what_is_due_and_no_more(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[str, ...]] = []
    monkeypatch.setattr(Jobs, "start", lambda _jobs, verb, *words, **_more: begun.append((verb, *words)))
    visitor = Visitor(folder)
    timer = Timer(visitor.app.state.projects, clock=lambda: 10_000.0)
    timer.look()
    assert begun == []
    change_setting(folder, "serve", "crawl_hours", 2.0)
    timer.look()
    assert begun == [], "nothing was walked yet"
    found_run(folder, [0.9])
    timer.look()
    assert begun == [("forage", ROOT, "--strategy", "path", "--again")]
    running = Job("0001", "learn", (), "", 9_000.0)
    monkeypatch.setattr(Jobs, "active", lambda _jobs, _verb=None: [running])
    timer.look()
    assert len(begun) == 1, "it waits for what is at work"
    monkeypatch.setattr(Jobs, "active", lambda _jobs, _verb=None: [])
    walked = Job("0002", "forage", ("--seeds", "s.txt", "--log", "exports/x", "--again"), "", 9_000.0, state="done")
    monkeypatch.setattr(Jobs, "all", lambda _jobs: [walked])
    timer.look()
    assert len(begun) == 1, "the last walk is not two hours ago"
    Timer(visitor.app.state.projects, clock=lambda: 9_000.0 + 2 * HOUR).look()
    assert begun[1] == ("forage", "--seeds", "s.txt", "--again")


def test_the_page_says_what_comes_and_how_cron_would_do_it(folder: Path) -> None:
    found_run(folder, [0.9])
    change_setting(folder, "serve", "crawl_hours", 12.0)
    text = Visitor(folder).get("/settings").text
    assert "Walking again, by the schedule" in text
    assert "0 */12 * * * trailmark -w" in text
    assert schedule(Visitor(folder).state)[1].words is None


# --- notices -----------------------------------------------------------------------------------------------------


def written_job(folder: Path, name: str, verb: str, *, code: int, report: Any = None) -> None:
    place = folder / "serve" / "jobs" / name
    place.mkdir(parents=True)
    job = {"id": name, "verb": verb, "arguments": [], "title": f"A {verb}", "started": 1.0, "pid": 1, "born": "never"}
    (place / "job.json").write_text(json.dumps(job))
    (place / "out").write_text(json.dumps(report) if report is not None else "")
    (place / "err").write_text("trailmark: no page could be had.\n")
    (place / "code").write_text(str(code))


def test_what_is_told_and_what_is_not(folder: Path) -> None:
    found_run(folder, [0.9, 0.8])
    visitor = Visitor(folder)
    state = visitor.state
    told = Told(state)
    assert told.news() == []
    broken = {"clusters": [{"cluster": "a/1", "status": "broken"}, {"cluster": "a/2", "status": "ok"}]}
    written_job(folder, "0001", "forage", code=0, report={"run": 1})
    written_job(folder, "0002", "monitor", code=1, report=broken)
    written_job(folder, "0003", "extract", code=2)
    written_job(folder, "0004", "learn", code=2)
    written_job(folder, "0005", "monitor", code=0, report={"clusters": [{"cluster": "a/2", "status": "ok"}]})
    news = told.news()
    assert [job.id for job in news] == ["0001", "0002", "0003", "0004", "0005"]
    assert Told(state).news() == [], "each is told once, also after a restart"
    notices = [notice_of(state, job) for job in news]
    assert [notice and notice.kind for notice in notices] == ["goals", "trouble", "trouble", None, None]
    assert notices[0] is not None
    assert notices[0].title == "Run 1 found 2 new pages"
    assert f"{ROOT}page1" in notices[0].lines
    assert notices[1] is not None
    assert notices[1].lines == ("a/1: broken",)
    found_run(folder, [0.9, 0.8])
    written_job(folder, "0006", "forage", code=0, report={"run": 2})
    assert [notice_of(state, job) for job in told.news()] == [None], "nothing new was found"


def test_a_notice_goes_to_the_command_and_trouble_is_said(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "mail"
    script = "import sys; open(sys.argv[1], 'w').write(sys.stdin.read())"
    change_setting(folder, "serve", "mail_command", (sys.executable, "-c", script, str(target)))
    visitor = Visitor(folder)
    assert tell(visitor.state.settings, Notice("trouble", "w", "It broke; $(touch x)", ("a/1: broken",))) == []
    assert "It broke; $(touch x) (w)\n\na/1: broken" in target.read_text()
    assert "sent" in visitor.said(visitor.post("/settings", do="try"))
    change_setting(folder, "serve", "mail_command", ("/no/such/command",))
    change_setting(folder, "serve", "webhook", "http://127.0.0.1:9/")
    wrong = tell(visitor.state.settings, Notice("test", "w", "x", ()))
    assert len(wrong) == 2
    change_setting(folder, "serve", "mail_command", ())
    change_setting(folder, "serve", "webhook", "")
    assert "nobody to tell" in visitor.said(visitor.post("/settings", do="try"))


@pytest.mark.slow
def test_a_line_of_cron_tells_what_the_app_would(
    folder: Path, small_archive: Path, tmp_path: Path, trailmark: Any
) -> None:
    target = tmp_path / "mail"
    script = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read())"
    walk = ("-w", folder, "forage", "--tell", SITE, "--strategy", "breadth", "--replay", small_archive)
    assert "there is nobody to tell" in trailmark(*walk).err
    change_setting(folder, "serve", "mail_command", (sys.executable, "-c", script, str(target)))
    assert trailmark(*walk, "--again").code == 0
    assert not target.exists(), "a walk that calls nothing a goal has no news"
    assert trailmark("-w", folder, "extract", "--tell").code == 2
    assert target.read_text().startswith("trailmark extract: could not be done (w)\n\n")
    assert trailmark("-w", folder, "extract").code == 2
    assert target.read_text().count("could not be done") == 1
    found_run(folder, [0.9, 0.8])
    run = max(run["id"] for run in Visitor(folder).get("/api/runs").json())
    with Workspace.open(folder) as workspace:
        notice = notice_of_report(workspace, "forage", {"run": run})
    assert notice is not None
    assert notice.title == f"Run {run} found 2 new pages"


def test_one_project_in_trouble_is_not_the_others_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("alpha", "beta"):
        Workspace.create(tmp_path / "shelf" / name).close()
    found_run(tmp_path / "shelf" / "beta", [0.9])
    change_setting(tmp_path / "shelf" / "beta", "serve", "crawl_hours", 1.0)
    visitor = Visitor(tmp_path / "shelf")
    (tmp_path / "shelf" / "alpha" / "trailmark.toml").write_text("[nonsense]\n")
    begun: list[str] = []
    monkeypatch.setattr(Jobs, "start", lambda _jobs, verb, *_words, **_more: begun.append(verb))
    Timer(visitor.app.state.projects, clock=lambda: 1e9).look()
    assert begun == ["forage"]


def test_by_default_nothing_is_done_by_itself() -> None:
    settings = Settings().serve
    assert (settings.crawl_hours, settings.update_hours, settings.watch_hours) == (0.0, 0.0, 0.0)
    assert (settings.webhook, settings.mail_command) == ("", ())
