"""Made-up pages of one template, for the tests of the room."""

from __future__ import annotations

import random

from trailmark.datatypes import Annotation
from trailmark.read import parse_html
from trailmark.wrap import AnnotatedPage, NodeTable

WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "islet", "juniper")


def facts_of(number: int) -> dict[str, list[str]]:
    """What the page is about: title, price, makers (one or two), and a year that one page in four lacks."""
    dice = random.Random(number)
    makers = dice.sample([f"{word.title()} & Sons" for word in WORDS], 1 + number % 2)
    return {
        "title": [f"{dice.choice(WORDS).title()} {dice.choice(WORDS)} {number}"],
        "price": [f"${dice.randint(1, 999)}.{dice.randint(10, 99)}"],
        "maker": makers,
        "year": [] if number % 4 == 3 else [str(dice.randint(1950, 2020))],
    }


def page_html(number: int) -> str:
    """An item of a shop: the title stands twice, adverts come and go, other prices stand near."""
    facts, dice = facts_of(number), random.Random(number + 1000)
    advert = "<div class='advert'><b>$1.00</b> only</div>" if dice.random() < 0.5 else ""
    year = f"<tr><th>Year:</th><td>{facts['year'][0]}</td></tr>" if facts["year"] else ""
    makers = ", ".join(f"<a href='/m'>{each.replace('&', '&amp;')}</a>" for each in facts["maker"])
    other = f"${dice.randint(1, 99)}.00"
    return (
        f"<html><head><title>{facts['title'][0]} - Shop</title></head><body><ul><li>Home</li><li>{facts['title'][0]}</li></ul>"
        f"{advert}<div id='item'><h1>{facts['title'][0]}</h1><p>Was: <s>{other}</s> Now: <span class='now'>{facts['price'][0]}"
        f"</span></p><table><tr><th>Maker:</th><td>{makers}</td></tr>{year}<tr><th>Stock:</th><td>{dice.randint(1, 50)}</td>"
        f"</tr></table><!-- end --> ships today</div><div class='foot'>imprint 1999</div></body></html>"
    )


def table_of(html: str) -> NodeTable:
    return NodeTable(parse_html(html.encode(), "text/html; charset=utf-8")[0])


def marks_of(number: int) -> tuple[Annotation, ...]:
    return tuple(
        Annotation(f"http://shop.example/{number}", field, value)
        for field, values in facts_of(number).items()
        for value in values or (None,)
    )


def sample(annotated: tuple[int, ...], others: range = range(10, 24)) -> list[AnnotatedPage]:
    marked = [AnnotatedPage(table_of(page_html(n)), marks_of(n)) for n in annotated]
    return marked + [AnnotatedPage(table_of(page_html(n))) for n in others]
