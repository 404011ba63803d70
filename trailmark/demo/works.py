"""Works that papers of the generated web are, or cite: who wrote them, what they are called, where they came out. All invented.

A web has a library of works that nobody of it wrote and everybody cites, each time in other words: `reference_text` writes them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from trailmark.demo.people import FAMILY, GIVEN
from trailmark.demo.prose import AREAS

LIBRARY = 80
"""Works of the library of a web."""
TERMS = {
    "distributed systems": ("replica", "quorum", "message", "clock", "failure", "consensus", "broadcast", "node"),
    "programming languages": ("type", "closure", "macro", "module", "effect", "inference", "syntax", "pattern"),
    "machine learning": ("margin", "feature", "kernel", "prior", "sample", "gradient", "label", "boosting"),
    "computer vision": ("edge", "texture", "motion", "contour", "stereo", "camera", "pixel", "shape"),
    "databases": ("query", "index", "join", "transaction", "schema", "view", "tuple", "log"),
    "robotics": ("gripper", "path", "sensor", "obstacle", "joint", "planner", "map", "pose"),
    "computer graphics": ("mesh", "shader", "light", "ray", "surface", "polygon", "shadow", "volume"),
    "networks": ("packet", "router", "congestion", "queue", "link", "multicast", "flow", "buffer"),
    "theory of computation": ("automaton", "bound", "reduction", "circuit", "oracle", "grammar", "proof", "class"),
    "operating systems": ("page", "thread", "scheduler", "lock", "driver", "cache", "process", "interrupt"),
    "numerical methods": ("matrix", "grid", "solver", "residual", "mesh", "step", "error", "spline"),
    "security": ("key", "signature", "protocol", "attack", "trust", "cipher", "password", "policy"),
    "computational biology": ("sequence", "gene", "alignment", "protein", "motif", "tree", "fold", "genome"),
    "human-computer interaction": ("user", "menu", "gesture", "display", "task", "dialogue", "icon", "reader"),
    "information retrieval": ("term", "ranking", "document", "crawler", "relevance", "index", "topic", "citation"),
    "parallel computing": ("barrier", "processor", "thread", "speedup", "lattice", "message", "vector", "partition"),
}
"""Words of each area; titles and texts are made of them, so that topics can be told apart by words."""
KEYWORDS = 8
"""Words of an area, beside its name, that a person would write down for it, at most."""


def topics_of_areas() -> dict[str, Any]:
    """A topics file for papers of the web: each area with its name and a few words that no other area has."""
    common = Counter(term for terms in TERMS.values() for term in terms)
    children = [
        {"name": area.capitalize(), "keywords": [area, *[term for term in terms if common[term] == 1][:KEYWORDS]]}
        for area, terms in TERMS.items()
    ]
    return {"name": "Papers", "children": children}


_HEADS, _MIDDLES, _TAILS = (
    ("Bar", "Ca", "Del", "Em", "Fo", "Gal", "Hol", "Ib", "Jan", "Kor", "Lam", "Mo", "Nev", "Or", "Pel", "Ros", "Sab", "Tor", "Ur", "Ves", "Win", "Yor", "Zan"),
    ("", "a", "ber", "den", "el", "ing", "li", "man", "o", "ri", "ta", "vi"),
    ("berg", "by", "dale", "er", "feld", "ford", "in", "ington", "ley", "man", "ner", "off", "quist", "sen", "ski", "son", "stone", "thal", "ton", "wick", "x", "zzi"),
)  # fmt: skip
_SHAPES = (
    "{Quality} {Term} {Thing} for {area}", "{Thing} and {Thing2}: a {quality} approach to {area}", "On the {Thing} of {Terms}",
    "A {quality} method for {Term} {Thing}", "{Quality} {Thing}", "Learning {Term} {Thing} from {Terms2}", "The {Term} {Thing} problem revisited",
    "{Terms}, {Terms2} and the {Thing} of {area}", "Towards {quality} {Thing} in {area}", "How to {verb} a {Term} with {quality} {Thing}",
    "{Name}: a system for {quality} {Term} {Thing}", "Is {Term} {Thing} {quality}?", "An analysis of {Term} {Thing} under {Term2} {Thing2}",
)  # fmt: skip
_QUALITIES = ("adaptive", "lazy", "robust", "incremental", "optimal", "practical", "sparse", "verified", "simple", "fast", "unified", "scalable", "probabilistic", "structured")  # fmt: skip
_THINGS = ("analysis", "selection", "estimation", "detection", "placement", "recovery", "search", "design", "compression", "control", "matching", "evaluation", "models", "structures", "algorithms", "bounds")  # fmt: skip
_VERBS = ("build", "share", "test", "divide", "learn", "hide", "find")
_FIELDS = ("Applied Computation", "Practical Systems", "Useful Logic", "Open Questions", "Machine Reasoning", "Data in Motion", "Information Processing", "Software Practice", "Discrete Structures", "Intelligent Agents")  # fmt: skip
_PLACES = ("Alderbridge", "Thornford, England", "New Castle, NY", "Saltmarsh, MA", "Berlin", "Oslo, Norway", "Port Elm, CA", "Lyon, France", "Kyoto", "San Marco, CA", "Zurich")  # fmt: skip
_PUBLISHERS = ("Elm Street Press", "North House", "University Press", "Springfield Verlag", "Academic House", "Wiles & Sons", "MIT House", "Morgan Press")  # fmt: skip
KINDS = ("journal", "journal", "conference", "conference", "conference", "book", "report", "thesis")


@dataclass(frozen=True, slots=True)
class Author:
    given: str
    family: str

    @property
    def name(self) -> str:
        return f"{self.given} {self.family}"


@dataclass(frozen=True, slots=True)
class Work:
    """A paper, a book, a report or a thesis."""

    authors: tuple[Author, ...]
    title: str
    year: int
    kind: str
    venue: str
    """Journal or conference, the school of a thesis, the institution of a report."""
    area: str
    volume: int
    number: int
    first_page: int
    last_page: int
    place: str
    publisher: str


def author_of(name: str) -> Author:
    """`Ada Lovelace` -> given and family name."""
    given, _, family = name.partition(" ")
    return Author(given, family)


def draw_author(rng: Random) -> Author:
    """A name of the web's own people, or one that nobody else has: what is learnt from them shall not be the names."""
    given = rng.choice(GIVEN)
    if rng.random() < 0.25:
        given += f" {rng.choice('ABCDEFGHJKLMNPRSTW')}."
    if rng.random() < 0.45:
        return Author(given, rng.choice(FAMILY))
    family = rng.choice(_HEADS) + rng.choice(_MIDDLES) + rng.choice(_TAILS)
    return Author(given, ("van " if rng.random() < 0.06 else "") + family)


def draw_title(rng: Random, area: str) -> str:
    """A title on an area, first letters of its words in capitals."""
    terms, things = rng.sample(TERMS[area], 2), rng.sample(_THINGS, 2)
    words = {"Term": terms[0], "Term2": terms[1], "Thing": things[0], "Thing2": things[1], "area": area}
    words |= {"Terms": plural(terms[0]), "Terms2": plural(terms[1])}
    quality = rng.choice(_QUALITIES)
    words |= {"quality": quality, "Quality": quality, "verb": rng.choice(_VERBS)}
    words["Name"] = (rng.choice(_HEADS) + rng.choice(_TAILS)).capitalize()
    return _capitals(rng.choice(_SHAPES).format(**words))


def plural(word: str) -> str:
    """More than one of it."""
    if word.endswith("y"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch")) else f"{word}s"


def _capitals(title: str) -> str:
    small = {"a", "an", "and", "for", "from", "in", "of", "on", "the", "to", "under", "with"}
    words = title.split()
    return " ".join(
        word if place and word in small else word[:1].upper() + word[1:] for place, word in enumerate(words)
    )


def draw_work(rng: Random, *, authors: Sequence[Author] = (), area: str = "") -> Work:
    """A work on an area by these authors, or by anybody on anything."""
    area = area or rng.choice(AREAS)
    kind, first = rng.choice(KINDS), rng.randint(1, 900)
    field = rng.choice(_FIELDS)
    venue = {
        "journal": rng.choice(("Journal of {}", "Transactions on {}", "Annals of {}", "{} Letters")).format(field),
        "conference": f"{rng.choice(('International Conference', 'Annual Symposium', 'Workshop', 'European Conference'))} on {field}",
        "book": rng.choice(_PUBLISHERS),
    }.get(kind, f"University of {rng.choice(_PLACES).partition(',')[0]}")
    return Work(
        tuple(authors) or tuple(draw_author(rng) for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 6)))),
        draw_title(rng, area),
        rng.randint(1968, 2018),
        kind,
        venue,
        area,
        rng.randint(1, 60),
        rng.randint(1, 12),
        first,
        first + rng.randint(4, 40),
        rng.choice(_PLACES),
        rng.choice(_PUBLISHERS),
    )


@lru_cache(maxsize=8)
def library(seed: int) -> tuple[Work, ...]:
    """What everybody in a web cites."""
    rng = Random(f"{seed}/library")
    return tuple(draw_work(rng) for _ in range(LIBRARY))
