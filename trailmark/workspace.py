"""A workspace on disk: opens what rests in its folder and hands it out. What is done with it is done by the verbs.

DIR/trailmark.toml   settings, every key explained
DIR/trailmark.db     SQLite: trails, steps, annotations, pages, records
DIR/archive/         *.warc.gz: every page that was fetched or taken from an archive
DIR/models/          what was learnt: a navigator for each goal, the rules
DIR/logs/            what happened
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from trailmark.cluster import KnownCluster, Template
from trailmark.datatypes import Response
from trailmark.errors import InputError, NotAWorkspace, SettingsError, WorkspaceError
from trailmark.learn.navigator import Navigator
from trailmark.learn.navigator_file import navigator_from_bytes
from trailmark.quoting import json_text, terminal_text
from trailmark.settings import Settings, commented_toml, parse_settings, with_setting
from trailmark.store.act_table import ActTable
from trailmark.store.archive import archives_in
from trailmark.store.archive_names import path_named
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.cluster_table import read_clusters
from trailmark.store.content_digest import content_digest
from trailmark.store.database import Database
from trailmark.store.forgotten_table import read_forgotten_rules, remember_rules
from trailmark.store.goal_files import GoalFiles
from trailmark.store.json_lines import written_whole
from trailmark.store.live_files import note_database
from trailmark.store.page_table import stored_page
from trailmark.store.replay import Replay
from trailmark.wrap import RuleSet, rules_from_json, rules_to_json

SETTINGS_FILE, DATABASE_FILE = "trailmark.toml", "trailmark.db"
FOLDERS = ("archive", "models", "logs")
_ARCHIVES_KEY, _TAUGHT_KEY = "archives", "taught archives"
MOST_SHOWN, LONGEST_SHOWN = 12, 60
"""Goals that a sentence names, and letters of each."""


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
    def open(cls, folder: Path, *, who: str = "a program") -> Self:
        """An existing workspace; its settings are checked, its schema is brought up to date. `who` stands in the journal of what is done."""
        if not (folder / SETTINGS_FILE).is_file() or not (folder / DATABASE_FILE).is_file():
            raise NotAWorkspace(
                f"{folder} is not a Trailmark workspace; name one with -w DIR, or make one with: trailmark init DIR"
            )
        settings = settings_in(folder)
        note_database(folder / "archive" / "index.db")
        database = Database.open(folder / DATABASE_FILE, timeout=settings.store.busy_timeout)
        database.who = who
        return cls(folder, settings, database)

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def acts(self) -> ActTable:
        """The journal: what people did, and what is needed to take it back."""
        return ActTable(self.database)

    # --- pages ---------------------------------------------------------------------------------------------------

    @property
    def archive_folder(self) -> Path:
        return self.folder / "archive"

    def archives(self) -> list[Path]:
        """Every archive whose pages the workspace knows: its own, then those outside that were clustered and are still there."""
        return [*archives_in(self.archive_folder), *(path for path in self._outside_archives() if path.exists())]

    def remember_archives(self, archives: Sequence[Path]) -> None:
        """Note archives outside the workspace, so that later verbs find their pages."""
        paths = dict.fromkeys([*self._outside_archives(), *(path.resolve() for path in archives)])
        self.database.set_meta(_ARCHIVES_KEY, json.dumps([str(path) for path in paths]))

    def remember_taught(self, archives: Sequence[Path]) -> None:
        """Note archives that were named in teaching; those that are gone are forgotten."""
        known = self.taught_archives()
        paths = list(dict.fromkeys([*known, *(path.resolve() for path in archives if path.exists())]))
        if paths != known:
            self.database.set_meta(_TAUGHT_KEY, json.dumps([str(path) for path in paths]))

    def taught_archives(self) -> list[Path]:
        """The archives that were named in teaching and are still there: they hold more of the taught sites than what trails lead over."""
        return [path for path in self._paths(_TAUGHT_KEY) if path.exists()]

    def _outside_archives(self) -> list[Path]:
        return self._paths(_ARCHIVES_KEY)

    def _paths(self, key: str) -> list[Path]:
        return [path_named(path) for path in json.loads(self.database.meta(key) or "[]")]

    def replay(self, archives: Sequence[Path] = (), *, all_known: bool = False) -> Replay:
        """Answers from the workspace's own archives and from those given; the ones given win. `all_known` adds `archives()`."""
        outside = [path for path in self._outside_archives() if path.exists()] if all_known else []
        return replay_in(self.folder, self.settings, [*outside, *archives])

    def keep_page(self, url: str, response: Response, writer: ArchiveWriter) -> None:
        """Archive a response and note where it rests; `url` is what was asked for."""
        path, offset = writer.write(response)
        self.database.add_page(stored_page(url, response, path.name, offset))

    # --- what was learnt -----------------------------------------------------------------------------------------

    @property
    def goal_files(self) -> GoalFiles:
        """The files of what was learnt of each goal."""
        return GoalFiles(self.folder / "models")

    def goals(self) -> list[str]:
        """The goals that were learnt, by name."""
        return self.goal_files.goals()

    def navigator(self, goal: str | None = None) -> Navigator:
        """What was learnt of a goal; it need not be named where it is the only one."""
        file = self.goal_files.file(self.only_goal(goal))
        return navigator_from_bytes(file.read_bytes(), source=str(file))

    def navigators(self) -> list[Navigator]:
        """What was learnt of every goal, by name."""
        return [self.navigator(goal) for goal in self.goals()]

    def only_goal(self, goal: str | None = None) -> str:
        """The goal that was named, or the only one that was learnt; raises InputError where that is none, or not clear."""
        goals = self.goals()
        if not goals:
            raise InputError(f"Nothing was learnt yet in {self.folder}; learn first with: trailmark learn")
        if goal is None and len(goals) > 1:
            raise InputError(
                f"Several goals were learnt in {self.folder}: {names_of(goals)}; say which with --goal NAME."
            )
        if goal is not None and goal not in goals:
            raise InputError(
                f"The goal {names_of([goal])} was not learnt in {self.folder}, but {names_of(goals)}; "
                "choose one of these, or teach it and learn again: trailmark learn"
            )
        return goals[0] if goal is None else goal

    def clusters(self, *, with_pages: bool = True) -> list[KnownCluster]:
        """The clusters with their templates, by site, the largest first. Reading never waits for a writer."""
        with self.database.snapshot() as connection:
            rows = read_clusters(connection, with_pages=with_pages)
            return [KnownCluster(cluster, Template.from_json(template)) for cluster, template in rows]

    @property
    def rules_file(self) -> Path:
        return self.folder / "models" / "rules.json"

    def has_rules(self) -> bool:
        """Whether rules were learnt."""
        return self.rules_file.exists()

    def _all_rules(self) -> dict[str, RuleSet]:
        if not self.has_rules():
            raise InputError(f"No rules were learnt yet in {self.folder}; learn some first: trailmark wrap")
        try:
            entries = list(json.loads(self.rules_file.read_text(encoding="utf-8"))["rules"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(
                f"{self.rules_file} can't be read as rules ({error}): learn again: trailmark wrap"
            ) from error
        sets = [rules_from_json(entry, source=str(self.rules_file)) for entry in entries]
        return {rules.id: rules for rules in sets}

    def rules(self) -> dict[str, RuleSet]:
        """The rules that were learnt and not taken back, by cluster."""
        forgotten = self._forgotten_rules()
        every = self._all_rules()
        return {
            name: rules
            for name, rules in every.items()
            if name not in forgotten or forgotten[name] != rule_digest(rules)
        }

    def _forgotten_rules(self) -> dict[str, str]:
        with self.database.plain_errors():
            return read_forgotten_rules(self.database.connection)

    def keep_rules(self, rules: Sequence[RuleSet]) -> None:
        """Put these rules in place of all that were there; those that were taken back wait on, unless their cluster has others now."""
        names = {rule_set.id for rule_set in rules}
        waiting = self._forgotten_rules() if self.has_rules() else {}
        back = [
            rule_set
            for name, rule_set in (self._all_rules() if waiting else {}).items()
            if name in waiting and name not in names
        ]
        with written_whole(self.rules_file) as file:
            entries = [rules_to_json(rule_set) for rule_set in (*rules, *back)]
            text = json_text({"format": 1, "rules": entries}, indent=1)
            file.write(text.encode("utf-8", "backslashreplace"))
        if names & set(waiting):
            with self.database.transaction() as connection:
                remember_rules(connection, names)


def rule_digest(rules: RuleSet) -> str:
    """Rules -> what tells them from others of the same cluster."""
    return content_digest(rules_to_json(rules))


def names_of(goals: Sequence[str]) -> str:
    """The names of goals as a sentence has them: quoted, long ones cut, of many the first few."""
    shown = [f"'{terminal_text(goal[:LONGEST_SHOWN])}{'...' if len(goal) > LONGEST_SHOWN else ''}'" for goal in goals]
    more = len(shown) - MOST_SHOWN
    return ", ".join(shown[:MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def create(folder: str | Path) -> Workspace:
    """A new workspace in a new or empty folder, opened."""
    return Workspace.create(Path(folder))


def open(folder: str | Path) -> Workspace:  # noqa: A001 - trailmark.open("my-project") says it best
    """An existing workspace."""
    return Workspace.open(Path(folder))


def replay_in(folder: Path, settings: Settings, archives: Sequence[Path] = ()) -> Replay:
    """A workspace's folder -> answers from its own archives and from those given, which win. Its database is not opened."""
    own = folder / "archive"
    return Replay(
        [*archives_in(own), *archives],
        index=own / "index.db",
        max_redirects=settings.forage.max_redirects,
        settings=settings.store,
    )


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
    change_settings(folder, {(table, key): value})


def change_settings(folder: Path, changes: Mapping[tuple[str, str], Any]) -> None:
    """Write settings, by table and key, into the workspace's trailmark.toml: all of them, or none where one is not valid.

    The rest of the file stays as it is, comments too; what has that value already is not written.
    """
    file = folder / SETTINGS_FILE
    known = settings_in(folder)
    text = file.read_text(encoding="utf-8-sig")
    for (table, key), value in changes.items():
        if getattr(getattr(known, table), key) != value:
            text = with_setting(text, table, key, value, source=str(file))
    with written_whole(file) as changed:
        changed.write(text.encode())
