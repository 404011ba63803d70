"""Texts of three small courses on languages and machines, in which it is known what is taught first and what goes with what."""

from __future__ import annotations

from trailmark.course.knowledge.material import CourseTexts, Material, Passage

GRAMMAR = "A regular grammar is a grammar whose productions are simple. Every regular grammar has a finite automaton."
AUTOMATON = "A finite automaton reads a string. The finite automaton accepts it, and a regular grammar makes it."
PUSHDOWN = "A pushdown automaton has a stack. Each pushdown automaton accepts a context-free grammar's language."
TURING = "A Turing machine has a tape. The tape of a Turing machine is more than the stack of a pushdown automaton."
LIFE = "Homework 1 is due on Friday. Send mail to ada@cs.example.edu or see CSE 322 at http://www.example.edu/x/y.html."


def lesson(name: str, place: int, heading: str, *texts: str) -> Material:
    """A lecture with a heading and paragraphs."""
    passages = (Passage(heading, is_heading=True), *(Passage(text) for text in texts))
    return Material(f"http://{name}.example/l{place}.html", heading, "lecture", place, passages)


def course(name: str, *lessons: tuple[str, tuple[str, ...]]) -> CourseTexts:
    """A course of these lectures, in order."""
    made = tuple(lesson(name, place, heading, *texts) for place, (heading, texts) in enumerate(lessons, start=1))
    return CourseTexts(name, f"Course {name}", made)


COURSES = (
    course(
        "a",
        ("Regular grammars", (GRAMMAR, GRAMMAR, LIFE)),
        ("Finite automata", (AUTOMATON, AUTOMATON)),
        ("Pushdown automata", (PUSHDOWN, PUSHDOWN)),
        ("Turing machines", (TURING, TURING)),
    ),
    course(
        "b",
        ("Regular grammars", (GRAMMAR, AUTOMATON)),
        ("Pushdown automata", (PUSHDOWN, PUSHDOWN)),
        ("Turing machines", (TURING, TURING, LIFE)),
    ),
    course(
        "c",
        ("Cooking", ("The onion soup is in a pot.", "An onion soup is hot.", "Onion soup, and more onion soup!", LIFE)),
    ),
)
