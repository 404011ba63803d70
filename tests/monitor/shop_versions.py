"""A made-up shop that is redesigned: the same facts in another dress."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from pathlib import Path

from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter

HTML = (("Content-Type", "text/html; charset=utf-8"),)
WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "islet", "juniper")
CLUSTER = "shop.example/1"


def facts_of(number: int, *, season: int = 0) -> dict[str, str]:
    """Title and maker stay; the price is another every season."""
    dice, prices = random.Random(number), random.Random(f"{number} {season}")
    return {
        "title": f"{dice.choice(WORDS).title()} {dice.choice(WORDS)} {number}",
        "maker": f"{dice.choice(WORDS).title()} {dice.choice(WORDS).title()} Ltd",
        "price": f"${prices.randint(100, 999)}.{prices.randint(10, 99)}",
    }


def first_design(number: int, *, season: int = 0) -> str:
    facts, dice = facts_of(number, season=season), random.Random(number + season)
    advert = "<div class='advert'><b>Only today</b></div>" if dice.random() < 0.5 else ""
    return (
        f"<html><head><title>{facts['title']} - Shop</title></head><body><ul class='menu'><li>Home</li><li>Goods</li></ul>"
        f"{advert}<div id='item'><h1>{facts['title']}</h1><p>Now: <span class='now'>{facts['price']}</span></p><table>"
        f"<tr><th>Maker:</th><td>{facts['maker']}</td></tr><tr><th>Stock:</th><td>{dice.randint(1, 50)}</td></tr></table></div>"
        f"<div class='foot'>imprint</div></body></html>"
    )


def second_design(number: int, *, season: int = 0) -> str:
    """Nothing of the old markup is left; a menu says the first word of other makers."""
    facts = facts_of(number, season=season)
    other = facts_of(number + 1)["maker"]
    return (
        f"<html><head><title>Shop | {facts['title']}</title></head><body><header><nav><a>Start</a><a>{other}</a></nav></header>"
        f"<main><section class='hero'><div class='name'>{facts['title']}</div><div class='by'><em>by</em> <b>{facts['maker']}"
        f"</b></div></section><section class='buy'><form><strong class='cost'>{facts['price']}</strong><button>Buy</button>"
        f"</form></section><section class='more'><article><p>More</p><p>Goods</p></article></section></main>"
        f"<footer><small>imprint</small></footer></body></html>"
    )


def soft_error(number: int, *, season: int = 0) -> str:
    """A page that says 200 and holds nothing."""
    del number, season
    return "<html><head><title>Sorry</title></head><body><p>We are moving house.</p></body></html>"


def address(number: int) -> str:
    return f"http://shop.example/item/{number}"


def archive(
    path: Path, design: Callable[..., str], numbers: Iterable[int] = range(20), *, season: int = 0, status: int = 200
) -> Path:
    with ArchiveWriter(path) as writer:
        for number in numbers:
            writer.write(Response(address(number), status, HTML, design(number, season=season).encode()))
    return path


def marks(path: Path, numbers: Iterable[int]) -> Path:
    lines = [
        json.dumps({"url": address(number), "field": field, "value": value})
        for number in numbers
        for field, value in facts_of(number).items()
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
