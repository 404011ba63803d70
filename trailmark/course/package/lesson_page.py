"""A lesson -> its own page: what it is and where it comes from, the copy in a frame that can do nothing or the way to it, and what tells the learning system.

Three walls stand between a page of the web and the learning system: the copy was written anew without anything that acts, its own content
security policy lets it load and run nothing, and the frame is sandboxed, so that it belongs to no origin.
"""

from __future__ import annotations

import html
from importlib import resources

from trailmark.course.package.content import Lesson, plain_title

POLICY = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; frame-src 'self' file:; base-uri 'none'; form-action 'none'"
SANDBOX = "allow-popups allow-popups-to-escape-sandbox"
STYLE, RUNTIME = "shared/lesson.css", "shared/runtime.js"
"""Files that all lessons' pages load."""


def lesson_page(lesson: Lesson, *, course: str, language: str, scorm: str = "", done: str = "button") -> str:
    """A lesson -> its page; `scorm` is `1.2`, `2004` or empty for none, `done` what counts as done: the button, or that it was opened."""
    asks = f'\n<footer><button id="done" type="button">Mark as done</button> <span id="state" role="status"></span></footer>\n<script src="../{RUNTIME}"></script>'
    told = f' data-scorm="{scorm}" data-done="{done}"' if scorm else ""
    return (
        f'<!DOCTYPE html>\n<html lang="{html.escape(language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(lesson.title)}</title>\n{_dublin_core(lesson, course)}"
        f'<link rel="stylesheet" href="../{STYLE}">\n</head>\n<body{told}>\n'
        f'<header><p class="kind">{html.escape(course)}: {html.escape(lesson.item.kind)}</p>\n'
        f'<h1>{html.escape(lesson.title)}</h1>\n<p class="source">{_origin(lesson)}</p></header>\n'
        f"<main>{_main(lesson)}</main>{asks if scorm else ''}\n</body>\n</html>\n"
    )


def shared_files(*, scorm: bool) -> dict[str, bytes]:
    """Path -> file that the lessons' pages load."""
    folder = resources.files("trailmark.course.package")
    names = {STYLE: "lesson.css"} | ({RUNTIME: "runtime.js"} if scorm else {})
    return {path: (folder / name).read_bytes() for path, name in names.items()}


def _main(lesson: Lesson) -> str:
    if lesson.copy and lesson.is_framed:
        title = html.escape(f"Copy of {lesson.title}")
        return f'<iframe src="../{html.escape(lesson.copy)}" title="{title}" sandbox="{SANDBOX}" referrerpolicy="no-referrer"></iframe>'
    href, words = (
        (f"../{lesson.copy}", "Open the file") if lesson.copy else (lesson.item.url, "Open it where it stands")
    )
    return f'<p><a id="open" class="open" href="{html.escape(href)}" target="_blank" rel="noopener noreferrer">{words}</a></p>'


def _origin(lesson: Lesson) -> str:
    address = html.escape(lesson.item.url)
    link = (
        f'<a href="{address}" target="_blank" rel="noopener noreferrer">{html.escape(plain_title(lesson.item.url))}</a>'
    )
    day = f", as it was on {html.escape(lesson.date)}" if lesson.copy and lesson.date else ""
    licence = lesson.licence
    terms = (
        f'. Licence: <a href="{html.escape(licence.url)}" target="_blank" rel="license noopener noreferrer">{html.escape(licence.name)}</a>'
        if licence
        else ""
    )
    return f"{'Copied from' if lesson.copy else 'At'} {link}{day}{terms}"


def _dublin_core(lesson: Lesson, course: str) -> str:
    values = {
        "DC.title": lesson.title,
        "DC.source": lesson.item.url,
        "DC.isPartOf": course,
        "DC.type": lesson.item.kind,
        "DC.date": lesson.date,
        "DC.rights": lesson.licence.url if lesson.licence else "",
    }
    return "".join(f'<meta name="{name}" content="{html.escape(value)}">\n' for name, value in values.items() if value)
