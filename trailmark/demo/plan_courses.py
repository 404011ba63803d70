"""The courses of a department: lists (flat, by term, by level), course pages and what hangs below them.

Decoys: readings below a course look like a list of publications; courses of other institutions look like courses.
"""

from __future__ import annotations

from trailmark.demo.department import LEVELS, TERMS, Course, Department
from trailmark.demo.plan import Anchor, Draft, Section
from trailmark.demo.prose import COURSES, citation, paragraph
from trailmark.demo.wording import TOWN_HEADS, TOWN_TAILS, draw


def add_courses(draft: Draft, department: Department) -> Anchor:
    """Course pages and the lists above them; returns the link that the department's menu shows."""
    for course in department.courses:
        _course_page(draft, department, course)
    word, label = department.words["courses"], "course-list" if department.computing else None
    folder = department.words["courses_folder"]
    hub = department.path(folder)
    kind = label or "other-course-list"
    if department.course_shape == "flat":
        anchors = tuple(course.anchor for course in department.courses)
        draft.add(hub, f"{word}, {department.name}", kind, Section(word, anchors=anchors), label=label)
        return Anchor(hub, word)
    parts = TERMS if department.course_shape == "terms" else LEVELS
    lists = []
    for part in parts:
        members = [course for course in department.courses if part in (course.term, course.level)]
        path = department.path(folder, part)
        anchors = tuple(course.anchor for course in members)
        title = f"{part}: {word.lower()}, {department.name}"
        draft.add(path, title, kind, Section(part, anchors=anchors), label=label, up=Anchor(hub, word))
        lists.append(Anchor(path, part))
    lists.append(Anchor(draft.gone(department.path(folder, "archive")), "Earlier years"))
    text = (paragraph(draft.rng, "page", town=draft.town, sentences=2),)
    draft.add(hub, f"{word}, {department.name}", "hub", Section(word, text, anchors=tuple(lists)))
    return Anchor(hub, word)


def _course_page(draft: Draft, department: Department, course: Course) -> None:
    rng, below = draft.rng, []
    share = 1.0 if department.computing else 0.3
    if rng.random() < 0.5 * share:
        lines = tuple(citation(rng, rng.choice(department.faculty).short) for _ in range(rng.randint(4, 9)))
        below.append(_leaf(draft, course, draw(rng, "readings"), "readings", "readings", items=lines))
    if rng.random() < 0.5 * share:
        lines = tuple(f"{n + 1}. Due in week {2 * n + 2}" for n in range(5))
        below.append(_leaf(draft, course, draw(rng, "homework"), "homework", "homework", items=lines))
    if rng.random() < 0.3 * share:
        lines = tuple(f"Week {n + 1}" for n in range(8))
        below.append(_leaf(draft, course, draw(rng, "notes"), "notes", "notes", items=lines))
    # A home page without its final slash answers with a redirect; lists link to the proper address.
    bare = course.teacher.home.rstrip("/")
    teacher = bare if rng.random() < 0.2 and bare in draft.redirects else course.teacher.home
    text = paragraph(rng, "course", town=draft.town, area=course.title.lower())
    draft.add(
        course.path,
        f"{course.code}: {course.title}",
        "course" if department.computing else "other-course",
        Section(f"{course.code} {course.title}", (text,), facts=(("Term", course.term), ("Level", course.level))),
        Section("Instructor", anchors=(Anchor(teacher, course.teacher.name),) if rng.random() < 0.5 else ()),
        Section(rng.choice(("Materials", "Course pages", "On this course")), anchors=tuple(below)),
        label="course" if department.computing else None,
        up=Anchor(department.path(department.words["courses_folder"]), department.words["courses"]),
    )


def _leaf(draft: Draft, course: Course, word: str, name: str, kind: str, *, items: tuple[str, ...]) -> Anchor:
    folder = course.path if course.path.endswith("/") else course.path.rsplit(".", 1)[0] + "/"
    path = f"{folder}{name}.html"
    up = Anchor(course.path, course.code)
    draft.add(path, f"{course.code}: {word}", kind, Section(f"{course.code} {word}", items=items), up=up)
    return Anchor(path, word)


def add_exchange(draft: Draft, words: dict[str, str], count: int) -> Anchor:
    """Courses of other institutions: they look like courses, and are not ours."""
    rng, word = draft.rng, words["exchange"]
    hub = draft.path("exchange", "courses")
    anchors = []
    for number in range(count):
        place = (rng.choice(TOWN_HEADS) + rng.choice(TOWN_TAILS)).capitalize()
        title = rng.choice(COURSES)
        path = draft.path("exchange", "courses", f"course-{number + 1}")
        text = paragraph(rng, "course", town=place, area=title.lower())
        heading = f"{title} (University of {place})"
        facts = (("Where", f"University of {place}"), ("Credit", f"{rng.randint(3, 8)} points"))
        up = Anchor(hub, word)
        draft.add(path, f"{heading}: course abroad", "exchange-course", Section(heading, (text,), facts=facts), up=up)
        anchors.append(Anchor(path, f"Course: {title}", f"at {place}"))
    text = paragraph(rng, "page", town=draft.town, sentences=1)
    draft.add(hub, word, "exchange-list", Section(word, (text,), anchors=tuple(anchors)))
    return Anchor(hub, word)
