"""`learn`, `cluster`, `tag` and `evaluate forage` give the same bytes wherever they are done."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evals.processes import over_processes
from tests.read.made_pdf import broken_pdfs
from tests.scale.ray_nodes import ray_nodes
from tests.tag.test_tag import paper
from trailmark.cli.main import run
from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.extract.crew import Crew
from trailmark.learn.choice import Trial, TrialTask, choose
from trailmark.learn.recipe import Recipe
from trailmark.learn.scores import LabelScore
from trailmark.progress import silent
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.tag.timed_crew import TimedCrew
from trailmark.verbs.hands import OwnHands, in_order, must_see
from trailmark.verbs.page_crew import each_page

pytestmark = pytest.mark.slow


def squared(number: int) -> int:
    return number * number


class Backwards(OwnHands):
    """The last task is done first, as may well happen where several are at it."""

    def answers(self, work: Callable[[Any], Any], tasks: Sequence[Any], **more: Any) -> Iterator[tuple[int, Any]]:
        for place in reversed(range(len(tasks))):
            yield place, work(tasks[place])


@contextmanager
def given(value: Any) -> Iterator[Any]:
    yield value


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    with ray_nodes(2) as made:
        yield made


@pytest.fixture(params=["others", pytest.param("ray", marks=pytest.mark.cluster)])
def place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """What `--on` says; others do the work, on Ray or not."""
    if request.param == "ray":
        request.getfixturevalue("nodes")
        return "ray"
    monkeypatch.setattr("trailmark.cli.learn.hands_on", lambda _: given(Backwards()))
    monkeypatch.setattr("trailmark.cli.cluster.pages_on", lambda _: given(each_page(partial(Crew))))
    monkeypatch.setattr("trailmark.cli.tag.taggers_on", lambda _: given(partial(TimedCrew, start="spawn")))
    return "local"


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with trails on four sites of the generated web, and papers beside it, some of them broken."""
    folder = tmp_path_factory.mktemp("placed")
    assert run(["demo", "--web-only", "--out", str(folder / "demo"), "--sites", "4"]) == 0
    web = folder / "demo" / "web"
    assert run(["init", str(folder / "w")]) == 0
    every = (web / "demo.trails.publications.jsonl").read_text(encoding="utf-8").splitlines()
    trails = folder / "some.jsonl"
    trails.write_text("\n".join(every[:: max(1, len(every) // 14)]) + "\n", encoding="utf-8")
    assert run(["-w", str(folder / "w"), "teach", str(trails), "--replay", str(web / "demo.warc.gz")]) == 0
    with ArchiveWriter(folder / "papers.warc.gz") as writer:
        bodies = [paper(), paper("Walks of Many Sites"), *broken_pdfs().values()]
        for number, body in enumerate(bodies):
            url = f"http://papers.test/{number}.pdf"
            writer.write(Response(url, 200, (("Content-Type", "application/pdf"),), body))
    return folder


def twice(taught: Path, tmp_path: Path, trailmark: Callable[..., Any], place: str, *words: object) -> tuple[Path, Path]:
    """The same command in two copies of a workspace, here and there -> both; what it says is the same."""
    told = []
    folders = (tmp_path / "here", tmp_path / "there")
    for folder, where in zip(folders, ("local", place), strict=True):
        shutil.copytree(taught / "w", folder)
        with pytest.MonkeyPatch.context() as patch:
            if folder == folders[0]:
                patch.setattr("trailmark.cli.learn.hands_on", lambda _: given(None))
                patch.setattr("trailmark.cli.cluster.pages_on", lambda _: given(map))
                patch.setattr("trailmark.cli.tag.taggers_on", lambda _: given(TimedCrew))
            told.append(trailmark("-w", folder, *words, "--on", where, "--json"))
    here, there = told
    assert (there.code, there.out) == (here.code, here.out)
    assert here.code == 0
    assert len(json.loads(here.out)) > 1
    return folders


def test_learn(taught: Path, tmp_path: Path, trailmark: Callable[..., Any], place: str) -> None:
    here, there = twice(taught, tmp_path, trailmark, place, "learn")
    files = sorted(file.name for file in (here / "models").iterdir())
    assert files
    for name in files:
        assert (there / "models" / name).read_bytes() == (here / "models" / name).read_bytes(), name


def test_what_is_tried_beside_a_winner_is_tried_again_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each variation is one of what was best when its turn came, whether those after it were tried already or not."""
    worth = {"the defaults": 0.5, "a": 0.4, "b": 0.6, "c": 0.55, "d": 0.7}
    tried: list[tuple[str, int]] = []

    def scored(task: TrialTask) -> Trial:
        tried.append((task.what, task.recipe.page_tokens))
        return Trial(task.what, task.recipe, LabelScore(worth[task.what], worth[task.what], 1), {}, 0.0)

    changes = [(name, {"page_tokens": 10 + number}) for number, name in enumerate("abcd")]
    monkeypatch.setattr("trailmark.learn.choice.try_recipe", scored)
    monkeypatch.setattr(
        "trailmark.learn.choice.variations", lambda *_: [*changes[:2], ("c", {"window": 3}), changes[3]]
    )
    one = choose(lambda *_: [], Recipe(), progress=silent)
    assert [what for what, _ in tried] == ["the defaults", "a", "b", "c", "d"]
    assert choose(lambda *_: [], Recipe(), progress=silent, over=partial(in_order, Backwards())) == one
    assert one.recipe.page_tokens == 13
    assert [trial.recipe.page_tokens for trial in one.trials][3] == 11, "c was tried with what b won"


def test_cluster(taught: Path, tmp_path: Path, trailmark: Callable[..., Any], place: str) -> None:
    twice(taught, tmp_path, trailmark, place, "cluster", "--archive", taught / "demo" / "web" / "demo.warc.gz")


def test_tag(taught: Path, tmp_path: Path, trailmark: Callable[..., Any], place: str) -> None:
    out = tmp_path / "records.jsonl"
    _, there = twice(taught, tmp_path, trailmark, place, "tag", "--archive", taught / "papers.warc.gz", "--out", out)
    assert out.read_text().count("\n") > 2
    assert trailmark("-w", there, "tag", "--archive", taught / "papers.warc.gz", "--json").report["unchanged"] >= 2


@pytest.mark.cluster
def test_a_document_that_hangs_or_kills_is_answered_for_on_a_cluster(nodes: Any) -> None:
    from tests.tag.test_timed_crew import make_work
    from trailmark.scale.ray_timed_crew import RayTimedCrew

    items = ["a", "die", "b", "hang", "c"]
    with RayTimedCrew(
        make_work, ("did",), lost=lambda item, reason: f"{item}: {reason}", seconds=2.0, memory=0
    ) as crew:
        found = list(crew.answers(items))
    assert found == [
        ("a", "did a"),
        ("die", "die: its process died"),
        ("b", "did b"),
        ("hang", "hang: it took more than 2 seconds"),
        ("c", "did c"),
    ]


def test_results_of_an_evaluation_are_in_order() -> None:
    arguments = [(number, 2) for number in range(5)]
    one = over_processes(pow, arguments, jobs=1, progress=silent, label="")
    assert over_processes(pow, arguments, jobs=1, progress=silent, label="", hands=Backwards()) == one


def test_answers_in_order_come_as_soon_as_they_can() -> None:
    done: list[int] = []

    def work(number: int) -> int:
        done.append(number)
        return number

    row = in_order(OwnHands(), work, range(4))
    assert (next(row), done) == (0, [0])
    assert list(row) == [1, 2, 3]
    assert list(in_order(Backwards(), work, range(4))) == [0, 1, 2, 3]


def test_evaluate_says_which_task_knows_on(trailmark: Callable[..., Any], tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: make test-cluster")
    ended = trailmark("evaluate", "paths", "--data", tmp_path, "--on", "ray")
    assert ended.code == 2
    assert "--on is for evaluate forage and the tagging tasks" in ended.err


def test_a_worker_that_does_not_see_the_folder_says_so_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"The worker on \S+ does not see .*away: share the folder with every node"):
        must_see(tmp_path / "away")
