"""The people of a department: lists (by group, in pages, under a hub or not), home pages and what hangs below them.

Decoys: students keep lists of papers that look like those of faculty, and reading lists; only the way there tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from trailmark.demo.department import Department
from trailmark.demo.people import Person
from trailmark.demo.plan import Anchor, Draft, PlannedPage, Section, pager, paginate
from trailmark.demo.prose import HOBBIES, citation, paragraph
from trailmark.demo.wording import draw, slug
from trailmark.demo.works import Work, author_of, draw_work


def add_people(draft: Draft, department: Department) -> list[Anchor]:
    """Lists and home pages; returns the links that the department's menu shows."""
    for person in department.faculty:
        add_faculty_home(draft, department, person)
    for person in department.students:
        add_student_home(draft, department, person)
    words, shape = department.words, department.people_shape
    if shape == "groups":
        hub = department.path(words["people_folder"])
        lists = [_group_list(draft, department, group, hub) for group in department.groups]
        lists.append(_student_list(draft, department, up=Anchor(hub, words["people"])))
        draft.add(hub, f"{words['people']}: {department.name}", "hub", Section(words["people"], anchors=tuple(lists)))
        return [Anchor(hub, words["people"])]
    if shape == "hub":
        hub = department.path(words["people_folder"])
        up = Anchor(hub, words["people"])
        lists = [_faculty_list(draft, department, up=up), _student_list(draft, department, up=up)]
        lists.insert(draft.rng.randrange(3), _staff_list(draft, department, up=up))
        text = paragraph(draft.rng, "page", town=draft.town, sentences=1)
        draft.add(
            hub, f"{words['people']}: {department.name}", "hub", Section(words["people"], (text,), anchors=tuple(lists))
        )
        return [up]
    return [_faculty_list(draft, department), _student_list(draft, department), _staff_list(draft, department)]


def _faculty_list(draft: Draft, department: Department, *, up: Anchor | None = None) -> Anchor:
    word = department.words["faculty"]
    label = "faculty-list" if department.computing else None
    anchors = [Anchor(person.home, person.name, f"{person.post}, {person.area}") for person in department.faculty]
    return _list_pages(draft, department, anchors, word, label, up=up, size=department.page_size)


def _student_list(draft: Draft, department: Department, *, up: Anchor | None = None) -> Anchor:
    word = department.words["students"]
    label = "student-list" if department.computing else None
    anchors = [Anchor(person.home, person.name, person.area) for person in department.students]
    if anchors:
        anchors.insert(len(anchors) // 2, Anchor(draft.gone("/~former/"), "J. Former", "(left)"))
    return _list_pages(draft, department, anchors, word, label, up=up, size=2 * department.page_size)


def _list_pages(
    draft: Draft,
    department: Department,
    anchors: list[Anchor],
    word: str,
    label: str | None,
    *,
    up: Anchor | None,
    size: int,
) -> Anchor:
    pages = paginate(draft, anchors, size, *department.prefix, word)
    for position, (path, chunk) in enumerate(pages):
        title = f"{word}, {department.name}" + (f", page {position + 1}" if position else "")
        turn = Section("", anchors=pager(pages, position, department.words))
        kind = "people-list" if label is None else label
        draft.add(path, title, kind, Section(word, anchors=tuple(chunk)), turn, label=label, up=up)
    return Anchor(pages[0][0], word)


def _group_list(draft: Draft, department: Department, group: str, hub: str) -> Anchor:
    """People of one research group: professors first, then those students who work on the same."""
    path = department.path(department.words["people_folder"], group)
    faculty = department.members(group)
    anchors = tuple(Anchor(person.home, person.name, person.post) for person in faculty)
    label = "faculty-list" if department.computing else None
    title = f"{group.capitalize()}: {department.words['faculty'].lower()}"
    sections = (
        Section(department.words["faculty"], anchors=anchors),
        Section("", (paragraph(draft.rng, "department", town=draft.town, sentences=1),)),
    )
    up = Anchor(hub, department.words["people"])
    draft.add(path, title, label or "people-list", *sections, label=label, up=up)
    return Anchor(path, group.capitalize())


def _staff_list(draft: Draft, department: Department, *, up: Anchor | None = None) -> Anchor:
    word = department.words["staff"]
    path = department.path(word)
    people = [draft.rng.choice(("Front office", "Accounts", "Workshop", "Help desk", "Library desk")) for _ in range(4)]
    items = tuple(f"{role}, room {draft.rng.randint(100, 499)}" for role in people)
    draft.add(path, f"{word}, {department.name}", "staff", Section(word, items=items), up=up)
    return Anchor(path, word)


def add_faculty_home(draft: Draft, department: Department, person: Person) -> None:
    """A professor's home page, and below it publications (the goal), a curriculum vitae, a hobby."""
    rng, up = draft.rng, Anchor(department.home, department.name)
    below = [*_publications(draft, department, person)]
    if rng.random() < 0.35:
        below.append(_small_page(draft, person, "Curriculum vitae", "cv", "cv"))
    if rng.random() < 0.3:
        below.append(_small_page(draft, person, rng.choice(HOBBIES), "hobby", "hobby"))
    taught = tuple(course.anchor for course in department.taught_by(person))
    text = paragraph(rng, "faculty", town=draft.town, area=person.area)
    draft.add(
        person.home,
        f"{person.name}, {person.post}",
        "faculty" if department.computing else "other-faculty",
        Section(person.name, (text,), facts=_desk(draft, person)),
        Section(rng.choice(("Links", "More", "Elsewhere on this page", "")), anchors=tuple(_shuffled(draft, below))),
        Section(rng.choice(("Teaching", "Classes", "Courses this year")), anchors=taught),
        label="faculty" if department.computing else None,
        up=up,
        style=department.home_style,
    )


def _publications(draft: Draft, department: Department, person: Person) -> list[Anchor]:
    """The page of a professor's publications, now and then behind one on research; one in twelve has none."""
    rng = draft.rng
    # The first of a department always has one, so that no site is without its goals and decoys.
    lacks = rng.random() < (0.08 if department.computing else 0.4)
    if lacks and person is not department.faculty[0]:
        return []
    word = draw(rng, "publications")
    path = person.home + rng.choice(("publications.html", "papers.html", "pubs/", "bib.html", "work.html", "papers/"))
    lines = tuple(citation(rng, person.short, computing=department.computing) for _ in range(rng.randint(5, 12)))
    papers = _paper_files(draft, department, person) if department.computing else ()
    draft.add(
        path,
        f"{word} of {person.name}",
        "publications" if department.computing else "other-publications",
        Section(word, items=lines),
        Section("", anchors=papers),
        label="publications" if department.computing else None,
        up=Anchor(person.home, person.name),
        style=department.home_style,
    )
    if rng.random() > 0.15:
        return [Anchor(path, word)]
    research = person.home + "research.html"
    text = paragraph(rng, "faculty", town=draft.town, area=person.area, sentences=2)
    anchors = (Anchor(path, word, f"on {person.area}"),)
    draft.add(
        research,
        f"Research of {person.name}",
        "research",
        Section("Research", (text,), anchors=anchors),
        up=Anchor(person.home, person.name),
        style=department.home_style,
    )
    return [Anchor(research, "Research")]


def _paper_files(draft: Draft, department: Department, person: Person) -> tuple[Anchor, ...]:
    """Links to papers as files; some of them are gone, as they are."""
    count = draft.rng.choice((0, 0, 1, 2))
    paths = [f"{person.home}{slug(person.area)[:8]}{90 + number}.pdf" for number in range(count)]
    for path in paths[:1]:
        work = _own_work(draft, department, person, path)
        draft.pages[path] = PlannedPage(path, work.title, "paper", work=work)
    for path in paths[1:]:
        draft.gone(path)
    return tuple(Anchor(path, "PDF") for path in paths)


def _own_work(draft: Draft, department: Department, person: Person, path: str) -> Work:
    """What a professor wrote, alone or with colleagues; drawn apart, so that nothing else of the site depends on it."""
    rng = Random(f"{draft.town}{path}")
    others = [each for each in department.faculty if each is not person]
    with_whom = rng.sample(others, min(len(others), rng.choice((0, 1, 1, 2))))
    names = [author_of(each.name) for each in (person, *with_whom)]
    return draw_work(rng, authors=names, area=person.area)


def add_student_home(draft: Draft, department: Department, person: Person) -> None:
    """A student's home page, and below it decoys: own papers, a reading list, a hobby."""
    rng = draft.rng
    below = []
    if rng.random() < 0.4:
        word = draw(rng, "student_work")
        lines = tuple(citation(rng, person.short) for _ in range(rng.randint(3, 6)))
        path = person.home + rng.choice(("papers.html", "publications.html", "pubs/"))
        below.append(_leaf(draft, person, path, word, "student-publications", lines))
    if rng.random() < 0.3:
        lines = tuple(citation(rng, rng.choice(department.faculty).short) for _ in range(rng.randint(4, 8)))
        below.append(_leaf(draft, person, person.home + "reading.html", draw(rng, "readings"), "reading-list", lines))
    if rng.random() < 0.4:
        below.append(_small_page(draft, person, rng.choice(HOBBIES), "hobby", "hobby"))
    adviser = rng.choice(department.faculty)
    draft.add(
        person.home,
        f"{person.name}'s home page",
        "student",
        Section(person.name, (paragraph(rng, "student", town=draft.town, area=person.area),)),
        Section(rng.choice(("Links", "Things", "Pages", "")), anchors=tuple(_shuffled(draft, below))),
        Section("", ("My adviser:",), anchors=(Anchor(adviser.home, adviser.name),) if rng.random() < 0.3 else ()),
        label="student" if department.computing else None,
        up=Anchor(department.home, department.name),
        style=department.home_style,
    )


def _leaf(draft: Draft, person: Person, path: str, word: str, kind: str, lines: Sequence[str]) -> Anchor:
    up = Anchor(person.home, person.name)
    draft.add(path, f"{word} of {person.name}", kind, Section(word, items=tuple(lines)), up=up, style="personal")
    return Anchor(path, word)


def _small_page(draft: Draft, person: Person, word: str, name: str, kind: str) -> Anchor:
    text = (paragraph(draft.rng, "page", town=draft.town),)
    up = Anchor(person.home, person.name)
    path = f"{person.home}{name}.html"
    draft.add(path, f"{word} of {person.name}", kind, Section(word, text), up=up, style="personal")
    return Anchor(path, word)


def _desk(draft: Draft, person: Person) -> tuple[tuple[str, str], ...]:
    room, line = draft.rng.randint(100, 499), draft.rng.randint(1000, 9999)
    return (
        ("Office", f"Room {room}"),
        ("Telephone", f"extension {line}"),
        ("E-mail", f"{person.login}@{draft.town}.test"),
    )


def _shuffled(draft: Draft, anchors: list[Anchor]) -> list[Anchor]:
    return draft.rng.sample(anchors, len(anchors))
