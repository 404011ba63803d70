"""From (seed, number) to the whole plan of one site; no other site is looked at."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from trailmark.datatypes import Record
from trailmark.demo.catalogue import add_catalogue
from trailmark.demo.character import Character
from trailmark.demo.department import Department, make_department
from trailmark.demo.people import Register
from trailmark.demo.plan import Anchor, Calendar, Draft, PlannedPage, Redirect, Section, SitePlan
from trailmark.demo.plan_courses import add_courses, add_exchange
from trailmark.demo.plan_offices import add_contact, add_minutes, add_news, add_office_pages, add_partners, add_research
from trailmark.demo.plan_people import add_people
from trailmark.demo.prose import paragraph
from trailmark.demo.wording import OTHER_DEPARTMENTS, draw_all


@dataclass(frozen=True, slots=True)
class Site:
    """A plan with its records."""

    plan: SitePlan
    records: dict[str, Record]
    listed: dict[str, tuple[Record, ...]]


def make_site(seed: int, who: Character, *, pages: int = 300, version: int = 1, neighbour: str = "") -> Site:
    """Plans a whole site. `version` touches the catalogue alone: everything else is drawn the same."""
    draft = Draft(Random(f"{seed}/site/{who.number}"), who.town, who.paths)
    rng, size = draft.rng, pages / 300
    words = draw_all(rng)
    register = Register(rng, "/~{login}/")
    main, others = _departments(draft, register, who, size)
    for department in (main, *others):
        for person in department.faculty:
            draft.redirects[person.home.rstrip("/")] = Redirect(301, person.home)
    # Links of the site's menu must be known before its pages are added: they are planned on a first, empty menu.
    news, latest = add_news(draft, words, round(20 * size))
    catalogue, records, listed = add_catalogue(draft, max(3, round(27 * size)), version=version)
    calendar = _calendar(draft, words)
    offices = [*add_office_pages(draft, 7), add_minutes(draft, max(2, round(7 * size)))]
    partners = add_partners(draft, words, max(2, round(7 * size)))
    exchange = add_exchange(draft, words, max(2, round(9 * size)))
    menus = [_add_department(draft, department) for department in (main, *others)]
    outside = [catalogue, news, Anchor(calendar_start(calendar), words["calendar"]), partners, exchange]
    if who.university:
        nav = _university(draft, who, words, [main, *others], menus, outside)
    else:
        nav = _lone_department(draft, words, main, others, menus, outside)
    quick = Section(rng.choice(("Quick links", "Also", "Notices", "For members")), anchors=tuple(offices))
    fresh = Section(words["news"], anchors=tuple(latest[:3]))
    links = (Anchor(neighbour, "Our sister university"),) if neighbour else ()
    home = draft.pages["/"]
    draft.pages["/"] = replace(home, sections=(*home.sections, fresh, quick, Section("", anchors=links)))
    _redirects(draft, main)
    _copies(draft, max(1, round(10 * size)))
    _frame(draft, who, nav)
    nav = _set_menus(draft, who, nav)
    plan = SitePlan(
        university=f"University of {who.town.capitalize()}",
        department=main.name,
        pages=draft.pages,
        redirects=draft.redirects,
        missing=frozenset(draft.missing - draft.pages.keys()),
        calendar=replace(calendar, nav=nav),
        robots=_robots(draft, calendar),
    )
    return Site(plan, records, listed)


def _departments(draft: Draft, register: Register, who: Character, size: float) -> tuple[Department, list[Department]]:
    rng = draft.rng
    share = 0.75 if who.university else 1.0
    sizes = (
        max(3, round(rng.randint(11, 15) * size * share)),
        max(3, round(rng.randint(26, 34) * size * share)),
        max(3, round(rng.randint(18, 24) * size * share)),
    )
    prefix, home = ((who.code,), draft.path(who.code)) if who.university else ((), "/")
    main = make_department(
        draft,
        register,
        name=who.subject,
        code=who.code,
        prefix=prefix,
        home=home,
        computing=True,
        sizes=sizes,
        shapes=(who.people_shape, who.course_shape),
    )
    count = max(1, round((3 if who.university else 1) * size))
    others = []
    for name, code, letters in rng.sample(OTHER_DEPARTMENTS, min(count, len(OTHER_DEPARTMENTS))):
        small = (rng.randint(4, 6), rng.randint(0, 3), rng.randint(4, 6))
        others.append(
            make_department(
                draft,
                register,
                name=name,
                code=letters,
                prefix=(code,),
                home=draft.path(code),
                computing=False,
                sizes=small,
                shapes=(rng.choice(("hub", "direct")), "flat"),
            )
        )
    return main, others


def _add_department(draft: Draft, department: Department) -> list[Anchor]:
    """All pages of a department but its home; returns its menu."""
    menu = [*add_people(draft, department), add_courses(draft, department), add_contact(draft, department)]
    if department.computing:
        menu.append(add_research(draft, department))
    about, path = department.words["about"], department.path(department.words["about"])
    text = tuple(paragraph(draft.rng, "department", town=draft.town) for _ in range(2))
    draft.add(path, f"{about}: {department.name}", "about", Section(about, text))
    menu.append(Anchor(path, about))
    return draft.rng.sample(menu, len(menu))


def _featured(draft: Draft, department: Department) -> Section:
    """Some home pages show off: a few professors and courses a click away."""
    if draft.rng.random() < 0.4:
        return Section()
    people = draft.rng.sample(department.faculty, min(draft.rng.randint(0, 3), len(department.faculty)))
    courses = draft.rng.sample(department.courses, min(draft.rng.randint(0, 3), len(department.courses)))
    anchors = [Anchor(person.home, person.name, f"on {person.area}") for person in people]
    anchors += [course.anchor for course in courses]
    return Section(draft.rng.choice(("Spotlight", "Featured", "In focus")), anchors=tuple(anchors))


def _home(draft: Draft, department: Department, menu: list[Anchor]) -> None:
    title = f"Department of {department.name}"
    text = paragraph(draft.rng, "department", town=draft.town)
    label = "department" if department.computing else None
    kind = "department" if department.computing else "other-department"
    draft.add(
        department.home,
        title,
        kind,
        Section(title, (text,), anchors=tuple(menu)),
        _featured(draft, department),
        label=label,
    )


def _university(
    draft: Draft,
    who: Character,
    words: dict[str, str],
    departments: list[Department],
    menus: list[list[Anchor]],
    outside: list[Anchor],
) -> tuple[Anchor, ...]:
    for department, menu in zip(departments, menus, strict=True):
        _home(draft, department, menu)
    homes = [Anchor(each.home, each.name) for each in departments]
    hub = draft.path(words["departments"])
    names = tuple(draft.rng.sample(homes, len(homes)))
    draft.add(hub, words["departments"], "hub", Section(words["departments"], anchors=names))
    title = f"University of {who.town.capitalize()}"
    text = paragraph(draft.rng, "university", town=draft.town)
    draft.add("/", title, "university", Section(title, (text,)), label="university")
    entry = [Anchor(hub, words["departments"]), *outside]
    return (Anchor("/", words["home"]), *draft.rng.sample(entry, len(entry)))


def _lone_department(
    draft: Draft,
    words: dict[str, str],
    main: Department,
    others: list[Department],
    menus: list[list[Anchor]],
    outside: list[Anchor],
) -> tuple[Anchor, ...]:
    for department, menu in zip(others, menus[1:], strict=True):
        _home(draft, department, menu)
    related = Section(words["related"], anchors=tuple(Anchor(each.home, each.name) for each in others))
    title = f"Department of {main.name}"
    text = paragraph(draft.rng, "department", town=draft.town)
    draft.add("/", title, "department", Section(title, (text,)), _featured(draft, main), related, label="department")
    entry = [*menus[0], *outside]
    return (Anchor("/", words["home"]), *draft.rng.sample(entry, len(entry)))


def _calendar(draft: Draft, words: dict[str, str]) -> Calendar:
    pattern = draft.rng.choice(
        (
            "/calendar/{year}/{month:02d}/",
            "/events?month={year}-{month:02d}",
            "/cgi-bin/calendar?y={year}&m={month:02d}",
        )
    )
    return Calendar(pattern, words["calendar"], (draft.rng.randint(1999, 2020), draft.rng.randint(1, 12)))


def calendar_start(calendar: Calendar) -> str:
    year, month = calendar.first
    return calendar.pattern.format(year=year, month=month)


def _redirects(draft: Draft, main: Department) -> None:
    """Old addresses: one that moved, one that moved for a while, and a loop below the news."""
    draft.redirects["/welcome"] = Redirect(301, "/")
    draft.redirects["/teaching-old"] = Redirect(302, main.path(main.words["courses_folder"]))
    draft.redirects["/old-news/"] = Redirect(302, "/older-news/")
    draft.redirects["/older-news/"] = Redirect(302, "/old-news/")
    about = main.path(main.words["about"])
    budget = Section("Budget", (paragraph(draft.rng, "page", town=draft.town),))
    private = draft.add("/private/budget.html", "Budget (members only)", "private", budget)
    old = (Anchor("/welcome", "Old front page"), Anchor("/teaching-old", "Last year's timetable"))
    draft.append(
        about,
        Section("Old pages", anchors=(*old, private, Anchor(draft.gone("/lost/page.html"), "Map of the building"))),
    )


def _copies(draft: Draft, count: int) -> None:
    """Near-duplicates: print versions of news, and copies of office pages that carry a session in their address."""
    rng = draft.rng
    news = [path for path, page in draft.pages.items() if page.kind == "news"]
    for path in rng.sample(news, min(count, len(news))):
        copy = f"{path}{'&' if '?' in path else '?'}print=1"
        draft.pages[copy] = replace(draft.pages[path], path=copy, style="print", label=None, kind="print", nav=())
        draft.append(path, Section("", anchors=(Anchor(copy, "Printer-friendly version"),)))
    offices = [page for page in draft.pages.values() if page.kind in ("office", "about")]
    for page in rng.sample(offices, min(count // 2, len(offices))):
        copy = f"{page.path}{'&' if '?' in page.path else '?'}sid={rng.getrandbits(48):012x}"
        draft.pages[copy] = replace(page, path=copy, label=None, kind="session")
        draft.append(page.path, Section("", anchors=(Anchor(copy, "Text size: larger"),)))


def _frame(draft: Draft, who: Character, nav: tuple[Anchor, ...]) -> None:
    """Sites with frames: the root becomes a frameset, its menu and its text pages of their own."""
    if who.template != "frames":
        return
    home = draft.pages["/"]
    menu, main = "/menu.html", "/main.html"
    draft.pages[main] = replace(home, path=main, label=None, kind="frame-main")
    draft.pages[menu] = PlannedPage(menu, "Menu", "frame-menu", (Section("", anchors=nav),), style="menu")
    sections = (Section("", anchors=(Anchor(menu, "Menu"), Anchor(main, "Main"))),)
    draft.pages["/"] = replace(home, sections=sections, style="frameset")


def _set_menus(draft: Draft, who: Character, nav: tuple[Anchor, ...]) -> tuple[Anchor, ...]:
    """Puts the site's menu on its pages; within frames only the menu page has it, the others link back to the start."""
    shown = nav[:1] if who.template == "frames" else nav
    for path, page in draft.pages.items():
        if page.style in ("site", "catalogue") and page.kind != "paper":
            draft.pages[path] = replace(page, nav=shown)
    return shown


def _robots(draft: Draft, calendar: Calendar) -> str:
    lines = ["User-agent: *", "Disallow: /private/"]
    if calendar.pattern.startswith("/cgi-bin/"):
        lines.append("Disallow: /cgi-bin/")
    if draft.rng.random() < 0.3:
        lines.append("Crawl-delay: 1")
    return "\n".join(lines) + "\n"
