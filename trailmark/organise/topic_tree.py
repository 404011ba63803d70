"""`topics.json` -> a tree of topics. A mistake is one sentence that names the line and what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from trailmark.errors import InputError
from trailmark.quoting import json_text
from trailmark.read.words import tokens

MOST_TOPICS = 2_000
"""Of one tree; more can't be told apart by their words, and the counts of words no longer fit into memory."""
DEEPEST = 12
LONGEST_NAME = 200
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"|\n')
_KEYS = ("name", "keywords", "children")


@dataclass(frozen=True, slots=True)
class Topic:
    """A place in the tree."""

    id: str
    """The names from the root down, joined by `/`."""
    name: str
    keywords: tuple[tuple[str, ...], ...]
    """Each the words of a keyword, in lower case."""
    parent: int | None
    """Its number in the tree; None for the root."""
    leaf: bool


@dataclass(frozen=True, slots=True)
class TopicTree:
    """All topics, the root first, parents before children, as they were written."""

    topics: tuple[Topic, ...]
    leaves: tuple[int, ...] = field(init=False)
    """Numbers of the topics that documents are put in."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "leaves", tuple(n for n, topic in enumerate(self.topics) if topic.leaf))

    def path(self, number: int) -> tuple[int, ...]:
        """A topic's number -> its own and those of its ancestors, upwards."""
        path = [number]
        while (parent := self.topics[path[-1]].parent) is not None:
            path.append(parent)
        return tuple(path)

    def leaves_under(self, number: int) -> tuple[int, ...]:
        """Places in `leaves` of those under a topic, itself where it is one."""
        return tuple(place for place, leaf in enumerate(self.leaves) if number in self.path(leaf))

    def named(self, name: str) -> int | None:
        """The number of the topic with this id; else of the only one with this name."""
        by_id = [number for number, topic in enumerate(self.topics) if topic.id == name]
        by_name = [number for number, topic in enumerate(self.topics) if topic.name.casefold() == name.casefold()]
        return by_id[0] if by_id else by_name[0] if len(by_name) == 1 else None


@dataclass(frozen=True, slots=True)
class _Text:
    """A string of the file, and its line."""

    text: str
    line: int


class _Place:
    """What is being read, for sentences about it."""

    def __init__(self, source: str) -> None:
        self.source = source

    def wrong(self, line: int | None, what: str) -> InputError:
        where = self.source if line is None else f"{self.source}, line {line}"
        return InputError(f"{where}: {what}")


def parse_topics(text: str, source: str) -> TopicTree:
    """The text of a topics file -> its tree; InputError where it can't be one."""
    place = _Place(source)
    reader = _TreeReader(place)
    reader.read(_json(text, place), None, (), None)
    if len(reader.topics) == 1:
        raise place.wrong(None, 'it names no topic below its root; write some under "children".')
    _check_keywords(reader, place)
    return TopicTree(tuple(reader.topics))


def topics_json(tree: TopicTree) -> str:
    """A tree -> the text of its file."""
    return json_text(_node(tree, 0), indent=2) + "\n"


def _node(tree: TopicTree, number: int) -> dict[str, object]:
    topic = tree.topics[number]
    children = [_node(tree, child) for child, other in enumerate(tree.topics) if other.parent == number]
    return {"name": topic.name, "keywords": [" ".join(words) for words in topic.keywords], "children": children}


def _json(text: str, place: _Place) -> object:
    """What the file holds, with every string a `_Text`; a pair list for each object."""
    try:
        value = json.loads(text.removeprefix("\ufeff"), object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        raise place.wrong(error.lineno, f"it is no JSON ({error.msg}); mend it there.") from error
    except (RecursionError, ValueError) as error:
        raise place.wrong(
            None, "it is nested too deeply or holds a number too large to be a tree of topics."
        ) from error
    return _with_lines(value, _strings(text))


class _Pairs(list[tuple[str, object]]):
    """An object, in the order of the file, doubled keys kept."""


@dataclass(frozen=True, slots=True)
class _Value:
    """What stands behind a key, and the key's line."""

    line: int
    value: object


def _strings(text: str) -> Iterator[int]:
    """The line of each string of a JSON text, keys too, in order."""
    line = 1
    for match in _STRING.finditer(text):
        if match[0] == "\n":
            line += 1
        else:
            yield line


def _with_lines(value: object, lines: Iterator[int]) -> object:
    if isinstance(value, str):
        return _Text(value, next(lines))
    if isinstance(value, _Pairs):
        return _Pairs((key, _Value(next(lines), _with_lines(inner, lines))) for key, inner in value)
    return [_with_lines(inner, lines) for inner in value] if isinstance(value, list) else value


class _TreeReader:
    """Nodes of the file -> topics, one after the other."""

    def __init__(self, place: _Place) -> None:
        self.place = place
        self.topics: list[Topic] = []
        self.keyword_lines: list[list[int]] = []

    def read(self, node: object, parent: int | None, names: tuple[str, ...], line: int | None) -> _Text:
        """A node and what stands above it -> its name, with it and all below it among the topics."""
        if not isinstance(node, _Pairs):
            raise self.place.wrong(line, 'a topic is an object with "name", "keywords" and "children".')
        if len(names) > DEEPEST:
            raise self.place.wrong(line, f"topics are nested more than {DEEPEST} deep; make the tree flatter.")
        parts = self._parts(node)
        name = self._name(parts, names, line)
        children = self._list(parts, "children", name)
        number = self._add(parts, name, parent, names, leaf=not children)
        lines: dict[str, int] = {}
        for child in children:
            inner = self.read(child, number, (*names, name.text), name.line)
            if inner.text in lines:
                raise self.place.wrong(
                    inner.line,
                    f"'{inner.text}' is the name of the topic on line {lines[inner.text]} too; rename one of the two.",
                )
            lines[inner.text] = inner.line
        return name

    def _parts(self, node: _Pairs) -> dict[str, object]:
        parts: dict[str, object] = {}
        for key, written in node:
            assert isinstance(written, _Value)
            line, value = written.line, written.value
            if key not in _KEYS:
                raise self.place.wrong(line, f"'{key}' means nothing here; a topic has 'name', 'keywords', 'children'.")
            if key in parts:
                raise self.place.wrong(line, f"'{key}' stands twice in one topic; keep one of them.")
            parts[key] = value
        return parts

    def _name(self, parts: dict[str, object], names: tuple[str, ...], line: int | None) -> _Text:
        name = parts.get("name")
        if not isinstance(name, _Text) or not name.text.strip():
            raise self.place.wrong(line, 'a topic has no name; write "name": "..." in it.')
        if "/" in name.text or not name.text.isprintable() or len(name.text) > LONGEST_NAME:
            raise self.place.wrong(
                name.line, f"a topic's name is up to {LONGEST_NAME} plain characters without '/'; rename this one."
            )
        if name.text in names:
            raise self.place.wrong(
                name.line,
                f"'{name.text}' stands below a topic of that name, so that the tree turns in a circle; rename or move it.",
            )
        return name

    def _list(self, parts: dict[str, object], key: str, name: _Text) -> list[object]:
        value = parts.get(key, [])
        if not isinstance(value, list) or isinstance(value, _Pairs):
            raise self.place.wrong(name.line, f"\"{key}\" of '{name.text}' is no list; write [ ... ].")
        return value

    def _add(
        self, parts: dict[str, object], name: _Text, parent: int | None, names: tuple[str, ...], *, leaf: bool
    ) -> int:
        if len(self.topics) == MOST_TOPICS:
            raise self.place.wrong(name.line, f"there are more than {MOST_TOPICS:,} topics; make the tree smaller.")
        keywords, lines = self._keywords(parts, name)
        if leaf and names and not keywords:
            raise self.place.wrong(
                name.line, f"'{name.text}' has no keywords, so no document can start it; write some."
            )
        self.topics.append(Topic("/".join((*names, name.text)), name.text, keywords, parent, leaf))
        self.keyword_lines.append(lines)
        return len(self.topics) - 1

    def _keywords(self, parts: dict[str, object], name: _Text) -> tuple[tuple[tuple[str, ...], ...], list[int]]:
        words: dict[tuple[str, ...], int] = {}
        for keyword in self._list(parts, "keywords", name):
            if not isinstance(keyword, _Text):
                raise self.place.wrong(name.line, f"a keyword of '{name.text}' is no text; write it in quotes.")
            key = tuple(tokens(keyword.text))
            if not key:
                raise self.place.wrong(keyword.line, f"'{keyword.text}' has no letter or digit; write a word.")
            words.setdefault(key, keyword.line)
        return tuple(words), list(words.values())


def _check_keywords(reader: _TreeReader, place: _Place) -> None:
    """A keyword may stand in a topic and in those above it; in two others it would say nothing."""
    tree = TopicTree(tuple(reader.topics))
    owners: dict[tuple[str, ...], list[int]] = {}
    for number, topic in enumerate(reader.topics):
        for keyword, line in zip(topic.keywords, reader.keyword_lines[number], strict=True):
            for other in owners.setdefault(keyword, []):
                if other not in tree.path(number):
                    raise place.wrong(
                        line,
                        f"the keyword '{' '.join(keyword)}' of '{topic.id}' is one of '{reader.topics[other].id}' too; keep it in one of them.",
                    )
            owners[keyword].append(number)
