"""Values that rules of other sites propose for a group without rules: looked through, taken or left; and groups as small drawings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.datatypes import Annotation
from trailmark.errors import TrailmarkError
from trailmark.read import tree_of
from trailmark.serve.page_sketch import page_sketch
from trailmark.serve.rendering import Sent, State, to
from trailmark.serve.view_crew import by_view_crew
from trailmark.verbs.annotate import find_cluster, goal_urls, mark, preview, sample_of
from trailmark.verbs.propose import ProposedValue, drop_proposals, read_proposals
from trailmark.workspace import Workspace

router = APIRouter(include_in_schema=False)
SHOWN = 3


class Offer(NamedTuple):
    """A field that is proposed for a group."""

    field: str
    percent: int
    """How sure it is, on the average."""
    many: int
    values: tuple[str, ...]


def offers_of(workspace: Workspace, cluster: str, known: Sequence[str] = ()) -> list[Offer]:
    """What is proposed for a group, but for fields that are marked there already."""
    proposed = [value for value in read_proposals(workspace, cluster) if value.mark.field not in known]
    counts = Counter(value.mark.field for value in proposed)
    return [_offer(field, [value for value in proposed if value.mark.field == field]) for field in counts]


def _offer(field: str, values: Sequence[ProposedValue]) -> Offer:
    texts = tuple(dict.fromkeys(value.mark.value or "" for value in values))[:SHOWN]
    return Offer(field, round(100 * sum(value.confidence for value in values) / len(values)), len(values), texts)


@router.post("/annotate/propose")
def propose(request: Request, state: State, form: Sent) -> Response:
    """Look for what the rules find on groups without rules, in the background."""
    del form
    state.jobs.start("wrap", "--propose", title="Proposing values on other groups", back="/annotate")
    return to(request, "/annotate")


@router.post("/annotate/take")
def take(request: Request, state: State, form: Sent) -> Response:
    """Proposed values of the fields that were ticked, as marks; or all of the group's proposals forgotten."""
    from urllib.parse import urlencode

    here = f"/annotate/cluster?{urlencode({'id': form['id']})}"
    try:
        with state.workspace() as workspace:
            cluster = find_cluster(workspace, form["id"])
            if form["do"] == "leave":
                drop_proposals(workspace, cluster.id)
                return to(request, here, said="The proposals are put away.")
            chosen, pages = set(form.all("field")), set(cluster.pages)
            marks: list[Annotation] = [
                value.mark
                for value in read_proposals(workspace, cluster.id)
                if value.mark.field in chosen and value.mark.url in pages
            ]
            count = mark(workspace, marks)
            preview(workspace, cluster, state.pages.archives)
    except TrailmarkError as error:
        return to(request, here, said=str(error), wrong=True)
    return to(request, here, said=f"{count} proposed values are marked; take back what is wrong.")


@router.get("/annotate/sketch")
@by_view_crew
def sketch(request: Request, state: State, id: str = "") -> Response:  # noqa: A002 - part of the address
    """A page of a group as a small drawing."""
    del request
    with state.workspace() as workspace, workspace.replay(state.pages.archives, all_known=True) as replay:
        cluster = find_cluster(workspace, id)
        answer = replay.fetch(sample_of(cluster, wanted=goal_urls(workspace))[0])
        drawing = page_sketch(tree_of(answer) if answer.status == 200 else None)
    headers = {"cache-control": "private, max-age=3600"}
    return Response(drawing, media_type="image/svg+xml", headers=headers)
