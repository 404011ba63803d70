"""What stands around people and courses: research groups, contact, news, partners, office pages, and their decoys."""

from __future__ import annotations

from trailmark.demo.department import Department
from trailmark.demo.plan import Anchor, Draft, Section
from trailmark.demo.prose import AREAS, headline, paragraph
from trailmark.demo.wording import TOWN_HEADS, TOWN_TAILS, draw

TRADES = ("Press", "Instruments", "Software", "Stationery", "Furniture", "Networks", "Printing", "Optics")
OFFICE_PAGES = (
    "Course fees", "Faculty senate", "Faculty club", "Call for papers", "Short courses for industry", "Parking",
    "Library hours", "Publications office", "Golf course and sports", "Job openings", "Faculty handbook", "Site map help",
    "Contact lenses and eye clinic", "Examination papers", "Newspapers and press", "Emergency contact cards", "Housing",
    "Course evaluation forms", "Summer school", "Alumni",
)  # fmt: skip


def add_research(draft: Draft, department: Department) -> Anchor:
    """Research groups; those of the computing department have contact pages that count as goals."""
    words, groups = department.words, []
    hub = department.path(words["research"])
    for group in department.groups:
        path = department.path(words["research"], group)
        members = tuple(Anchor(person.home, person.name) for person in department.members(group))
        # Half the groups name their members without links, or every home page would have a second way in.
        linked = members if draft.rng.random() < 0.4 else ()
        text = paragraph(draft.rng, "department", town=draft.town, area=group, sentences=2)
        contact = _contact_page(draft, department, words["research"], group)
        draft.add(
            path,
            f"{group.capitalize()} group",
            "project",
            Section(group.capitalize(), (text,), anchors=(contact,)),
            Section("Members", anchors=linked),
            label="project" if department.computing else None,
            up=Anchor(hub, words["research"]),
        )
        groups.append(Anchor(path, group.capitalize()))
    draft.add(hub, f"{words['research']}, {department.name}", "hub", Section(words["research"], anchors=tuple(groups)))
    return Anchor(hub, words["research"])


def add_contact(draft: Draft, department: Department) -> Anchor:
    return _contact_page(draft, department)


def _contact_page(draft: Draft, department: Department, *parts: str) -> Anchor:
    word = department.words["contact"] if not parts else draw(draft.rng, "contact")
    path = department.path(*parts, word)
    name = f"{parts[-1].capitalize()} group" if parts else f"Department of {department.name}"
    draft.add(
        path,
        f"{word}: {name}",
        "contact" if department.computing else "other-contact",
        address_section(draft, word, name),
        label="contact" if department.computing else None,
        up=Anchor(department.home, department.name),
    )
    return Anchor(path, word)


def address_section(draft: Draft, word: str, name: str) -> Section:
    rng = draft.rng
    facts = (
        ("Address", f"{name}, {rng.randint(1, 90)} {draft.town.capitalize()} Road"),
        ("Telephone", f"555 {rng.randint(1000, 9999)}"),
        ("Fax", f"555 {rng.randint(1000, 9999)}"),
    )
    return Section(word, (paragraph(rng, "contact", town=draft.town, sentences=2),), facts=facts)


def add_partners(draft: Draft, words: dict[str, str], count: int) -> Anchor:
    """Partners and suppliers with contact pages of their own: decoys for the goal contact."""
    rng, word = draft.rng, words["partners"]
    hub = draft.path("partners")
    anchors = []
    for head in rng.sample(TOWN_HEADS, min(count, len(TOWN_HEADS))):
        name = f"{(head + rng.choice(TOWN_TAILS)).capitalize()} {rng.choice(TRADES)}"
        path, contact = draft.path("partners", name), draft.path("partners", name, "contact")
        phrase = draw(rng, "contact")
        section = address_section(draft, phrase, name)
        draft.add(contact, f"{phrase}: {name}", "partner-contact", section, up=Anchor(path, name))
        text = paragraph(rng, "partner", town=draft.town, sentences=2)
        below = (Anchor(contact, phrase), Anchor(f"http://www.{name.split()[0].lower()}.test/", "Company site"))
        draft.add(path, name, "partner", Section(name, (text,), anchors=below), up=Anchor(hub, word))
        anchors += [Anchor(path, name), Anchor(contact, phrase, f"({name})")]
    draft.add(hub, word, "partner-list", Section(word, anchors=tuple(anchors)))
    return Anchor(hub, word)


def add_news(draft: Draft, words: dict[str, str], count: int) -> tuple[Anchor, list[Anchor]]:
    """News by year; returns the link to the archive and those to the latest items."""
    rng, word = draft.rng, words["news"]
    hub = draft.path("news")
    years: list[Anchor] = []
    latest: list[Anchor] = []
    last = rng.randint(1998, 2020)
    per_year = max(1, count // 4)
    for year in range(last, last - 4, -1):
        path = draft.path("news", str(year))
        items = []
        for number in range(per_year):
            title = headline(rng, town=draft.town)
            item = draft.path("news", str(year), f"item-{number + 1}")
            text = (paragraph(rng, "news", town=draft.town), paragraph(rng, "page", town=draft.town, sentences=1))
            draft.add(item, title, "news", Section(title, text), label="news", up=Anchor(path, f"{word} {year}"))
            items.append(Anchor(item, title, f"{rng.randint(1, 28)}/{rng.randint(1, 12)}/{year}"))
        draft.add(
            path, f"{word} {year}", "news-list", Section(f"{word} {year}", anchors=tuple(items)), up=Anchor(hub, word)
        )
        years.append(Anchor(path, f"{word} {year}"))
        latest = latest or items[:5]
    years.append(Anchor("/old-news/", "Before that"))
    draft.add(hub, f"{word} archive", "hub", Section(word, anchors=(*years, *latest)))
    return Anchor(hub, word), latest


def add_office_pages(draft: Draft, count: int) -> list[Anchor]:
    """Pages that any university has; many of them say a goal's word and lead nowhere."""
    rng = draft.rng
    anchors = []
    for title in rng.sample(OFFICE_PAGES, min(count, len(OFFICE_PAGES))):
        path = draft.path("office", title)
        text = (paragraph(rng, "page", town=draft.town), paragraph(rng, "page", town=draft.town, sentences=2))
        draft.add(path, title, "office", Section(title, text))
        anchors.append(Anchor(path, title))
    return anchors


def add_minutes(draft: Draft, count: int) -> Anchor:
    """Minutes of faculty meetings: a drawer full of the word faculty without any faculty in it."""
    hub = draft.path("senate", "faculty-minutes")
    anchors = []
    for number in range(count):
        path = draft.path("senate", "faculty-minutes", f"meeting-{number + 1}")
        text = (paragraph(draft.rng, "news", town=draft.town), paragraph(draft.rng, "page", town=draft.town))
        title = f"Faculty meeting {number + 1}: {draft.rng.choice(AREAS)} and other business"
        draft.add(path, title, "minutes", Section(title, text), up=Anchor(hub, "Minutes"))
        anchors.append(Anchor(path, f"Faculty meeting {number + 1}"))
    draft.add(hub, "Minutes of faculty meetings", "minutes-list", Section("Minutes", anchors=tuple(anchors)))
    return Anchor(hub, "Faculty meetings")
