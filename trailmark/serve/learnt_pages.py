"""What it learnt: the states as a picture, their telling words, what was counted on sites left out in plain words; and any page as it sees it.

/learnt shows the navigator of each goal; /learnt/page shows a page with its links coloured by score, beside them the same as a list, and why a link
got its score. Links of the framed page lead to the app with a signature: only such an address may make the app fetch a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import TrailmarkError
from trailmark.forage.settling import in_words
from trailmark.learn.label_space import GOAL
from trailmark.learn.report import LearnReport, StateFigures, TellingWords, figures_words
from trailmark.learn.taught_goals import taught_goals
from trailmark.read import normalise_url
from trailmark.read.view.page_view import ViewLink
from trailmark.serve.rendering import FOLDER, Sent, State, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_crew import by_view_crew
from trailmark.serve.view_pages import check, shown, signed
from trailmark.store.goal_files import PICTURE, GoalFiles
from trailmark.verbs.browse import PageSource
from trailmark.verbs.explain import ScoresReport, judge_url
from trailmark.verbs.learn import learnt
from trailmark.verbs.status import status as status_of

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["learnt"])

SHADES = (0.1, 0.3, 0.5, 0.7)
"""Scores from which each shade on counts. A score is the share of a goal that a link promises, so that the same colour means the same on every page."""
MEASURED = ((0, 612), (848, 26_720), (14, 152), (202, 292), (150, 151))
"""(links that led straight to a goal, links) of each shade, the palest first, on webs that a navigator was not taught on: benchmarks/link_shades.py."""
MOST_LISTED = 300
_STYLE = f"<style>{(FOLDER / 'static' / 'scores.css').read_text(encoding='utf-8')}</style>"
"""Written into the page: a frame without an origin may not load what is ours alone."""
_PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@router.get("/learnt")
def learnt_page(request: Request, state: State, goal: str = "") -> Response:
    """The navigators, for a person: goals side by side, and the way to each or to the one that was picked."""
    with state.workspace() as workspace:
        latest = learnt(workspace)
        unlearnt = [goal for goal in taught_goals(workspace.database.trails()) if goal not in workspace.goals()]
        status = status_of(workspace)
        sites = sorted({trail.site for trail in workspace.database.trails()})
    return page(
        request,
        "learnt.html",
        title="Model: what it learnt",
        goals=[(each, each.report, _kinds(each.report)) for each in latest],
        picked=goal if goal in {each.report.goal for each in latest} else "",
        unlearnt=unlearnt if latest else [],
        taught=status.counts.get("trails", 0),
        sites=sites[:100],
        figures_words=figures_words,
        working=state.jobs.active("learn"),
    )


@router.post("/learnt")
def learn_again(request: Request, state: State, form: Sent) -> Response:
    """Learn from all that was taught, in the background."""
    arguments = [word for goal in form.all("goal") if goal for word in ("--goal", goal)]
    if not state.jobs.active("learn"):
        state.jobs.start("learn", *arguments, title="Learning the way", back="/learnt")
    return to(request, "/learnt")


@router.get("/learnt/picture.svg")
def picture(state: State, goal: str | None = None) -> Response:
    """The states of a goal, the way from one to the next, and what each is worth; of the first where none is named."""
    files = GoalFiles(state.folder / "models")
    known = files.goals()
    wanted = goal if goal is not None else next(iter(known), "")
    path = files.file(wanted, PICTURE)
    if wanted not in known or not path.exists():
        return Response("Nothing was learnt yet.\n", 404, media_type="text/plain")
    return Response(path.read_bytes(), media_type="image/svg+xml", headers={"content-security-policy": _PICTURE_POLICY})


@router.get("/learnt/page")
def seen_page(request: Request, state: State, url: str = "", link: str = "", goal: str = "", k: str = "") -> Response:
    """A page as the navigator of a goal sees it, and why a link got its score."""
    wanted = normalise_url(url.strip() if "://" in url else f"http://{url.strip()}") if url.strip() else None
    if wanted is None:
        return to(request, "/learnt", said="Enter the address of a page.", wrong=True)
    ours = _is_ours(request) or check(state, "/learnt/page", url=url, link=link, goal=goal, k=k)
    try:
        at_hand(state, wanted, live=ours)
        with state.workspace() as workspace:
            goals = workspace.goals()
            goal = _goal_in(goals, goal)
            scores = judge_url(
                workspace, wanted, state.pages.archives_and_seen, clicked=link or None, goal=goal or None
            )
    except TrailmarkError as error:
        return to(request, "/learnt", said=str(error), wrong=True)
    judged, why = scores.page, scores.clicked
    strongest = max((abs(part.value) for part in (why or judged).why), default=1.0) or 1.0
    return page(
        request,
        "learnt_page.html",
        title=f"Seen: {judged.title or judged.url}",
        judged=judged,
        verdict=in_words(judged.goal),
        links=list(zip(scores.links, _shades(scores), strict=True))[:MOST_LISTED],
        why=why,
        legend=legend(),
        strongest=strongest,
        frame=signed(state, "/view/scores", url=wanted, goal=goal),
        goal=goal,
        goals=goals if len(goals) > 1 else [],
    )


@router.get("/view/scores")
@by_view_crew
def scored_view(request: Request, state: State, url: str = "", goal: str = "", k: str = "") -> Response:
    """The page with its links coloured, for the frame."""
    if not check(state, "/view/scores", url=url, goal=goal, k=k):
        return Response("This address is not one of ours.\n", 403, media_type="text/plain")
    live = state.pages.may_go_live(url)
    answer = state.pages.page(url, live=live, seen=state.pages.seen)
    with state.workspace() as workspace:
        scores = judge_url(workspace, url, state.pages.archives_and_seen, goal=goal or None)
    shades = {link.url: (shade, link.score) for link, shade in zip(scores.links, _shades(scores), strict=True)}

    def href(number: int, link: ViewLink) -> str | None:
        del number
        return signed(state, "/learnt/page", url=url, link=link.url, goal=goal) if link.url in shades else None

    def note(number: int, link: ViewLink) -> dict[str, str]:
        del number
        if link.url not in shades:
            return {}
        shade, score = shades[link.url]
        return {"data-trailmark-score": str(shade), "title": f"score {score:.3f}"}

    return shown(request, answer, link_href=href, live=live, link_note=note, extra=_STYLE)[0]


@api.get("/learnt")
def learnt_json(state: State) -> dict[str, Any]:
    """What was learnt last of each goal (`trailmark learn --json`), with its figures in plain words; empty before."""
    with state.workspace() as workspace:
        latest = learnt(workspace)
    alone = latest[0].to_json() if len(latest) == 1 else {}
    return {**alone, "goals": [each.to_json() for each in latest]} if latest else {}


@api.get("/judge")
def judge_json(state: State, url: str, goal: str | None = None) -> dict[str, Any]:
    """A page of the workspace or its archives as the navigator sees it, with the scores of its links (`trailmark show URL --why`).

    Where several goals were learnt, `goal` says whose navigator.
    """
    with state.workspace() as workspace:
        return judge_url(workspace, url, state.pages.archives_and_seen, goal=goal).to_json()


def at_hand(state: AppState, url: str, *, live: bool) -> None:
    """See that a page can be read from the archives; it is fetched only for those who may ask for it."""
    pages: PageSource = state.pages
    pages.page(url, live=live and pages.may_go_live(url), seen=pages.seen)


def _goal_in(goals: list[str], goal: str) -> str:
    """The goal that was asked for, else the first of several; empty where it need not be named."""
    return goal or (goals[0] if len(goals) > 1 else "")


def _is_ours(request: Request) -> bool:
    """Whether the address was typed in, or comes from a page of ours."""
    return request.headers.get("sec-fetch-site", "none") in ("none", "same-origin")


def _shades(report: ScoresReport) -> list[int]:
    """A shade for each link by what it promises, whatever the others of its page do."""
    return [shade_of(link.score) for link in report.links]


def shade_of(score: float) -> int:
    """A score -> the number of its shade: how many of the steps it has reached."""
    return sum(score >= step for step in SHADES)


def legend() -> list[tuple[int, str, str]]:
    """(shade, scores, how many such links led to a goal where that was counted) of all shades, the best first."""
    bounds = (0.0, *SHADES)
    ranges = [*(f"{low:g} to {high:g}" for low, high in zip(bounds, SHADES, strict=False)), f"{SHADES[-1]:g} and more"]
    counts = [f"{goals:,} of {links:,} led to one" for goals, links in MEASURED]
    return list(zip(range(len(ranges)), ranges, counts, strict=True))[::-1]


@dataclass(frozen=True, slots=True)
class KindOfPage:
    """A kind of page as a row of the table: its reward, how well it is known again on trails, and its telling words."""

    label: str
    goal: bool
    reward: float
    words: TellingWords
    figures: StateFigures | None


def _kinds(report: LearnReport) -> list[KindOfPage]:
    """Every kind of page, the most rewarding first."""
    figures = {state.label: state for state in report.states}
    rows = [
        KindOfPage(
            label=report.goal if label == GOAL else label,
            goal=label == GOAL,
            reward=report.rewards.get(label, 0.0),
            words=words,
            figures=figures.get(label),
        )
        for label, words in report.words.items()
    ]
    return sorted(rows, key=lambda row: -row.reward)
