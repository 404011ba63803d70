"""What a site is like before anything is drawn in detail: its host, template, charset, kind of addresses."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import get_args

from trailmark.demo.plan import PathStyle
from trailmark.demo.wording import COMPUTING, town

TEMPLATES = ("tables", "lists", "frames", "divs", "cms")
CHARSETS = (
    "utf-8", "latin-1", "latin-1 undeclared", "latin-1 as utf-8", "windows-1252", "utf-16", "koi8-r", "shift_jis",
    "utf-8", "utf-8", "utf-8 undeclared", "latin-1",
)  # fmt: skip
LINK_STYLES = ("absolute", "rooted", "relative", "base")
CYCLE = 12
"""Every block of so many sites shows all templates, charsets and structures."""
PEOPLE_SHAPES = ("hub",) * 5 + ("direct",) * 4 + ("groups",) * 3
COURSE_SHAPES = ("flat",) * 5 + ("terms",) * 3 + ("levels",) * 4


@dataclass(frozen=True, slots=True)
class Character:
    """What a site is like before anything is drawn in detail; cheap, so that a host's name costs nothing."""

    number: int
    host: str
    town: str
    template: str
    charset: str
    links: str
    paths: PathStyle
    university: bool
    """Whether the root is a university with many departments, or the computing department itself."""
    subject: str
    code: str
    people_shape: str
    """hub, direct or groups: how one gets from the department's home page to the lists of people."""
    course_shape: str
    """flat, terms or levels: how its courses are listed."""


def character(seed: int, number: int) -> Character:
    """The character of site `number`, from the seed and the number alone."""
    block, place = divmod(number, CYCLE)
    order = Random(f"{seed}/block/{block}")
    templates = order.sample(TEMPLATES * 3, CYCLE + 3)[:CYCLE]
    templates[: len(TEMPLATES)] = order.sample(TEMPLATES, len(TEMPLATES))
    charsets = order.sample(CHARSETS, CYCLE)
    scopes = order.sample((True,) * 5 + (False,) * 7, CYCLE)
    people, courses = order.sample(PEOPLE_SHAPES, CYCLE), order.sample(COURSE_SHAPES, CYCLE)
    rng = Random(f"{seed}/character/{number}")
    subject, code, _ = rng.choices(COMPUTING, [weight for *_, weight in COMPUTING])[0]
    template = templates[place]
    paths = (
        get_args(PathStyle) if template in ("tables", "lists", "frames") else ("html", "folders", "nodes", "folders")
    )
    place_name = town(number)
    return Character(
        number=number,
        host=f"{'www' if scopes[place] else code}-{place_name}",
        town=place_name,
        template=template,
        charset=charsets[place],
        links=rng.choice(LINK_STYLES),
        paths=rng.choice(paths) if template != "cms" else "nodes",
        university=scopes[place],
        subject=subject,
        code=code,
        people_shape=people[place],
        course_shape=courses[place],
    )
