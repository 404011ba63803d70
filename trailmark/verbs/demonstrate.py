"""The wiring of showing the way by clicking: a draft in the workspace, its pages beside it, and the trails it ends in.

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
from pathlib import Path
from typing import Any

from trailmark.datatypes import Outcome, Response, Trail
from trailmark.errors import FetchError, InputError
from trailmark.quoting import json_text
from trailmark.read import read_page
from trailmark.store.json_lines import written_whole
from trailmark.teach import trail_draft
from trailmark.teach.trail_draft import TrailDraft, draft_from_json, draft_to_json
from trailmark.verbs.browse import PageSource
from trailmark.verbs.teach import teach_trails
from trailmark.workspace import Workspace, settings_in

SOURCE = "clicked in the app"
MOST_AT_ONCE = 100
"""Links of a list page that are taught in one go."""
_NAME = re.compile(r"[\w-]{1,40}", re.ASCII)


class Demonstrations:
    """The drafts of a workspace."""

    def __init__(self, folder: Path, pages: PageSource) -> None:
        self.workspace, self.pages = folder, pages
        self.folder = folder / "serve" / "teach"
        self._lock = threading.Lock()

    def begin(self, url: str) -> str:
        """Begin at the first page of a site; returns the name of the draft."""
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

    def drafts(self) -> list[tuple[str, TrailDraft]]:
        """Drafts that wait to be gone on with, the latest first."""
        files = sorted(self.folder.glob("*/draft.json"), key=lambda path: -path.stat().st_mtime)
        return [(file.parent.name, self.draft(file.parent.name)) for file in files]

    def draft(self, name: str) -> TrailDraft:
        path = self.folder / name / "draft.json"
        if not _NAME.fullmatch(name) or not path.is_file():
            raise InputError("This trail was saved or thrown away already; begin another one.")
        try:
            return draft_from_json(json.loads(path.read_bytes()))
        except ValueError as error:
            raise InputError(f"{path} can't be read ({error}); begin another trail.") from error

    def response(self, name: str) -> Response:
        """The page where a draft stands."""
        draft = self.draft(name)
        return self.pages.page(draft.here.url, live=draft.live, seen=self._seen(name))

    def follow(self, name: str, version: int, url: str, anchor: str) -> TrailDraft:
        """Click a link of the page where the draft stood when it had that version."""
        with self._lock:
            draft = self.draft(name)
            if draft.version != version:
                raise InputError("The trail has changed since that page was shown; here is how it stands now.")
            response = self._good(url, live=draft.live, seen=self._seen(name))
            changed = trail_draft.follow(draft, response.url, anchor, self._title(response))
            self._write(name, changed)
            return changed

    def change(self, name: str, how: Callable[[TrailDraft], TrailDraft]) -> TrailDraft:
        """Undo, go back, name a page."""
        with self._lock:
            changed = how(self.draft(name))
            self._write(name, changed)
            return changed

    def save(self, name: str, outcome: Outcome, label: str | None = None) -> dict[str, Any]:
        """Teach the trail that ends where the draft stands; the draft stays, for the next one on this site."""
        return self._teach(name, [trail_draft.finish(self.draft(name), outcome, label)])

    def save_links(
        self, name: str, links: Sequence[tuple[str, str]], outcome: Outcome, label: str | None = None
    ) -> dict[str, Any]:
        """Teach one trail for each of these links (URL, anchor) of the page where the draft stands."""
        if not 0 < len(links) <= MOST_AT_ONCE:
            raise InputError(f"Tick between 1 and {MOST_AT_ONCE} links.")
        draft = self.draft(name)
        missing = self.pages.pages([url for url, _ in links], live=draft.live, seen=self._seen(name))
        good = [link for link in links if link[0] not in missing]
        if not good:
            raise FetchError(next(iter(missing.values())))
        return self._teach(name, trail_draft.finish_all(draft, good, outcome, label))

    def forget(self, name: str) -> None:
        """Throw a draft away; what was saved stays."""
        self.draft(name)
        for path in (self.folder / name).iterdir():
            path.unlink()
        (self.folder / name).rmdir()

    def teach(self, trails: Sequence[Trail], *, source: str) -> dict[str, Any]:
        """Trails that came from elsewhere, a recorder for example: their pages are archived ones or are fetched."""
        live = [trail for trail in trails if self.pages.may_go_live(trail.site)]
        archived = [trail for trail in trails if trail not in live]
        with Workspace.open(self.workspace) as workspace:
            reports = [
                teach_trails(workspace, some, archives, source=source)
                for some, archives in ((archived, self.pages.archives), (live, []))
                if some
            ]
        return reports[0] if len(reports) == 1 else _both(*reports)

    def _teach(self, name: str, trails: Sequence[Trail]) -> dict[str, Any]:
        """As `trailmark teach` would, with the pages as the person saw them."""
        seen = self._seen(name)
        archives = [*self.pages.archives, *([seen] if seen.exists() else [])]
        with Workspace.open(self.workspace) as workspace:
            return teach_trails(workspace, trails, archives, source=SOURCE)

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


def _both(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two reports of teaching as one."""
    added: dict[str, Any] = {key: one[key] + other[key] for key in one if key != "summary"}
    return {**added, "summary": f"{one['summary']} {other['summary']}"}
