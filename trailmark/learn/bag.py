"""Pages and links -> bags of words in groups: everything `read` offers is a feature (PathLearner 4.2, Intinno 5.3.2).

A bag maps a group (where a word was seen) to its words. The same word in the title and in an anchor are two features.
Groups keep words apart without gluing strings together: a vocabulary has one dictionary a group.

Past the papers: the shape of words (`cs514` -> `a9`, `Ada Lovelace` -> `Aa Aa`), because course numbers and names of persons
recur from site to site by shape and not by spelling; where a link leads as seen from its page (down, up, beside, elsewhere);
and a site's own name, the words of its host, is left out, because it says nothing on the next site.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import urlsplit

from trailmark.datatypes import Link, Page
from trailmark.read import tokens, url_words

Bag = Mapping[str, Sequence[str]]

PAGE_GROUPS = ("title", "head", "body", "heading", "url", "ending", "form", "shape")
LINK_GROUPS = ("anchor", "pair", "around", "above", "to", "to ending", "place", "way", "look")

HABIT_GROUPS = ("ending", "form", "shape", "to ending", "place", "way", "look")
"""Groups that tell a site's habits more than what a page is about: layout, file names, looks."""

_LETTERS, _DIGITS = re.compile(r"[^\W\d_]+"), re.compile(r"\d+")
_CAPITALS = re.compile(r"[^\W\d_a-z][^\W\d_]*")
_NUMBER_IN_WORD = re.compile(r"^(?=.*\d)(?=.*[^\W\d_])")
_ENDING = re.compile(r"\.([A-Za-z0-9]{1,5})$")
_PAGE_ENDINGS = frozenset(("html", "htm", "shtml", "xhtml", "php", "php3", "asp", "aspx", "jsp", "cgi", "cfm"))
_STEPS = (0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


def page_bag(page: Page, *, site: str, page_tokens: int = 100) -> dict[str, list[str]]:
    """Words of a page. `site` is the root of its site, `page_tokens` how many tokens of the body count (-1: all)."""
    own = host_words(site)
    body = page.body_tokens if page_tokens < 0 else page.body_tokens[:page_tokens]
    title = tokens(page.title)
    return {
        "title": _distinct(title, own),
        "head": _distinct(page.head_tokens[len(title) :], own),
        "body": _distinct(body, own),
        "heading": _distinct((word for heading in page.headings[:30] for word in tokens(heading.text)[:12]), own),
        "url": _distinct(_target(page.url).words, own),
        "ending": list(_target(page.url).ending),
        "form": _page_form(page, site),
        "shape": list(dict.fromkeys((*_shapes(title), *_target(page.url).shapes))),
    }


def link_bag(link: Link, *, source: str, own: frozenset[str], window: int = 10) -> dict[str, Sequence[str]]:
    """Words of a link on the page at `source`; `own` are the host words of the site."""
    phrase, to = _phrase(link.anchor), _target(link.url)
    around = link.before[-window:] + link.after[:window] if window else ()
    return {
        "anchor": _distinct(phrase.words, own),
        "pair": phrase.pairs,
        "around": _distinct(around, own),
        "above": _distinct(_phrase(link.heading).words[:12], own) if link.heading else (),
        "to": _distinct(to.words, own),
        "to ending": to.ending,
        "place": _stand(link.place, link.kind, link.block >= 0, link.tag_path),
        "way": way(source, link.url),
        "look": phrase.look + to.shapes if to.shapes else phrase.look,
    }


class _Phrase(NamedTuple):
    """The words of an anchor or a heading, worked out once for all the links that say it."""

    words: tuple[str, ...]
    pairs: tuple[str, ...]
    look: tuple[str, ...]


class _Target(NamedTuple):
    """The words of a URL, worked out once for all the links that lead there."""

    words: tuple[str, ...]
    ending: tuple[str, ...]
    shapes: tuple[str, ...]
    host: str
    path: str
    query: str


_LONGEST_KEPT = 500
"""Characters of a text that is kept for a while; a page may be full of longer ones, and they are seldom met again."""


# Most links of a page stand on many pages of its site, so what depends on one string alone is kept for a while.
def _phrase(text: str) -> _Phrase:
    return _kept_phrase(text) if len(text) <= _LONGEST_KEPT else _read_phrase(text)


@lru_cache(maxsize=20_000)
def _kept_phrase(text: str) -> _Phrase:
    return _read_phrase(text)


def _read_phrase(text: str) -> _Phrase:
    words = tuple(tokens(text)[:20])
    pairs = tuple(f"{first} {second}" for first, second in pairwise(words[:6]))
    return _Phrase(words, pairs, (_look(text), *_shapes(words)))


def _target(url: str) -> _Target:
    return _kept_target(url) if len(url) <= _LONGEST_KEPT else _read_target(url)


@lru_cache(maxsize=20_000)
def _kept_target(url: str) -> _Target:
    return _read_target(url)


def _read_target(url: str) -> _Target:
    host, _, rest = url.partition("://")[2].partition("/")
    path, _, query = rest.partition("?")
    words = url_words(url)
    return _Target(tuple(_telling(words)), (_ending(path),), _shapes(words), host, f"/{path}", query)


def _stand(place: str, kind: str, repeated: bool, tag_path: str) -> tuple[str, ...]:
    """Where a link stands; of the path of its tags only the last three count."""
    return _kept_stand(place, kind, repeated, "/".join(tag_path.rsplit("/", 3)[-3:])[-_LONGEST_KEPT:])


@lru_cache(maxsize=5_000)
def _kept_stand(place: str, kind: str, repeated: bool, last_tags: str) -> tuple[str, ...]:
    return (place, kind, "repeated" if repeated else "alone", last_tags)


def _shapes(words: Iterable[str]) -> tuple[str, ...]:
    """Shapes of the words that hold letters and digits."""
    return tuple(dict.fromkeys(shape(word) for word in words if _NUMBER_IN_WORD.match(word)))


def shape(word: str) -> str:
    """Letters as `a`, digits as `9`, runs as one: `cs514` is `a9`."""
    return _DIGITS.sub("9", _LETTERS.sub("a", word))


def host_words(site: str) -> frozenset[str]:
    """Words of a site's own host name, and its `~user` where a home page is the site."""
    parts = urlsplit(site)
    host = [
        word for word in re.split(r"[.\-]", parts.hostname or "") if len(word) > 1 and word not in _PLAIN_HOST_WORDS
    ]
    user = [word for word in url_words(site) if word.startswith("~") and len(word) > 1]
    return frozenset([*host, *user, *(word[1:] for word in user)])


# Words of host names that are words of the language of sites: they may well tell something.
_PLAIN_HOST_WORDS = frozenset(
    (
        "www",
        "cs",
        "ics",
        "dept",
        "lab",
        "labs",
        "people",
        "home",
        "web",
        "edu",
        "com",
        "org",
        "net",
        "test",
        "localhost",
    )
)


def way(source: str, target: str) -> list[str]:
    """Where a link leads, seen from the page it stands on."""
    here, there = _target(source), _target(target)
    if here.host != there.host:
        return ["sister host" if _registered(here.host) == _registered(there.host) else "elsewhere"]
    folder, goal = here.path.rpartition("/")[0], there.path.rpartition("/")[0]
    if here.path == there.path:
        kind = "itself"
    elif folder == goal:
        kind = "beside"
    elif goal.startswith(folder):
        kind = "below"
    elif folder.startswith(goal):
        kind = "above"
    else:
        kind = "across"
    return [kind, "with query"] if there.query else [kind]


def _registered(host: str) -> str:
    return ".".join(host.partition(":")[0].split(".")[-2:])


def _page_form(page: Page, site: str) -> list[str]:
    """What a page is like beside its words: size, links, repetition, known headings, type."""
    inside = sum(1 for link in page.links if link.repeated)
    repetition = page.repetition
    form = [
        f"links {step_of(len(page.links))}",
        f"words {step_of(min(len(page.body_tokens), 100))}",
        f"headings {step_of(len(page.headings))}",
        f"type {page.content_type or 'unknown'}",
        f"repeats {step_of(repetition.items)}",
        f"coverage {round(repetition.strength * 4) / 4}",
        f"repeated links {step_of(inside)}",
        *(f"has {heading.text.lower()}" for heading in page.headings[:30] if heading.known and len(heading.text) < 40),
    ]
    return [*form, *way(site, page.url)]


def step_of(count: int) -> str:
    """A count on a rough scale, so that 40 and 45 links are one feature."""
    return str(max(step for step in _STEPS if step <= count))


def url_ending(url: str) -> str:
    """The file type that a URL promises, as in the groups `ending` and `to ending`."""
    return _target(url).ending[0]


def _ending(path: str) -> str:
    """The file type a URL promises. Whether pages end in .html, in .php or in a slash is a site's habit, so that is one type."""
    match = _ENDING.search(path)
    ending = match.group(1).lower() if match else "page"
    return "page" if ending in _PAGE_ENDINGS else ending


def _telling(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in _PAGE_ENDINGS]


def _look(anchor: str) -> str:
    """The capitals of an anchor: `Aa Aa` for most names of persons."""
    words = anchor.split()[:6]
    return (
        " ".join(["Aa" if _CAPITALS.match(word) else ("9" if word[:1].isdigit() else "a") for word in words]) or "empty"
    )


def _distinct(words: Iterable[str], own: frozenset[str]) -> list[str]:
    return [word for word in dict.fromkeys(words) if word not in own]
