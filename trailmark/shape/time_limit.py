"""Whether a person's own regular expression gets through values in time.

Some expressions take longer than the universe lasts on a text of thirty letters, and Python can't stop them. So one is first run on the
values by a process of its own, which can be ended: when it is written, and again on every value that comes later, since who writes a page
may write one on which it never ends.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.shape.field_step import FieldStep
from trailmark.shape.normal_form import LONGEST
from trailmark.shape.shaper import ShapedRecord, Shaper

_log = logging.getLogger(__name__)
SECONDS, SECONDS_A_PAGE = 5.0, 1.0
MOST_SLOW = 5
"""Pages of some on which a change did not end, after which it is not tried on the rest of them."""
_REPEATS = frozenset("*+{")
"""Without one of these an expression is through at once."""
_SCRIPT = """
import json, re, sys
for line in sys.stdin:
    pattern, texts = json.loads(line)
    found = re.compile(pattern)
    for text in texts:
        found.sub("", text)
    print("done", flush=True)
"""


class PatternChild:
    """A process that tries expressions on texts; begun when it is first asked, and again after it had to be ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def ends(self, pattern: str, texts: Sequence[str], seconds: float) -> bool:
        """Whether an expression gets through these texts in so many seconds."""
        if not texts or _REPEATS.isdisjoint(pattern):
            return True
        process = self._begun()
        timer = threading.Timer(seconds, process.kill)
        timer.start()
        answer = self._asked(process, pattern, texts)
        timer.cancel()
        if answer != "done\n":
            self._end()
        return answer == "done\n"

    def _begun(self) -> subprocess.Popen[str]:
        if self._process is None:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-c", _SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self._asked(self._process, "", ())  # what it takes to begin is not the expression's time
        return self._process

    @staticmethod
    def _asked(process: subprocess.Popen[str], pattern: str, texts: Sequence[str]) -> str:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps([pattern, [text[:LONGEST] for text in texts]]) + "\n")
            process.stdin.flush()
            return process.stdout.readline()
        except OSError:
            return ""

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def check_time(step: FieldStep, texts: Sequence[str], *, seconds: float = SECONDS) -> None:
    """InputError where the pattern of a step does not get through these texts in time."""
    if step.how not in ("match", "replace"):
        return
    with PatternChild() as child:
        if not child.ends(step.pattern, texts, seconds):
            raise InputError(
                f"{step.pattern} takes too long on these values (more than {seconds:.0f} seconds): make it simpler, with fewer * and + within one another."
            )


def shaped_in_time(
    shaper: Shaper, pages: Sequence[Sequence[Record]], child: PatternChild, *, seconds: float = SECONDS_A_PAGE
) -> list[list[ShapedRecord]]:
    """Records of some pages, as lifted -> as they are shown. A change whose expression does not end on a page is left out there."""
    left_out = [set[int]() for _ in pages]
    for number, step in shaper.searches:
        texts = [shaper.texts(number, page, out) for page, out in zip(pages, left_out, strict=True)]
        if child.ends(step.pattern, [text for some in texts for text in some], max(SECONDS, seconds)):
            continue
        slow = 0
        for page, some, out in zip(pages, texts, left_out, strict=True):
            if slow >= MOST_SLOW or not child.ends(step.pattern, some, seconds):
                out.add(number)
                slow += 1
                _log.warning(
                    "a change is left out on %s, whose values it does not get through: %s", page[0].url, step.sentence
                )
    return [shaper(page, out) for page, out in zip(pages, left_out, strict=True)]
