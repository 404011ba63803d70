"""Settings in the app: those that people change most, written back into trailmark.toml; schedules and notices.

What can't be used is said, nothing is written, and the form comes back as it was filled in. A command is never taken from a form.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from trailmark.errors import InputError, TrailmarkError
from trailmark.forage.contact import contact_problem
from trailmark.forage.named_hosts import host_problem, webhook_problem
from trailmark.serve.rendering import Form, Sent, State, page, to
from trailmark.serve.schedule import TITLES, cron_line, schedule
from trailmark.serve.state import AppState
from trailmark.settings import Settings
from trailmark.verbs.notices import Notice, tell
from trailmark.workspace import change_settings

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Field:
    """A setting as the form shows it."""

    table: str
    key: str
    label: str
    kind: str
    """`text`, `number`, `whole`, `lines` or `yes`."""

    @property
    def name(self) -> str:
        return f"{self.table}.{self.key}"


FIELDS = (
    Field("forage", "contact", "Who is asking: an e-mail address or a page about your crawl", "text"),
    Field("forage", "delay", "Seconds between two requests to one host", "number"),
    Field("forage", "budget", "Pages that one run fetches in all (0: no limit)", "whole"),
    Field("forage", "site_budget", "Pages of one site (0: no limit)", "whole"),
    Field("forage", "retries", "How often a request that failed is tried again", "whole"),
    Field("forage", "timeout", "Seconds until a request is given up", "number"),
    Field("forage", "obey_robots", "Obey robots.txt", "yes"),
    Field("forage", "allow_hosts", "Hosts that may be fetched though their addresses are private, one a line", "lines"),
)
SCHEDULE = (
    Field("serve", "crawl_hours", "Walk the sites of the last run again every … hours (0: never)", "number"),
    Field("serve", "update_hours", "Lift records again every … hours (0: never)", "number"),
    Field("serve", "watch_hours", "Visit bellwether pages every … hours (0: never)", "number"),
    Field(
        "serve", "webhook", "Tell this address by a POST of JSON when something broke or new goals were found", "text"
    ),
)


@router.get("/settings")
def settings_page(request: Request, state: State) -> Response:
    """The settings as the file has them."""
    settings = state.settings
    return _shown(request, state, {each.name: _text(settings, each) for each in (*FIELDS, *SCHEDULE)})


@router.post("/settings")
def change(request: Request, state: State, form: Sent) -> Response:
    """Keep all that was changed, or nothing and say why; or send a notice to try the way it goes."""
    if form["do"] == "try":
        return _try(request, state)
    fields = FIELDS if form["part"] == "fetching" else SCHEDULE
    try:
        changes = {(each.table, each.key): _value(form, each) for each in fields}
        _check(changes, state.settings.forage.allow_hosts)
        change_settings(state.folder, changes)
    except TrailmarkError as error:
        settings = state.settings
        others = {each.name: _text(settings, each) for each in (*FIELDS, *SCHEDULE) if each not in fields}
        return _shown(request, state, others | {each.name: form[each.name] for each in fields}, wrong=str(error))
    return to(request, "/settings", said="Kept in trailmark.toml.")


def _shown(request: Request, state: AppState, values: dict[str, str], wrong: str = "") -> Response:
    folder = str(state.folder.resolve())
    planned = schedule(state)
    return page(
        request,
        "settings.html",
        code=400 if wrong else 200,
        title="Settings",
        fields=FIELDS,
        schedule_fields=SCHEDULE,
        values=values,
        wrong=wrong,
        planned=[(TITLES[each.task], each) for each in planned if each.hours],
        cron=[line for each in planned if (line := cron_line(folder, each))],
        mail=state.settings.serve.mail_command,
        file=state.folder.resolve() / "trailmark.toml",
    )


def _try(request: Request, state: AppState) -> Response:
    settings = state.settings.serve
    if not settings.webhook and not settings.mail_command:
        return to(request, "/settings", said="There is nobody to tell yet: keep an address first.", wrong=True)
    notice = Notice("test", state.folder.resolve().name, "A notice to try", ("Nothing happened; this is a test.",))
    wrong = tell(state.settings, notice)
    return to(request, "/settings", said=" ".join(wrong) or "The notice was sent.", wrong=bool(wrong))


def _text(settings: Settings, field: Field) -> str:
    """A setting as the form has it."""
    value = getattr(getattr(settings, field.table), field.key)
    if field.kind == "lines":
        return "\n".join(value)
    if field.kind == "yes":
        return "yes" if value else ""
    return f"{value:g}" if field.kind == "number" else str(value)


def _value(form: Form, field: Field) -> Any:
    """What the form has, in the type of the setting; its bounds are those of the settings themselves."""
    text = form[field.name]
    if field.kind == "lines":
        return tuple(line.strip() for line in text.splitlines() if line.strip())
    if field.kind == "yes":
        return bool(text)
    if field.kind == "text":
        return text
    try:
        return float(text) if field.kind == "number" else int(text)
    except ValueError as error:
        what = "a whole number" if field.kind == "whole" else "a number"
        raise InputError(f"{field.label}: {what} is wanted, not {text[:20]!r}.") from error


def _check(changes: dict[tuple[str, str], Any], allow_hosts: tuple[str, ...]) -> None:
    """What the types of settings can't tell; `allow_hosts` are the private hosts that are named already."""
    contact = changes.get(("forage", "contact"))
    if contact is not None and (wrong := contact_problem(contact)):
        raise InputError(wrong)
    for line in changes.get(("forage", "allow_hosts"), ()):
        if wrong := host_problem(line):
            raise InputError(wrong)
    webhook = changes.get(("serve", "webhook"))
    if webhook and (wrong := webhook_problem(webhook, allow_hosts)):
        raise InputError(f"{webhook[:100]} can't be told: {wrong}.")
