"""Kinds of webs, so that figures can be told for each: the one place where a web's name says what it is.

A web with one root is a university's. Of a web with several sites the kind is what its name begins with, up to the first hyphen:
`conf-a` and `conf-b` are parts of one kind. A name that is not listed is a kind of its own.
"""

from __future__ import annotations

from trailmark.store.benchmark_web import BenchmarkWeb

ONE_SITE = "universities"
KINDS = {
    "uci": "old labs",
    "uic": "contact",
    "pycon": "pycon",
    "lab": "lab",
    "conf": "conf",
    "course": "course",
    "shop": "shop",
}
MODERN_KINDS = ("lab", "conf", "course", "shop")
"""Kinds of modern sites; `MODERN` is the mean over them."""
MODERN = "modern"


def kind_of(web: BenchmarkWeb) -> str:
    """A web -> its kind."""
    return ONE_SITE if len(web.roots) == 1 else KINDS.get(web.name.partition("-")[0], web.name)
