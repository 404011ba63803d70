"""The rules of a robots.txt that are meant for us (RFC 9309), small enough to be kept for every host of a crawl.

Of a robots.txt only the groups for our product count or, where there is none, those for everybody. They are picked out in
one pass and kept as text, of which the parser reads no more than that: left to itself with a whole file, it takes time and memory
with the product of names and rules (168 kB: a minute and 1.8 GB), and about 17 times the bytes of any file.
"""

from __future__ import annotations

import codecs
import re
import sys
from dataclasses import dataclass
from typing import Any, Self

from protego import Protego

from trailmark.forage.bounded_memory import BoundedMemory

KEPT_BYTES, KEPT_HOSTS = 32 << 20, 100_000
"""Rules that are kept as text; a host whose rules had to go is asked for them again before anything else."""
PARSED_BYTES, PARSED_HOSTS = 1 << 20, 2_000
"""Text of the rules that are kept parsed as well, for the hosts that are asked just now."""

_ENTRY_BYTES = 400
"""What an entry takes beside its text."""
_EVERYBODY = "*"
_AGENT = ("user-agent", "useragent", "user agent")
_SITE_WIDE = ("sitemap", "sitemaps", "site-map", "host")
# What owners write and mean; the parser knows the same slips.
_RULES = {
    "allow": "Allow", "crawl-delay": "Crawl-delay", "crawl delay": "Crawl-delay",
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "Disallow"),
}  # fmt: skip
_KNOWN = frozenset((*_AGENT, *_SITE_WIDE, *_RULES))
_PRODUCT = re.compile(r"[a-z_-]*")
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"BZh", b"PK\x03\x04", b"\xfd7zXZ")
_WIDE = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class UnreadableRules(ValueError):
    """A robots.txt came, and it is no text."""


@dataclass(frozen=True, slots=True)
class RobotsTrouble:
    """Why a robots.txt can't be had, or can't be read, as a sentence; whether its host was one that is never asked."""

    sentence: str
    private: bool = False


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """What a host wishes. With a trouble nobody knows, and everything is forbidden."""

    text: str = ""
    read_at: float = 0.0
    trouble: RobotsTrouble | None = None

    @property
    def size(self) -> int:
        sentence = self.trouble.sentence if self.trouble is not None else ""
        return sys.getsizeof(self.text) + sys.getsizeof(sentence) + _ENTRY_BYTES


class RulesMemory:
    """The rules of the hosts of a run, within bounds."""

    def __init__(self, *, outlives: bool = False) -> None:
        self.outlives = outlives
        """Whether it serves more than one run."""
        self.kept: BoundedMemory[str, RobotsRules] = BoundedMemory(most_items=KEPT_HOSTS, most_bytes=KEPT_BYTES)
        self.parsed: BoundedMemory[str, Protego] = BoundedMemory(most_items=PARSED_HOSTS, most_bytes=PARSED_BYTES)

    def __deepcopy__(self, copied: dict[int, Any]) -> Self:
        """The same: Scrapy copies its settings, in which it is handed over."""
        del copied
        return self

    def get(self, origin: str) -> RobotsRules | None:
        """The rules of a host, where they are known still."""
        return self.kept.get(origin)

    def keep(self, origin: str, rules: RobotsRules) -> None:
        self.parsed.forget(origin)
        self.kept.keep(origin, rules, rules.size + len(origin))

    def parser(self, origin: str, rules: RobotsRules) -> Protego:
        """Rules ready to be asked."""
        parser = self.parsed.get(origin)
        if parser is None:
            parser = Protego.parse(rules.text)
            self.parsed.keep(origin, parser, rules.size)
        return parser


def own_rules(text: str, product: str) -> str:
    """The rules for a product as a robots.txt of one group; empty where there are none."""
    wanted = product.lower()
    groups: dict[str, dict[str, None]] = {}
    names: set[str] = set()
    naming = False
    for line in text.splitlines():
        field, value = _directive(line.partition("#")[0].strip())
        if field in _AGENT:
            names = names if naming else set()
            names |= _named(value, wanted)
            for name in names:
                groups.setdefault(name, {})
        elif value and field in _RULES:
            for name in names:
                groups[name][f"{_RULES[field]}: {value}"] = None
        naming = field in _AGENT if field and field not in _SITE_WIDE else naming
    rules = groups.get(wanted, groups.get(_EVERYBODY, {}))
    return "\n".join((f"User-agent: {_EVERYBODY}", *rules)) if rules else ""


def _directive(line: str) -> tuple[str, str]:
    """(field in lower case, value) of a line; a blank may stand for the colon. An empty field where it is neither."""
    field, colon, value = line.partition(":")
    name = field.strip().lower()
    if colon and (name in _KNOWN or not value or value[0].isspace()):
        return name, value.strip()
    words = line.split(None, 2)
    for count in (1, 2):
        spoken = " ".join(words[:count]).lower()
        if spoken in _KNOWN:
            return spoken, " ".join(line.split(None, count)[count:])
    return (name, value.strip()) if colon else ("", "")


def _named(value: str, product: str) -> set[str]:
    """Whether a line names everybody, or the product with or without its version, as a set of at most one name."""
    name = value.strip().lower()
    if name == _EVERYBODY:
        return {_EVERYBODY}
    match = _PRODUCT.match(name.replace("*", ""))
    return {product} if match is not None and match.group() == product else set()


def robots_text(body: bytes) -> str:
    """The text of a robots.txt; raises UnreadableRules where the bytes are none."""
    if body.startswith(_PACKED):
        raise UnreadableRules("it is packed and does not say so")
    try:
        for mark, charset in _WIDE:
            if body.startswith(mark):
                return _with_directives(body.decode(charset))
    except UnicodeDecodeError as error:
        raise UnreadableRules("it is no text") from error
    if b"\x00" in body:
        raise UnreadableRules("it is no text")
    return body.decode("utf-8-sig", errors="replace")


def _with_directives(text: str) -> str:
    """A text of wide characters, unless nothing in it looks like a rule: then it was none."""
    if any(_directive(line.strip())[0] in _KNOWN for line in text.splitlines()):
        return text
    raise UnreadableRules("it is no text")
