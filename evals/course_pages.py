"""`python -m evals.course_pages --data DIR`: which pages of labelled webs are taken for courses by words alone (`trailmark.course.course_walk`).

For each web whose labels know courses: pages, those that are taken, how many of them are labelled so, and how many of the labelled are taken. A page of a course that is
not its home has no such label, so that precision is told a little low. The last row is where `TAKEN` and `LEFT` come from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.course.course_walk import GOAL, is_course_page
from trailmark.read import read_page
from trailmark.store.archive import entries_of, open_archive
from trailmark.store.benchmark_web import BenchmarkWeb, read_webs


@dataclass(frozen=True)
class Taken:
    """Counts of one web, or of several."""

    pages: int = 0
    courses: int = 0
    taken: int = 0
    right: int = 0

    def __add__(self, other: Taken) -> Taken:
        return Taken(
            self.pages + other.pages,
            self.courses + other.courses,
            self.taken + other.taken,
            self.right + other.right,
        )

    def row(self, name: str) -> str:
        others = max(1, self.pages - self.taken)
        return (
            f"{name:12} {self.pages:6} pages, {self.courses:4} courses; {self.taken:4} taken, {self.right:4} right: "
            f"precision {self.right / max(1, self.taken):.2f}, recall {self.right / max(1, self.courses):.2f}; "
            f"of the others {(self.courses - self.right) / others:.3f} are courses"
        )


def counted(web: BenchmarkWeb) -> Taken:
    """A web -> what is taken of it."""
    courses = {url for url, label in web.labels().items() if label == GOAL}
    found = Taken(courses=len(courses))
    with open_archive(web.archive) as stream:
        for entry in entries_of(stream, web.archive):
            response = entry.response
            if response.status == 200 and response.body:
                taken = is_course_page(read_page(response))
                found += Taken(pages=1, taken=taken, right=taken and response.url in courses)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="a folder of benchmark webs")
    options = parser.parse_args(arguments)
    whole = Taken()
    for web in read_webs(options.data):
        if GOAL in web.labels().values():
            found = counted(web)
            whole += found
            print(found.row(web.name), flush=True)
    print(whole.row("all"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
