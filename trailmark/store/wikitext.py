"""The text of a wiki page as its authors wrote it -> a plain page: headings, paragraphs, list items and links; templates, tables, notes and files are left out.

Wikis have no grammar, and a text is hostile: every step is one pass over it, with no recursion and no pattern that can run away. What is opened and never
closed is taken for plain signs, as a wiki shows it.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import quote

LONGEST_TEXT = 2_000_000
"""Characters of a page that are read."""
LONGEST_TITLE = 500
_SAFE = "/:@!$&'()*+,;=~-._"
_DROPPED_TAGS = "ref|math|gallery|timeline|score|syntaxhighlight|source|pre|code|chem|hiero|graph|mapframe|style|script"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_EMPTY_TAG = re.compile(rf"<(?:{_DROPPED_TAGS})\b[^<>]{{0,500}}/>", re.IGNORECASE)
_TAG_MARK = re.compile(rf"<(/?)({_DROPPED_TAGS})\b[^<>]{{0,500}}>", re.IGNORECASE)
_OTHER_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>")
_BRACES = re.compile(r"\{\{|\}\}|^[ :]{0,9}\{\||^[ ]{0,9}\|\}(?!\})", re.MULTILINE)
_BRACKETS = re.compile(r"\[\[|\]\]([a-z]{1,20})?")
_OUTSIDE = re.compile(r"\[(https?://[^\s\[\]<>\"]{1,500})(?:[ \t]+([^\[\]\n]{1,300}))?\]")
_QUOTES, _SWITCH = re.compile(r"'{2,5}"), re.compile(r"__[A-Z]{2,30}__")
_HEADING = re.compile(r"(={1,6})([^\n]{1,500}?)(={1,6})[ \t]*")
_FOREIGN = re.compile(r"[a-z]{2,3}(?:-[a-z]{2,10})?|simple")
_LINK, _LINK_END, _TEXT_END = "\ue010", "\ue011", "\ue012"
"""Around links while the text goes on: no wiki has these signs, and those that a text has are taken out first."""


def wiki_address(prefix: str, title: str) -> str:
    """What the addresses of a wiki begin with, and a title -> the address of its page."""
    name = " ".join(title.replace("_", " ").split())[:LONGEST_TITLE]
    return prefix + quote((name[:1].upper() + name[1:]).replace(" ", "_"), safe=_SAFE)


def wiki_html(text: str, title: str, prefix: str, spaces: Iterable[str] = ()) -> str:
    """A wiki text, its title, what the wiki's addresses begin with and its namespaces -> a page of HTML."""
    plain = _plain(text[:LONGEST_TEXT], prefix, frozenset(space.lower() for space in spaces if space))
    name = html.escape(title[:LONGEST_TITLE])
    body = "\n".join(_blocks(plain))
    return f"<!DOCTYPE html><html><head><title>{name}</title></head><body><h1>{name}</h1>\n{body}\n</body></html>"


def _plain(text: str, prefix: str, spaces: frozenset[str]) -> str:
    """A wiki text -> lines with headings and lists as they were, links between marks, and nothing else."""
    text = re.sub(f"[{_LINK}{_LINK_END}{_TEXT_END}]", "", text)
    text = _EMPTY_TAG.sub("", _COMMENT.sub("", text))
    text = _without(text, _TAG_MARK, lambda match: match[2].lower(), lambda match: not match[1])
    text = _without(text, _BRACES, lambda match: "|" if "|" in match[0] else "{", lambda match: "{" in match[0])
    text = _with_links(text, prefix, spaces)
    text = _OUTSIDE.sub(lambda match: f"{_LINK}{match[1]}{_LINK_END}{match[2] or match[1]}{_TEXT_END}", text)
    return _SWITCH.sub("", _QUOTES.sub("", _OTHER_TAG.sub("", text)))


def _without(
    text: str, marks: re.Pattern[str], kind: Callable[[re.Match[str]], str], opens: Callable[[re.Match[str]], bool]
) -> str:
    """A text without what stands between marks that open and close; marks without a partner go, what stands around them stays."""
    waiting: list[tuple[str, int]] = []
    open_marks: Counter[str] = Counter()
    spans: list[tuple[int, int]] = []
    alone: list[tuple[int, int]] = []
    for match in marks.finditer(text):
        if opens(match):
            waiting.append((kind(match), match.start()))
            open_marks[kind(match)] += 1
        elif open_marks[kind(match)]:
            name, start = waiting.pop()
            while name != kind(match):  # opened inside and never closed
                open_marks[name] -= 1
                name, start = waiting.pop()
            open_marks[name] -= 1
            spans.append((start, match.end()))
        else:
            alone.append(match.span())
    alone += [(start, start + 2) for name, start in waiting if name in ("{", "|")]
    kept, at = [], 0
    for start, end in sorted([*spans, *alone]):
        if start >= at:
            kept.append(text[at:start])
        at = max(at, end)
    return "".join((*kept, text[at:]))


def _with_links(text: str, prefix: str, spaces: frozenset[str]) -> str:
    """Links between pages as address and words between marks; files, categories and other languages go with all that stands in them."""
    at, kept = 0, []
    for start, end in _outermost(text):
        kept += [text[at:start], _link(text[start + 2 : end.start()], end[1] or "", prefix, spaces)]
        at = end.end()
    return "".join((*kept, text[at:]))


def _outermost(text: str) -> list[tuple[int, re.Match[str]]]:
    """A text -> where its links begin and what closes each; of those inside of one another the outermost, and nothing of what is never closed."""
    waiting: list[int] = []
    found: list[tuple[int, re.Match[str]]] = []
    for match in _BRACKETS.finditer(text):
        if match[0] == "[[":
            waiting.append(match.start())
        elif waiting:
            start = waiting.pop()
            while found and found[-1][0] > start:
                found.pop()
            found.append((start, match))
    return found


def _link(inside: str, ending: str, prefix: str, spaces: frozenset[str]) -> str:
    """What stands in a link, and letters that stand close behind it and belong to its words -> the link between marks."""
    target, _, words = inside.partition("|")
    name, _, _ = target.partition("#")
    space, colon, _ = name.strip().removeprefix(":").partition(":")
    is_elsewhere = space.strip().lower() in spaces or _FOREIGN.fullmatch(space.strip())
    if "[[" in inside or "\n" in target or (colon and is_elsewhere) or len(target) > LONGEST_TITLE:
        return ending
    shown = " ".join((words or target).split()) + ending
    if not name.strip():
        return shown
    return f"{_LINK}{wiki_address(prefix, name.strip().removeprefix(':'))}{_LINK_END}{shown}{_TEXT_END}"


def _blocks(text: str) -> Iterator[str]:
    """Lines -> headings, list items and paragraphs as HTML."""
    paragraph: list[str] = []
    for line in (*text.split("\n"), ""):
        stripped = line.strip()
        heading = _HEADING.fullmatch(stripped) if stripped.startswith("=") else None
        item = stripped.lstrip("*#:;").strip() if stripped[:1] in tuple("*#:;") else ""
        if stripped and heading is None and not item and stripped[:1] not in tuple("*#:;"):
            paragraph.append(stripped)
            continue
        if paragraph:
            yield f"<p>{_inline(' '.join(paragraph))}</p>"
            paragraph = []
        if heading is not None and (words := heading[2].strip(" \t=")):
            level = max(2, min(6, len(heading[1])))
            yield f"<h{level}>{_inline(words)}</h{level}>"
        elif item:
            yield f"<ul><li>{_inline(item)}</li></ul>"


def _inline(text: str) -> str:
    """A line with links between marks -> the same as HTML; whatever else it holds is text."""
    parts = re.split(f"{_LINK}([^{_LINK_END}]*){_LINK_END}([^{_TEXT_END}]*){_TEXT_END}", text)
    found = [_shown(parts[0])]
    for address, words, rest in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        found.append(f'<a href="{_shown(address)}">{_shown(words)}</a>{_shown(rest)}')
    return re.sub(f"[{_LINK}{_LINK_END}{_TEXT_END}]", "", "".join(found))


def _shown(text: str) -> str:
    """Text with signs written as HTML writes them, or not -> the same for HTML; only now, since such a sign could be a mark."""
    return html.escape(html.unescape(text))
