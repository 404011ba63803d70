"""Annotate: sample pages in the order that helps most; click a value, name its field, and see at once what comes out on the others.

The framed page runs one script of ours, which tells the page around what was clicked. What it tells is looked up in the tree that the rules read; it can
only name a text that the page has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.cluster import group_name
from trailmark.datatypes import Annotation, Cluster
from trailmark.datatypes import Response as Answer
from trailmark.errors import InputError, TrailmarkError
from trailmark.extract.tally import USUAL
from trailmark.read import tree_of
from trailmark.serve.annotate_view import COLOURS, LONGEST_FOUND
from trailmark.serve.proposal_pages import offers_of
from trailmark.serve.rendering import Form, Sent, State, Text, number_in, page, to
from trailmark.serve.state import AppState
from trailmark.serve.view_pages import signed
from trailmark.verbs.annotate import (
    PreviewPage,
    PreviewReport,
    find_cluster,
    goal_urls,
    kept_preview,
    mark,
    preview,
    sample_of,
    unmark,
)
from trailmark.verbs.marked_value import LONGEST_FIELD, field_name, marked_value
from trailmark.workspace import Workspace
from trailmark.wrap import rules_to_json

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api/annotate", tags=["annotate"])

CLUSTERS_SHOWN = 100
LONGEST_TITLE = 300
TITLES_READ = 3
"""Pages of a group whose titles name it."""


class MarkIn(BaseModel):
    """A value that stands on a page; null where the page lacks the field."""

    url: Text
    field: Text = Field(max_length=LONGEST_FIELD)
    value: Text | None
    xpath: Text | None = None


class ClusterRow(NamedTuple):
    """A template in the table of all."""

    id: str
    site: str
    pages: int
    goals: int
    """Pages of it that a run was after."""
    marked: int
    """Pages of it on which something was marked."""
    example: str
    name: str
    """What its pages are called: the words that their titles share."""
    fields: tuple[str, ...]
    """Fields that its rules find."""
    offers: tuple[str, ...]
    """Fields that rules of other sites propose for it."""


@router.get("/annotate")
def clusters_page(request: Request, state: State) -> Response:
    """The templates, those with pages that were found first."""
    with state.workspace() as workspace:
        clusters, goals = [known.cluster for known in workspace.clusters()], goal_urls(workspace)
        marked = {annotation.url for annotation in workspace.database.annotations()}
        rules = workspace.rules() if workspace.has_rules() else {}
        pages = workspace.database.counts()["pages"]
        offers = {group.id: offers_of(workspace, group.id) for group in clusters if group.id not in rules}
    rows = [
        ClusterRow(
            group.id,
            group.site,
            pages=len(group.pages),
            goals=sum(url in goals for url in group.pages),
            marked=sum(url in marked for url in group.pages),
            example=sample_of(group, wanted=goals)[0],
            name="",
            fields=tuple(field.name for field in rules[group.id].fields) if group.id in rules else (),
            offers=tuple(offer.field for offer in offers.get(group.id, ())),
        )
        for group in clusters
    ]
    rows.sort(key=lambda row: (-row.marked, not row.offers, -row.goals, -row.pages))
    shown = {group.id: sample_of(group, wanted=goals)[:TITLES_READ] for group in clusters}
    names = _names(state, [shown[row.id] for row in rows[:CLUSTERS_SHOWN]])
    return page(
        request,
        "annotate.html",
        title="Annotate",
        clusters=[row._replace(name=name) for row, name in zip(rows, names, strict=False)],
        can_propose=any(rule_set.entries is None for rule_set in rules.values())
        and any(not row.fields for row in rows),
        lists_alone=bool(rules) and all(rule_set.entries is not None for rule_set in rules.values()),
        proposed=_proposed(state),
        has_rules=bool(rules),
        count=len(rows),
        pages=pages,
        archives=[path.name for path in state.pages.archives],
        working=[*state.jobs.active("cluster"), *state.jobs.active("wrap"), *state.jobs.active("extract")],
    )


def _proposed(state: AppState) -> str:
    """What came of looking for values on other groups the last time; empty before."""
    last = next((job for job in state.jobs.all() if job.verb == "wrap" and "--propose" in job.arguments), None)
    found = state.jobs.report(last.id).get("clusters") if last and last.state == "done" else None
    if not isinstance(found, list):
        return ""
    if not found:
        return "Nothing on the other groups was like what the rules find."
    return f"Values were proposed for {len(found)} {'group' if len(found) == 1 else 'groups'}: they come first below."


def _names(state: AppState, wanted: Sequence[Sequence[str]]) -> list[str]:
    """A few pages of each group -> what the groups are called, by the titles of these; titles are read once."""
    unread = [url for urls in wanted for url in urls if url not in state.titles]
    if unread:
        with state.workspace() as workspace, workspace.replay(state.pages.archives, all_known=True) as replay:
            for url in unread:
                state.titles[url] = _title(replay.fetch(url))
    return [group_name([state.titles[url] for url in urls]) for urls in wanted]


def _title(response: Answer) -> str:
    root = tree_of(response) if response.status == 200 else None
    title = root.find(".//title") if root is not None else None
    return "" if title is None else " ".join("".join(title.itertext())[:LONGEST_TITLE].split())


@router.post("/annotate")
def group(request: Request, state: State, form: Sent) -> Response:
    """Group the pages by template, in the background."""
    named = state.archive_words("--archive")
    state.jobs.start(
        "cluster", *(named if form["from"] == "archive" else []), title="Grouping pages by template", back="/annotate"
    )
    return to(request, "/annotate")


@router.get("/annotate/cluster")
def board_page(
    request: Request,
    state: State,
    id: str = "",  # noqa: A002 - part of the address
    url: str = "",
    find: str = "",
) -> Response:
    """One page of a template, and what comes out on the others."""
    with state.workspace() as workspace:
        cluster = find_cluster(workspace, id)
        report = kept_preview(workspace, cluster, state.pages.archives)
        names = list(dict.fromkeys(mark.field for mark in workspace.database.annotations()))
        offers = offers_of(workspace, cluster.id, report.fields)
    here = report.page(url) or (report.pages[0] if report.pages and not url else None)
    if here is None:
        here = PreviewPage(url if url in cluster.pages else (sample_of(cluster) or [""])[0])
    return page(
        request,
        "annotate_board.html",
        title=f"Annotate {cluster.site}",
        cluster=cluster,
        here=here,
        next_url=_next(report.pages, here.url),
        rows=report.pages,
        fields=report.fields,
        colours={name: number % COLOURS for number, name in enumerate(report.fields)},
        rules=rules_to_json(report.rules),
        fill=_fill(report),
        usual=USUAL,
        names=list(dict.fromkeys([*report.fields, *names]))[:50],
        offers=offers,
        find=find[:LONGEST_FOUND],
        frame=signed(state, "/view/annotate", id=id, url=here.url, focus="", find=find[:LONGEST_FOUND]),
        working=[*state.jobs.active("wrap"), *state.jobs.active("extract")],
    )


def _fill(report: PreviewReport) -> dict[str, tuple[int, int]]:
    """Field -> how many of the records on the sample have it, of how many; a page without any counts as one."""
    records = sum(max(len(page.records), 1) for page in report.pages)
    return {
        name: (sum(name in record.fields for page in report.pages for record in page.records), records)
        for name in report.fields
    }


def _next(pages: Sequence[PreviewPage], here: str) -> str:
    """The next page of the sample on which nothing was marked."""
    return next((page.url for page in pages if not page.marks and page.url != here), "")


@router.post("/annotate/cluster")
def change(request: Request, state: State, form: Sent) -> Response:
    """Mark, take back, confirm, or put the rules to use."""
    identity, url = form["id"], form["url"]
    here = f"/annotate/cluster?{_query(id=identity, url=url)}"
    try:
        with state.workspace() as workspace:
            cluster = find_cluster(workspace, identity)
            if form["do"] == "use":
                state.jobs.start("wrap", title="Learning rules", back="/annotate")
                return to(request, "/annotate", said="The rules are learnt in the background; then lift the records.")
            if url not in cluster.pages:
                raise InputError("That page is not one of this template.")
            _change(state, workspace, form, cluster, url)
            preview(workspace, cluster, state.pages.archives)
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here)


def _change(state: AppState, workspace: Workspace, form: Form, cluster: Cluster, url: str) -> None:
    what = form["do"]
    if what == "unmark":
        unmark(workspace, url, form["field"], form["value"] if form["absent"] != "1" else None)
    elif what == "absent":
        mark(workspace, [Annotation(url, field_name(form["field"]), None)])
    elif what == "confirm":
        shown_page = kept_preview(workspace, cluster, state.pages.archives).page(url)
        mark(workspace, _predicted(shown_page) if shown_page else [])
    else:
        node = number_in(form["node"]) if form["node"] else None
        archives = state.pages.archives
        mark(workspace, [marked_value(workspace, url, form["field"], form["value"], node=node, archives=archives)])


def _predicted(page: PreviewPage) -> list[Annotation]:
    """What the rules find on a page, as a person would have marked it."""
    marked = {(mark.field, mark.value) for mark in page.marks}
    return [
        Annotation(page.url, field, value, place if place.startswith("/") else None)
        for record in page.records
        for field, values in record.fields.items()
        for value, place in zip(values, record.sources.get(field, ("",) * len(values)), strict=False)
        if (field, value) not in marked
    ]


def _query(**words: str) -> str:
    from urllib.parse import urlencode

    return urlencode(words)


@api.get("/clusters")
def clusters_json(state: State) -> list[Mapping[str, object]]:
    """The templates of the workspace with the pages worth annotating (`trailmark cluster --json`)."""
    with state.workspace() as workspace:
        return [
            {"id": cluster.id, "site": cluster.site, "size": len(cluster.pages), "sample": list(cluster.sample)}
            for cluster in (known.cluster for known in workspace.clusters())
        ]


@api.get("/preview")
def preview_json(state: State, id: str) -> dict[str, Any]:  # noqa: A002 - part of the address
    """What rules learnt from the annotations so far find on the sample pages (`trailmark wrap --preview`)."""
    with state.workspace() as workspace:
        return kept_preview(workspace, id, state.pages.archives).to_json()


@api.post("/marks")
def marks_json(state: State, sent: list[MarkIn]) -> dict[str, int]:
    """Mark values (`trailmark teach --annotations`)."""
    with state.workspace() as workspace:
        new = mark(
            workspace, [Annotation(marked.url, field_name(marked.field), marked.value, marked.xpath) for marked in sent]
        )
    return {"annotations": new}
