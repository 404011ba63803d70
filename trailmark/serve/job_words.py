"""Which words may follow a verb that runs as a job: a list for each verb, and what is not on it is refused.

A job may read what lies in the workspace, save for the app's own folder, and the files that were named when the app was started. It writes
files only below `exports/` and `demo/` of the workspace. Paths are followed to where they lead before they are judged, and
what was judged is what the job gets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from trailmark.errors import InputError
from trailmark.forage.seeds import parse_seeds
from trailmark.store.live_files import refuse_database
from trailmark.store.remote_path import RemotePath

MOST_WORDS, LONGEST_WORD, MOST_LETTERS = 1_000, 4_000, 100_000
WRITABLE = ("exports", "demo")
"""Folders of the workspace that jobs write files to."""
JOB_VARIABLE, RUN_FILE = "TRAILMARK_JOB", "run"
"""By the first a verb knows the folder of its job; a walk writes the number of its run to that file there."""
OWN = "serve"
READABLE_OF_OWN = ("seeds", "keywords", "seen.warc.gz")
"""What jobs may read of the app's own folder, which holds its secret."""


@dataclass(frozen=True, slots=True)
class Fence:
    """The workspace, and files beside it that were named at the start."""

    folder: Path
    named: tuple[Path, ...] = ()

    def read(self, word: str) -> str:
        """A file that a job may read, as where it really is."""
        if word in {str(archive) for archive in self.named if isinstance(archive, RemotePath)}:
            return word
        path, home = self._real(word), self.folder.resolve()
        refuse_database(path)
        if path in {archive.resolve() for archive in self.named}:
            return str(path)
        parts = path.relative_to(home).parts if path.is_relative_to(home) else ()
        if not parts or (parts[0] == OWN and (len(parts) < 2 or parts[1] not in READABLE_OF_OWN)):
            raise InputError(
                f"A job reads only what lies in the workspace, and archives that `trailmark serve --replay` named; not {word[:200]}."
            )
        return str(path)

    def write(self, word: str) -> str:
        """A file or folder that a job may write, as where it will really be."""
        path, home = self._real(word), self.folder.resolve()
        parts = path.relative_to(home).parts if path.is_relative_to(home) else ()
        if not parts or parts[0] not in WRITABLE:
            raise InputError(f"A job writes files only below exports/ of the workspace; not to {word[:200]}.")
        (home / parts[0]).mkdir(exist_ok=True)
        return str(path)

    def _real(self, word: str) -> Path:
        """Relative words are meant from the workspace."""
        try:
            return (self.folder.resolve() / word).resolve()
        except (OSError, RuntimeError) as error:
            raise InputError(f"{word[:200]} is no path that can be followed.") from error


Judge = Callable[[Fence, str], str]


def _text(fence: Fence, word: str) -> str:
    del fence
    if word.startswith("-"):
        raise InputError(f"A name does not begin with a dash: {word[:40]}.")
    return word


def _number(fence: Fence, word: str) -> str:
    del fence
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise InputError(f"A whole number is wanted, not {word[:40]!r}.")
    return word


def _root(fence: Fence, word: str) -> str:
    del fence
    good, bad = parse_seeds([word], "the job")
    if not good:
        raise InputError(f"{word[:200]!r} is no page to begin with{f': {bad[0].reason}' if bad else ''}.")
    return word


_READ, _WRITE = Fence.read, Fence.write
_OPTIONS: dict[str, dict[str, Judge | None]] = {
    "teach": {"--annotations": _READ, "--label": _text, "--suggest": _number, "--goal": _text, "--replay": _READ},
    "learn": {"--goal": _text, "--quick": None},
    "forage": {
        "--seeds": _READ,
        "--replay": _READ,
        "--budget": _number,
        "--site-budget": _number,
        "--strategy": _text,
        "--goal": _text,
        "--keywords": _READ,
        "--keywords-from": _text,
        "--scope": _text,
        "--log": _WRITE,
        "--plot": _WRITE,
        "--again": None,
    },
    "cluster": {"--archive": _READ, "--again": None},
    "wrap": {"--archive": _READ, "--propose": None, "--preview": _text},
    "extract": {
        "--archive": _READ,
        "--all": None,
        "--borrow": None,
        "--dry-run": None,
        "--out": _WRITE,
        "--sources": None,
        "--jobs": _number,
        "--again": None,
    },
    "tag": {"--archive": _READ, "--jobs": _number, "--again": None, "--learn": None},
    "course": {"--archive": _READ, "--goal": _text, "--fetch": None, "--again": None},
    "draft": {"--title": _text, "--syllabus": _READ, "--limit": _number, "--again": None},
    "organise": {"--topics": _READ, "--again": None},
    "update": {"--replay": _READ, "--budget": _number, "--all": None},
    "monitor": {"--replay": _READ, "--repair": None, "--rollback": _text, "--history": None},
    "demo": {"--out": _WRITE, "--sites": _number, "--seed": _number, "--web-only": None},
}
"""Verb -> its options, each with who judges its value; None where it has none."""
_OPERANDS: dict[str, Judge] = {"teach": _READ, "forage": _root, "course": _root}
"""Verbs that take words without an option."""
VERBS = tuple(_OPTIONS)
"""Verbs that may be run as jobs."""


def job_words(verb: str, words: Sequence[str], fence: Fence) -> tuple[str, ...]:
    """The words as the job gets them; InputError where one of them may not follow the verb."""
    if verb not in _OPTIONS:
        raise InputError(f"'{verb[:20]}' can't be run as a job; known are {', '.join(VERBS)}.")
    _check_size(words)
    given: list[str] = []
    rest = iter(words)
    for word in rest:
        given += _option(verb, word, rest, fence) if word.startswith("-") else [_operand(verb, word, fence)]
    if verb == "demo" and "--out" not in given:  # its default lies wherever the app was started
        given += ["--out", fence.write("demo")]
    return tuple(given)


def _option(verb: str, word: str, rest: Iterable[str], fence: Fence) -> list[str]:
    name, joined, value = word.partition("=")
    if name not in _OPTIONS[verb]:
        raise InputError(f"A job may not say '{name[:40]}' to {verb}; it may say {', '.join(_OPTIONS[verb])}.")
    judge = _OPTIONS[verb][name]
    if judge is None:
        if joined:
            raise InputError(f"{name} takes no value.")
        return [name]
    if not joined:
        value = next(iter(rest), "")
    if not value:
        raise InputError(f"{name} wants a value.")
    return [name, judge(fence, value)]


def _operand(verb: str, word: str, fence: Fence) -> str:
    if verb not in _OPERANDS:
        raise InputError(f"A job may not say '{word[:40]}' to {verb}.")
    return _OPERANDS[verb](fence, word)


def _check_size(words: Sequence[str]) -> None:
    if len(words) > MOST_WORDS or sum(map(len, words)) > MOST_LETTERS or any(len(w) > LONGEST_WORD for w in words):
        raise InputError(
            f"A job takes at most {MOST_WORDS:,} words and {MOST_LETTERS:,} letters; put long lists into a file of the workspace."
        )
    if any(letter < " " or "\x7f" <= letter < "\xa0" or "\ud800" <= letter <= "\udfff" for w in words for letter in w):
        raise InputError("A word of the job holds a character that can't be written.")
