"""What travels between the rooms: frozen values, no I/O, no behaviour beyond reading their own fields.

The order below is the order in which they come to life: a `Response` is read into a `Page` with its `Link`s, a person's
clicks become `Trail`s of `Step`s, a crawl is a row of `Fetch`es (`RunState` and `SiteState` say how far it has come), pages fall into `Cluster`s, an `Annotation` marks a
value, a `Record` is what was lifted, a `Course` with its `CourseItem`s is one that stands on several pages, and a reader's `Query` of `QueryTerm`s finds it again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from trailmark.course_datatypes import COURSE as COURSE
from trailmark.course_datatypes import COURSE_ITEM as COURSE_ITEM
from trailmark.course_datatypes import OTHER as OTHER
from trailmark.course_datatypes import Course as Course
from trailmark.course_datatypes import CourseItem as CourseItem
from trailmark.course_datatypes import course_id as course_id

Outcome = Literal["goal", "fail"]
Place = Literal["text", "list", "table", "navigation", "heading"]
LinkKind = Literal["a", "area", "frame"]
Sign = Literal["", "+", "-"]


@dataclass(frozen=True, slots=True)
class Response:
    """What a server, or an archive in its place, answered to one URL."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    redirects: tuple[str, ...] = ()
    """URLs asked before `url` answered, in order; empty where nothing redirected."""

    def header(self, name: str) -> str:
        """The first value of a header, whatever its case, or an empty string."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key.lower() == wanted), "")

    @property
    def content_type(self) -> str:
        """The media type that was said, in lower case and without its parameters."""
        return self.header("content-type").partition(";")[0].strip().lower()

    @property
    def content_hash(self) -> str:
        """A digest of the body: equal for byte-identical pages, wherever it is computed."""
        return hashlib.sha1(self.body, usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class Link:
    """One way out of a page, with the surroundings that tell where it may lead."""

    url: str
    """Absolute and normalised."""
    anchor: str
    """Text of the link; where it has none, the `alt` of its image or its `title`."""
    before: tuple[str, ...] = ()
    """Up to `read.window` tokens that stand before the link, nearest last."""
    after: tuple[str, ...] = ()
    """Up to `read.window` tokens that stand after the link, nearest first."""
    heading: str = ""
    """The nearest heading above the link."""
    tag_path: str = ""
    """Tags from the root to the link, e.g. `html/body/ul/li/a`."""
    place: Place = "text"
    block: int = -1
    """Number of the repeated block in `Page.repetition` whose item the link is part of; -1 where it stands alone."""
    rel: tuple[str, ...] = ()
    kind: LinkKind = "a"

    @property
    def repeated(self) -> bool:
        """Whether the link stands in a repeated block."""
        return self.block >= 0


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: a real one (level 1-6), or bold or large text alone on its line, as old pages have (level 7)."""

    text: str
    level: int
    known: bool = False
    """Whether it says one of the words in `read.known_headings`."""


@dataclass(frozen=True, slots=True)
class Block:
    """A run of items with the same tag structure: a list of people, rows of a table, results of a query."""

    pattern: tuple[str, ...]
    """Tags of one item, in document order."""
    items: int
    coverage: float
    """Share of the page's tags that the run covers, 0 to 1."""
    links: tuple[int, ...] = ()
    """Positions in `Page.links` of the links that stand in its items."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Nested repetition of a page: all its repeated blocks, strongest first."""

    blocks: tuple[Block, ...] = ()
    strength: float = 0.0
    """Coverage of the strongest block; 0 where the page repeats nothing."""

    @property
    def found(self) -> bool:
        return bool(self.blocks)

    @property
    def items(self) -> int:
        """Number of items of the strongest block."""
        return self.blocks[0].items if self.blocks else 0


@dataclass(frozen=True, slots=True)
class Page:
    """A page as Trailmark sees it. It knows nothing of fetching, queues or models."""

    url: str
    title: str = ""
    head_tokens: tuple[str, ...] = ()
    """Tokens of the title and of the meta description and keywords."""
    body_tokens: tuple[str, ...] = ()
    """The first `read.page_tokens` tokens of the body."""
    headings: tuple[Heading, ...] = ()
    repetition: Repetition = Repetition()
    links: tuple[Link, ...] = ()
    """In document order; the same URL may occur several times."""
    content_type: str = ""
    charset: str = ""
    content_hash: str = ""
    """Digest of the body: equal for byte-identical pages."""
    cuts: tuple[str, ...] = ()
    """What was cut off or given up while reading, in plain words; empty for an ordinary page."""


Corners = tuple[float, float, float, float]
"""Left, top, right, bottom, in points from the upper left corner of a sheet."""


@dataclass(frozen=True, slots=True)
class PlacedWord:
    """A run of letters without blanks, and how it stands on its sheet; zeros where a document has no layout."""

    text: str
    box: Corners = (0.0, 0.0, 0.0, 0.0)
    size: float = 0.0
    """Of its letters, in points."""
    bold: bool = False
    italic: bool = False
    glued: bool = False
    """Whether it stands right behind the word before it, without a blank: pieces of what was one word."""


def words_text(words: Sequence[PlacedWord]) -> str:
    """Words -> their text, with one blank between them; none before those that are glued."""
    texts = [word.text for word in words]
    if any(word.glued for word in words):
        texts = [
            text if place == 0 or word.glued else f" {text}"
            for place, (text, word) in enumerate(zip(texts, words, strict=True))
        ]
        return "".join(texts)
    return " ".join(texts)


@dataclass(frozen=True)  # without slots: its text is kept
class TextLine:
    """Words that stand on one line, in reading order."""

    words: tuple[PlacedWord, ...]

    @cached_property
    def text(self) -> str:
        """Its words with one blank between them; put together once, since a line of a paper is asked for it four times."""
        return words_text(self.words)

    @property
    def box(self) -> Corners:
        """The smallest box that holds all its words."""
        boxes = [word.box for word in self.words] or [(0.0, 0.0, 0.0, 0.0)]
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page of a document: its lines in the order in which a person reads them, column after column."""

    lines: tuple[TextLine, ...]
    width: float = 0.0
    height: float = 0.0


DocumentKind = Literal["pdf", "postscript", "html", "text"]


@dataclass(frozen=True, slots=True)
class Document:
    """A paper, a report or the main text of a page: sheets of lines of words with their layout."""

    url: str
    kind: DocumentKind
    pages: tuple[Sheet, ...]
    title: str = ""
    """As the file itself names it; often wrong, often empty."""
    content_hash: str = ""
    cuts: tuple[str, ...] = ()
    """What was cut off or given up while reading, in plain words."""

    @property
    def words(self) -> int:
        """How many words it has."""
        return sum(len(line.words) for sheet in self.pages for line in sheet.lines)


@dataclass(frozen=True, slots=True)
class Step:
    """One page of a trail, with the milestone name that the teacher gave it, if any."""

    url: str
    label: str | None = None
    anchor: str | None = None
    """Text of the link that was clicked to get here, where the teacher's tool noted it."""


@dataclass(frozen=True, slots=True)
class Trail:
    """A demonstrated click path from the root of a site to a page that was wanted (`goal`) or was not (`fail`)."""

    site: str
    outcome: Outcome
    steps: tuple[Step, ...]
    about: tuple[str, ...] = ()
    """The goals that a failed trail does not lead to, where that was said."""


@dataclass(frozen=True, slots=True)
class Fetch:
    """One fetch of a crawl, and what was thought of it: a line of `forage --log`."""

    n: int
    """Fetches are counted from 1; a redirect counts once."""
    url: str
    """The URL that was asked for."""
    status: int
    """0 where there was no answer."""
    score: float
    label: str
    """What kind of page it looks most like."""
    goal: bool | None
    """The verdict: as the walk judged it, and once the run has ended as it was settled; None where that is unsure."""
    goal_probability: float
    parent: str | None
    """The page whose link was followed; None for a seed."""
    depth: int
    site: str
    """The seed of the site."""
    final_url: str = ""
    """The URL that answered."""
    parent_n: int = 0
    content_hash: str = ""
    gist: int = 0
    """A hash of what the page says and links to: equal for pages that add nothing to each other."""
    failure: str = ""
    """Why there was no answer."""
    sketch: bytes = b""
    """What the page looks like, to be compared with others; empty where it was not read."""
    missing: bool = False
    """Whether the answer says, whatever its status, that there is no such page."""
    evidence: float = 0.0
    """Log-odds that it is a goal, as the strategy gave them; settling rests on it."""
    family: str = ""
    """The page whose link was followed, and the place on it in which that link stood: pages of one family are mostly of one kind."""
    goal_name: str = ""
    """The goal that the verdict is about, where a walk looks for several."""
    commonness: float = 0.0
    """Logarithm of the goals that a site has by what was taught; settling rests on it."""
    title: str = ""
    """Of the page, where it was read."""
    keywords: tuple[str, ...] = ()
    """The keywords that stand on the page, where the walk looks for some."""


@dataclass(frozen=True, slots=True)
class SiteState:
    """How far a run has come on one site, as it is kept."""

    number: int
    root: str
    scope: str
    pages: int = 0
    goals: int = 0
    readable: int = 0
    """Pages that answered with 200."""
    since_goal: int = 0
    goal_probability: float = 0.0
    """Of the surest goal so far."""
    ended: str = ""
    """Why it ended; empty while it goes on."""
    same_as: str = ""
    why: str = ""
    unsure: int = 0
    """Pages that may be goals or not; they are not among the goals."""


@dataclass(frozen=True, slots=True)
class RunState:
    """One run of the forager, as it was when it was last committed."""

    id: int
    asked: Mapping[str, Any]
    """What makes it this run: seeds with their scopes, strategy, archives."""
    started_at: str
    finished_at: str | None
    seconds: float
    last_order: int
    journal: int
    """How far its journal was read."""
    notes: Mapping[str, Any]
    """What the report counts besides fetches; whatever the run put there."""


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Something that happened in a run beside its fetches: a try that failed and is repeated, pages that were left alone."""

    at: float
    """Seconds since 1970."""
    kind: str
    host: str
    url: str
    words: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """What waits in a run, and why."""

    host: str
    url: str
    """Empty where all pages of the host wait."""
    why: str
    until: float | None
    """Seconds since 1970; None where it is not known."""


@dataclass(frozen=True, slots=True)
class HostPulse:
    """A host as a run asks it."""

    host: str
    asked: int
    answers: int
    failures: int
    retries: int
    status: int
    """Of its last answer; 0 where none came."""
    at: float
    """When it answered or failed last."""
    delay: float
    """Seconds between two requests."""
    wait: float
    """Seconds until it may be asked again."""


@dataclass(frozen=True, slots=True)
class RunPulse:
    """How a run stood at a moment."""

    at: float
    last_at: float | None
    """When the last answer came, or the last failure to get one."""
    queued: int
    under_way: int
    retries: int
    hosts: tuple[HostPulse, ...]
    """Those asked last, the last first."""
    waiting: tuple[Waiting, ...]
    pages_per_second: float | None
    """Over the last minute; None where that is too short to tell."""
    ends_in: float | None
    """Seconds until it ends at that pace; None where that can't be told."""
    ends_by: str
    """`budget` or `queue`: what will be used up first."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A value that a person marked on a page; `value` is None where the page lacks the field."""

    url: str
    field: str
    value: str | None
    xpath: str | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """Pages made by one template."""

    id: str
    site: str
    signature: str
    pages: tuple[str, ...]
    url_pattern: str = ""
    sample: tuple[str, ...] = ()
    """Pages worth annotating, most helpful first."""


@dataclass(frozen=True, slots=True)
class Record:
    """What was lifted off one page, or off one entry of a list page."""

    url: str
    kind: str
    fields: Mapping[str, tuple[str, ...]]
    made_by: str = ""
    """The rule or model that made it."""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict, compare=False)
    """Where each value stood: for each field as many positional XPaths as it has values; empty where that is not known."""
    unsure: tuple[str, ...] = ()
    """Fields whose values are worth a look: the rules did not agree on them, or what was annotated can't tell two places apart."""
    borrowed: bool = False
    """Whether rules of another template made it, because those of the page's own have none."""
    probabilities: Mapping[str, tuple[float, ...]] = field(default_factory=dict, compare=False)
    """For each field how probable each of its values is; empty where that was not measured."""


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """One thing that a reader looks for: a word, a phrase, or the value of a field."""

    words: str
    """As they were typed, without sign, field, quotes and star."""
    field: str = ""
    """In small letters; empty where it may stand anywhere."""
    sign: Sign = ""
    """`+` must be there, `-` must not."""
    phrase: bool = False
    """Whether the words stand in quotes: side by side, in this order."""
    prefix: bool = False
    """Whether the last word may go on: `neur*`."""


@dataclass(frozen=True, slots=True)
class YearSpan:
    """Years from the first to the last, both with them; None where there is no end."""

    first: int | None
    last: int | None
    sign: Sign = ""


@dataclass(frozen=True, slots=True)
class Query:
    """What a reader looks for."""

    terms: tuple[QueryTerm, ...] = ()
    years: tuple[YearSpan, ...] = ()
