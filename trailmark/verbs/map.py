"""`map`: courses of the workspace -> a map of what they teach: key phrases, how these stand to one another, and the sentences behind it.

1. The texts of each course are read: its pages, its lectures and other items, from archives; documents as `tag` read them.
2. Phrases are counted, and those that tell most are chosen against all courses of the workspace.
3. Their relations are found, and the map is written in the form that the file's name asks for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.course.knowledge.graphml_file import graphml
from trailmark.course.knowledge.knowledge_map import KnowledgeMap, MapPhrase, Relation
from trailmark.course.knowledge.map_maker import DEFAULT_PHRASES, knowledge_map
from trailmark.course.knowledge.map_picture import map_page, map_svg
from trailmark.course.knowledge.skos_file import BASE, json_ld, turtle
from trailmark.errors import InputError
from trailmark.progress import Progress, silent
from trailmark.quoting import json_text
from trailmark.report import Report, as_json
from trailmark.store.json_lines import written_whole
from trailmark.verbs.archived_pages import chosen_courses
from trailmark.verbs.course_texts import course_texts
from trailmark.workspace import Workspace

MOST_PHRASES = 300
_FORMS: dict[str, Callable[[KnowledgeMap, str, str], str | bytes]] = {
    ".svg": lambda found, _base, _language: map_svg(found),
    ".html": lambda found, _base, language: map_page(found, language),
    ".ttl": turtle,
    ".jsonld": json_ld,
    ".graphml": lambda found, _base, _language: graphml(found),
    ".json": lambda found, _base, _language: json_text(as_json(found), indent=1) + "\n",
}


@dataclass(frozen=True, slots=True)
class MapReport(Report):
    """What `map --json` prints."""

    file: Path
    courses: Mapping[str, str]
    """Id of each course on the map -> its title."""
    texts: int
    """Pages and documents that were read."""
    kinds: Mapping[str, int]
    """How many relations of each kind there are."""
    phrases: tuple[MapPhrase, ...]
    relations: tuple[Relation, ...]


def map_courses(
    workspace: Workspace,
    file: str | Path,
    *,
    courses: Sequence[str] = (),
    phrases: int = DEFAULT_PHRASES,
    base: str = BASE,
    progress: Progress = silent,
) -> MapReport:
    """The workspace's courses, or those of these ids or addresses, -> the file of their map; the others tell what is common."""
    file = Path(file)
    write = _FORMS.get(file.suffix.lower())
    if write is None:
        raise InputError(
            f"{file}: a map can't be written as '{file.suffix}'; name a file that ends in {', '.join(_FORMS)}."
        )
    if not 1 <= phrases <= MOST_PHRASES:
        raise InputError(f"A map has 1 to {MOST_PHRASES} phrases, not {phrases}.")
    chosen = chosen_courses(workspace, courses)
    wanted = {course.id for course in chosen}
    every = course_texts(workspace, chosen_courses(workspace, ()), progress)
    own = [each for each in every if each.id in wanted]
    if not any(each.materials for each in own):
        raise InputError("No page with a text of these courses is archived: fetch them first: trailmark course --fetch")
    title = own[0].title if len(own) == 1 else f"{len(own)} courses"
    others = [each for each in every if each.id not in wanted]
    found = knowledge_map(own, title, most=phrases, others=others)
    made = write(found, base, workspace.settings.package.language)
    with written_whole(file) as opened:
        opened.write(made.encode("utf-8", "replace") if isinstance(made, str) else made)
    kinds = Counter(each.kind for each in found.relations)
    texts = sum(len(each.materials) for each in own)
    return MapReport(file, found.courses, texts, dict(sorted(kinds.items())), found.phrases, found.relations)
