"""The typer that a workspace types courses with: its own, else the one that comes with Trailmark; learnt anew where people corrected items since.

A corrected course is learnt from several times, with what is sure of its other items: it is of the very pages that are to be typed, and one
among many would say nothing. What was learnt is kept, and made again only where the typer or a correction is another.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trailmark.course.course_pages import course_pages
from trailmark.course.item_clue import make_of
from trailmark.course.item_typer import ItemTyper, LabelledCourse, TypedItem, learnt_typer
from trailmark.course.page_item import ItemPage, PageItem, item_page
from trailmark.course.typer_file import typer_from_bytes, typer_to_bytes
from trailmark.errors import InputError
from trailmark.store.course_table import ItemCorrection, read_item_corrections
from trailmark.store.json_lines import written_whole
from trailmark.store.replay import Replay
from trailmark.verbs.ready_typer import FILE, generated_lessons, ready_typer
from trailmark.verbs.train_typer import BASE, base_lessons
from trailmark.workspace import Workspace

FORMAT = 1
"""Raised when courses must be read again because reading itself changed."""
WEIGHT = 3
"""Times that each corrected course is learnt from."""
SURE = 0.9
"""Chance from which an item that nobody corrected counts as known."""
LEARNT_FILE = "course.learnt.typer"
"""In the folder models: what was learnt beside corrections."""
_LEARNT = "course typer learnt"


@dataclass(frozen=True, eq=False)
class ChosenTyper:
    """A typer, and where it is from."""

    typer: ItemTyper
    digest: str
    ready: bool
    """Whether it comes with Trailmark."""
    corrections: int = 0
    """Corrections that it learnt from."""
    note: str = ""
    """Why it did not learn from corrections, where it could not."""


def chosen_typer(workspace: Workspace) -> ChosenTyper:
    """The typer of a workspace, with what people corrected learnt."""
    file = workspace.folder / "models" / FILE
    own = file.is_file()
    body = file.read_bytes() if own else ready_typer()
    base = ChosenTyper(typer_from_bytes(body, source=str(file)), _digest(body), ready=not own)
    corrections = read_item_corrections(workspace.database)
    if not corrections:
        return base
    try:
        return _corrected(workspace, base, corrections)
    except InputError as error:
        return ChosenTyper(base.typer, base.digest, base.ready, note=str(error))


def _corrected(workspace: Workspace, base: ChosenTyper, corrections: Sequence[ItemCorrection]) -> ChosenTyper:
    said = [[each.course, each.url, each.page, each.text, each.heading, each.kind] for each in corrections]
    key = _digest(json.dumps([FORMAT, WEIGHT, base.digest, said]).encode())
    file = workspace.folder / "models" / LEARNT_FILE
    if workspace.database.meta(_LEARNT) != key or not file.is_file():
        body = typer_to_bytes(_learnt(workspace, base, corrections))
        with written_whole(file) as opened:
            opened.write(body)
        workspace.database.set_meta(_LEARNT, key)
    typer = typer_from_bytes(file.read_bytes(), source=str(file))
    return ChosenTyper(typer, key, base.ready, len(corrections))


def _learnt(workspace: Workspace, base: ChosenTyper, corrections: Sequence[ItemCorrection]) -> ItemTyper:
    lessons = generated_lessons() if base.ready else base_lessons(workspace, workspace.database.meta(BASE))
    groups: dict[str, list[ItemCorrection]] = {}
    for each in corrections:
        groups.setdefault(each.course, []).append(each)
    with workspace.replay(all_known=True) as replay:
        corrected = [corrected_lesson(pages_at_hand(replay, url), of_one, base.typer) for url, of_one in groups.items()]
    return learnt_typer([*lessons, *(lesson for lesson in corrected for _ in range(WEIGHT))])


def pages_at_hand(replay: Replay, url: str) -> tuple[ItemPage, ...]:
    """The address of a course's home -> its pages, as far as archives have them."""
    home = page_of(replay, url)
    return () if home is None else course_pages(home, lambda each: page_of(replay, each)).pages


def page_of(replay: Replay, url: str) -> ItemPage | None:
    """An address -> its page with its items; None where no archive has it."""
    response = replay.fetch(url)
    return item_page(response) if response.status == 200 and response.body else None


def corrected_lesson(
    pages: Sequence[ItemPage], corrections: Sequence[ItemCorrection], typer: ItemTyper
) -> LabelledCourse:
    """Pages of a course, and what people said of its items -> what is known of them: what was said, and what is sure beside it.

    Of items of one make with a corrected one nothing is known. What stands on no page that is at hand is taken as it was written.
    """
    given = {each.url: each.kind for each in corrections}
    makes = {make_of(url) for url in given}
    known = {item.url for page in pages for item in page.items}

    def kind_of(typed: TypedItem) -> str | None:
        url = typed.item.url
        return given.get(url) or (typed.kind if typed.chance >= SURE and make_of(url) not in makes else None)

    shown = [tuple(map(kind_of, page)) for page in typer.typed(pages)]
    lost = [each for each in corrections if each.url not in known]
    written = list(_written(lost))
    kinds = [tuple(given[item.url] for item in page.items) for page in written]
    return LabelledCourse((*pages, *written), (*shown, *kinds))


def _written(corrections: Iterable[ItemCorrection]) -> Iterable[ItemPage]:
    by_page: dict[str, list[PageItem]] = {}
    for number, each in enumerate(corrections):
        headings = (each.heading,) if each.heading else ()
        by_page.setdefault(each.page, []).append(
            PageItem(each.page, each.url, each.text, headings=headings, line=number)
        )
    return [ItemPage(page, "", tuple(items)) for page, items in by_page.items()]


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]
