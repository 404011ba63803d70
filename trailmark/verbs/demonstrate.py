"""Showing the way by clicking: a draft in the workspace, its pages beside it, and the trails it ends in.

DIR/serve/teach/NAME/draft.json       the trail so far; two tabs and a restart see the same
                     pages.warc.gz    the pages as the person saw them
                     trails.jsonl     what was saved last, as `trailmark teach` reads it
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from trailmark.datatypes import Outcome, Response, Trail
from trailmark.errors import FetchError, InputError
from trailmark.quoting import json_text
from trailmark.read import read_page
from trailmark.store.json_lines import written_whole
from trailmark.teach import Problem, trail_draft
from trailmark.teach.trail_draft import TrailDraft, draft_from_json, draft_to_json
from trailmark.verbs.browse import PageSource
from trailmark.verbs.teach import CLICKED, Lesson, clicked_lesson, read_lesson, teach_lessons
from trailmark.verbs.teach_report import TeachReport, joined
from trailmark.workspace import Workspace, settings_in

MOST_AT_ONCE = 100
"""Links of a list page that are taught in one go."""
LOCKS = 64
"""Drafts that can be changed at the same time: one that waits for a slow page holds up few others."""
_CHANGED = "The trail has changed since that page was shown; here is how it stands now."
_NAME = re.compile(r"[\w-]{1,40}", re.ASCII)


class ClickedLink(NamedTuple):
    """A link of the page where a draft stands."""

    url: str
    anchor: str


class Standing(NamedTuple):
    """A draft and the page where it stands."""

    draft: TrailDraft
    response: Response


class Demonstrations:
    """The drafts of a workspace. Each call reads its draft once."""

    def __init__(self, folder: Path, pages: PageSource) -> None:
        self.workspace, self.pages = folder, pages
        self.folder = folder / "serve" / "teach"
        self._locks = tuple(threading.Lock() for _ in range(LOCKS))

    def begin(self, url: str) -> str:
        """The first page of a site -> the name of a draft that stands on it."""
        address = url if "://" in url else f"http://{url}"
        live = self.pages.may_go_live(address)
        name = secrets.token_urlsafe(9)
        (self.folder / name).mkdir(parents=True)
        try:
            response = self._good(address, live=live, seen=self._seen(name))
        except BaseException:
            for left in (self.folder / name).iterdir():
                left.unlink()
            (self.folder / name).rmdir()
            raise
        self._write(name, trail_draft.begin(response.url, self._title(response), live=live))
        return name

    def drafts(self, most: int) -> list[tuple[str, TrailDraft]]:
        """Names and drafts that wait to be gone on with, the latest first; a file that is no draft is passed over."""
        waiting: list[tuple[str, TrailDraft]] = []
        for file in sorted(self.folder.glob("*/draft.json"), key=_changed_at, reverse=True):
            if len(waiting) == most:
                break
            with suppress(InputError):
                waiting.append((file.parent.name, self.draft(file.parent.name)))
        return waiting

    def draft(self, name: str) -> TrailDraft:
        """The name of a draft -> the draft."""
        path = self.folder / name / "draft.json"
        if not _NAME.fullmatch(name) or not path.is_file():
            raise InputError("This trail was saved or thrown away already; begin another one.")
        try:
            return draft_from_json(json.loads(path.read_bytes()))
        except (ValueError, RecursionError) as error:
            raise InputError(f"{path} can't be read ({error}); begin another trail.") from error

    def standing(self, name: str) -> Standing:
        """The name of a draft -> the draft, and the page where it stands."""
        draft = self.draft(name)
        return Standing(draft, self._here(name, draft))

    def dead_links(self, name: str, draft: TrailDraft, urls: Sequence[str]) -> dict[str, str]:
        """URLs of links of the page where a draft stands -> those that can't be followed, with the reason: beside an archive nothing is fetched."""
        if draft.live:
            return {}
        at_hand = self.pages.at_hand(list(dict.fromkeys(urls)), seen=self._seen(name))
        return {url: "not in the archive" for url in urls if url not in at_hand}

    def follow(self, name: str, version: int, choose: Callable[[Response], ClickedLink | None]) -> TrailDraft:
        """Click a link of the page where the draft stood when it had that version; `choose` finds it on the page."""
        with self._lock(name):
            draft = self.draft(name)
            link = choose(self._here(name, draft)) if draft.version == version else None
            if link is None:
                raise InputError(_CHANGED)
            response = self._good(link.url, live=draft.live, seen=self._seen(name))
            changed = trail_draft.follow(draft, response.url, link.anchor, self._title(response))
            self._write(name, changed)
            return changed

    def change(self, name: str, how: Callable[[TrailDraft], TrailDraft]) -> TrailDraft:
        """Undo, go back, name a page."""
        with self._lock(name):
            changed = how(self.draft(name))
            self._write(name, changed)
            return changed

    def save(self, name: str, outcome: Outcome, label: str | None = None) -> TeachReport:
        """Teach the trail that ends where the draft stands. The draft goes one page back: the next goal is most often there."""
        with self._lock(name):
            draft = self.draft(name)
            report = self._teach(name, [trail_draft.finish(draft, outcome, label)])
            self._write(name, trail_draft.undo(draft))
            return report

    def save_links(
        self,
        name: str,
        choose: Callable[[Response], Sequence[ClickedLink]],
        outcome: Outcome,
        label: str | None = None,
    ) -> TeachReport:
        """Teach one trail for each of the links that `choose` finds on the page where the draft stands."""
        draft, response = self.standing(name)
        links = choose(response)
        if not 0 < len(links) <= MOST_AT_ONCE:
            raise InputError(f"Tick between 1 and {MOST_AT_ONCE} links.")
        missing = self.pages.pages([link.url for link in links], live=draft.live, seen=self._seen(name))
        good = [link for link in links if link.url not in missing]
        if not good:
            raise FetchError(next(iter(missing.values())))
        report = self._teach(name, trail_draft.finish_all(draft, good, outcome, label))
        left_out = [
            Problem(link.url, at, missing[link.url].rstrip("."))
            for at, link in enumerate(links, 1)
            if link.url in missing
        ]
        return replace(report, problems=(*report.problems, *left_out))

    def forget(self, name: str) -> None:
        """Throw a draft away; what was saved stays."""
        self.draft(name)
        for path in (self.folder / name).iterdir():
            path.unlink()
        (self.folder / name).rmdir()

    def teach(self, trails: Sequence[Trail], *, source: str) -> TeachReport:
        """Trails that came from elsewhere, a recorder for example -> what was kept; their pages are archived ones or are fetched."""
        return self.teach_lesson(clicked_lesson(trails, source))

    def teach_recording(self, text: str, source: str, label: str | None = None) -> TeachReport:
        """The text of a browser's recording or of a trails file -> what was kept of it, in the same way."""
        return self.teach_lesson(read_lesson(text, source, label))

    def teach_lesson(self, lesson: Lesson) -> TeachReport:
        """Each trail with pages from where its site is browsed: the archives where they have it, else the network."""
        live = {site for site in {sourced.trail.site for sourced in lesson.trails} if self.pages.may_go_live(site)}
        fetched = tuple(sourced for sourced in lesson.trails if sourced.trail.site in live)
        archived = tuple(sourced for sourced in lesson.trails if sourced.trail.site not in live)
        with Workspace.open(self.workspace, who="app") as workspace:
            reports = [
                teach_lessons(workspace, [part], archives)
                for part, archives in (
                    (replace(lesson, trails=archived), self.pages.archives),
                    (replace(lesson, trails=fetched, problems=()), []),
                )
                if part.trails or part.problems
            ]
        return joined(reports)

    def _teach(self, name: str, trails: Sequence[Trail]) -> TeachReport:
        """As `trailmark teach` would, with the pages as the person saw them."""
        seen = self._seen(name)
        archives = [*self.pages.archives, *([seen] if seen.exists() else [])]
        with Workspace.open(self.workspace, who="app") as workspace:
            return teach_lessons(workspace, [clicked_lesson(trails, CLICKED)], archives)

    def _lock(self, name: str) -> threading.Lock:
        return self._locks[hash(name) % LOCKS]

    def _here(self, name: str, draft: TrailDraft) -> Response:
        return self.pages.page(draft.here.url, live=draft.live, seen=self._seen(name))

    def _good(self, url: str, *, live: bool, seen: Path) -> Response:
        response = self.pages.page(url, live=live, seen=seen)
        if response.status != 200:
            raise FetchError(f"{response.url} can't be shown: it answers {response.status}.")
        return response

    def _title(self, response: Response) -> str:
        return read_page(response, settings_in(self.workspace).read).title

    def _seen(self, name: str) -> Path:
        return self.folder / name / "pages.warc.gz"

    def _write(self, name: str, draft: TrailDraft) -> None:
        with written_whole(self.folder / name / "draft.json") as file:
            file.write(json_text(draft_to_json(draft)).encode())


def _changed_at(file: Path) -> float:
    """When a file was changed; long ago where it was thrown away just now."""
    try:
        return file.stat().st_mtime
    except OSError:
        return 0.0
