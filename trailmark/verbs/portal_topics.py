"""The topics of the portal: a tree with counts, from what the items are in and from the topics file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from trailmark.errors import InputError
from trailmark.organise.topic_tree import parse_topics
from trailmark.store.item_shelf import Shelf
from trailmark.verbs.organise import TOPICS_FILE


@dataclass(frozen=True, slots=True)
class TopicNode:
    """A topic with all that is below it."""

    id: str
    name: str
    items: int
    """In it and below."""
    keywords: tuple[str, ...]
    """As the topics file has them."""
    children: tuple[TopicNode, ...]

    def all(self) -> Iterator[TopicNode]:
        """Itself and all below, parents first."""
        yield self
        for child in self.children:
            yield from child.all()


@dataclass(frozen=True, slots=True)
class TopicForest:
    """The topics that items are in."""

    top: tuple[TopicNode, ...]
    """What the first page lists: a root that is alone is left out."""
    by_id: Mapping[str, TopicNode]

    def trail(self, topic: str | None) -> tuple[TopicNode, ...]:
        """A topic's id -> the topics from the top down to it."""
        parts = (topic or "").split("/")
        found = (self.by_id.get("/".join(parts[: size + 1])) for size in range(len(parts)))
        roots = {node.id for node in self.top}
        nodes = [node for node in found if node is not None]
        first = next((n for n, node in enumerate(nodes) if node.id in roots), 0)
        return tuple(nodes[first:])


def topic_forest(shelf: Shelf, folder: Path) -> TopicForest:
    """What is on the shelf, and the topics file of a workspace -> the tree; topics without items are left out."""
    own = Counter(topic for topic in shelf.topics if topic is not None)
    order, keywords = _written(folder / TOPICS_FILE)
    counts: Counter[str] = Counter()
    children: dict[str, set[str]] = {}
    for topic, count in own.items():
        parts = topic.split("/")
        for size in range(1, len(parts) + 1):
            counts["/".join(parts[:size])] += count
            children.setdefault("/".join(parts[: size - 1]), set()).add("/".join(parts[:size]))

    def node(topic: str) -> TopicNode:
        below = sorted(children.get(topic, ()), key=lambda each: (order.get(each, len(order)), each))
        name = topic.rpartition("/")[2] or topic
        return TopicNode(topic, name, counts[topic], keywords.get(topic, ()), tuple(map(node, below)))

    roots = tuple(node(topic) for topic in sorted(children.get("", ())))
    by_id = {each.id: each for root in roots for each in root.all()}
    top = roots[0].children if len(roots) == 1 and roots[0].children else roots
    return TopicForest(top, by_id)


def _written(file: Path) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
    """The places of topics in the file, and their keywords; nothing where there is none, or it is being edited."""
    try:
        tree = parse_topics(file.read_text(encoding="utf-8-sig"), file.name)
    except (OSError, UnicodeDecodeError, InputError):
        return {}, {}
    order = {topic.id: place for place, topic in enumerate(tree.topics)}
    return order, {topic.id: tuple(" ".join(words) for words in topic.keywords) for topic in tree.topics}
