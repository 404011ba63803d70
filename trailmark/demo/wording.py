"""Vocabularies: what sites call the same thing.

Every concept has several wordings with weights, so that words recur over sites (a learner can learn them) while no
single word is safe to rely upon. A site, and a department within a university, draws one wording for each concept.
"""

from __future__ import annotations

import re
import unicodedata
from random import Random

Choices = tuple[tuple[str, int], ...]

VOCABULARY: dict[str, Choices] = {
    "home": (("Home", 5), ("Welcome", 2), ("Main page", 1), ("Start", 1)),
    "people": (("People", 5), ("Who's who", 2), ("Directory", 2), ("Personnel", 1), ("Members", 2), ("Our people", 1)),
    "faculty": (
        ("Faculty", 4),
        ("Our faculty", 1),
        ("Academic staff", 3),
        ("Professors", 2),
        ("Academic personnel", 1),
        ("Our staff", 1),
        ("Professors and lecturers", 1),
        ("Teaching staff", 1),
    ),
    "students": (
        ("Students", 3),
        ("Graduate students", 4),
        ("PhD students", 2),
        ("Research students", 2),
        ("Student home pages", 1),
    ),
    "staff": (("Staff", 2), ("Support staff", 2), ("Administration", 2), ("Office staff", 1)),
    "courses": (
        ("Courses", 4),
        ("Teaching", 3),
        ("Classes", 3),
        ("Curriculum", 2),
        ("Modules", 2),
        ("Course descriptions", 1),
        ("Subjects", 1),
        ("What we teach", 1),
    ),
    "publications": (
        ("Publications", 5),
        ("Papers", 4),
        ("Selected works", 2),
        ("Bibliography", 2),
        ("List of publications", 1),
        ("Recent papers", 1),
        ("Writings", 2),
        ("Research output", 2),
        ("Articles and books", 2),
    ),
    "contact": (
        ("Contact", 4),
        ("Contact us", 3),
        ("How to reach us", 3),
        ("Address and telephone", 3),
        ("Find us", 2),
        ("Getting in touch", 2),
        ("Write, call or visit", 1),
    ),
    "research": (("Research", 6), ("Research groups", 3), ("Laboratories", 2), ("Research areas", 2)),
    "about": (("About", 4), ("About us", 3), ("General information", 2), ("The department", 1)),
    "admissions": (("Admissions", 3), ("Apply", 2), ("Prospective students", 3), ("Study with us", 2)),
    "news": (("News", 5), ("Announcements", 2), ("What's new", 3), ("Headlines", 1)),
    "calendar": (("Calendar", 4), ("Events", 3), ("Diary", 2), ("Seminars and events", 1)),
    "partners": (("Partners", 3), ("Industry links", 2), ("Sponsors and suppliers", 2), ("Our friends in industry", 1)),
    "exchange": (("Study abroad", 3), ("Exchange", 3), ("Courses at partner institutions", 3), ("Year abroad", 1)),
    "related": (
        ("Related departments", 2),
        ("Neighbours", 1),
        ("Other departments", 3),
        ("Elsewhere in the school", 1),
    ),
    "departments": (("Departments", 4), ("Academic units", 2), ("Schools and departments", 2), ("Academics", 3)),
    "readings": (("Readings", 4), ("Reading list", 3), ("Papers to read", 3), ("Literature", 2)),
    "student_work": (("Publications", 3), ("Papers", 3), ("My papers", 2), ("Thesis and papers", 1)),
    "homework": (("Homework", 4), ("Assignments", 4), ("Problem sets", 2), ("Exercises", 2)),
    "notes": (("Lecture notes", 4), ("Handouts", 3), ("Slides", 3)),
    "groups": (("Research groups", 3), ("Groups", 2), ("Laboratories", 2)),
    "previous": (("Previous", 4), ("Back", 2), ("«", 1), ("Earlier", 1)),
    "next": (("Next", 4), ("More", 3), ("»", 1), ("Next page", 2)),
}

COMPUTING = (
    ("Computer Science", "cs", 5),
    ("Computing", "computing", 2),
    ("Informatics", "informatics", 2),
    ("Computer Science and Engineering", "cse", 2),
    ("Computing Science", "csci", 1),
    ("Information and Computing", "ics", 1),
)

OTHER_DEPARTMENTS = (
    ("History", "history", "HIST"),
    ("Chemistry", "chem", "CHEM"),
    ("Statistics", "stat", "STAT"),
    ("Music", "music", "MUS"),
    ("Geography", "geog", "GEOG"),
    ("Linguistics", "ling", "LING"),
    ("Civil Engineering", "civil", "CIV"),
    ("Mathematics", "math", "MATH"),
    ("Philosophy", "phil", "PHIL"),
    ("Botany", "botany", "BOT"),
    ("Physics", "physics", "PHYS"),
    ("Electrical Engineering", "ee", "EE"),
)

TOWN_HEADS = (
    "alder", "ash", "barrow", "birch", "black", "bram", "briar", "cald", "carn", "clover", "cop", "cran", "dun", "elder",
    "elm", "fair", "fen", "fern", "glen", "gran", "hazel", "heath", "holm", "iron", "kes", "lark", "lin", "lock", "maple",
    "marl", "nether", "oak", "penn", "quarry", "raven", "rowan", "silver", "thorn", "wil", "yar",
)  # fmt: skip
TOWN_TAILS = (
    "bridge", "brook", "burn", "bury", "by", "cliff", "combe", "cote", "croft", "dale", "den", "field", "ford", "gate",
    "grove", "ham", "haven", "hill", "holt", "hurst", "ley", "mere", "moor", "mouth", "port", "shaw", "stead", "stone",
    "thorpe", "worth",
)  # fmt: skip
TOWNS = len(TOWN_HEADS) * len(TOWN_TAILS)


def draw(rng: Random, concept: str) -> str:
    """One wording of a concept, by weight."""
    return weighted(rng, VOCABULARY[concept])


def weighted(rng: Random, choices: Choices) -> str:
    texts, weights = zip(*choices, strict=True)
    return str(rng.choices(texts, weights)[0])


def draw_all(rng: Random) -> dict[str, str]:
    """One wording for every concept."""
    return {concept: weighted(rng, choices) for concept, choices in VOCABULARY.items()}


def slug(text: str) -> str:
    """Lower-case ASCII words joined by hyphens, for addresses."""
    plain = unicodedata.normalize("NFKD", text.replace("'", "")).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-") or "page"


def town(number: int) -> str:
    """The town of site `number`; after all towns are used, they come again with a numeral."""
    round_, place = divmod(number, TOWNS)
    # A step that shares no factor with the number of towns visits each of them once.
    place = place * 487 % TOWNS
    name = TOWN_HEADS[place % len(TOWN_HEADS)] + TOWN_TAILS[place // len(TOWN_HEADS)]
    return f"{name}{round_ + 1}" if round_ else name


def town_number(name: str) -> int | None:
    """The site whose town is `name`: the inverse of `town`; None where there is no such town."""
    match = re.fullmatch(r"([a-z]+)([1-9][0-9]*)?", name)
    if match is None:
        return None
    places = [
        tail * len(TOWN_HEADS) + head
        for head, first in enumerate(TOWN_HEADS)
        for tail, last in enumerate(TOWN_TAILS)
        if first + last == match.group(1)
    ]
    if not places or match.group(2) == "1":
        return None
    return places[0] * pow(487, -1, TOWNS) % TOWNS + TOWNS * (int(match.group(2) or 1) - 1)
