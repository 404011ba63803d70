"""A topic of a generated course -> a text about it: a few paragraphs in its terms, so that items of two courses on one topic speak of the same."""

from __future__ import annotations

from random import Random

from trailmark.demo.course_words import TOPICS

TERMS: dict[str, tuple[str, str, str]] = {
    "Graphs": ("shortest path", "spanning tree", "adjacency list"),
    "Sorting": ("merge sort", "pivot element", "stable sort"),
    "Recursion": ("base case", "call stack", "tail call"),
    "Trees": ("binary tree", "search tree", "tree rotation"),
    "Hashing": ("hash table", "hash function", "open addressing"),
    "Grammars": ("regular grammar", "production rule", "derivation tree"),
    "Parsing": ("recursive descent", "parse table", "token stream"),
    "Scheduling": ("run queue", "time slice", "priority inversion"),
    "Paging": ("page table", "page fault", "working set"),
    "Deadlock": ("wait graph", "circular wait", "lock order"),
    "Joins": ("nested loop", "join order", "foreign key"),
    "Indexing": ("inverted index", "posting list", "index scan"),
    "Normal forms": ("functional dependency", "candidate key", "lossless decomposition"),
    "Search": ("search space", "branching factor", "admissible heuristic"),
    "Planning": ("goal state", "partial order", "plan step"),
    "Inference": ("posterior probability", "belief network", "evidence variable"),
    "Shading": ("surface normal", "light source", "diffuse reflection"),
    "Curves": ("control point", "spline segment", "blending function"),
    "Routing": ("routing table", "distance vector", "link state"),
    "Congestion": ("congestion window", "packet loss", "slow start"),
    "Proofs": ("induction hypothesis", "proof by contradiction", "loop invariant"),
    "Automata": ("finite automaton", "transition function", "accepting state"),
    "Reductions": ("decision problem", "polynomial reduction", "hardness proof"),
    "Pipelines": ("pipeline stall", "branch prediction", "data hazard"),
    "Caches": ("cache line", "cache miss", "replacement policy"),
    "Threads": ("thread pool", "race condition", "shared variable"),
    "Locks": ("mutual exclusion", "critical section", "spin lock"),
    "Clocks": ("logical clock", "vector clock", "clock drift"),
    "Consensus": ("quorum vote", "leader election", "replicated log"),
    "Types": ("type checker", "type inference", "subtype relation"),
    "Closures": ("free variable", "lexical scope", "captured environment"),
    "Garbage collection": ("mark phase", "reference count", "root set"),
    "Interpolation": ("interpolation polynomial", "divided difference", "node point"),
    "Quadrature": ("quadrature rule", "error term", "adaptive step"),
    "Filters": ("impulse response", "frequency response", "low-pass filter"),
    "Edges and corners": ("image gradient", "edge detector", "corner response"),
    "Kernels": ("kernel function", "feature space", "support vector"),
    "Regression": ("least squares", "residual error", "design matrix"),
    "Clustering": ("cluster centre", "distance measure", "linkage rule"),
    "Encryption": ("block cipher", "secret key", "cipher text"),
    "Signatures": ("digital signature", "public key", "message digest"),
    "Prototypes": ("paper prototype", "user study", "design cycle"),
    "Menus and forms": ("menu item", "form field", "error message"),
    "Ranking": ("ranking function", "term weight", "relevance judgement"),
    "Compression": ("prefix code", "code table", "entropy bound"),
}
"""What each topic is told in."""
_OPENINGS = (
    "{topic} are what this part of {course} is about.",
    "Here {course} comes to {topic}, and to what the {a} has to do with it.",
    "These are notes on {topic} for students of {course}.",
)
_SENTENCES = (
    "The {a} is defined first, since the {b} rests on it.",
    "Where a {b} is given, the {a} can be found step by step.",
    "Most mistakes come from taking the {c} for a {b}.",
    "A small example shows how the {a} changes while the {c} stays as it is.",
    "The cost of the {b} depends on the size of the {c}.",
    "Every {c} has a {a}, but the converse does not hold.",
    "It is proved that a {b} exists whenever the {a} is well formed.",
    "In practice the {c} is kept beside the {a}, which saves a second pass.",
    "An exercise asks for a {b} whose {c} is as small as it can be.",
    "Two ways to build the {a} are compared, with and without a {c}.",
)
COUNT = 7
"""Sentences of a text, without its opening."""


def lesson_text(topic: str, course: str, name: str) -> tuple[str, ...]:
    """A topic, the title of its course, and a name -> two paragraphs, the same for the same names."""
    rng = Random(f"lesson/{name}")
    terms = dict(zip("abc", rng.sample(TERMS[topic], 3), strict=True))
    told = [rng.choice(_OPENINGS), *rng.sample(_SENTENCES, COUNT)]
    written = [text.format(topic=topic.lower(), course=course, **terms) for text in told]
    sentences = [text[:1].upper() + text[1:] for text in written]
    return " ".join(sentences[:4]), " ".join(sentences[4:])


def topic_of(text: str, name: str) -> str:
    """The words of a link, and a name -> the topic that they name, else one that is drawn by the name."""
    low = text.lower().replace("-", " ")
    return next((topic for topic in TOPICS if topic.lower() in low), "") or Random(f"topic/{name}").choice(TOPICS)
