"""Work done side by side: the order is kept, the look-ahead is bounded, and a process that dies takes one item with it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trailmark.extract.crew import AHEAD, ALONE, Crew

DEADLY = 13


def make_doubler(factor: int) -> Callable[[int], int]:
    return lambda item: item * factor


def make_fragile(factor: int, home: int) -> Callable[[int], int]:
    """Item 13 ends the process that it is done in, unless that is this one."""

    def work(item: int) -> int:
        if item == DEADLY and os.getpid() != home:
            os._exit(9)
        return item * factor

    return work


def chunks(most: int, size: int = 3) -> list[list[int]]:
    return [list(range(at, at + size)) for at in range(0, most, size)]


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_answers_come_in_order(jobs: int) -> None:
    with Crew(make_doubler, (2,), jobs=jobs, lost=lambda _: -1) as crew:
        given = [*chunks(60), [], [7]]
        assert list(crew.answers(given)) == [[item * 2 for item in chunk] for chunk in given]


def test_the_look_ahead_is_bounded() -> None:
    """However long the row, no more chunks are taken from it than wait or are in work."""
    taken = 0

    def row() -> Iterator[list[int]]:
        nonlocal taken
        for number in range(200):
            taken += 1
            yield [number]

    answered, furthest = 0, 0
    with Crew(make_doubler, (2,), jobs=2, lost=lambda _: -1) as crew:
        for _ in crew.answers(row()):
            answered += 1
            furthest = max(furthest, taken - answered)
    assert answered == 200
    assert furthest <= 2 + AHEAD


@pytest.mark.slow
def test_a_process_that_dies_takes_one_item_with_it() -> None:
    given = chunks(60)
    assert DEADLY >= ALONE * 3, "it is not done here"
    with Crew(make_fragile, (2, os.getpid()), jobs=2, lost=lambda item: -item) as crew:
        answers = [answer for each in crew.answers(given) for answer in each]
    assert answers == [-DEADLY if item == DEADLY else item * 2 for item in range(60)]


def test_processes_end_when_the_one_that_started_them_is_killed(tmp_path: Path) -> None:
    program = (
        "import os, time\n"
        "from trailmark.extract.crew import Crew\n"
        "def make():\n"
        "    def work(item):\n"
        "        open(f'{os.getpid()}.pid', 'w').close()\n"
        "        time.sleep(0.01)\n"
        "        return item\n"
        "    return work\n"
        "if __name__ == '__main__':\n"
        "    with Crew(make, (), jobs=2, lost=lambda item: item) as crew:\n"
        "        for _ in crew.answers([n] for n in range(100000)):\n"
        "            pass\n"
    )
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    with subprocess.Popen([sys.executable, "program.py"], cwd=tmp_path) as process:
        wait_for(lambda: len(list(tmp_path.glob("*.pid"))) >= 3)
        process.kill()
    others = [int(path.stem) for path in tmp_path.glob("*.pid") if int(path.stem) != process.pid]
    wait_for(lambda: not any(alive(number) for number in others))
    assert len(others) >= 2


def wait_for(happened: Callable[[], bool]) -> None:
    until = time.monotonic() + 120
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.02)


def alive(number: int) -> bool:
    """Whether the process runs; one that ended and that nobody asked after does not count."""
    try:
        return Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
