"""A department as data: its people, groups and courses, before any page is planned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from trailmark.demo.people import POSTS, Person, Register
from trailmark.demo.plan import Anchor, Draft, Style
from trailmark.demo.prose import COURSES, OTHER_COURSES
from trailmark.demo.wording import draw_all


@dataclass(frozen=True, slots=True)
class Course:
    code: str
    title: str
    path: str
    teacher: Person
    term: str
    level: str

    @property
    def anchor(self) -> Anchor:
        return Anchor(self.path, f"{self.code} {self.title}")


@dataclass(frozen=True, slots=True)
class Department:
    """Who and what there is. Goals are counted in the computing department alone."""

    name: str
    prefix: tuple[str, ...]
    """First parts of its addresses; none where the department has the host to itself."""
    home: str
    computing: bool
    words: dict[str, str]
    faculty: tuple[Person, ...]
    students: tuple[Person, ...]
    courses: tuple[Course, ...]
    people_shape: str
    """hub, direct or groups: how one gets from the home page to the lists."""
    course_shape: str
    """flat, terms or levels."""
    page_size: int
    home_style: Style
    draft: Draft

    def path(self, *parts: str) -> str:
        return self.draft.path(*self.prefix, *parts)

    @property
    def groups(self) -> tuple[str, ...]:
        """Research areas that faculty work on, in order of first mention."""
        return tuple(dict.fromkeys(person.area for person in self.faculty))

    def members(self, group: str) -> tuple[Person, ...]:
        return tuple(person for person in self.faculty if person.area == group)

    def taught_by(self, person: Person) -> tuple[Course, ...]:
        return tuple(course for course in self.courses if course.teacher is person)


TERMS = ("Autumn term", "Spring term", "Summer term")
LEVELS = ("Undergraduate", "Graduate")


def make_department(
    draft: Draft,
    register: Register,
    *,
    name: str,
    code: str,
    prefix: tuple[str, ...],
    home: str,
    computing: bool,
    sizes: tuple[int, int, int],
    shapes: tuple[str, str] = ("direct", "flat"),
) -> Department:
    """Draws a department with so many faculty, students and courses, its lists of people and courses in given shapes."""
    rng = draft.rng
    words = draw_all(rng)
    # What the menu says and what the address says often differ.
    words["courses_folder"] = words["courses"] if rng.random() < 0.5 else "courses"
    words["people_folder"] = words["people"] if rng.random() < 0.6 else "people"
    faculty = _few_areas(rng, [register.person(rng.choice(POSTS), computing=computing) for _ in range(sizes[0])])
    students = [register.person("Student", computing=computing) for _ in range(sizes[1])]
    department = Department(
        name=name,
        prefix=prefix,
        home=home,
        computing=computing,
        words=words,
        faculty=tuple(faculty),
        students=tuple(students),
        courses=(),
        people_shape=shapes[0],
        course_shape=shapes[1],
        page_size=rng.choice((6, 8, 10, 25)),
        home_style=rng.choice(("personal", "personal", "site")) if draft.style != "capitals" else "personal",
        draft=draft,
    )
    courses = _courses(rng, department, code.upper(), sizes[2])
    return replace(department, courses=courses)


def _few_areas(rng: Random, people: list[Person]) -> list[Person]:
    """The same people in about a third as many research areas, so that groups have members."""
    areas = sorted({person.area for person in people})
    chosen = rng.sample(areas, max(1, min(len(areas), (len(people) + 2) // 3)))
    return [Person(p.name, p.login, p.post, rng.choice(chosen), p.home) for p in people]


def _courses(rng: Random, department: Department, code: str, count: int) -> tuple[Course, ...]:
    pool = list(COURSES) if department.computing else [title.format(department.name) for title in OTHER_COURSES]
    rng.shuffle(pool)
    titles = [pool[n % len(pool)] + (f" {n // len(pool) + 1}" if n >= len(pool) else "") for n in range(count)]
    numbers = sorted(rng.sample(range(100, 100 + 50 * max(10, count)), count))
    folder = department.words["courses_folder"]
    courses = []
    for number, title in zip(numbers, titles, strict=True):
        path = department.path(folder, f"{code}{number}")
        level = LEVELS[number >= numbers[len(numbers) // 2]]
        courses.append(
            Course(f"{code} {number}", title, path, rng.choice(department.faculty), rng.choice(TERMS), level)
        )
    return tuple(courses)
