"""The first page: how the workspace stands and what to do next; on an empty one, a way in over the generated web."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.serve.rendering import Sent, State, page, to
from trailmark.serve.state import AppState
from trailmark.store.benchmark_web import BenchmarkWeb, read_webs
from trailmark.store.goal_files import GoalFiles
from trailmark.verbs.browse import DEMO_ARCHIVE
from trailmark.verbs.pipeline import StageName, pipeline
from trailmark.verbs.status import status as status_of

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["workspace"])

DEMO_GOAL = "publications"
DEMO_TAUGHT = 3
"""Sites of the generated web that the prepared trails are on; the walk goes over the others."""
DEMO_SITE_BUDGET = 60
STAGE_PAGES: dict[StageName, tuple[str, str, str]] = {
    "teach": ("/teach", "Teach", "Show it the way"),
    "model": ("/learnt", "Model", "Let it learn"),
    "check": ("/check", "Check", "Check what it found"),
    "crawl": ("/runs", "Crawl", "Walk some sites"),
    "fields": ("/annotate", "Fields", "Mark values"),
    "data": ("/records", "Data", "Lift the records"),
    "watch": ("/alarms", "Watch", "Visit the pages again"),
}
"""Stage -> its page, its word in the menu, and what its button says."""
MORE = ("/runs", "Crawl", "Walk more sites")
"""What is next where all stages have been gone through."""


@dataclass(frozen=True, slots=True)
class DemoWay:
    """How far a first visit has come through the generated web."""

    made: bool
    taught: int
    learnt: bool
    walked: bool
    marked: int
    lifted: int
    roots: tuple[str, ...]

    @property
    def step(self) -> int:
        """1: make the web, 2: show the way, 3: learn, 4: walk, 5: look at what was found, and lift records off it."""
        return 1 + self.made + (self.made and self.taught > 0) + (self.taught > 0 and self.learnt) + self.walked


def demo_way(state: AppState, counts: Mapping[str, int]) -> DemoWay:
    """What the workspace holds -> how far the visit has come; read off the workspace, so that it is right after a restart too."""
    web = _web(state.folder)
    made = web is not None
    learnt = bool(GoalFiles(state.folder / "models").goals())
    walked = made and any(job.verb == "forage" and job.state == "done" for job in state.jobs.all())
    trails, marked, lifted = (counts.get(name, 0) for name in ("trails", "annotations", "records"))
    return DemoWay(made, trails, learnt, walked, marked, lifted, web.roots if web else ())


@router.get("/")
def start_page(request: Request, state: State) -> Response:
    with state.workspace() as workspace:
        status, stages = status_of(workspace), pipeline(workspace)
    way = demo_way(state, status.counts)
    empty = not any(status.counts.get(name) for name in ("trails", "pages", "records"))
    return page(
        request,
        "start.html",
        title="Home",
        stages=[(stage, STAGE_PAGES[stage.name]) for stage in stages.stages],
        next_page=STAGE_PAGES[stages.next.name] if stages.next else MORE,
        goals=stages.goals if len(stages.goals) > 1 else (),
        status=status,
        way=way,
        guided=empty or way.made,
        learnt=way.learnt,
        working=state.jobs.active(),
    )


@api.get("/pipeline")
def pipeline_json(state: State) -> Mapping[str, object]:
    """The seven stages from clicks to data: what is done, what is next; and the goals side by side."""
    with state.workspace() as workspace:
        return pipeline(workspace).to_json()


@router.post("/demo")
def demo(request: Request, state: State, form: Sent) -> Response:
    """The steps of the first visit; each is a verb of the command line, run in the background."""
    way = demo_way(state, {})
    folder = (state.folder / "demo").resolve()
    what = form["do"]
    if what == "make":
        state.jobs.start("demo", "--web-only", "--out", str(folder), title="Making a web to try things on", back="/")
    elif what == "teach" and way.made:
        trails = _prepared_trails(folder, way.roots[:DEMO_TAUGHT])
        state.jobs.start("teach", str(trails), "--replay", str(_archive(folder)), title="Showing it the way", back="/")
    elif what == "learn":
        state.jobs.start("learn", title="Learning the way", back="/")
    elif what == "walk" and way.made:
        arguments = ["--replay", str(_archive(folder)), "--site-budget", str(DEMO_SITE_BUDGET)]
        state.jobs.start("forage", *way.roots[DEMO_TAUGHT:], *arguments, title="Walking the other sites", back="/")
    return to(request, "/")


def _archive(folder: Path) -> Path:
    return folder / DEMO_ARCHIVE.relative_to("demo")


def _web(folder: Path) -> BenchmarkWeb | None:
    """The generated web in a workspace; None where there is none, or while it is being made."""
    try:
        return next(iter(read_webs((folder / DEMO_ARCHIVE).parent)), None)
    except TrailmarkError:
        return None


def _prepared_trails(folder: Path, roots: tuple[str, ...]) -> Path:
    """The generated web's own trails to the goal, on a few of its sites."""
    lines = (folder / "web" / f"demo.trails.{DEMO_GOAL}.jsonl").read_text(encoding="utf-8").splitlines()
    path = folder / "taught.jsonl"
    trails = [line for line in lines if json.loads(line)["site"] in roots]
    path.write_text("\n".join(trails) + "\n", encoding="utf-8")
    return path
