"""What people did is listed, changed, forgotten and undone; what hangs on it is said first, and becomes stale, not wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import SITE, Ended, SmallWeb
from tests.forage.forage_deaths import SITES, errand, forage
from tests.forage.forage_strategies import UrlGoals
from trailmark.datatypes import Annotation, Record, Step, Trail
from trailmark.errors import InputError
from trailmark.settings import ForageSettings
from trailmark.store.record_table import Extraction
from trailmark.store.run_table import RunTable
from trailmark.store.run_view import RunView
from trailmark.verbs.annotate import mark, unmark
from trailmark.verbs.check import check, keep_found_answer
from trailmark.verbs.contradictions import contradictions, counting_trails, settle
from trailmark.verbs.forget import change_answer, change_mark, change_trail, forget
from trailmark.verbs.kept_things import kept_things
from trailmark.verbs.runs import all_runs
from trailmark.verbs.status import status
from trailmark.verbs.undo import acts, undo
from trailmark.workspace import Workspace

Run = Callable[..., Ended]


@pytest.fixture
def taught(trailmark: Run, workspace: Path, small_web: SmallWeb) -> Path:
    """A workspace that was taught a wanted page and one that is not, and has learnt."""
    file = small_web.file(*small_web.good())
    assert trailmark("-w", workspace, "teach", file, "--replay", small_web.archive).code == 0
    assert trailmark("-w", workspace, "learn", "--quick").code == 0
    return workspace


@pytest.fixture
def walked(tmp_path: Path) -> Path:
    """A workspace with a run of which a few pages were checked."""
    Workspace.create(tmp_path / "v").close()
    with Workspace.open(tmp_path / "v") as workspace:
        workspace.database.add_trails([Trail(SITES[0].root, "goal", (Step(SITES[0].root, "page"),))], "a.jsonl")
    forage(tmp_path / "v", ForageSettings(budget=60), errand(UrlGoals("a", probability=0.8)))
    with Workspace.open(tmp_path / "v") as workspace:
        check(workspace, lambda question, _: "goal" if len(question.url) % 2 else "fail", count=6)
    return tmp_path / "v"


def verdicts(workspace: Workspace, run: int = 1) -> list[tuple[str, bool | None, float]]:
    return [(fetch.url, fetch.goal, fetch.goal_probability) for _, fetch in RunTable(workspace.database).fetches(run)]


def test_a_trail_is_listed_forgotten_and_brought_back(trailmark: Run, taught: Path) -> None:
    listed = trailmark("-w", taught, "teach", "--list", "--json").report
    assert [thing["id"] for thing in listed["things"]] == ["1", "2"]
    assert listed["things"][0]["says"] == "wanted (publications)"
    assert trailmark("-w", taught, "status", "--json").report["stale"] == []
    unasked = trailmark("-w", taught, "teach", "--forget", "2")
    assert unasked.code == 2
    assert "--yes" in unasked.err
    assert "The navigator of 'publications' rests on it; learn again after" in unasked.out
    gone = trailmark("-w", taught, "teach", "--forget", "2", "--yes", "--json").report
    assert [thing["id"] for thing in gone["forgotten"]] == ["2"]
    assert [thing["id"] for thing in trailmark("-w", taught, "teach", "--list", "--json").report["things"]] == ["1"]
    (stale,) = trailmark("-w", taught, "status", "--json").report["stale"]
    assert (stale["what"], stale["renew"]) == ("the navigator of 'publications'", "trailmark learn")
    assert trailmark("-w", taught, "undo", "--yes").code == 0
    assert trailmark("-w", taught, "teach", "--list", "--json").report == listed
    assert trailmark("-w", taught, "status", "--json").report["stale"] == []
    history = trailmark("-w", taught, "undo", "--list", "--json").report["acts"]
    assert [act["verb"] for act in history] == ["undo", "forget", "teach"]
    assert {act["who"] for act in history} == {"command line"}


def test_learning_again_renews(trailmark: Run, taught: Path) -> None:
    assert trailmark("-w", taught, "teach", "--forget", "2", "--yes").code == 0
    assert trailmark("-w", taught, "learn", "--quick").code == 0
    assert trailmark("-w", taught, "status", "--json").report["stale"] == []


def test_undoing_the_teaching_takes_all_its_trails(trailmark: Run, taught: Path) -> None:
    assert trailmark("-w", taught, "undo", "--yes").code == 0
    assert trailmark("-w", taught, "teach", "--list", "--json").report["things"] == []
    again = trailmark("-w", taught, "undo", "1", "--yes")
    assert again.code == 2
    assert "undone already; to have it again: trailmark" in again.err
    assert trailmark("-w", taught, "undo", "2", "--yes").code == 0
    assert len(trailmark("-w", taught, "teach", "--list", "--json").report["things"]) == 2


def test_what_is_not_there_is_said(trailmark: Run, taught: Path) -> None:
    wrong = trailmark("-w", taught, "teach", "--forget", "77", "--yes")
    assert wrong.code == 2
    assert "There is no trail 77" in wrong.err
    assert trailmark("-w", taught, "undo", "99", "--yes").code == 2
    assert trailmark("-w", taught, "check", "nonsense").code == 2


def test_a_later_act_is_in_the_way(taught: Path) -> None:
    with Workspace.open(taught) as workspace:
        change_trail(workspace, 2, wanted=True, label="publications")
        with pytest.raises(InputError, match="act 2 changed the same later"):
            undo(workspace, 1)
        undo(workspace, 2)
        assert undo(workspace, 1).undone.id == 1


def test_a_changed_trail_says_the_other(taught: Path) -> None:
    with Workspace.open(taught) as workspace:
        before = workspace.database.kept_trails()
        change_trail(workspace, 1, wanted=False)
        first = workspace.database.kept_trails()[0].trail
        assert (first.outcome, first.about, first.steps[-1].label) == ("fail", ("publications",), None)
        change_trail(workspace, 1, wanted=True)
        assert workspace.database.kept_trails()[0].trail.steps[-1].label == "publications", (
            "it leads to what it failed to"
        )
        undo(workspace)
        undo(workspace)
        assert workspace.database.kept_trails() == before


def test_an_answer_is_forgotten_with_its_trail_and_the_run_settled(walked: Path) -> None:
    with Workspace.open(walked) as workspace:
        answers = kept_things(workspace, "answers").things
        assert len(answers) == 6
        trails, before = workspace.database.kept_trails(), verdicts(workspace)
        report = forget(workspace, "answers", [answers[0].id])
        assert "settled anew" in " ".join(report.resting)
        assert len(workspace.database.kept_trails()) == len(trails) - 1
        assert verdicts(workspace) != before
        undo(workspace)
        assert (workspace.database.kept_trails(), verdicts(workspace)) == (trails, before)


def test_a_changed_answer_is_one_answer(walked: Path) -> None:
    with Workspace.open(walked) as workspace:
        first = kept_things(workspace, "answers").things[0]
        wanted = first.says != "wanted"
        change_answer(workspace, first.id, wanted=wanted)
        assert RunTable(workspace.database).answers(1)[first.url] == wanted
        assert contradictions(workspace) == []
        undo(workspace)
        assert RunTable(workspace.database).answers(1)[first.url] != wanted


def test_undoing_an_answer_settles_the_run_as_before(walked: Path) -> None:
    with Workspace.open(walked) as workspace:
        before = verdicts(workspace)
        check(workspace, lambda *_: "fail", count=1)
        assert verdicts(workspace) != before
        undo(workspace)
        assert verdicts(workspace) == before


def test_a_run_goes_whole_and_comes_back_whole(walked: Path) -> None:
    with Workspace.open(walked) as workspace:
        before = (
            verdicts(workspace),
            all_runs(workspace),
            RunTable(workspace.database).answers(1),
            RunView(workspace.database).goal_urls(),
        )
        archives = {path: path.read_bytes() for path in workspace.archives()}
        trails = workspace.database.kept_trails()
        report = forget(workspace, "runs", [1])
        assert "6 answers about its pages go with it; what they taught stays." in report.resting
        assert (all_runs(workspace), RunView(workspace.database).goal_urls()) == ([], frozenset())
        assert workspace.database.kept_trails() == trails
        undo(workspace)
        assert (
            verdicts(workspace),
            all_runs(workspace),
            RunTable(workspace.database).answers(1),
            RunView(workspace.database).goal_urls(),
        ) == before
        assert {path: path.read_bytes() for path in workspace.archives()} == archives, "archives are never rewritten"


def test_a_forgotten_run_is_taken_up_where_it_stopped_once_it_is_back(walked: Path) -> None:
    with Workspace.open(walked) as workspace:
        forget(workspace, "runs", [1])
        undo(workspace)
    forage(walked, ForageSettings(budget=80), errand(UrlGoals("a", probability=0.8)))
    with Workspace.open(walked) as workspace:
        (run,) = all_runs(workspace)
        assert run.pages > 60


def test_marks_are_changed_and_undone(workspace: Path) -> None:
    with Workspace.open(workspace) as opened:
        mark(opened, [Annotation("http://a.test/", "title", "On chains", "/html")])
        change_mark(opened, 1, field="name")
        change_mark(opened, 1, value="On trees")
        (changed,) = opened.database.annotations()
        assert (changed.field, changed.value, changed.xpath) == ("name", "On trees", None)
        unmark(opened, "http://a.test/", "name", "On trees")
        for _ in range(3):
            undo(opened)
        assert list(opened.database.annotations()) == [Annotation("http://a.test/", "title", "On chains", "/html")]
        forget(opened, "marks", [1])
        assert kept_things(opened, "marks").things == ()
        assert [act.verb for act in acts(opened).acts[:2]] == ["forget", "undo"]


def test_a_forgotten_record_stays_away_until_it_is_undone(workspace: Path) -> None:
    record = Record("http://a.test/", "item", {"price": ("1",)}, "rule:a.test/1")
    lifted = [(Extraction("http://a.test/", "x", "v:", "records"), [record])]
    with Workspace.open(workspace) as opened:
        opened.database.keep_extracted(lifted, maker="rule:")
        forget(opened, "records", [1])
        opened.database.keep_extracted(lifted, maker="rule:")
        assert list(opened.database.records()) == []
        undo(opened)
        assert list(opened.database.records()) == [record]
        opened.database.keep_extracted(lifted, maker="rule:")
        assert list(opened.database.records()) == [record]


# --- contradictions ----------------------------------------------------------------------------------------------


def test_a_page_both_wanted_and_not_is_said_and_the_later_counts(
    trailmark: Run, taught: Path, small_web: SmallWeb
) -> None:
    page = ("", "people/", "~ada/", "~ada/pubs.html")
    lines = [
        small_web.trail(*page, labels=["department", None, None, "publications"]),
        small_web.trail(*page, outcome="fail"),
    ]
    file = small_web.file(*lines, name="more.jsonl")
    told = trailmark("-w", taught, "teach", file, "--replay", small_web.archive, "--json")
    (both,) = told.report["contradictions"]
    assert (both["url"], both["goal"], both["counts"]) == (f"{SITE}~ada/pubs.html", "publications", False)
    assert "what was said last counts: not wanted (more.jsonl, line 2" in told.err
    with Workspace.open(taught) as workspace:
        assert [trail.outcome for trail in counting_trails(workspace)] == ["fail", "fail"]
        assert status(workspace).contradictions == 1
        workspace.database.add_trails(
            [workspace.database.kept_trails()[0].trail], "clicked in the app", told_again=True
        )
        assert [trail.outcome for trail in counting_trails(workspace)] == ["goal", "fail", "goal"], (
            "what is said again was said last"
        )


def test_contradictions_are_asked_about(
    trailmark: Run, taught: Path, small_web: SmallWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io

    file = small_web.file(small_web.trail("", "people/", "~ada/", "~ada/pubs.html", outcome="fail"), name="no.jsonl")
    assert trailmark("-w", taught, "teach", file, "--replay", small_web.archive).code == 0
    learnt = trailmark("-w", taught, "learn", "--quick")
    assert learnt.code == 2, "the only trail to the goal does not count any more"
    assert "was said to be wanted as 'publications' (trail 1) and not to be (trail 3)" in learnt.err
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    asked = trailmark("-w", taught, "teach", "--settle", "--json")
    assert (asked.code, asked.report) == (0, {"settled": 1, "left": 0})
    assert trailmark("-w", taught, "learn", "--quick").code == 0
    assert [thing["says"] for thing in trailmark("-w", taught, "teach", "--list", "--json").report["things"]] == [
        "wanted (publications)",
        "not wanted (publications)",
    ]


def test_answers_about_a_goal_that_nobody_taught_are_held_against_each_other(walked: Path) -> None:
    """They are kept with their runs alone, not as trails."""
    with Workspace.open(walked) as opened:
        forget(opened, "answers", [thing.id for thing in kept_things(opened, "answers").things])
        forget(opened, "trails", [thing.id for thing in kept_things(opened, "trails").things])
        page = next(url for url, goal, _ in verdicts(opened) if goal)
        keep_found_answer(opened, 1, page, "fail", ())
        assert (kept_things(opened, "trails").things, contradictions(opened)) == ((), [])
        (answer,) = kept_things(opened, "answers").things
        opened.database.add_trails([Trail(page, "goal", (Step(page),))], "later.jsonl")
        (both,) = contradictions(opened)
        (trail,) = kept_things(opened, "trails").things
        assert (both.url, both.wanted, both.unwanted_answers) == (page, (int(trail.id),), (answer.id,))
        assert f"(trail {trail.id}) and not to be (answer {answer.id})" in str(both)
        assert status(opened).contradictions == 1
        settle(opened, both, wanted=True)
        assert (contradictions(opened), kept_things(opened, "answers").things) == ([], ())
        undo(opened)
        assert contradictions(opened) == [both]
        settle(opened, both, wanted=False)
        assert kept_things(opened, "trails").things == ()
        assert [thing.says for thing in kept_things(opened, "answers").things] == ["not wanted"]


def test_answers_about_two_runs_are_held_against_each_other(walked: Path) -> None:
    with Workspace.open(walked) as opened:
        forget(opened, "answers", [thing.id for thing in kept_things(opened, "answers").things])
        forget(opened, "trails", [thing.id for thing in kept_things(opened, "trails").things])
        with opened.database.transaction() as connection:
            for table, number in (("runs", "id"), ("sites", "run_id"), ("fetches", "run_id")):
                columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != number]
                names = ", ".join(columns)
                connection.execute(f"INSERT INTO {table} ({number}, {names}) SELECT 2, {names} FROM {table}")
    with Workspace.open(walked) as opened:
        first, second = (run.id for run in all_runs(opened)[::-1])
        page = next(url for url, goal, _ in verdicts(opened, first) if goal)
        keep_found_answer(opened, first, page, "goal", ())
        keep_found_answer(opened, second, page, "fail", ())
        (both,) = contradictions(opened)
        assert [len(both.wanted_answers), len(both.unwanted_answers)] == [1, 1]
        settle(opened, both, wanted=True)
        assert contradictions(opened) == []
