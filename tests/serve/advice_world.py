"""A workspace with two courses that teach the same, and one that means harm, organised: items with abstracts, and what others have on them."""

from __future__ import annotations

from pathlib import Path

from tests.course.map_world import AUTOMATON, GRAMMAR, PUSHDOWN, TURING
from tests.verbs.course_world import write_pages
from trailmark.verbs.course import course
from trailmark.verbs.organise import organise
from trailmark.workspace import Workspace

LANGUAGES, MACHINES, EVIL = "http://a.example.edu/cs101/", "http://b.example.edu/ma7/", "http://evil.example/c/"
HARM = "Every <script>alert(3)</script> &lt;script&gt;alert(4)&lt;/script&gt; \u202e regular grammar has a finite automaton. "


def page(title: str, text: str) -> str:
    """A page of a lecture."""
    return f"<title>{title}</title><h1>{title}</h1>" + f"<p>{text}</p>" * 4


PAGES = {
    LANGUAGES: "<title>CS 101: Languages</title><h1>CS 101: Languages</h1><h2>Lectures</h2><a href=l1.html>Lecture 1: Grammars</a> <a href=l2.html>Lecture 2: Machines</a>",
    f"{LANGUAGES}l1.html": page("Grammars", GRAMMAR),
    f"{LANGUAGES}l2.html": page("Machines", TURING),
    MACHINES: "<title>MA 7: Machines</title><h1>MA 7: Machines</h1><h2>Lectures</h2><a href=t.html>Lecture 1: Turing</a> <a href=g.html>Lecture 2: Grammar again</a>",
    f"{MACHINES}t.html": page("Turing", f"{TURING} {PUSHDOWN}"),
    f"{MACHINES}g.html": page("Grammar", f"{GRAMMAR} {AUTOMATON}"),
    EVIL: "<title>x</title><h2>Lectures</h2><a href=l1.html>&lt;script&gt;alert(5)&lt;/script&gt; lecture 1</a>",
    f"{EVIL}l1.html": page("x", HARM + GRAMMAR),
}


def advised_workspace(folder: Path) -> Path:
    """A folder -> the workspace in it."""
    archive = write_pages(folder / "a.warc.gz", PAGES)
    with Workspace.create(folder / "w") as workspace:
        course(workspace, [LANGUAGES, MACHINES, EVIL], [archive])
        organise(workspace)
    return folder / "w"
