"""A workspace on disk, one short method per verb: wiring only, the work is done in the rooms.

DIR/trailmark.toml   settings, every key explained
DIR/trailmark.db     SQLite: trails, steps, annotations, pages, records
DIR/archive/         *.warc.gz: every page that was fetched or taken from an archive
DIR/models/          what was learnt
DIR/logs/            what happened
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from trailmark.datatypes import Page, Response, Trail
from trailmark.errors import InputError, NotAWorkspace, SettingsError, WorkspaceError
from trailmark.forage.breadth import Breadth
from trailmark.forage.own_strategy import HOW_TO, is_own, own_strategy, problem_of
from trailmark.forage.seeds import read_seeds
from trailmark.learn.choice import ExampleSource, choose
from trailmark.learn.example import Example, make_examples
from trailmark.learn.label_space import GOAL, common_goal
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.navigator_file import navigator_from_bytes, navigator_to_bytes
from trailmark.learn.picture import navigator_svg
from trailmark.learn.recipe import learn_recipe
from trailmark.learn.report import learn_report
from trailmark.progress import Progress, silent
from trailmark.quoting import json_text
from trailmark.read import read_page
from trailmark.settings import Settings, commented_toml, parse_settings, with_setting
from trailmark.store.archive import archives_in
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.database import Database
from trailmark.store.json_lines import written_whole
from trailmark.store.page_table import stored_page
from trailmark.store.replay import Replay
from trailmark.store.schema import MIGRATIONS
from trailmark.strategy import Strategy
from trailmark.teach import Problem, find_link, parse_annotations
from trailmark.verbs.cluster import cluster_archives
from trailmark.verbs.forage_run import Errand, ForageRun, Watch
from trailmark.verbs.strategies import STRATEGIES, make_strategy
from trailmark.verbs.teach import Told, keep_trails, lines_of, nothing_in, teach_report, told_in

_log = logging.getLogger(__name__)
SETTINGS_FILE, DATABASE_FILE = "trailmark.toml", "trailmark.db"
FOLDERS = ("archive", "models", "logs")
ARCHIVES_KEY = "archives"
"""Archives outside the workspace whose pages were clustered."""


class Workspace:
    """An open workspace; close it, or use it in a `with` block."""

    def __init__(self, folder: Path, settings: Settings, database: Database) -> None:
        self.folder, self.settings, self.database = folder, settings, database

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A new workspace in a new or empty folder."""
        if folder.is_dir() and any(folder.iterdir()):
            already = "is a workspace already" if (folder / SETTINGS_FILE).exists() else "is not empty"
            raise WorkspaceError(f"{folder} {already}; choose another folder for the new workspace.")
        if folder.exists() and not folder.is_dir():
            raise WorkspaceError(f"{folder} is a file; choose another folder for the new workspace.")
        for name in FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
        Database.open(folder / DATABASE_FILE).close()
        (folder / SETTINGS_FILE).write_text(commented_toml(), encoding="utf-8")
        return cls.open(folder)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """An existing workspace; its settings are checked, its schema is brought up to date."""
        if not (folder / SETTINGS_FILE).is_file() or not (folder / DATABASE_FILE).is_file():
            raise NotAWorkspace(
                f"{folder} is not a Trailmark workspace; name one with -w DIR, or make one with: trailmark init DIR"
            )
        settings = settings_in(folder)
        return cls(folder, settings, Database.open(folder / DATABASE_FILE, timeout=settings.store.busy_timeout))

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def archive_folder(self) -> Path:
        return self.folder / "archive"

    def replay(self, archives: Sequence[Path] = ()) -> Replay:
        """Answers from the workspace's own archives and from those given; the ones given win."""
        own = archives_in(self.archive_folder)
        return Replay(
            [*own, *archives],
            index=self.archive_folder / "index.db",
            max_redirects=self.settings.forage.max_redirects,
            settings=self.settings.store,
        )

    def keep_page(self, url: str, response: Response, writer: ArchiveWriter) -> None:
        """Archive a response and note where it rests; `url` is what was asked for."""
        path, offset = writer.write(response)
        self.database.add_page(stored_page(url, response, path.name, offset))

    # --- verbs ---------------------------------------------------------------------------------------------------

    def teach(
        self,
        files: Sequence[Path],
        archives: Sequence[Path] = (),
        *,
        label: str | None = None,
        progress: Progress = silent,
    ) -> dict[str, Any]:
        """Import trails files and browsers' recordings; `label` names the last page of a recording."""
        read = [told_in(file, label) for file in files]
        told = [each for told, _, _ in read for each in told]
        problems = [problem for _, bad, _ in read for problem in bad]
        supplied = [response for _, _, responses in read for response in responses]
        new, known, bad = keep_trails(self, told, archives, progress, supplied)
        sites = sorted({each.trail.site for each in told})
        return teach_report("trails", new, known, problems + bad, sites=sites)

    def teach_trails(
        self, trails: Sequence[Trail], archives: Sequence[Path] = (), *, source: str, progress: Progress = silent
    ) -> dict[str, Any]:
        """Keep trails that were clicked just now; `source` says where, and problems count them from 1."""
        told = [Told(source, number, trail) for number, trail in enumerate(trails, 1)]
        new, known, bad = keep_trails(self, told, archives, progress)
        return teach_report("trails", new, known, bad, sites=sorted({trail.site for trail in trails}))

    def teach_annotations(self, files: Sequence[Path]) -> dict[str, Any]:
        """Import marked values."""
        new = total = 0
        problems: list[Problem] = []
        with self.database.transaction():
            for file in files:
                good, bad = parse_annotations(lines_of(file), str(file))
                problems += bad or nothing_in(file, good)
                total += len(good)
                new += self.database.add_annotations([annotation for _, annotation in good], source=file.name)
        return teach_report("annotations", new, total - new, problems)

    def learn(
        self, goal: str | None = None, *, choose_recipe: bool = True, progress: Progress = silent
    ) -> dict[str, Any]:
        """Trails -> navigator, kept in models/: chooses how to learn by cross-validation, and says what it picked and why."""
        trails = list(self.database.trails(goal))
        if not trails:
            wanted = f" that end in '{goal}'" if goal else ""
            raise InputError(
                f"There are no trails{wanted} in {self.folder}; teach some first: trailmark teach TRAILS.jsonl"
            )
        with self.replay() as replay:
            source = self._examples(trails, replay)
            recipe = learn_recipe(self.settings.learn)
            choice = choose(source, recipe, progress=progress) if choose_recipe and len(trails) > 3 else None
            recipe = choice.recipe if choice else recipe
            examples = source(recipe.page_tokens, recipe.window)
        navigator = make_navigator(examples, recipe, goal=goal or common_goal(trails))
        report = learn_report(navigator, examples, choice)
        _log.info(
            "learnt the way to '%s' from %d trails: %s", report["goal"], len(trails), "; ".join(report["reasons"])
        )
        with written_whole(self.navigator_file) as file:
            file.write(navigator_to_bytes(navigator))
        with written_whole(self.navigator_file.with_suffix(".svg")) as file:
            file.write(navigator_svg(navigator).encode())
        last = self.navigator_file.with_suffix(".json")
        if last.exists():  # so that what changed can be shown
            last.replace(last.with_suffix(".before.json"))
        with written_whole(last) as file:
            file.write(json_text(report, indent=1).encode())
        return report

    @property
    def navigator_file(self) -> Path:
        return self.folder / "models" / "navigator.npz"

    def navigator(self) -> Navigator:
        """What was learnt last."""
        if not self.navigator_file.exists():
            raise InputError(f"Nothing was learnt yet in {self.folder}; learn first with: trailmark learn")
        return navigator_from_bytes(self.navigator_file.read_bytes(), source=str(self.navigator_file))

    def _examples(self, trails: list[Trail], replay: Replay) -> ExampleSource:
        read = replace(self.settings.read, page_tokens=-1)

        @cache
        def page(url: str) -> Page:
            return read_page(replay.fetch(url), read)

        @cache
        def examples(page_tokens: int, window: int) -> list[Example]:
            return make_examples(trails, page, find_link, page_tokens=page_tokens, window=window)

        return examples

    def forage(
        self,
        urls: Sequence[str] = (),
        seed_files: Sequence[Path] = (),
        *,
        archives: Sequence[Path] = (),
        strategy: str | Strategy = "path",
        log: Path | None = None,
        again: bool = False,
        picture: Path | None = None,
        watch: Watch | None = None,
    ) -> dict[str, Any]:
        """Seeds -> pages: walk sites best-first; begun anew, or taken up where an earlier run of the same was left.

        `strategy` is a name, `package.module:Class`, or an object that is a strategy itself.
        """
        files = [(str(file), lines_of(file)) for file in seed_files]
        seeds, bad = read_seeds(urls, files, self.settings.forage.scope)
        chosen, model = self.strategy(strategy)
        errand = Errand(seeds, chosen, model, archives, log, again, picture)
        report = ForageRun(self.folder, self.database, self.settings, errand, watch).run()
        return {**report, "bad_seeds": [{"file": b.source, "line": b.line, "reason": b.reason} for b in bad]}

    def strategy(self, name: str | Strategy) -> tuple[Strategy, str]:
        """A strategy by its name, or one of the caller's own as it is, with a digest of what was learnt."""
        learnt = self.navigator_file.exists()
        digest = hashlib.blake2b(self.navigator_file.read_bytes(), digest_size=8).hexdigest() if learnt else ""
        if not isinstance(name, str) or is_own(name):
            return self._own_strategy(name), digest
        if name == "breadth":
            return Breadth(self.navigator() if learnt else None), digest
        navigator = self.navigator()
        trails = list(self.database.trails(None if navigator.goal_name == GOAL else navigator.goal_name))
        read = replace(self.settings.read, page_tokens=-1)
        with self.replay() as replay:
            page = cache(lambda url: read_page(replay.fetch(url), read))
            chosen = make_strategy(
                name,
                trails,
                page,
                lambda: self._examples(trails, replay)(navigator.recipe.page_tokens, navigator.recipe.window),
                final_url=lambda url: replay.fetch(url).url if url in replay else url,
                goal=navigator.goal_name,
                recipe=navigator.recipe,
                navigator=navigator,
            )
        return chosen, digest

    def _own_strategy(self, given: str | Strategy) -> Strategy:
        strategy = own_strategy(given, self.navigator) if isinstance(given, str) else given
        problem = problem_of(strategy)
        if not problem and strategy.name in STRATEGIES:
            problem = (
                f"its name '{strategy.name}' is that of another strategy, so their runs would be taken for each other"
            )
        if problem:
            raise InputError(f"{given!r} can't be a strategy: {problem}; {HOW_TO}.")
        return strategy

    def cluster(
        self, archives: Sequence[Path] = (), *, again: bool = False, progress: Progress = silent
    ) -> dict[str, Any]:
        """Pages of the archives, else of the workspace's own, -> clusters by template, with the pages worth annotating."""
        sources = archives or archives_in(self.archive_folder)
        # Rules are learnt from these pages later: where they rest is remembered.
        known = json.loads(self.database.meta(ARCHIVES_KEY) or "[]")
        paths = dict.fromkeys([*known, *(str(path.resolve()) for path in archives)])
        self.database.set_meta(ARCHIVES_KEY, json.dumps(list(paths)))
        return cluster_archives(sources, self.settings, self.database, again=again, progress=progress)

    def status(self) -> dict[str, Any]:
        """What the workspace holds, and what to do next."""
        counts = self.database.counts()
        labels = Counter(step.label for trail in self.database.trails() for step in trail.steps if step.label)
        return {
            "workspace": str(self.folder),
            "schema": len(MIGRATIONS),
            "counts": counts,
            "labels": dict(labels.most_common()),
            "next": _next_step(counts),
        }


def cluster_loose_archives(archives: Sequence[Path], *, progress: Progress = silent) -> dict[str, Any]:
    """Cluster archives outside a workspace; nothing is kept."""
    return cluster_archives(archives, Settings(), None, again=True, progress=progress)


def settings_in(folder: Path) -> Settings:
    """The settings of the workspace in a folder; the defaults where there is none."""
    file = folder / SETTINGS_FILE
    if not file.is_file():
        return Settings()
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError(f"{file} is not UTF-8 text; save it as UTF-8.") from error
    return parse_settings(text, source=str(file))


def change_setting(folder: Path, table: str, key: str, value: Any) -> None:
    """Write one setting into the workspace's trailmark.toml; the rest of the file stays as it is."""
    file = folder / SETTINGS_FILE
    settings_in(folder)
    text = with_setting(file.read_text(encoding="utf-8-sig"), table, key, value, source=str(file))
    with written_whole(file) as changed:
        changed.write(text.encode())


def _next_step(counts: dict[str, int]) -> str:
    if not counts.get("trails"):
        return "Next: show it the way with trailmark teach TRAILS.jsonl (the format is in docs/reference/formats.md)."
    return f"It knows {counts['trails']} trails. Next: trailmark learn."
