"""Families of hostile pages: each takes a size and gives a page whose length grows with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

URL = "https://a.example/folder/page.html"


def page(body: str, head: str = "<title>A page</title>") -> bytes:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>".encode()


def repeated(text: str) -> Callable[[int], bytes]:
    """A page whose body is a text again and again; `{n}` in it counts."""
    return lambda size: page("".join(text.replace("{n}", str(n)) for n in range(size)))


def nested(start: str, end: str, inside: str = "x") -> Callable[[int], bytes]:
    return lambda size: page(start * size + inside + end * size)


def attributes(size: int) -> bytes:
    return page("<p " + " ".join(f"a{n}=b" for n in range(size)) + ">x</p>")


def classes(size: int) -> bytes:
    return page("<p class='" + " ".join(f"c{n}" for n in range(size)) + "'>x</p>")


def deep_then_wide(size: int) -> bytes:
    return page("<div itemscope itemprop=x>" * 200 + "<b itemprop=y>v</b>" * size)


def json_ld(inside: Callable[[int], str]) -> Callable[[int], bytes]:
    return lambda size: page("<h1>T</h1>", f"<script type='application/ld+json'>{inside(size)}</script>")


def behind(text: str) -> Callable[[int], bytes]:
    """The same behind the end of the page, where it is read as a browser does."""
    made = repeated(text)
    return lambda size: b"<html></html>x" + made(size)


def formatting(size: int) -> bytes:
    """Formatting that is never closed: a browser opens all of it anew in every paragraph."""
    return behind("<b class=c{n}>")(min(size, 400)) + b"<p>x</p>" * size


PAGES: dict[str, Callable[[int], bytes]] = {
    "behind the end": behind("<p>text {n}</p>"),
    "deep behind the end": behind("<div>a"),
    "deep tables behind the end": behind("<table><tr><td>a"),
    "rows behind the end": behind("<table>a<tr>b<td>c"),
    "links behind the end": behind("<a href=/{n}><div>a"),
    "open formatting": formatting,
    "open formatting in cells": behind("<table><td><b class=c{n}>a</table>"),
    "overlapping formatting": behind("<b class=c{n}><p>a</b><i>b"),
    "roots": behind("<html a{n}=b>"),
    "bodies": behind("<body a{n}=b>x</body></html>"),
    "names behind the end": behind("<svg xmlns:x='y' xml:z=a><x:y>b</svg>"),
    "templates behind the end": behind("<template shadowrootmode=open>a"),
    "open items": repeated("<li><span>a"),
    "open entries": repeated("<div class=e>a"),
    "open entries in boxes": repeated("<div class=e>a<p>b<span>"),
    "deep": nested("<div>", "</div>"),
    "deep and open": nested("<div><p>a", ""),
    "deep inline": nested("<b>a", "</b>"),
    "deep lists": nested("<ul><li>a", "</li></ul>"),
    "deep tables": nested("<table><tr><td>a", "</td></tr></table>"),
    "deep items": nested("<div itemscope itemprop=x><b itemprop=y>a</b>", "</div>"),
    "deep properties": nested("<div itemprop=x property=y>a ", "</div>"),
    "deep links": nested("<a href=x>a", "</a>"),
    "deep then wide": deep_then_wide,
    "siblings": repeated("<p>text {n}</p>"),
    "equal siblings": repeated("<p>same</p>"),
    "empty siblings": repeated("<i></i>"),
    "attributes on one tag": attributes,
    "one huge attribute": lambda size: page(f"<p title='{'x ' * size}'>x</p>"),
    "one huge class": classes,
    "links": repeated("<li><a href='/p/{n}'>link {n}</a></li>"),
    "one link many times": repeated("<a href='/same'>same</a> "),
    "long links": lambda size: page(f"<a href='/{'a/' * size}'>x</a><a href='/?{'a=b&' * size}'>y</a>"),
    "dotted links": lambda size: page(f"<a href='/{'a/../' * size}'>x</a><a href='{'../' * size}'>y</a>"),
    "links without words": repeated("<a href='/{n}'></a>"),
    "link texts": lambda size: page(f"<a href='/x'>{'word ' * size}</a>"),
    "huge text": lambda size: page("word " * size),
    "one long word": lambda size: page("x" * size),
    "marks": lambda size: page("a\u0301" * size + " " + "." * size + "a." * size),
    "blanks": lambda size: page("x" + " " * size + "\n\t" * size + "x"),
    "tiny texts": repeated("a<i>b</i>"),
    "comments": repeated("a<!-- {n} -->"),
    "open comments": lambda size: page("<!-- " * size),
    "open tags": repeated("<b><i><p>x"),
    "closing tags": lambda size: page("</b></i></p></div>" * size),
    "broken tags": lambda size: page("<a href='<p " * size),
    "angles": lambda size: page("<" * size),
    "tables": repeated("<table><tr><th>Name</th><td>{n}</td></tr></table>"),
    "rows": lambda size: page("<table>" + "<tr><td>a</td><td>b</td></tr>" * size + "</table>"),
    "cells": lambda size: page("<table><tr>" + "<td>a</td>" * size + "</tr></table>"),
    "forms": repeated("<form action=/f{n}><input name=a><select><option>b</select></form>"),
    "entities": lambda size: page("&amp;&eacute;&#233;&nosuch;" * size),
    "half entities": lambda size: page("&" * size + "&#" * size),
    "huge title": lambda size: page("x", f"<title>{'word - ' * size}</title>"),
    "blank title": lambda size: page("x", f"<title>a{' ' * size}b</title>"),
    "titles": lambda size: page("x", "<title>a</title>" * size),
    "metas": lambda size: page("x", "<meta name=description content='a b c'>" * size),
    "open metas": lambda size: page("x", "<meta " * size),
    "blocks": repeated("<div class=item><h3>Name {n}</h3><p>Text <b>{n}</b></p><a href='/i/{n}'>more</a></div>"),
    "blocks that differ": lambda size: page("".join(f"<div>{'<b>x</b>' * (n % 40)}</div>" for n in range(size))),
    "pairs of tags": lambda size: page("".join("<b>x</b>" if n.bit_count() % 2 else "<i>x</i>" for n in range(size))),
    "class names": repeated("<p class='c{n}' id='i{n}'>x</p>"),
    "tag names": repeated("<t{n}>x</t{n}>"),
    "headings": repeated("<h2>Heading {n}</h2><a href='/{n}'>x</a>"),
    "bold lines": repeated("<p><b>Heading {n}</b></p>x"),
    "open bold": lambda size: page("<b>" + "x <a href=y>y</a> " * size),
    "scripts": repeated("<script>var a = '{n}'</script>"),
    "styles": repeated("<style>p { color: red }</style>"),
    "style names": repeated("<p style='font-size: 12pt; font-weight:'>x</p>"),
    "images": repeated("<img src='/{n}.png' alt='picture {n}'>"),
    "frames": lambda size: page("<frameset>" + "<frame src=/a>" * size),
    "bases": lambda size: page("x", "<base href='/a/'>" * size),
    "items": repeated("<div itemscope itemtype=Thing><b itemprop=name>n{n}</b></div>"),
    "one wide item": lambda size: page("<div itemscope>" + "<b itemprop=name>n</b>" * size + "</div>"),
    "long texts in items": lambda size: page("<div itemscope>" + "<b itemprop=a>" * 50 + "word " * size),
    "lists in data": json_ld(lambda size: "[" * 300 + "[]," * size + "0" + "]" * 300),
    "deep data": json_ld(lambda size: '{"a":[' * size),
    "wide data": json_ld(lambda size: "{" + ",".join(f'"k{n}":"v"' for n in range(size)) + "}"),
    "commas in data": json_ld(lambda size: '{"a":"b"' + ", " * size + "}"),
    "blanks in data": json_ld(lambda size: ";" + " " * size + "x" + "//" * size),
    "long number in data": json_ld(lambda size: '{"a":' + "9" * size + "}"),
    "noframes": lambda size: page("<noframes>" * size),
    "declaration": lambda size: b"<?xml " + b" " * size + page("x"),
    "no markup": lambda size: b"a b\n" * size,
    "high bytes": lambda size: b"\xe9\xff\x80 " * size,
    "zeros": lambda size: b"\x00" * size + page("x"),
}


@cache
def made(family: str, size: int) -> bytes:
    return PAGES[family](size)
