"""The typer of course items that comes with Trailmark: learnt from courses that the generated web's own hand writes, since no typed courses may be shipped.

`python -m trailmark.verbs.ready_typer` (`make ready`) learns it again and writes its file into the package. That is needed where what the typer
looks at has changed. A test holds what it gets right. Courses that people typed teach more: `trailmark course --train FILE`.
"""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from random import Random

from trailmark.course.course_file import WrittenCourse, WrittenItem, labelled
from trailmark.course.item_typer import LabelledCourse, learnt_typer
from trailmark.course.page_item import item_page
from trailmark.course.typer_file import typer_to_bytes
from trailmark.datatypes import Response
from trailmark.demo.course_site import CourseSite, make_course_site

FOLDER, FILE = "ready", "course.typer"
"""Below trailmark/course; and the name of a workspace's own typer in its folder models."""
COURSES, SEED = 60, 17


def ready_typer() -> bytes:
    """The file of the typer that comes with Trailmark."""
    return (resources.files("trailmark.course") / FOLDER / FILE).read_bytes()


def generated_lessons(count: int = COURSES, seed: int = SEED) -> list[LabelledCourse]:
    """So many generated courses, every link with its type."""
    sites = (make_course_site(Random(f"{seed}/typed/{n}"), f"http://site-{n}.test/class/c{n}/") for n in range(count))
    return [lesson(site) for site in sites]


def lesson(site: CourseSite) -> LabelledCourse:
    """A generated course -> its pages as they are read, and the type of every link."""
    kind = (("Content-Type", "text/html; charset=utf-8"),)
    pages = {url: item_page(Response(url, 200, kind, text.encode())) for url, text in site.pages.items()}
    return labelled(WrittenCourse(site.home, "generated", tuple(WrittenItem(*link) for link in site.links)), pages)


def write_ready(folder: Path) -> int:
    """Learn the typer and write its file into a folder -> its bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    body = typer_to_bytes(learnt_typer(generated_lessons()))
    (folder / FILE).write_bytes(body)
    return len(body)


if __name__ == "__main__":
    print(f"course: {write_ready(Path(__file__).parents[1] / 'course' / FOLDER):,} bytes")  # noqa: T201 - it is a command
