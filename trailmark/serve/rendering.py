"""Templates to answers. Everything that a template shows is escaped; nothing here marks text as safe.

page(request, "teach.html", title="Teach", trail=trail)    a whole page of the app
to(request, "/teach", said="Saved.")                       on to another page, with a sentence shown on it once
number_in(form["step"])                                    the number in a field; -1 where it is none
form_of(request)                                           the fields of the form that was sent (the guard has checked its token)
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs, urlencode, urlsplit

from fastapi import Depends, Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from pydantic import AfterValidator, Field
from starlette.responses import HTMLResponse, RedirectResponse, Response

from trailmark.errors import InputError
from trailmark.quoting import unicode_text
from trailmark.serve.app_words import in_app
from trailmark.serve.guard import CSRF_FIELD, csrf_words
from trailmark.serve.sent_body import MOST_FIELDS, TOO_MANY
from trailmark.serve.state import AppState, state_of

FOLDER = Path(__file__).parent
SAID = "trailmark_said"
LONGEST_NUMBER = 7
"""Digits of a number that a form sends: no page has more links or elements, and Python reads long ones slowly or not at all."""

State = Annotated[AppState, Depends(state_of)]


def _written(text: str) -> str:
    """JSON can name half a character, which no file and no page can hold."""
    if any("\ud800" <= letter <= "\udfff" for letter in text):
        raise ValueError("half a character (a lone surrogate) is no text")
    return text


Text = Annotated[str, AfterValidator(_written)]
"""A text in a JSON body."""
Whole = Annotated[int, Field(ge=-(2**53), le=2**53)]
"""A number in an address or a form: what SQLite and JavaScript can hold; another one is refused in a sentence."""

NAVIGATION = (
    ("/teach", "Teach"),
    ("/learnt", "Model"),
    ("/check", "Check"),
    ("/runs", "Crawl"),
    ("/annotate", "Fields"),
    ("/records", "Data"),
    ("/alarms", "Watch"),
)
"""(path, name) of the stages of the pipeline, in the order of the menu; further pages are at the foot of each page."""
_CHECKED = re.compile(r"/runs/\d+/check")
STAGE_OF = {
    "/recorder": "/teach",
    "/questions": "/check",
    "/documents": "/records",
    "/documents/view": "/records",
    "/citations": "/records",
    "/curate": "/records",
    "/topics": "/records",
    "/suggestions": "/records",
    "/updates": "/alarms",
    "/courses": "/records",
    "/drafts": "/records",
}
"""Pages that belong to a stage though their path does not begin with it."""


TAGGED = "tag:"
"""How the makers of records begin that come from documents."""
_PAGE = re.compile(r"page=(\d{1,7})&")


def document_place(record: Mapping[str, Any], place: str = "") -> str:
    """A record of a document, and the place of one of its values or of its first -> the app's page that shows it."""
    first = next((text for texts in record["sources"].values() for text in texts), "")
    found = _PAGE.match(place or first)
    return f"/documents/view?{urlencode({'url': record['url'], 'page': found[1] if found else '1'})}"


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The templates; loaded once, an unknown name in one is an error."""
    templates = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["host"] = lambda url: urlsplit(url).netloc
    templates.filters["path"] = lambda url: (
        (urlsplit(url).path or "/") + (f"?{q}" if (q := urlsplit(url).query) else "")
    )
    templates.filters["count"] = lambda number, one, many: f"{number:,} {one if number == 1 else many}"
    templates.filters["seconds_clock"] = lambda at: datetime.fromtimestamp(at).strftime("%H:%M:%S") if at else "–"
    templates.filters["document_place"] = document_place
    templates.filters["in_app"] = in_app
    templates.filters["clock"] = lambda at: datetime.fromtimestamp(at).strftime("%d %b %H:%M")
    return templates


def page(request: Request, template: str, *, code: int = 200, **context: Any) -> Response:
    """A page of the app; `title` is wanted in the context."""
    state = state_of(request)
    path = request.url.path
    whole = {
        "navigation": [(to, name, to == _stage(path)) for to, name in NAVIGATION],
        "csrf": csrf_of(request),
        "csrf_field": CSRF_FIELD,
        "workspace_name": state.folder.resolve().name,
        "project": state.project,
        "said": _said(request, state),
        **context,  # which may say something itself
    }
    # What a page's JSON says may hold halves of pairs, which no UTF-8 has.
    answer = HTMLResponse(unicode_text(environment().get_template(template).render(whole)), status_code=code)
    if whole["said"]:
        answer.delete_cookie(SAID)
    return answer


def _stage(path: str) -> str:
    """A page's path -> the path of the stage that it belongs to; its own where it belongs to none."""
    if path.startswith(("/courses/", "/drafts/")):
        path = "/courses"
    if path in STAGE_OF or _CHECKED.fullmatch(path):
        return STAGE_OF.get(path, "/check")
    return next((to for to, _ in NAVIGATION if path == to or path.startswith(to + "/")), path)


def csrf_of(request: Request) -> str:
    """The token that the visitor's forms carry."""
    state = state_of(request)
    return state.keys.sign("csrf", *csrf_words(request.state.session, state.project))


def to(request: Request, path: str, *, said: str = "", wrong: bool = False) -> Response:
    """On to another page of ours; `said` is shown there once, as trouble where `wrong`."""
    answer = RedirectResponse(path, status_code=303)
    if said:
        state = state_of(request)
        text = base64.urlsafe_b64encode(json.dumps([said[:500], wrong]).encode()).decode("ascii")
        signature = state.keys.sign("said", request.state.session, text)
        answer.set_cookie(
            SAID, f"{text}.{signature}", max_age=60, httponly=True, samesite="lax", secure=state.options.secure
        )
    return answer


def own_path(path: str, otherwise: str) -> str:
    """A path that a form sent along, where it is one of this app: a browser reads `//x` and `/\\x` as another host."""
    return path if re.fullmatch(r"/(?![/\\])[^\\\s]*", path) else otherwise


def _said(request: Request, state: AppState) -> tuple[str, bool] | None:
    text, _, signature = request.cookies.get(SAID, "").partition(".")
    if not text or not state.keys.holds(signature, "said", request.state.session, text):
        return None
    sentence, wrong = json.loads(base64.urlsafe_b64decode(text))
    return sentence, wrong


class Form:
    """The fields of a form; a field that was not sent is an empty string."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> str:
        return self._fields.get(name, [""])[0].strip()

    def raw(self, name: str) -> str:
        """A field as it was sent, blanks too."""
        return self._fields.get(name, [""])[0]

    def all(self, name: str) -> list[str]:
        """Every value of a field that may be sent several times: ticked boxes. Browsers send each line end as CR LF, whatever it was."""
        return [value.replace("\r\n", "\n") for value in self._fields.get(name, [])]


def number_in(text: str) -> int:
    """A field of a form, or a word of an address -> the number of a link, a step or an element; -1 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else -1


async def form_of(request: Request) -> Form:
    """The form that was sent; pages ask for it with `form: Sent`."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return Form(parse_qs(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
    except ValueError as error:
        raise InputError(TOO_MANY) from error


Sent = Annotated[Form, Depends(form_of)]
