"""The console of a run: a site that is switched off is seen within seconds, and two runs are compared."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from tests.serve.test_serve_runs import long_run
from trailmark.errors import InputError
from trailmark.verbs.forage import forage
from trailmark.verbs.run_console import ConsoleReport, compare_runs, in_time, run_console, run_log
from trailmark.workspace import Workspace, change_setting


def closed_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_a_site_that_is_off_is_seen_within_seconds(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    Workspace.create(folder).close()
    for key, value in (("contact", "https://trailmark.test/"), ("allow_hosts", ("*.localhost",)), ("retries", 1)):
        change_setting(folder, "forage", key, value)
    seen: list[tuple[float, ConsoleReport]] = []
    began = time.monotonic()
    with Workspace.open(folder) as workspace, Workspace.open(folder) as beside:

        def look(_run: object) -> None:
            if beside.database.connection.execute("SELECT COUNT(*) FROM runs").fetchone()[0]:
                seen.append((time.monotonic() - began, run_console(beside, 1)))

        forage(workspace, f"http://www.localhost:{closed_port()}/", strategy="breadth", watch=look)
        after = run_console(workspace, 1)
        lines = run_log(workspace, 1, containing="refused")[1]
        retries = run_log(workspace, 1, kind="retry")
    first = next((at, console) for at, console in seen if console.retries)
    assert first[0] < 5, "seconds until a person sees that nothing answers"
    assert first[1].alive
    assert "did not answer" in first[1].says
    assert any("refused the connection" in wait.why for wait in first[1].waiting)
    assert not after.alive
    assert after.says == "It has ended."
    assert after.left_alone == {"its robots.txt can't be had": 1}
    assert retries[0] == 1
    assert any("refused the connection" in line.words for line in lines)


def test_answers_and_failures_are_counted_by_cause(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    long_run(tmp_path / "w", 3, 30)
    with Workspace.open(tmp_path / "w") as workspace:
        connection = workspace.database.connection
        connection.execute("UPDATE fetches SET status = 0, failure = 'the connection was lost' WHERE n <= 4")
        connection.execute("UPDATE fetches SET status = 404 WHERE n = 5")
        console = run_console(workspace, 1)
        count, lines = run_log(workspace, 1, kind="no answer")
        found, _ = run_log(workspace, 1, containing="PAGE17")
        odd = run_log(workspace, 1, containing="%' OR 1=1 --")[0]
    assert console.statuses == {200: 25, 0: 4, 404: 1}
    assert console.failures == {"the connection was lost": 4}
    assert console.ends == ""
    assert (count, {line.words for line in lines}) == (4, {"the connection was lost"})
    assert (found, odd) == (1, 0)


def test_two_runs_are_compared(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    long_run(tmp_path / "w", 3, 30)
    long_run(tmp_path / "w", 3, 60)
    with Workspace.open(tmp_path / "w") as workspace:
        workspace.database.connection.execute("UPDATE fetches SET content_hash = 'x'")
        compared = compare_runs(workspace, 1, 2)
        with pytest.raises(InputError, match="itself"):
            compare_runs(workspace, 1, 1)
        with pytest.raises(InputError, match="no run 9"):
            compare_runs(workspace, 1, 9)
    assert (compared.both, compared.only_one_count, compared.only_other_count) == (10, 0, 10)
    assert compared.only_other == tuple(sorted(compared.only_other))


def test_lengths_of_time_are_said_as_people_do() -> None:
    assert [in_time(seconds) for seconds in (-1, 4.4, 90, 3600, 9000)] == ["0 s", "4 s", "2 min", "60 min", "2.5 h"]
