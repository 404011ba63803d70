"""Settings: one frozen dataclass per room, read from one `trailmark.toml`; unknown keys are errors.

A setting is declared once, with its default, its bounds and the sentence that explains it. The commented
`trailmark.toml` of a new workspace and `docs/reference/settings.md` are both written from here.
"""

from __future__ import annotations

import dataclasses
import difflib
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, get_type_hints

from trailmark.errors import SettingsError
from trailmark.quoting import toml_string


def setting(
    default: Any,
    help: str,  # noqa: A002 - the word people look for
    *,
    least: float | None = None,
    most: float | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """A dataclass field that carries its own explanation and bounds."""
    return field(default=default, metadata={"help": help, "least": least, "most": most, "choices": choices})


KNOWN_HEADINGS = (
    "abstract", "address", "announcements", "assignments", "awards", "biography", "books", "contact", "courses",
    "education", "events", "exams", "faculty", "handouts", "homework", "instructor", "interests", "journals",
    "lectures", "links", "members", "news", "notes", "office hours", "papers", "people", "projects", "publications",
    "readings", "research", "research interests", "schedule", "seminars", "software", "staff", "students", "syllabus",
    "talks", "teaching", "telephone", "textbook",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReadSettings:
    """Bytes to pages."""

    page_tokens: int = setting(
        100,
        "How many tokens of a page's body are kept (0 for none, -1 for all). The learner may choose fewer.",
        least=-1,
    )
    window: int = setting(
        10, "How many tokens before and after a link are taken as its surroundings.", least=0, most=100
    )
    known_headings: tuple[str, ...] = setting(
        KNOWN_HEADINGS, "Headings that tell the type of a page; compared in lower case, as whole words."
    )
    max_bytes: int = setting(
        10_000_000, "Bytes of a page that are read; the rest is cut off and the page says so.", least=1000
    )
    max_depth: int = setting(
        256,
        "Nesting of elements that is followed; what stands deeper is left out and the page says so.",
        least=16,
        most=10_000,
    )
    max_links: int = setting(5000, "Links that are taken from one page.", least=1)


@dataclass(frozen=True, slots=True)
class LearnSettings:
    """Trails to a navigator. What is not clearly better is not changed from what stands here."""

    scheme: str = setting(
        "page-and-link",
        "Two states a label, one state a label, or states by distance to the goal.",
        choices=("page-and-link", "page", "distance"),
    )
    page_tokens: int = setting(100, "How many words of a page's body count; learning may choose fewer.", least=0)
    window: int = setting(10, "How many words around a link count; learning may choose none.", least=0, most=100)
    gamma: float = setting(0.9, "Discount of rewards for each step away from the goal.", least=0.0, most=1.0)
    min_count: int = setting(1, "Features seen on fewer pages or links than this are left out.", least=1)
    max_features: int = setting(50_000, "Most features that are kept, the most frequent first.", least=100)


@dataclass(frozen=True, slots=True)
class ForageSettings:
    """Fetching."""

    contact: str = setting(
        "",
        "Your e-mail address or a page about your crawl. It is sent with every request, and nothing is fetched live without it.",
    )
    allow_hosts: tuple[str, ...] = setting(
        (), "Host names that may be fetched although their addresses are private (for example your own test server)."
    )
    ports: tuple[int, ...] = setting(
        (80, 443, 8000, 8001, 8008, 8080, 8081, 8088, 8090, 8443, 8888),
        "Ports of the web that links and redirects may lead to; those that seeds name are asked as well. Ports of other services are never asked.",
        least=1,
        most=65535,
    )
    obey_robots: bool = setting(True, "Whether robots.txt is obeyed.")
    delay: float = setting(1.0, "Seconds between two requests to one host.", least=0.0)
    timeout: float = setting(30.0, "Seconds until a request is given up.", least=0.1)
    max_bytes: int = setting(10_000_000, "Bytes of one response; a larger one is given up.", least=1000)
    max_document_bytes: int = setting(
        32_000_000, "The same for what its address calls a PDF or PostScript file, packed or not.", least=1000
    )
    max_redirects: int = setting(10, "Redirects that are followed for one page.", least=0, most=50)
    max_url_length: int = setting(2000, "Characters of a URL; a longer one is not asked for.", least=20)
    retries: int = setting(
        2, "How often a request that failed is tried again, after longer and longer pauses.", least=0, most=20
    )
    max_wait: float = setting(
        60.0,
        "Longest pause in seconds that a host gets by asking (Crawl-delay, Retry-After); one that wants more after an error is left alone for the run.",
        least=0.0,
    )
    budget: int = setting(10_000, "Pages that one run fetches in all (0 for no limit).", least=0)
    revisit_chance: float = setting(
        0.5,
        "A site is walked again by `update` where the chance that something is new there, by its earlier walks, is at least this.",
        least=0.0,
        most=1.0,
    )
    revisit_days: float = setting(
        7.0,
        "Days after which `update` walks a site again while sites were not watched for so long that it can be told how often they change.",
        least=0.0,
        most=3650.0,
    )
    site_budget: int = setting(0, "Pages that are fetched from one site (0 for no limit but the run's).", least=0)
    scope: str = setting(
        "domain",
        "How far a site reaches from its seed: under it, on its host, in its registrable domain, or anywhere. A seeds file may say otherwise for each.",
        choices=("prefix", "host", "domain", "any"),
    )
    min_score: float = setting(
        0.0, "A site ends when the best of its links scores less than this. Scores are never negative.", least=0.0
    )
    single_goal: bool = setting(
        False, "Whether a site ends at its first goal, unless a link promises more than that goal's own probability."
    )
    dry: int = setting(0, "A site ends after so many pages without another goal (0 for never).", least=0)
    max_depth: int = setting(30, "Clicks from the seed that are followed.", least=0)
    max_chain: int = setting(
        24,
        "Links in a row from one numbered page to the next of the same shape (a calendar, a list) that are followed while none led to a goal (0 for no limit).",
        least=0,
    )
    shape_cap: int = setting(
        300,
        "Pages whose addresses differ in numbers only that are fetched from a site while none led to a goal (0 for no limit).",
        least=0,
    )
    site_requests: int = setting(
        1, "Requests under way at once for one site; one keeps to the best order that can be had.", least=1
    )
    concurrency: int = setting(64, "Requests under way at once in all.", least=1, most=900)
    links_in_memory: int = setting(
        50_000, "Links of all sites that wait in memory; the others wait in the database.", least=100
    )


@dataclass(frozen=True, slots=True)
class StoreSettings:
    """Archives and the database."""

    max_bytes: int = setting(
        32_000_000,
        "Bytes of one archived body after unpacking; the rest is cut off and the response says so.",
        least=1000,
    )
    unpacked_ratio: int = setting(
        500,
        "How many times its own size an archive without random access (.xz and the like) may take in the temporary folder "
        "when it is unpacked there; 100 MB are always allowed. A larger one is refused.",
        least=1,
    )
    archive_bytes: int = setting(
        200_000_000, "Size at which a crawl's archive file is closed and the next one begun.", least=1000
    )
    busy_timeout: float = setting(
        30.0, "Seconds to wait while another process writes to the workspace.", least=0.0, most=3600.0
    )


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """Pages to clusters of one template each."""

    least_pages: int = setting(
        20,
        "Pages that a shingle group of a large site must have; the pages of smaller ones get a second look one by one.",
        least=1,
    )
    sample_share: float = setting(
        0.2, "Share of a large site's pages that is clustered; the others then join the clusters.", least=0.01, most=1.0
    )
    sample_least: int = setting(2000, "Sites with at most this many pages are clustered whole.", least=1)
    sample_most: int = setting(20_000, "Most pages of a site that are clustered; the others join.", least=1)
    similarity: float = setting(
        0.75,
        "How alike the tag paths of pages must be to be of one template; optional sections count a third.",
        least=0.0,
        most=1.0,
    )
    covered_similarity: float = setting(
        0.55, "The same, for a page that a cluster's shingle signature covers.", least=0.0, most=1.0
    )
    evidence_share: float = setting(
        0.1,
        "Share of a cluster's pages that a title word and the structure must single out together to split it.",
        least=0.0,
        most=1.0,
    )
    evidence_support: int = setting(
        2, "Places in the structure that must agree with the title word before a cluster is split.", least=1
    )
    smallest: int = setting(
        1, "Pages that a cluster must have; those of smaller ones are reported as not clustered.", least=1
    )
    annotate: int = setting(20, "Pages of each cluster that are chosen for annotation, most helpful first.", least=1)
    annotate_from: int = setting(
        200, "Pages of each cluster among which they are chosen, taken evenly from the cluster.", least=1
    )
    pattern_length: int = setting(300, "Most characters of a cluster's URL pattern.", least=20)


@dataclass(frozen=True, slots=True)
class WrapSettings:
    """Annotated pages to rules, and rules to records."""

    sample: int = setting(
        20,
        "Pages of a cluster that are looked at while learning, annotated ones included: the others tell whether rules hold.",
        least=1,
        most=500,
    )
    kind: str = setting("item", "What the records are called that rules lift off pages.")
    borrow: bool = setting(
        True,
        "Whether extract --archive tries pages of a cluster without rules with those of their site's other clusters; at least half of the fields must be found. Without --archive only --borrow does.",
    )
    structured: bool = setting(
        True,
        "Whether clusters that nobody annotated get rules from their pages' own structured data (JSON-LD, microdata, RDFa).",
    )
    jobs: int = setting(
        0, "Processes that lift records off pages side by side (0: one for each core).", least=0, most=256
    )
    least_confidence: float = setting(
        0.5,
        "How sure a value on a new site must be before it is proposed (wrap --propose): of those proposed with 0.5 to 0.7, about three in four are right.",
        least=0.0,
        most=1.0,
    )


@dataclass(frozen=True, slots=True)
class MonitorSettings:
    """Bellwether pages visited again: do the rules still work, and what is done where they don't."""

    pages: int = setting(20, "Bellwether pages of each cluster that are visited again.", least=2, most=200)
    template_share: float = setting(
        0.8,
        "Share of a cluster's bellwethers that no longer look like its template before the template counts as changed.",
        least=0.01,
        most=1.0,
    )
    field_share: float = setting(
        0.3,
        "Share of the bellwethers on which a field no longer comes out right before it counts as broken; half of it where the template changed.",
        least=0.01,
        most=1.0,
    )
    varying: tuple[str, ...] = setting(
        (), "Fields whose values change by themselves, such as a price; the others are found out over the visits."
    )
    repair: str = setting(
        "ask",
        "Whether rules that were repaired from golden values are used at once, or shown first and used with --repair.",
        choices=("ask", "auto"),
    )


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """The web app."""

    port: int = setting(8765, "Port of the web app on this machine.", least=1, most=65535)
    names: tuple[str, ...] = setting(
        (), "Further host names by which the web app may be called, where it is bound to more than this machine."
    )
    public_address: str = setting(
        "",
        "Address of the server in front of the web app, which has encryption: https://name/ and no path. Empty where there is none.",
    )
    key_days: float = setting(
        30.0, "Days that a key to the web app holds, a browser's or a program's.", least=0.01, most=3650.0
    )
    delay: float = setting(
        0.2, "Seconds between two requests to one host while a person browses it in the app.", least=0.0
    )
    timeout: float = setting(15.0, "Seconds until a page that is browsed in the app is given up.", least=0.1)
    max_asset_bytes: int = setting(
        5_000_000, "Bytes of one picture, style sheet or font that is shown with a page.", least=1000
    )
    crawl_hours: float = setting(
        0.0,
        "Hours after which the last walk is begun anew by itself, while the app runs (0 for never).",
        least=0.0,
        most=8760.0,
    )
    update_hours: float = setting(
        0.0,
        "Hours after which records are lifted again by themselves, while the app runs (0 for never).",
        least=0.0,
        most=8760.0,
    )
    watch_hours: float = setting(
        0.0,
        "Hours after which bellwether pages are visited again by themselves, while the app runs (0 for never).",
        least=0.0,
        most=8760.0,
    )
    webhook: str = setting(
        "",
        "Address that gets a JSON notice by POST when something broke or a walk found new goals. A host without a public address must stand in allow_hosts.",
    )
    mail_command: tuple[str, ...] = setting(
        (),
        "A command, word by word, that gets the same notice as text on its standard input, such as one that sends mail. It can be set in this file alone, not in the app.",
    )


@dataclass(frozen=True, slots=True)
class PortalSettings:
    """The public site, `trailmark serve --portal`."""

    port: int = setting(8766, "Port of the public site.", least=1, most=65535)
    name: str = setting("", "What the site is called; the name of the workspace's folder where this is empty.")
    tagline: str = setting("", "A sentence below the name on the first page.")
    about: str = setting(
        "", "A Markdown file, from the workspace's folder, that becomes the page 'About'; none where this is empty."
    )
    logo: str = setting("", "A picture, from the workspace's folder (.svg, .png, .jpg or .webp), beside the name.")
    contact: str = setting(
        "", "E-mail address of who answers for the site; on the page 'About', and told to programs that harvest it."
    )
    colour: str = setting(
        "#1f5a8a", "Colour of links and buttons on a light ground, as #rrggbb; it must be dark enough to be read."
    )
    colour_dark: str = setting("#8ec1ea", "The same on a dark ground; it must be light enough to be read.")
    prefix: str = setting(
        "", "Path below which a server in front of the site has it, such as /library; empty for none."
    )
    public_address: str = setting(
        "",
        "Address at which the public finds the site, with its path if any, such as https://example.org/library/. It stands in feeds and permanent links; where it is empty, these say what the reader's browser said.",
    )
    trusted_proxies: tuple[str, ...] = setting(
        (), "Network addresses of servers in front whose X-Forwarded-For, -Proto, -Host and -Prefix are believed."
    )
    publish_to: str = setting(
        "", "Folder, from the workspace's folder, that `update` publishes the portal to; none where this is empty."
    )
    title_field: str = setting("", "Field that is shown as the title; guessed from the data where this is empty.")
    subtitle_field: str = setting("", "Field that is shown below the title; guessed from the data where this is empty.")
    facet_fields: tuple[str, ...] = setting(
        (), "Fields whose values lead to all items with the same value; guessed from the data where there are none."
    )
    page_size: int = setting(10, "Items on one page of a list.", least=5, most=100)
    copies: bool = setting(True, "Whether archived copies of the pages that items come from are shown.")
    suggestions: bool = setting(
        True, "Whether visitors may suggest sites and documents and report mistakes; they wait until you decide."
    )
    rate: int = setting(
        600, "Pages that one network address may ask for in a minute, after a first burst (0 for no limit).", least=0
    )
    burst: int = setting(120, "Pages that one network address may ask for at once.", least=1)
    threads: int = setting(3, "Pages that are made at the same time.", least=1, most=64)
    waiting: int = setting(
        40, "Requests that wait for their turn; further ones are told to come back in a moment.", least=0, most=10_000
    )
    timeout: float = setting(5.0, "Seconds until a page that can't be made is given up.", least=0.1, most=60.0)
    cache: int = setting(64, "Megabytes of pages that are kept ready.", least=0, most=4096)


@dataclass(frozen=True, slots=True)
class ExportSettings:
    """Records to files."""

    separator: str = setting("; ", "What stands between several values of one field in a CSV file.")
    bom: bool = setting(
        False, "Whether a CSV file begins with a byte order mark, by which some spreadsheets tell that it is UTF-8."
    )
    guard: bool = setting(
        True,
        "Whether a value in a CSV file that a spreadsheet would take for a formula gets an apostrophe in front; plain numbers never do.",
    )


@dataclass(frozen=True, slots=True)
class TagSettings:
    """Documents to records."""

    max_bytes: int = setting(
        50_000_000,
        "Bytes of one document, packed or not; a larger one is not read, and the report says so.",
        least=1000,
    )
    max_pages: int = setting(400, "Pages of one document that are read; the rest is cut off.", least=1, most=100_000)
    seconds: float = setting(
        60.0, "Seconds that one document may take; then its process is ended and the document is given up.", least=0.1
    )
    memory: int = setting(
        2_000_000_000,
        "Bytes of memory that reading a document may take, beside what the process has before it (0: no limit).",
        least=0,
    )
    sure: float = setting(
        0.8,
        "Probability from which a value counts as sure; fields with others are marked as unsure.",
        least=0.0,
        most=1.0,
    )
    jobs: int = setting(0, "Processes that read documents side by side (0: one for each core).", least=0, most=256)


@dataclass(frozen=True, slots=True)
class CourseSettings:
    """Course pages to courses."""

    goals: tuple[str, ...] = setting(
        ("course", "courses", "class"),
        "Goals whose pages are homes of courses: what was found for them becomes courses where no page is named.",
    )
    max_pages: int = setting(200, "Pages that are read for one course; the rest is left out.", least=1, most=10_000)
    max_items: int = setting(
        10_000, "Links of all pages of one course; a page that would bring more is left out.", least=1, most=200_000
    )
    sure: float = setting(
        0.6, "Chance from which the type of an item counts as sure; others are marked as unsure.", least=0.0, most=1.0
    )
    recommended: int = setting(
        3, "Items of other courses that are named beside an item, in the app and in the portal.", least=0, most=20
    )
    sentences: int = setting(3, "Sentences of an item's abstract.", least=0, most=50)


@dataclass(frozen=True, slots=True)
class PackageSettings:
    """Courses to packages for learning systems."""

    copies: str = setting(
        "open",
        "What is copied into a package, where it was archived: nothing; what states a licence that lets anyone hand copies on; licences for "
        "non-commercial use too; or all, where you may copy it. All else is linked to, and so is what asks robots not to copy it.",
        choices=("none", "open", "non-commercial", "all"),
    )
    types: tuple[str, ...] = setting(
        ("syllabus", "lecture", "tutorial", "reading", "video", "assignment", "exam", "solution", "software"),
        "Types of items that a package holds, in the order of its groups.",
    )
    completion: str = setting(
        "button",
        "What counts as done: that the learner presses the button of a lesson, or that the lesson was opened.",
        choices=("button", "opened"),
    )
    language: str = setting("en", "Language that the metadata says the courses are in, as a short code.")
    max_items: int = setting(500, "Items of one package; further ones are left out, and the report says so.", least=1)
    max_file_bytes: int = setting(20_000_000, "Bytes of one copy; a larger one becomes a link.", least=1000)
    max_bytes: int = setting(
        200_000_000, "Bytes of all copies of one package; what does not fit becomes a link.", least=1000
    )


@dataclass(frozen=True, slots=True)
class ScaleSettings:
    """Work on a cluster."""

    part_sites: int = setting(
        50,
        "Sites that one worker walks at a time. A run whose parts have another size is another run.",
        least=1,
        most=10_000,
    )
    part_bytes: int = setting(
        64_000_000,
        "Bytes of an archive that one worker lifts records off at a time, with `extract --out FOLDER/`; a larger archive is taken in stretches.",
        least=100_000,
    )
    storage: str = setting(
        "",
        "Where a run that was dealt with --on is shipped to when its parts end: a folder or an address as s3://bucket/prefix; empty: nowhere, it stays in the workspace alone.",
    )
    records: str = setting(
        "",
        "A data set of records beside those of the workspace: a folder, or an address as s3://bucket/records/. status counts it, the app lists it; empty: none.",
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """All rooms' settings: one attribute a room, one table of trailmark.toml an attribute."""

    read: ReadSettings = field(default_factory=ReadSettings)
    store: StoreSettings = field(default_factory=StoreSettings)
    learn: LearnSettings = field(default_factory=LearnSettings)
    forage: ForageSettings = field(default_factory=ForageSettings)
    cluster: ClusterSettings = field(default_factory=ClusterSettings)
    wrap: WrapSettings = field(default_factory=WrapSettings)
    tag: TagSettings = field(default_factory=TagSettings)
    course: CourseSettings = field(default_factory=CourseSettings)
    package: PackageSettings = field(default_factory=PackageSettings)
    export: ExportSettings = field(default_factory=ExportSettings)
    monitor: MonitorSettings = field(default_factory=MonitorSettings)
    serve: ServeSettings = field(default_factory=ServeSettings)
    portal: PortalSettings = field(default_factory=PortalSettings)
    scale: ScaleSettings = field(default_factory=ScaleSettings)


def parse_settings(text: str, *, source: str = "trailmark.toml") -> Settings:
    """Settings from the text of a trailmark.toml; raises SettingsError with the table, the key and the remedy."""
    try:
        tables = tomllib.loads(text)
    except RecursionError as error:
        raise SettingsError(f"{source} is not usable TOML: it nests too deeply.") from error
    except ValueError as error:  # TOML's own error is one, and so is a number with thousands of digits
        raise SettingsError(f"{source} is not valid TOML: {error}.") from error
    rooms = {room.name: room for room in fields(Settings)}
    chosen: dict[str, Any] = {}
    for table, values in tables.items():
        if table not in rooms:
            raise SettingsError(f"{source} has a table [{table}] that no room knows{_nearest(table, rooms)}.")
        if not isinstance(values, dict):
            raise SettingsError(f"{source}: '{table}' must be a table, written [{table}] on its own line.")
        chosen[table] = _room_settings(_room_class(table), values, where=f"{source} [{table}]")
    return Settings(**chosen)


def with_setting(text: str, table: str, key: str, value: Any, *, source: str = "trailmark.toml") -> str:
    """The text of a trailmark.toml with one setting changed, and every other line as it was; raises where that is not valid."""
    before = parse_settings(text, source=source)
    # TOML ends a line with a line feed only: comments and strings may hold what else ends one for Python.
    lines = text.removesuffix("\n").split("\n")
    begins = next((n for n, line in enumerate(lines) if line.strip() == f"[{table}]"), None)
    if begins is None:
        lines += ["", f"[{table}]"]
        begins = len(lines) - 1
    ends = next((n for n in range(begins + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    written = f"{key} = {_toml(value)}"
    named = [n for n in range(begins + 1, ends) if lines[n].lstrip("# ").partition("=")[0].strip() == key]
    # A line that counts is changed rather than the comment that shows the default.
    place = next((n for n in named if not lines[n].lstrip().startswith("#")), named[0] if named else None)
    if place is None:
        lines.insert(begins + 1, written)
    else:
        lines[place] = written + _remark(lines[place])
    changed = "\n".join(lines) + "\n"
    by_hand = f"{source} is written in a way that can't be changed here; set {key} in [{table}] by hand."
    try:
        tomllib.loads(changed)
    except ValueError as error:  # the key stands there in another spelling
        raise SettingsError(by_hand) from error
    after = parse_settings(changed, source=source)
    room = dataclasses.replace(getattr(before, table), **{key: getattr(getattr(after, table), key)})
    if after != dataclasses.replace(
        before, **{table: room}
    ):  # a string over several lines held what looks like a table
        raise SettingsError(by_hand)
    return changed


def _remark(line: str) -> str:
    """A line that counts -> the comment at its end, with a blank before it; empty where there is none."""
    if line.lstrip().startswith("#"):
        return ""
    for place in (n for n, letter in enumerate(line) if letter == "#"):
        try:
            tomllib.loads(line[:place])
        except ValueError:  # it stands inside of a string
            continue
        return f"  {line[place:]}"
    return ""


def commented_toml(settings: Settings | None = None) -> str:
    """A trailmark.toml in which every key is explained; every value is a comment while it is the default."""
    lines = [
        "# Settings of this Trailmark workspace. Every key is shown with its default;",
        "# take the '# ' off a line to change it. An unknown key is an error, so a typing mistake can't hide.",
    ]
    for table, room in rooms_of(settings or Settings()):
        lines += ["", f"[{table}]"]
        defaults = type(room)()
        for item in fields(room):
            value = getattr(room, item.name)
            mark = "# " if value == getattr(defaults, item.name) else ""
            lines += [f"# {item.metadata['help']}{_bounds(item)}", f"{mark}{item.name} = {_toml(value)}"]
    return "\n".join(lines) + "\n"


def settings_reference() -> str:
    """docs/reference/settings.md."""
    lines = [
        "# Settings",
        "",
        "One `trailmark.toml` a workspace, one table a room. Written from `trailmark/settings.py` by `make docs`.",
    ]
    for table, room in rooms_of(Settings()):
        lines += [
            "",
            f"## [{table}]",
            "",
            str(type(room).__doc__),
            "",
            "| key | default | what it does |",
            "|---|---|---|",
        ]
        lines += [
            f"| `{item.name}` | `{_toml(getattr(room, item.name))}` | {item.metadata['help']}{_bounds(item)} |"
            for item in fields(room)
        ]
    return "\n".join(lines) + "\n"


def rooms_of(settings: Settings) -> Iterator[tuple[str, Any]]:
    """(table, room settings) in the order of the file."""
    for room in fields(settings):
        yield room.name, getattr(settings, room.name)


def _room_class(table: str) -> type[Any]:
    hint: type[Any] = get_type_hints(Settings)[table]
    return hint


def _room_settings(room: type[Any], values: dict[str, Any], *, where: str) -> Any:
    known = {item.name: item for item in fields(room)}
    hints = get_type_hints(room)
    checked: dict[str, Any] = {}
    for key, value in values.items():
        if key not in known:
            raise SettingsError(f"{where} has an unknown key '{key}'{_nearest(key, known)}.")
        checked[key] = _checked(value, hints[key], known[key], where=f"{where} {key}")
    return room(**checked)


def _checked(value: Any, hint: Any, item: dataclasses.Field[Any], *, where: str) -> Any:
    """The value in the type of its setting, within its bounds."""
    if hint == tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise SettingsError(f"{where} must be a list of strings, not {value!r}.")
        return tuple(value)
    if hint == tuple[int, ...]:
        if not isinstance(value, list):
            raise SettingsError(f"{where} must be a list of whole numbers, not {value!r}.")
        return tuple(_checked(part, int, item, where=where) for part in value)
    if isinstance(value, int | float) and not abs(value) < _TOO_LARGE:
        raise SettingsError(f"{where} is too large to be a number here, or none.")
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if type(value) is not hint:
        raise SettingsError(f"{where} must be {_PLAIN_TYPES.get(hint, str(hint))}, not {value!r}.")
    least, most, choices = item.metadata["least"], item.metadata["most"], item.metadata["choices"]
    if (least is not None and value < least) or (most is not None and value > most):
        raise SettingsError(f"{where} is {value!r}, out of bounds{_bounds(item)}.")
    if choices and value not in choices:
        raise SettingsError(f"{where} is {value!r}; choose one of {', '.join(choices)}.")
    return value


_TOO_LARGE = 2**53
"""Whole numbers below it survive every conversion; infinity and not-a-number are not below it."""

_PLAIN_TYPES = {int: "a whole number", float: "a number", bool: "true or false", str: "a string"}


def _bounds(item: dataclasses.Field[Any]) -> str:
    least, most, choices = item.metadata["least"], item.metadata["most"], item.metadata["choices"]
    if choices:
        return f" (one of {', '.join(choices)})"
    if least is not None and most is not None:
        return f" ({least:g} to {most:g})"
    if least is not None:
        return f" (at least {least:g})"
    return f" (at most {most:g})" if most is not None else ""


def _nearest(word: str, known: Any) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f" (did you mean '{close[0]}'?)" if close else f"; known are {', '.join(known)}"


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(part) for part in value) + "]"
    if isinstance(value, str):
        return toml_string(value)
    return repr(value)
