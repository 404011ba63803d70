"""Teach a trail: enter a site, click from page to page, name milestones, say what is wanted.

The page in the frame runs no script and has no cookies. Its links lead to /teach/NAME/go, in the whole window, with the number of the link, the
version of the trail it was shown for, and a signature over these: a link that somebody else wrote does nothing, and a click
on a page that is no longer the last one is noticed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.datatypes import Outcome
from trailmark.datatypes import Response as Answer
from trailmark.errors import TrailmarkError
from trailmark.forage.contact import contact_problem
from trailmark.read.view.page_view import ViewLink, page_links
from trailmark.serve.rendering import Sent, State, number_in, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_crew import by_view_crew
from trailmark.serve.view_pages import check, shown, signed
from trailmark.teach import trail_draft
from trailmark.verbs.demonstrate import ClickedLink
from trailmark.verbs.status import status as status_of
from trailmark.verbs.teach_report import TeachReport
from trailmark.workspace import change_setting

router = APIRouter(include_in_schema=False)
_DEAD = "<style>a[data-trailmark-dead]{color:#777!important;text-decoration:line-through!important;cursor:not-allowed!important}</style>"
"""How a link looks that can't be followed."""
LABELS_SHOWN = 30
DRAFTS_SHOWN = 20
MOST_LISTED = 2000
MOST_SITES = 200


@router.get("/teach")
def begin_page(request: Request, state: State, site: str = "", change: str = "") -> Response:
    """Where to begin, and the trails known so far."""
    return _begin_page(
        request, state, site=site, contact=state.settings.forage.contact if change == "contact" else None
    )


def _begin_page(
    request: Request, state: AppState, *, site: str = "", contact: str | None = None, wrong: str = ""
) -> Response:
    """`contact` is what stands in the form that asks for it, where that is to be shown; `wrong` is why it can't be kept."""
    with state.workspace() as workspace:
        trails = list(workspace.database.trails())
    by_site: dict[str, list[int]] = {}
    for trail in trails:
        counts = by_site.setdefault(trail.site, [0, 0])
        counts[trail.outcome == "fail"] += 1
    return page(
        request,
        "teach_begin.html",
        title="Teach",
        drafts=state.demonstrations.drafts(DRAFTS_SHOWN),
        sites=sorted(by_site.items())[:MOST_SITES],
        known=len(trails),
        site=site,
        contact=state.settings.forage.contact,
        archived=state.pages.sites()[:MOST_SITES] if state.pages.archives else [],
        asked=contact,
        archives=[path.name for path in state.pages.archives],
        code=400 if wrong else 200,
        **({"said": (wrong, True)} if wrong else {}),
    )


@router.post("/teach")
def begin(request: Request, state: State, form: Sent) -> Response:
    """Begin a trail on a site."""
    try:
        name = state.demonstrations.begin(form["site"])
    except TrailmarkError as error:
        return to(request, "/teach", said=str(error), wrong=True)
    return to(request, f"/teach/{name}")


@router.post("/teach/contact")
def contact(request: Request, state: State, form: Sent) -> Response:
    """Who is asking: kept in trailmark.toml, where it could be written by hand too."""
    if wrong := contact_problem(form["contact"]):
        return _begin_page(request, state, contact=form["contact"], wrong=wrong)
    change_setting(state.folder, "forage", "contact", form["contact"].strip())
    return to(request, "/teach", said="Kept in trailmark.toml.")


@router.post("/teach/learn")
def learn(request: Request, state: State) -> Response:
    """Learn from what was taught, in the background."""
    job = state.jobs.start("learn", title="Learning the way", back="/")
    return to(request, f"/jobs/{job.id}")


@router.get("/teach/{name}")
@by_view_crew
def teach_page(request: Request, state: State, name: str) -> Response:
    """The page where the trail stands, with the trail beside it."""
    draft, response = state.demonstrations.standing(name)
    links = _listed(page_links(response))
    with state.workspace() as workspace:
        status = status_of(workspace)
    return page(
        request,
        "teach.html",
        title=f"Teach: {draft.here.title or draft.here.url}",
        name=name,
        draft=draft,
        frame=signed(state, "/view", name=name, version=str(draft.version)),
        links=links,
        dead=state.demonstrations.dead_links(name, draft, [link.url for _, link in links]),
        labels=list(status.labels)[:LABELS_SHOWN],
        counts=status.counts,
    )


@router.get("/view")
@by_view_crew
def view(request: Request, state: State, name: str = "", version: str = "", k: str = "") -> Response:
    """The page where the trail stands, for the frame."""
    if not check(state, "/view", name=name, version=version, k=k):
        return Response("This address is not one of ours.\n", 403, media_type="text/plain")
    draft, response = state.demonstrations.standing(name)
    dead = state.demonstrations.dead_links(name, draft, [link.url for link in page_links(response)])

    def href(number: int, link: ViewLink) -> str | None:
        return None if link.url in dead else signed(state, f"/teach/{name}/go", link=str(number), version=version)

    def note(number: int, link: ViewLink) -> Mapping[str, str]:
        del number
        return (
            {"title": f"It can't be followed: {dead[link.url]}.", "data-trailmark-dead": ""} if link.url in dead else {}
        )

    return shown(request, response, link_href=href, link_note=note, extra=_DEAD if dead else "", live=draft.live)[0]


@router.get("/teach/{name}/go")
def go(request: Request, state: State, name: str, link: str = "", version: str = "", k: str = "") -> Response:
    """A link of the framed page was clicked."""
    here = f"/teach/{name}"
    if not check(state, f"{here}/go", link=link, version=version, k=k):
        return to(request, here, said="That link is not one that the app made; nothing was done.", wrong=True)
    try:
        state.demonstrations.follow(
            name, number_in(version), lambda response: next(iter(_links(response, [link])), None)
        )
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here)


@router.post("/teach/{name}/step")
def step(request: Request, state: State, name: str, form: Sent) -> Response:
    """Undo, go back, name a page, throw the draft away."""
    every = state.demonstrations
    here = f"/teach/{name}"
    what, number = form["do"], number_in(form["step"])
    try:
        if what == "undo":
            every.change(name, trail_draft.undo)
        elif what == "back":
            every.change(name, lambda draft: trail_draft.back_to(draft, number))
        elif what == "name":
            every.change(name, lambda draft: trail_draft.name(draft, number, form["label"]))
        elif what == "forget":
            every.forget(name)
            return to(request, "/teach", said="The draft was thrown away; what was saved before stays.")
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here)


@router.post("/teach/{name}/save")
def save(request: Request, state: State, name: str, form: Sent) -> Response:
    """This page, or the ticked links of it, are what is wanted, or are not."""
    every = state.demonstrations
    here = f"/teach/{name}"
    outcome: Outcome = "fail" if form["outcome"] == "fail" else "goal"
    label = trail_draft.clean_label(form["label"])
    try:
        if form["which"] == "links":
            ticked = form.all("link")
            report = every.save_links(name, lambda response: _links(response, ticked), outcome, label)
        else:
            ticked = []
            report = every.save(name, outcome, label)
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here, said=_saved(report, len(ticked)), wrong=not report.good or bool(report.problems))


def _saved(report: TeachReport, ticked: int = 0) -> str:
    """What came of a save, of so many links that were ticked -> a sentence for a person, with the reason for each that was left out."""
    saved = f"Saved {report.new} {'trail' if report.new == 1 else 'trails'}{f' of {ticked} ticked' if ticked > report.new else ''}."
    if report.known_already:
        saved += f" {report.known_already} known already."
    problems = report.problems
    twice = max(0, ticked - report.good - len(problems))
    if twice:
        saved += f" {twice} ticked twice, or gone from the page."
    if not problems:
        return saved + "".join(
            f" {each.url} is both wanted and not wanted now: settle it under History."
            for each in report.contradictions[:1]
        )
    return f"{saved} Left out {len(problems)}: {'; '.join(dict.fromkeys(each.reason for each in problems))}."


def _links(response: Answer, numbers: Sequence[str]) -> list[ClickedLink]:
    """Numbers of links as the frame or a form sent them -> the links; a number that the page has not is passed over."""
    links = page_links(response)
    chosen = [links[number] for number in map(number_in, numbers) if 0 <= number < len(links)]
    return [ClickedLink(link.url, link.anchor) for link in chosen]


def _listed(links: tuple[ViewLink, ...]) -> list[tuple[int, ViewLink]]:
    """Each address once, with the number of its first link that has a text."""
    first: dict[str, tuple[int, ViewLink]] = {}
    for number, link in enumerate(links):
        if link.url not in first or (link.anchor and not first[link.url][1].anchor):
            first[link.url] = (number, link)
    return list(first.values())[:MOST_LISTED]
