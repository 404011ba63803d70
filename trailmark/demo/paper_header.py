"""The header of a paper of the generated web: title, authors, affiliations, dates and abstract, in several manners, each word with its field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from trailmark.demo.reference_text import Labelled
from trailmark.demo.works import TERMS, Author, Work, plural

_ABSTRACTS = (
    "We present a {quality} method for {thing} of {terms}.", "This paper describes how a {term} is used in {area}.",
    "The problem of {thing} in {area} has received much attention.", "Experiments on {count} {terms} show that the error falls by {share} per cent.",
    "Existing methods treat every {term} alike and fail where a {term2} changes.", "Our approach needs no {term2} and takes linear time.",
    "We show that {thing} can be learnt from a few {terms}.", "In contrast to earlier work, we do not assume that the {term2} is known.",
    "A bound on the {term} is proved and compared with what is measured.", "Results suggest that {area} gains more from a {term2} than from a {term}.",
)  # fmt: skip
_BODY = (
    "A {term} is said to be stable if no {term2} of it changes.", "Figure {small} shows the {term} after {count} steps.",
    "This was first observed by {cite} in the case of one {term}.", "It follows that every {term2} belongs to some {term}.",
    "We compare with the method of {cite} and with a plain {term2}.", "For {area} the same argument holds {cite}.",
    "Let the {term} be given, and let its {term2} be fixed.", "The {term} is then passed to the next {term2} in line.",
    "Several {terms} were left out because their {term2} was not known {cite}.", "Table {small} lists what was measured on {count} {terms}.",
)  # fmt: skip
_THINGS = ("selection", "analysis", "recovery", "estimation", "placement", "matching", "search", "control")
_QUALITIES = ("new", "simple", "robust", "general", "fast", "probabilistic", "practical")
_UNITS = ("Department of {}", "School of {}", "Institute for {}", "Laboratory for {}", "Faculty of {}", "{} Group")
_SUBJECTS = (
    "Computer Science",
    "Computing",
    "Informatics",
    "Information Science",
    "Applied Mathematics",
    "Engineering",
)
_FIRMS = (
    "Elm Research",
    "Northern Telephone Laboratories",
    "Meridian Research Center",
    "Data Works, Inc.",
    "Quay Labs",
)
_TOWNS = ("Alderbridge", "Thornford", "Saltmarsh", "Port Elm", "San Marco", "Kingsmere", "Ravenna Falls", "Ostholm")
_STATES = ("MA 02139, USA", "CA 94305", "NY 10011-7301", "England", "Norway", "Germany", "PA 15213", "Switzerland")
_NOTES = ("Submitted for publication.", "Appeared in the proceedings of the workshop.", "Preliminary version.", "This work was supported in part by grant {}.", "To appear in the journal of that name.", "Draft: please do not cite.")  # fmt: skip
_MONTHS = ("January", "February", "March", "April", "June", "July", "September", "October", "November", "December")


@dataclass(frozen=True, slots=True)
class HeaderRow:
    """Words side by side in one or several segments, and how they are set."""

    segments: tuple[tuple[Labelled, ...], ...]
    face: str
    size: float
    before: float = 0.0
    """Room above it, in points."""


@dataclass(frozen=True, slots=True)
class HeaderManner:
    """How one paper sets its header."""

    sans: bool
    bold_title: bool
    title_size: float
    capitals: bool
    """Names in capitals."""
    blocks: str
    """`line`: all names, then all affiliations; `each`: one below the other; `beside`: side by side."""
    marks: bool
    """Names have raised marks that lead to their affiliations."""
    left: bool
    """Set at the left margin instead of the middle."""


def draw_header_manner(rng: Random) -> HeaderManner:
    return HeaderManner(
        rng.random() < 0.25,
        rng.random() < 0.6,
        rng.choice((12.0, 14.0, 15.0, 16.0, 17.0, 18.0, 20.0)),
        rng.random() < 0.15,
        rng.choice(("line", "line", "each", "beside")),
        rng.random() < 0.35,
        rng.random() < 0.12,
    )


def header_rows(work: Work, manner: HeaderManner, rng: Random, wrap: int) -> list[HeaderRow]:
    """Everything above the abstract; a title of more than `wrap` letters goes over several lines."""
    family = "Helvetica" if manner.sans else "Times-Roman"
    bold = "Helvetica-Bold" if manner.sans else "Times-Bold"
    rows: list[HeaderRow] = []
    if rng.random() < 0.25:
        rows.append(_row(rng.choice(_publication(work, rng)), "Times-Italic", 8.5))
    title = work.title.upper() if rng.random() < 0.12 else work.title
    face = bold if manner.bold_title else family
    for place, part in enumerate(wrapped(title.split(), wrap)):
        rows.append(_row([(word, "title") for word in part], face, manner.title_size, 0.0 if place else 14.0))
    if rng.random() < 0.08:
        rows.append(_row(_words("(Extended Abstract)", "note"), family, 10.0, 4.0))
    rows += _authors(work, manner, rng, family)
    if rng.random() < 0.3:
        rows.append(_row(_words(_date(work, rng), "date"), family, 10.0, 8.0))
    if rng.random() < 0.15:
        rows.append(_row(_words(rng.choice(_NOTES).format(rng.randint(100, 9999)), "note"), "Times-Italic", 9.0, 6.0))
    return rows


def _words(text: str, label: str) -> list[Labelled]:
    return [(word, label) for word in text.split()]


def _row(words: Sequence[Labelled], face: str, size: float, before: float = 0.0) -> HeaderRow:
    return HeaderRow((tuple(words),), face, size, before)


def _publication(work: Work, rng: Random) -> list[list[Labelled]]:
    number = f"TR-{rng.randint(10, 99)}-{rng.randint(1, 400)}"
    return [
        _words(f"Technical Report {number}", "pubnum"),
        _words(f"{work.venue}, Vol. {work.volume}, pp. {work.first_page}–{work.last_page}", "note"),
        [*_words("Report No.", "pubnum"), (number, "pubnum"), *_words(_date(work, rng), "date")],
        _words(f"To appear in {work.venue}", "note"),
    ]


def _date(work: Work, rng: Random) -> str:
    month = rng.choice(_MONTHS)
    return rng.choice(
        (f"{month} {rng.randint(1, 28)}, {work.year}", f"{month} {work.year}", f"Draft of {month} {work.year}")
    )


def _authors(work: Work, manner: HeaderManner, rng: Random, family: str) -> list[HeaderRow]:
    narrow = manner.blocks == "beside" and len(work.authors) > 1
    homes = [_home(rng, narrow=narrow) for _ in range(min(len(work.authors), rng.choice((1, 1, 2, 3))))]
    size = rng.choice((10.0, 11.0, 12.0, 12.0))
    if manner.blocks == "line" or len(work.authors) == 1:
        return _in_one_line(work.authors, homes, manner, rng, family, size)
    places = [homes[number % len(homes)] for number in range(len(work.authors))]
    blocks = [_block(author, home, manner, rng) for author, home in zip(work.authors, places, strict=True)]
    if manner.blocks == "each":
        rows = []
        for block in blocks:
            for number, words in enumerate(block):
                rows.append(_row(words, family if not number else "Times-Italic", size if not number else 9.5, 0.0 if number else 8.0))  # fmt: skip
        return rows
    rows = []
    for start in range(0, len(blocks), 3):
        beside = blocks[start : start + 3]
        for number in range(max(map(len, beside))):
            segments = tuple(tuple(block[number]) for block in beside if number < len(block))
            rows.append(HeaderRow(segments, family, size if not number else 9.0, 0.0 if number else 8.0))
    return rows


def _in_one_line(
    authors: Sequence[Author],
    homes: Sequence[Sequence[list[Labelled]]],
    manner: HeaderManner,
    rng: Random,
    family: str,
    size: float,
) -> list[HeaderRow]:
    names: list[str] = [_name(author, manner) for author in authors]
    if manner.marks and len(homes) > 1:
        names = [f"{name}^{number % len(homes) + 1}" for number, name in enumerate(names)]
    by = "By " if len(names) == 1 and rng.random() < 0.2 else ""
    joined = names[0] if len(names) == 1 else f"{', '.join(names[:-1])}{',' * (len(names) > 2)} and {names[-1]}"
    if len(names) > 1 and rng.random() < 0.4:
        joined = ", ".join(names)
    rows = []
    for place, part in enumerate(wrapped(f"{by}{joined}".split(), 70)):
        rows.append(_row([(word, "author") for word in part], family, size, 0.0 if place else 10.0))
    for number, home in enumerate(homes):
        for place, words in enumerate(home):
            mark = [(f"^{number + 1}", words[0][1])] if manner.marks and len(homes) > 1 and not place else []
            rows.append(_row([*mark, *words], rng.choice(("Times-Italic", family)), 10.0, 0.0 if place else 4.0))
    if rng.random() < 0.5:
        rows.append(_row([(_mail(authors, rng), "email")], "Courier", 9.0, 2.0))
    return rows


def _block(author: Author, home: Sequence[list[Labelled]], manner: HeaderManner, rng: Random) -> list[list[Labelled]]:
    rows = [_words(_name(author, manner), "author"), *home]
    if rng.random() < 0.7:
        rows.append([(_mail((author,), rng), "email")])
    return rows


def _name(author: Author, manner: HeaderManner) -> str:
    return author.name.upper() if manner.capitals else author.name


def _home(rng: Random, *, narrow: bool) -> list[list[Labelled]]:
    """Affiliation and address, in one to three lines; short ones where several stand side by side."""
    town = rng.choice(_TOWNS)
    unit = rng.choice(_UNITS).format(rng.choice(_SUBJECTS))
    school = rng.choice((f"University of {town}", f"{town} University", f"{town} Institute of Technology"))
    address = _words(f"{town}, {rng.choice(_STATES)}", "address")
    shape = rng.random()
    if shape < 0.2:
        return [_words(rng.choice(_FIRMS), "affiliation"), *([address] if rng.random() < 0.5 else [])]
    if shape < 0.5 and not narrow:
        return [[*_words(f"{unit}, {school},", "affiliation"), *address]]
    street = [_words(f"{rng.randint(1, 900)} {rng.choice(('Elm Street', 'Hill Road', 'College Avenue'))}", "address")]
    rows = [
        _words(unit, "affiliation"),
        _words(school, "affiliation"),
        *(street if rng.random() < 0.2 else []),
        address,
    ]
    return rows if rng.random() < 0.7 else rows[:-1]


def _mail(authors: Sequence[Author], rng: Random) -> str:
    logins = [author.family.split()[-1].lower() for author in authors]
    login = logins[0] if len(logins) == 1 else "{" + ",".join(logins[:4]) + "}"
    return f"{login}@{rng.choice(('cs', 'inf', 'eng'))}.{rng.choice(_TOWNS).split()[0].lower()}.{rng.choice(('edu', 'test', 'org', 'ac.uk'))}"


def wrapped(words: Sequence[str], most: int) -> list[list[str]]:
    """Words in lines of at most so many letters."""
    lines: list[list[str]] = [[]]
    for word in words:
        if lines[-1] and len(" ".join([*lines[-1], word])) > most:
            lines.append([])
        lines[-1].append(word)
    return lines


def abstract_text(work: Work, rng: Random, sentences: int = 6) -> str:
    """What a paper says of itself, in the words of its area."""
    return " ".join(_sentence(text, work, rng) for text in rng.sample(_ABSTRACTS, sentences))


def body_text(work: Work, rng: Random, cites: Sequence[str], sentences: int = 9) -> str:
    """A paragraph that cites some of the references."""
    return " ".join(
        _sentence(text, work, rng, rng.choice(cites) if cites else "") for text in rng.sample(_BODY, sentences)
    )


def _sentence(text: str, work: Work, rng: Random, cite: str = "") -> str:
    term, other = rng.sample(TERMS[work.area], 2)
    return text.format(
        area=work.area, term=term, term2=other, terms=plural(term), terms2=plural(other), thing=rng.choice(_THINGS), quality=rng.choice(_QUALITIES),
        count=rng.randint(20, 900), share=rng.randint(3, 60), small=rng.randint(1, 6), cite=cite,
    )  # fmt: skip
