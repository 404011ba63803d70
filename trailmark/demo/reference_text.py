"""A work -> how a list of references writes it: words with the field that each belongs to.

Two lists write the same work differently: names, titles, venues, pages and years have manners of their own, and now and then somebody errs.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random

from trailmark.demo.works import Author, Work

Labelled = tuple[str, str]
"""A word without blanks, and its field."""
_SHORT = {"Proceedings": "Proc.", "International": "Int.", "Conference": "Conf.", "Symposium": "Symp.", "Journal": "J.", "Transactions": "Trans.", "Processing": "Proc.", "University": "Univ.", "European": "Europ.", "Systems": "Syst."}  # fmt: skip
_MONTHS = ("January", "March", "May", "June", "August", "September", "October", "Dec.", "Feb.", "July")
_ORDINALS = ("Third", "5th", "Seventh", "11th", "Fourteenth", "22nd", "2nd")


@dataclass(frozen=True, slots=True)
class Manner:
    """How one list writes its references."""

    mark: str
    """`bracket`, `number` or `author` (and year, without any mark)."""
    names: str
    """`family`: Family, G. H.; `initials`: G. H. Family; `full`: Given Family."""
    last: str
    """Before the last of several names."""
    year_first: bool
    quotes: bool
    small_title: bool
    """Only the first word of a title begins with a capital."""
    short: bool
    """Venues are abbreviated."""
    pages: str


def draw_manner(rng: Random, mark: str = "") -> Manner:
    """The manner of one list; `mark` where it is settled already."""
    mark = mark or rng.choice(("bracket", "number", "author"))
    return Manner(
        mark,
        rng.choice(("family", "initials", "full") if mark != "author" else ("family", "family", "full")),
        rng.choice(("and", "and", "&")),
        year_first=mark == "author" or rng.random() < 0.15,
        quotes=rng.random() < 0.3,
        small_title=rng.random() < 0.5,
        short=rng.random() < 0.4,
        pages=rng.choice(("pp. {}–{}", "pages {}-{}", "{}–{}", "pp. {}-{}", "{}--{}")),
    )


def reference_words(work: Work, manner: Manner, rng: Random) -> list[Labelled]:
    """The words of one reference in the manner of its list, without its mark."""
    end = "." if manner.names != "initials" or manner.quotes else ","
    names = _names(work, manner, rng)
    words = _labelled(
        f"{names}." if manner.year_first and manner.mark != "author" else names + end * (not manner.year_first),
        "author",
    )
    if manner.year_first:
        words += _labelled(f"({work.year})." if manner.mark == "author" else f"{work.year}.", "date")
    title = _title(work.title, manner, rng)
    words += _labelled(f"“{title},”" if manner.quotes else f"{title}.", "title")
    words += _where(work, manner, rng)
    if not manner.year_first:
        month = f"{rng.choice(_MONTHS)} " if rng.random() < 0.2 else ""
        words += _labelled(f"{month}{work.year}.", "date")
    elif words[-1][0][-1] in ",;":
        words[-1] = (words[-1][0][:-1] + ".", words[-1][1])
    if rng.random() < 0.05:
        words += _labelled(rng.choice(("To appear.", "In press.", "(extended abstract)")), "note")
    return words


def _labelled(text: str, label: str) -> list[Labelled]:
    return [(word, label) for word in text.split()]


def _names(work: Work, manner: Manner, rng: Random) -> str:
    authors = work.authors
    shown = authors[:1] if len(authors) > 4 and rng.random() < 0.4 else authors
    names = [_name(author, manner, first=not place) for place, author in enumerate(shown)]
    if len(shown) < len(authors):
        return f"{names[0]} et al"
    if len(names) == 1:
        return names[0].removesuffix(".") if manner.names == "family" else names[0]
    comma = "," if manner.names == "family" or len(names) > 2 else ""
    return f"{', '.join(names[:-1])}{comma} {manner.last} {names[-1]}".removesuffix(".")


def _name(author: Author, manner: Manner, *, first: bool) -> str:
    initials = " ".join(f"{part[0]}." for part in author.given.split())
    if manner.names == "full":
        return f"{author.family}, {author.given}" if first and manner.mark == "author" else author.name
    return f"{author.family}, {initials}" if manner.names == "family" else f"{initials} {author.family}"


def _title(title: str, manner: Manner, rng: Random) -> str:
    if manner.small_title:
        title = title[:1] + "".join(letter.lower() if before == " " else letter for before, letter in pairwise(title))
    if rng.random() < 0.06 and len(title) > 12:  # somebody errs: a letter is lost, or a word is written apart
        place = rng.randrange(4, len(title) - 4)
        title = title[:place] + title[place + 1 :]
    return title


def _venue(text: str, manner: Manner) -> str:
    return " ".join(_SHORT.get(word, word) for word in text.split()) if manner.short else text


def _where(work: Work, manner: Manner, rng: Random) -> list[Labelled]:
    pages = manner.pages.format(work.first_page, work.last_page)
    if work.kind == "journal":
        volume = rng.choice((f"{work.volume}({work.number}):", f"vol. {work.volume},", f"{work.volume},"))
        return [
            *_labelled(f"{_venue(work.venue, manner)},", "journal"),
            *_labelled(volume, "volume"),
            *_labelled(f"{pages},", "pages"),
        ]
    if work.kind == "conference":
        return _conference(work, manner, pages, rng)
    if work.kind == "book":
        parts = [_labelled(f"{work.publisher},", "publisher"), _labelled(f"{work.place},", "location")]
        return [word for part in (parts if rng.random() < 0.6 else parts[:1]) for word in part]
    told = (f"Technical Report {work.number}-{work.volume},", "tech") if work.kind == "report" else (rng.choice(("PhD thesis,", "Ph.D. dissertation,", "Master’s thesis,")), "tech")  # fmt: skip
    return [*_labelled(*told), *_labelled(f"{_venue(work.venue, manner)},", "institution")]


def _conference(work: Work, manner: Manner, pages: str, rng: Random) -> list[Labelled]:
    count = f"{rng.choice(_ORDINALS)} " if rng.random() < 0.5 else ""
    opening = rng.choice(("In Proceedings of the ", "In ", "In: ", "In Proceedings of the ", "Proceedings of the "))
    words = _labelled(f"{_venue(f'{opening}{count}{work.venue}', manner)},", "booktitle")
    if rng.random() < 0.12:
        words += _labelled(f"{Author('E', work.publisher.split()[0]).family}, E., editor,", "editor")
    if rng.random() < 0.85:
        words += _labelled(f"{pages},", "pages")
    if rng.random() < 0.35:
        words += _labelled(f"{work.place},", "location")
    if rng.random() < 0.25:
        words += _labelled(f"{work.publisher},", "publisher")
    return words
