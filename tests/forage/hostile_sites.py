"""Sites whose pages are traps, one host label each: all of it answered by the hostile server."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

Answer = tuple[bytes, dict[str, str]]
"""Body, and headers that differ from those of a plain page."""

LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
BILLION = (
    f'<?xml version="1.0"?><!DOCTYPE d [<!ENTITY l0 "laughing">{LAUGHS}]><d>&l9;<a href="/after-laughing">x</a></d>'
)
OUTSIDE = (
    '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY net SYSTEM "{root}secret">'
    '<!ENTITY % more SYSTEM "{root}secret.dtd">%more;]><html><body>&file;&net;<a href="/after-outside">x</a></body></html>'
)


def page(*links: str, words: str = "", title: str = "A page") -> bytes:
    items = "".join(f'<li><a href="{each}">link</a></li>' for each in links)
    return f"<html><title>{title}</title><body><p>{words}</p><ul>{items}</ul></body></html>".encode()


def noise(text: str, count: int) -> list[str]:
    """Words that nobody can foresee and that are always the same for a text."""
    digits = hashlib.shake_128(text.encode()).hexdigest(4 * count)
    return [f"w{digits[8 * n : 8 * n + 8]}" for n in range(count)]


def calendar(target: str, root: str) -> Answer:
    """Months before and after, without end."""
    del root
    if not target.startswith("/cal"):
        return page("/cal?y=2004&m=5", "/about"), {}
    year, month = (int(part.rpartition("=")[2]) for part in target.partition("?")[2].split("&"))
    turns = [divmod(year * 12 + month - 1 + step, 12) for step in (-1, 1)]
    return page(*(f"/cal?y={y}&m={m + 1}" for y, m in turns), words=" ".join(noise(target, 8))), {}


def sessions(target: str, root: str) -> Answer:
    """Five pages, and a new session number in every link."""
    del root
    fresh = noise(target, 10)
    links = [f"/page{n}?PHPSESSID={fresh[n]}" for n in range(5)]
    links += [f"/page{n};jsessionid={fresh[5 + n]}" for n in range(5)]
    return page(*links, words=target.partition("?")[0].partition(";")[0]), {}


def digging(target: str, root: str) -> Answer:
    """A relative link that leads deeper into itself, and a page that says something new each time."""
    del root
    return page("more/", "again/more/", words=" ".join(noise(target, 30)), title=target), {}


def copies(target: str, root: str) -> Answer:
    """The very same bytes at every address; its links are relative, so that they always lead to new ones."""
    del target, root
    return page("a/", "b/", "c.html", words="the same page again and again"), {}


def lost_said(target: str, root: str) -> Answer:
    """A missing page answers with 200, repeats the address, suggests something else each time, and says the date."""
    if target == "/":
        return page(*(f"/goal/{n}/x.html" for n in range(6)), "/there/goal.html", words="welcome to this site"), {}
    if target == "/there/goal.html":
        return page("/", words="a goal that is there and says what a goal says"), {}
    words = f"Sorry! The page you requested could not be found. You asked for {target} on {root}. "
    words += f"Today is day {len(target)}. Perhaps you want {' '.join(noise(target, 3))}?"
    return page("/", "search.html", f"/goal/{noise(target, 1)[0]}", words=words, title="Our site"), {}


def lost_mute(target: str, root: str) -> Answer:
    """As before, in a language that nobody here knows."""
    del root
    if target == "/":
        return page(*(f"/{word}/goal-{word}.html" for word in noise("mute", 12)), words="hoc est principium"), {}
    words = f"non est hic quod petis {target} forsitan {noise(target, 1)[0]} velis aut ad principium redire potes "
    words += "vale atque ignosce nobis multum laboris habemus et paginae semper mutantur apud nos ut scis"
    return page("/", f"deeper/{noise(target, 1)[0]}/goal.html", words=words, title="Situs"), {}


def kinds(target: str, root: str) -> Answer:
    """Content that is not what it is said to be."""
    names = ("pretty", "noisy", "styled", "binary", "typeless", "paper", "xml", "outside", "laughs", "odd-type")
    if target == "/":
        return page(*(f"/{name}" for name in names), "/end"), {}
    hidden = page("/hidden")
    answers: dict[str, Answer] = {
        "/pretty": (hidden, {"Content-Type": "image/png"}),
        "/noisy": (hidden, {"Content-Type": "audio/mpeg"}),
        "/styled": (hidden, {"Content-Type": "text/css"}),
        "/binary": (bytes(range(256)) * 100, {"Content-Type": "text/html"}),
        "/typeless": (page("/from-typeless"), {"Content-Type": ""}),
        "/paper": (b"%PDF-1.4\n%\xff\xff\n1 0 obj << /Length 99999999999 >> stream", {"Content-Type": "text/html"}),
        "/xml": (BILLION.encode(), {"Content-Type": "text/xml"}),
        "/laughs": (BILLION.encode(), {"Content-Type": "application/xhtml+xml"}),
        "/outside": (OUTSIDE.format(root=root).encode(), {"Content-Type": "application/xhtml+xml"}),
        "/odd-type": (page("/from-odd"), {"Content-Type": 'text/html; charset="no\\such"; charset=utf-7'}),
    }
    return answers.get(target, (page(words=target), {}))


def broken(target: str, root: str) -> Answer:
    """Markup that was written to break parsers."""
    del root
    bodies = {
        "/nested": b"<div>" * 15_000 + b"<a href='/from-nested'>x</a>",
        "/open": b"<a href='/from-open' " + b"x=" * 20_000,
        "/nulls": b"\x00" * 50_000 + b"<a href='/from-nulls'>x</a>",
        "/long": b"<a href='/" + b"y" * 90_000 + b"'>x</a><a href='/from-long'>x</a>",
        "/many": b"".join(b"<a href='/many/%d.png'>x</a>" % n for n in range(3000)),
        "/bases": b"<base href='http://['><base href='file:///etc/'><a href='from-bases'>x</a>",
        "/surrogate": b"\xff\xfe" + "<a href='/\ud800'>x</a>".encode("utf-16-le", "surrogatepass"),
        "/tables": b"<table><tr><td>" * 3000,
        "/comment": b"<!--" + b"-" * 90_000,
        "/escape": b"<title>\x1b[31m\x1b]0;x\x07</title>&#0;&#x110000;&#xD800;<a href='/from-escape'>x</a>",
    }
    if target == "/":
        return page(*bodies, "/end"), {}
    return bodies.get(target, page(words=target)), {}


def deep(target: str, root: str) -> Answer:
    """Always one new page further, under a name without numbers."""
    del root
    return page(f"/{''.join(c for c in noise(target, 1)[0] if c.isalpha())}q{'z' * len(target)}", words=target), {}


def lengthening(target: str, root: str) -> Answer:
    """Each address is three times as long as the one before."""
    del root
    return page(f"/{'ab-' * (len(target) + 20)}", words=target[:20]), {}


def baker(target: str, root: str) -> Answer:
    """A hundred large cookies with every page."""
    del root
    crumbs = "\r\nSet-Cookie: ".join(f"c{n}{noise(target, 1)[0]}={'x' * 1000}" for n in range(100))
    links = [f"/{word}" for word in noise("baker", 3)]
    return page(*links, words=target), {"Set-Cookie": crumbs}


def healthy(target: str, root: str) -> Answer:
    """What a site should be: seven pages, one of them a goal."""
    del root
    links = {"/": ("/a", "/b"), "/a": ("/a/one", "/a/two"), "/b": ("/b/one", "/goal")}
    return page(*links.get(target, ()), words=" ".join(noise(target, 20)), title=target), {}


SITES: dict[str, Callable[[str, str], Answer]] = {
    "calendar": calendar, "sessions": sessions, "digging": digging, "copies": copies, "lost-said": lost_said,
    "lost-mute": lost_mute, "kinds": kinds, "broken": broken, "deep": deep, "lengthening": lengthening,
    "many-cookies": baker, "healthy-1": healthy, "healthy-2": healthy, "healthy-3": healthy,
}  # fmt: skip
