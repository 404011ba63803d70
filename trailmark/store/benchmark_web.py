"""A folder of benchmark webs: archives with labels and trails, listed in `webs.json`.

For each web NAME: `NAME.warc.gz`, `NAME.labels.csv` (`url,label,source`) and, for each goal, `NAME.trails.GOAL.jsonl`.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.datatypes import Response, Trail
from trailmark.errors import InputError
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.store.json_lines import read_trails, trail_to_json, write_json_lines, written_whole

LIST_NAME = "webs.json"
WRITTEN_DATE = "2000-01-01T00:00:00Z"
"""Date of the records of a generated web: the same web is the same bytes whenever it is written."""


@dataclass(frozen=True, slots=True)
class BenchmarkWeb:
    """One web of the folder: where its files are, and its roots."""

    name: str
    roots: tuple[str, ...]
    archive: Path
    labels_path: Path
    goals: Mapping[str, Path]
    """Trails file of each goal."""
    pages: int = 0
    reachable: Mapping[str, int] | None = None
    """Goal pages that a crawl from the roots can reach, for each goal, where the folder says so."""

    def labels(self) -> dict[str, str]:
        """Label of each labelled page, by URL."""
        return {url: label for url, label, _ in _label_rows(self.labels_path)}

    def trails(self, goal: str) -> tuple[Trail, ...]:
        """The trails of a goal."""
        if goal not in self.goals:
            raise InputError(f"The web '{self.name}' has no goal '{goal}': choose one of {', '.join(self.goals)}.")
        return tuple(read_trails(self.goals[goal]))


def read_webs(folder: Path | str) -> tuple[BenchmarkWeb, ...]:
    """The webs listed in the folder's webs.json; InputError names the file and what is wrong with it."""
    path = Path(folder) / LIST_NAME
    try:
        entries = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} can't be read ({error.strerror}): give a folder of benchmark webs.") from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not valid JSON ({error}): mend or replace it.") from error
    if not isinstance(entries, list):
        raise InputError(f"{path} must hold a list of webs: mend or replace it.")
    return tuple(_web(path, number, entry) for number, entry in enumerate(entries, start=1))


def write_web(
    folder: Path | str,
    *,
    name: str,
    roots: Sequence[str],
    responses: Iterable[Response],
    labels: Mapping[str, str],
    trails_by_goal: Mapping[str, Sequence[Trail]],
    source: str,
    note: str = "",
    reachable: Mapping[str, int] | None = None,
) -> BenchmarkWeb:
    """Write the files of one web and list it in webs.json, in place of an earlier web of that name.

    Where `reachable` does not say how many pages of a goal a crawl can reach, all pages with its label are counted.
    """
    folder = Path(folder)
    if not re.fullmatch(r"\w[\w.-]*", name):
        raise InputError(f"'{name}' can't name a web: use letters, digits, '-' and '_'.")
    folder.mkdir(parents=True, exist_ok=True)
    pages = _write_archive(folder / f"{name}.warc.gz", responses)
    _write_labels(folder / f"{name}.labels.csv", labels, source)
    goals: dict[str, Any] = {}
    for goal, trails in trails_by_goal.items():
        trails_name = f"{name}.trails.{goal}.jsonl"
        write_json_lines(folder / trails_name, map(trail_to_json, trails))
        positives = sum(trail.outcome == "goal" for trail in trails)
        goals[goal] = {
            "pages_reachable": (reachable or {}).get(goal, sum(label == goal for label in labels.values())),
            "trails": trails_name,
            "positives": positives,
            "negatives": len(trails) - positives,
        }
    entry: dict[str, Any] = {"name": name, "root": roots[0]} if len(roots) == 1 else {"name": name, "roots": [*roots]}
    entry |= {"archive": f"{name}.warc.gz", "labels": f"{name}.labels.csv", "pages": pages, "goals": goals}
    _list_web(folder / LIST_NAME, entry | {"source": source, "note": note})
    return next(web for web in read_webs(folder) if web.name == name)


def _write_archive(path: Path, responses: Iterable[Response]) -> int:
    """Number of pages written; redirects and errors are written too, but not counted."""
    path.unlink(missing_ok=True)
    pages = 0
    with ArchiveWriter(path, date=WRITTEN_DATE) as writer:
        for response in responses:
            writer.write(response)
            pages += response.status == 200
    return pages


def _write_labels(path: Path, labels: Mapping[str, str], source: str) -> None:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(("url", "label", "source"))
    rows.writerows((url, label, source) for url, label in labels.items())
    with written_whole(path) as file:
        file.write(text.getvalue().encode())


def _list_web(path: Path, entry: dict[str, Any]) -> None:
    entries = json.loads(path.read_bytes()) if path.exists() else []
    entries = [other for other in entries if other.get("name") != entry["name"]] + [entry]
    with written_whole(path) as file:
        file.write(json.dumps(entries, indent=1, ensure_ascii=False).encode() + b"\n")


def _web(path: Path, number: int, entry: Any) -> BenchmarkWeb:
    try:
        goals = entry.get("goals") or {}
        web = BenchmarkWeb(
            name=str(entry["name"]),
            roots=tuple(entry.get("roots") or ([entry["root"]] if entry.get("root") else [])),
            archive=path.parent / entry["archive"],
            labels_path=path.parent / entry["labels"],
            goals={goal: path.parent / listed["trails"] for goal, listed in goals.items()},
            pages=int(entry.get("pages") or 0),
            reachable={
                goal: int(listed["pages_reachable"]) for goal, listed in goals.items() if "pages_reachable" in listed
            },
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise InputError(f"{path}: web {number} lacks or garbles {error}: mend or replace it.") from error
    for file in (web.archive, web.labels_path, *web.goals.values()):
        if not file.is_file():
            raise InputError(f"{path}: web '{web.name}' names {file}, which is not there: restore the file.")
    return web


def _label_rows(path: Path) -> Iterator[tuple[str, str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            if next(rows, None) != ["url", "label", "source"]:
                raise InputError(f"{path}:1: the header must be 'url,label,source'.")
            for row in rows:
                if len(row) != 3:
                    raise InputError(f"{path}:{rows.line_num}: a row must have a url, a label and a source.")
                yield row[0], row[1], row[2]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} can't be read as labels ({error}): give a UTF-8 file.") from error
