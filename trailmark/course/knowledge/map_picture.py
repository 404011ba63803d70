"""A knowledge map -> a picture (SVG) in which phrases stand from left to right as they are taught, and a page in which it can be walked.

Columns are parts of the course; within a column phrases stand near those that they are tied to. There is no chance in it: the same map
gives the same picture. The page has a part for each phrase, with its relations and the sentences behind them; every phrase leads there.
No script is in either.
"""

from __future__ import annotations

import html
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from trailmark.course.knowledge.knowledge_map import Evidence, KnowledgeMap, MapPhrase, Relation
from trailmark.quoting import terminal_text

COLUMNS, WIDTH, HEIGHT, GAP, LINE, EDGE = 5, 190, 30, 90, 46, 30
"""Columns; width and height of a box; distance of columns and of rows; margin."""
ROUNDS = 8
"""Times that columns are put in the order of their neighbours."""
LONGEST_LABEL = 26
_STYLE = """text{font:13px system-ui,sans-serif;fill:#1b1f24}.box{fill:#eef3f8;stroke:#1f5a8a}.best{fill:#cfe1f1}a:focus .box,a:hover .box{stroke-width:3}
.before{stroke:#1f5a8a;stroke-width:2;marker-end:url(#tip)}.broader{stroke:#7a5200;stroke-dasharray:6 3}.related{stroke:#9aa5b1}path{fill:none}
@media (prefers-color-scheme:dark){text{fill:#e8edf2}.box{fill:#1d2833;stroke:#8ec1ea}.best{fill:#284257}.before{stroke:#8ec1ea}.broader{stroke:#e0b050}}"""
_PAGE_STYLE = """body{font:16px/1.5 system-ui,sans-serif;margin:1rem auto;max-width:1500px;padding:0 1rem;color:#1b1f24;background:#fff}
svg{max-width:100%;height:auto}section{border-top:1px solid #c8ced6;padding:.5rem 0}section:target{background:#fff6d6}
blockquote{margin:.2rem 0 .2rem 1rem;color:#444d56;font-size:.9rem}li{margin:.3rem 0}a{color:#1f5a8a}h2{margin:.2rem 0;font-size:1.1rem}
@media (prefers-color-scheme:dark){body{background:#12181e;color:#e8edf2}a{color:#8ec1ea}section:target{background:#3a3210}blockquote{color:#b6c0ca}}"""
_WORDS = {
    ("broader", True): "Broader than",
    ("broader", False): "Narrower than",
    ("before", True): "Often before (unsure)",
    ("before", False): "Often after (unsure)",
    ("related", True): "Goes with",
    ("related", False): "Goes with",
}
Spot = tuple[float, float]


def map_svg(found: KnowledgeMap) -> str:
    """A map -> its picture."""
    spots = _spots(found)
    wide = 2 * EDGE + COLUMNS * WIDTH + (COLUMNS - 1) * GAP
    tall = 2 * EDGE + HEIGHT + max((y for _, y in spots.values()), default=0)
    lines = [_line(each, spots) for each in found.relations]
    boxes = [_box(each, spots[each.id]) for each in found.phrases]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {tall:g}" width="{wide}" height="{tall:g}" role="img" aria-labelledby="map-title">\n'
        f'<title id="map-title">{_escaped(found.title)}</title>\n<style>{_STYLE}</style>\n'
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">'
        '<path d="M0 0 10 5 0 10z" style="fill:#1f5a8a"/></marker></defs>\n'
        + "\n".join([*lines, *boxes])
        + "\n</svg>\n"
    )


def map_page(found: KnowledgeMap, language: str = "en") -> str:
    """A map -> a page with its picture, and a part for each phrase with what stands behind it."""
    labels = {each.id: each.label for each in found.phrases}
    parts = "\n".join(_part(each, found, labels) for each in found.phrases)
    title = _escaped(found.title)
    return (
        f'<!DOCTYPE html>\n<html lang="{_escaped(language)}">\n<head>\n<meta charset="utf-8">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{title}</title>\n<style>{_PAGE_STYLE}</style>\n</head>\n'
        f"<body>\n<h1>{title}</h1>\n<p>From left to right as it is taught. Arrows: often taught before, which is unsure; dashed: broader; thin: goes with. "
        f"Choose a phrase to see the sentences behind it.</p>\n{map_svg(found)}\n{parts}\n</body>\n</html>\n"
    )


def _part(phrase: MapPhrase, found: KnowledgeMap, labels: Mapping[str, str]) -> str:
    relations = "".join(f"<li>{_told(each, phrase.id, labels)}</li>" for each in found.around(phrase.id))
    return (
        f'<section id="{_anchor(phrase.id)}"><h2>{_escaped(phrase.label)}</h2>{_quotes(phrase.evidence)}'
        f"{f'<ul>{relations}</ul>' if relations else ''}</section>"
    )


def _told(relation: Relation, phrase: str, labels: Mapping[str, str]) -> str:
    first = relation.first == phrase
    other = relation.second if first else relation.first
    return (
        f'{_WORDS[relation.kind, first]} <a href="#{_anchor(other)}">{_escaped(labels[other])}</a> ({_escaped(relation.why)})'
        f"{_quotes(relation.evidence)}"
    )


def _quotes(evidence: Sequence[Evidence]) -> str:
    return "".join(
        f'<blockquote>{_escaped(each.sentence)} <a href="{_escaped(_web(each.url))}" rel="noreferrer">source</a></blockquote>'
        for each in evidence
    )


def _web(url: str) -> str:
    return url if url.lower().startswith(("http://", "https://")) else "#"


def _spots(found: KnowledgeMap) -> dict[str, Spot]:
    """Phrase -> the upper left corner of its box."""
    columns = _columns(found.phrases)
    ties: defaultdict[str, list[str]] = defaultdict(list)
    for each in found.relations:
        ties[each.first].append(each.second)
        ties[each.second].append(each.first)
    for _ in range(ROUNDS):
        rows = {name: row for column in columns for row, name in enumerate(column)}
        for column in columns:
            column.sort(key=lambda name: (_middle([rows[other] for other in ties[name]], rows[name]), name))
    return {
        name: (EDGE + number * (WIDTH + GAP), EDGE + row * LINE)
        for number, column in enumerate(columns)
        for row, name in enumerate(column)
    }


def _middle(rows: Sequence[int], otherwise: int) -> float:
    return sum(rows) / len(rows) if rows else float(otherwise)


def _columns(phrases: Sequence[MapPhrase]) -> list[list[str]]:
    """Phrases by when they are taught, in columns of about the same length."""
    ordered = sorted(phrases, key=lambda each: (each.when, -each.score, each.id))
    share = max(1, -(-len(ordered) // COLUMNS))
    return [[each.id for each in ordered[start : start + share]] for start in range(0, len(ordered), share)]


def _line(relation: Relation, spots: Mapping[str, Spot]) -> str:
    (x1, y1), (x2, y2) = spots[relation.first], spots[relation.second]
    middle1, middle2 = y1 + HEIGHT / 2, y2 + HEIGHT / 2
    if x1 == x2:
        out = x1 + WIDTH
        way = f"M{out:g} {middle1:g}C{out + 40:g} {middle1:g} {out + 40:g} {middle2:g} {out:g} {middle2:g}"
    else:
        start, end = (x1 + WIDTH, x2) if x1 < x2 else (x1, x2 + WIDTH)
        bend = (end - start) / 2
        way = f"M{start:g} {middle1:g}C{start + bend:g} {middle1:g} {end - bend:g} {middle2:g} {end:g} {middle2:g}"
    return f'<path class="{relation.kind}" d="{way}"><title>{_escaped(relation.why)}</title></path>'


def _box(phrase: MapPhrase, spot: Spot) -> str:
    x, y = spot
    label = phrase.label if len(phrase.label) <= LONGEST_LABEL else f"{phrase.label[: LONGEST_LABEL - 1]}\u2026"
    kind = "box best" if phrase.score >= 0.5 else "box"
    return (
        f'<a href="#{_anchor(phrase.id)}"><rect class="{kind}" x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + 20:g}" text-anchor="middle">{_escaped(label)}</text><title>{_escaped(phrase.label)}</title></a>'
    )


def _anchor(phrase: str) -> str:
    """The name of a phrase's part: letters that mean nothing else in an address."""
    return "phrase-" + "".join(_letters(phrase))


def _letters(phrase: str) -> Iterator[str]:
    for letter in phrase:
        yield letter if letter.isascii() and (letter.isalnum() or letter == "-") else f"_{ord(letter):x}_"


def _escaped(text: str) -> str:
    return html.escape(terminal_text(text))
