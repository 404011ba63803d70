"""An archived page -> the licence that it states, and whether it asks not to be copied.

Only what a page says of itself counts: a link or a `link` element with `rel=license`, a `meta` element of rights, or a link to a known
licence in a sentence that says that this page, course or material is licensed. A licence of a picture is none of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from trailmark.datatypes import Response

Terms = Literal["open", "non-commercial"]
_CREATIVE = re.compile(
    r"https?://(?:www\.)?creativecommons\.org/(licenses|publicdomain)/(?:(zero|mark)|((?:by|nc|nd|sa)(?:-(?:by|nc|nd|sa)){0,3}))(?:/(\d\.\d))?",
    re.IGNORECASE,
)
_FREE_DOCUMENTS = re.compile(r"https?://(?:www\.)?gnu\.org/(?:licenses|copyleft)/fdl", re.IGNORECASE)
_SENTENCE = re.compile(
    r"\b(?:this|these|all|our|course|site|page|content|contents|materials?|slides|notes|work|except)\b.{0,160}\blicen[sc]ed?\b",
    re.IGNORECASE | re.DOTALL,
)
_RIGHTS = frozenset(("dcterms.license", "dc.rights.license", "dcterms.rights", "dc.rights", "license", "rights"))
_NO_COPY = frozenset(("noarchive", "nocache"))
LONGEST_SENTENCE = 600


@dataclass(frozen=True, slots=True)
class Licence:
    """What a page says may be done with it."""

    url: str
    name: str
    terms: Terms
    """`open`: copies may be handed on for any purpose; `non-commercial`: for others than commercial ones."""


def page_licence(root: Any) -> Licence | None:
    """The tree of a page -> the licence that it states of itself; None where it states none that is known."""
    for address in _stated(root):
        licence = known_licence(address)
        if licence is not None:
            return licence
    return None


def known_licence(address: str) -> Licence | None:
    """The address of a licence -> what it allows; None where it is none that allows copies."""
    if match := _CREATIVE.match(address.strip()):
        where, domain, parts, version = match[1].lower(), match[2], match[3], match[4] or ""
        if domain:
            name = "CC0" if domain.lower() == "zero" else "Public Domain Mark"
            return Licence(_trimmed(match[0]), f"{name} {version}".strip(), "open") if where == "publicdomain" else None
        named = parts.lower().split("-")
        if where != "licenses" or "by" not in named:
            return None
        ordered = "-".join(part for part in ("by", "nc", "nd", "sa") if part in named).upper()
        terms: Terms = "non-commercial" if "nc" in named else "open"
        return Licence(_trimmed(match[0]), f"CC {ordered} {version}".strip(), terms)
    if match := _FREE_DOCUMENTS.match(address.strip()):
        return Licence(_trimmed(match[0]), "GNU Free Documentation License", "open")
    return None


def refuses_copies(response: Response, root: Any) -> bool:
    """Whether a page asks not to be copied: `noarchive` for all robots, in its head or its answer."""
    said = [value for name, value in response.headers if name.lower() == "x-robots-tag"]
    if root is not None:
        said += [
            str(each.get("content") or "")
            for each in root.iter("meta")
            if (each.get("name") or "").strip().lower() == "robots"
        ]
    return any(_NO_COPY & {word.strip().lower() for word in text.split(",")} for text in said)


def _stated(root: Any) -> Iterator[str]:
    """Addresses that stand where a page states its licence."""
    for each in root.iter("link", "a"):
        if "license" in (each.get("rel") or "").lower().split():
            yield str(each.get("href") or "")
    for each in root.iter("meta"):
        if (each.get("name") or each.get("property") or "").strip().lower() in _RIGHTS:
            yield str(each.get("content") or "")
    for each in root.iter("a"):
        href = str(each.get("href") or "")
        if known_licence(href) is not None and _SENTENCE.search(_around(each)):
            yield href


def _around(link: Any) -> str:
    """The words of the block that a link stands in, as far as a sentence may be long."""
    block = link
    for _ in range(4):
        parent = block.getparent()
        if parent is None or parent.tag in ("body", "html"):
            break
        block = parent
        if block.tag in ("p", "div", "footer", "td", "li", "small"):
            break
    return " ".join(" ".join(block.itertext()).split())[:LONGEST_SENTENCE]


def _trimmed(address: str) -> str:
    return address.rstrip("/") + "/"
