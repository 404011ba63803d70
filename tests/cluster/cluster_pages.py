"""Made-up pages of a few templates, for the tests of the room."""

from __future__ import annotations

import random

from trailmark.cluster import Signature, sign_page
from trailmark.read import parse_html

MENU = ("Home", "Items", "People", "Help")


def menu(current: str) -> str:
    cells = [f"<li>{name}</li>" if name == current else f"<li><a href='/{name}'>{name}</a></li>" for name in MENU]
    return "<ul class='menu'>" + "".join(cells) + "</ul>"


def item_page(number: int) -> str:
    """A shop's item: some have a discount, some have reviews."""
    dice = random.Random(number)
    discount = "<p class='sale'><s>9</s> <b>now 7</b></p>" if dice.random() < 0.5 else ""
    reviews = "".join(
        f"<div class='review'><p>word {n}</p><i>x</i></div>" for n in range(dice.choice([0, 0, 1, 2, 5, 9]))
    )
    rows = "".join(f"<tr><th>size {n}</th><td>{dice.random():.3f}</td></tr>" for n in range(dice.randint(2, 6)))
    return (
        f"<html><head><title>Thing {number}</title></head><body>{menu('Items')}<div class='item'><h1>Thing {number}</h1>"
        f"<span class='price'>{dice.random():.2f}</span>{discount}<table class='facts'>{rows}</table>"
        f"<div class='about'><p>text {dice.random()}</p></div>{reviews}</div><div class='foot'><p>imprint</p></div></body></html>"
    )


def person_page(number: int) -> str:
    """Another template of the same site."""
    dice = random.Random(number)
    papers = "".join(f"<li class='paper'><cite>paper {n}</cite> <em>venue</em></li>" for n in range(dice.randint(3, 8)))
    return (
        f"<html><head><title>Person {number}</title></head><body>{menu('People')}<div class='card'><img src='a'>"
        f"<h2>Person {number}</h2><address><a href='m'>mail {number}</a></address></div><ol class='papers'>{papers}</ol>"
        "<div class='foot'><p>imprint</p></div></body></html>"
    )


def twin_page(number: int, kind: str) -> str:
    """Two kinds that share their frame: only the title and the menu tell them apart."""
    current = "Items" if kind == "uses" else "People"
    return (
        f"<html><head><title>{kind} of thing{number}</title></head><body>{menu(current)}<div class='header'><h1>{kind} of "
        f"thing{number}</h1></div><div class='text'><p>nothing here about {number}</p></div>{menu(current)}"
        "<div class='foot'><p>imprint</p></div></body></html>"
    )


def signed(html: str) -> Signature:
    root, _, _ = parse_html(html.encode())
    assert root is not None
    return sign_page(root)
