"""The framed page of annotating: what is marked and found stands out, what is looked for is lit up, a click is told to the page around."""

from __future__ import annotations

import re
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.read import tree_of
from trailmark.serve.rendering import State
from trailmark.serve.view_crew import by_view_crew
from trailmark.serve.view_pages import check, shown
from trailmark.verbs.annotate import PreviewReport, kept_preview
from trailmark.wrap.page.picked_value import element_number

router = APIRouter(include_in_schema=False)

COLOURS = 8
LONGEST_FOUND, MOST_FOUND = 200, 200
"""Letters that are looked for in a page, and places that are lit up."""


@router.get("/view/annotate")
@by_view_crew
def annotate_view(
    request: Request,
    state: State,
    id: str = "",  # noqa: A002 - part of the address
    url: str = "",
    focus: str = "",
    find: str = "",
    k: str = "",
) -> Response:
    """The page with what is known of it marked, for the frame; a click is told to the page around."""
    words = {"find": find} if "find" in request.query_params else {}
    if not check(state, "/view/annotate", id=id, url=url, focus=focus, **words, k=k):
        return Response("This address is not one of ours.\n", 403, media_type="text/plain")
    with state.workspace() as workspace, workspace.replay(state.pages.archives, all_known=True) as replay:
        answer = replay.fetch(url)
        places = [(focus, "", 0)] if focus else _places(kept_preview(workspace, id, state.pages.archives), url)
    return shown(
        request,
        answer,
        link_href=lambda _number, _link: None,
        live=False,
        script="pick.js",
        number_nodes=True,
        extra=_marks(root := tree_of(answer), places, focus=focus) + _finds(root, find),
    )[0]


def _places(report: PreviewReport, url: str) -> list[tuple[str, str, int]]:
    """(XPath, field, colour) of all that is marked or found on a page."""
    shown_page = report.page(url)
    if shown_page is None:
        return []
    colours = {name: number % COLOURS for number, name in enumerate(report.fields)}
    places = [(mark.xpath, mark.field) for mark in shown_page.marks if mark.xpath]
    for record in shown_page.records:
        places += [(place, field) for field, xpaths in record.sources.items() for place in xpaths]
    return [(place, field, colours.get(field, 0)) for place, field in dict.fromkeys(places)]


def _marks(root: Any, places: list[tuple[str, str, int]], *, focus: str) -> str:
    """A style sheet that frames the elements, each with its field's name; built of numbers and plain letters only."""
    if root is None:
        return ""
    found: dict[int, list[tuple[str, int]]] = {}
    for xpath, field, colour in places[:500]:
        number = element_number(root, xpath)
        if number is not None:
            found.setdefault(number, []).append((re.sub(r"[^\w .()/-]", "", field), colour))
    rules = []
    for number, fields in found.items():  # one element may hold several fields: a paper, and its year
        hue = 150 + 47 * fields[0][1]
        name = ", ".join(dict.fromkeys(name for name, _ in fields if name))
        box = f"outline:2px solid hsl({hue} 60% 38%)!important;outline-offset:1px;background-color:hsl({hue} 70% 92%)!important"
        rules.append(f'[data-trailmark-node="{number}"]{{{box}}}')
        if name:
            tab = f"font:600 11px sans-serif;color:#fff;background:hsl({hue} 60% 34%);padding:0 4px;margin-right:3px"
            rules.append(
                f'[data-trailmark-node="{number}"]::before{{content:"{name}" attr(data-trailmark-name);{tab}}}'
            )
    number = element_number(root, focus) if focus else None
    meta = f'<meta name="trailmark-focus" content="{number}">' if number is not None else ""
    return f"<style>{''.join(rules)}</style>{meta}"


def _finds(root: Any, find: str) -> str:
    """A style sheet that lights up the elements that say this, and the first of them as the place to begin; numbers only."""
    wanted = " ".join(find.casefold().split())
    if root is None or not wanted:
        return ""
    says = (
        (number, " ".join(" ".join(map(str, element.xpath("text()"))).casefold().split()))
        for number, element in enumerate(root.iter("*"))
        if element.tag not in ("script", "style", "title")
    )
    numbers = [number for number, text in says if wanted in text][:MOST_FOUND]
    rules = "".join(
        f'[data-trailmark-node="{n}"]{{background-color:#ffe38a!important;outline:2px solid #b4540f!important}}'
        for n in numbers
    )
    first = f'<meta name="trailmark-focus" content="{numbers[0]}">' if numbers else ""
    return f"<style>{rules}</style>{first}"
