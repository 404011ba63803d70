"""Blocks of a document -> examples that can be run, in the order in which a reader meets them.

Python blocks run whole, in one namespace a page. Of blocks without a language, lines that begin with `trailmark` run as the command line
does, `cat > FILE <<'END'` writes a file, and a JSON block that follows "Write `FILE`" is that file. Where a line begins with `$ `, what follows it
is what it prints. A block that can't be run carries its reason: `<!-- not run: why -->` in the line above.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trailmark.cli.main import run

_BLOCK = re.compile(r"(?P<before>[^\n]*\n)?(?:\n)?```(?P<language>\w*)\n(?P<body>.*?)\n```", re.S)
_NOT_RUN = re.compile(r"<!-- not run: (.+?) -->")
_WRITE = re.compile(r"[Ww]rite `([\w.-]+)`|Save this as `([\w.-]+)`")
_LIVE = ("teach", "forage", "show", "monitor")
"""Verbs that ask the live web where no archive is named."""
_FINDS = "monitor"
"""It ends with 1 while something is broken, as its page says."""
_WAITING = "serve"
"""It serves until somebody stops it; tests/serve starts it."""


@dataclass(frozen=True)
class Example:
    """A block: its language, its text, why it is not run (if so), and the file that it is the text of (if so)."""

    language: str
    body: str
    reason: str = ""
    file: str = ""

    @property
    def commands(self) -> bool:
        """Whether a line of it is a command of ours."""
        return not self.language and re.search(r"^(\$ )?trailmark ", self.body, re.M) is not None


def examples(text: str) -> Iterator[Example]:
    """Every block of a document."""
    place = 0
    for block in _BLOCK.finditer(text):
        told = text[place : block.start("language")]
        place = block.end()
        reason = _NOT_RUN.search(told.rpartition("\n\n")[2])
        written = _WRITE.findall(told)
        file = "".join(written[-1]) if written and (block["language"] in ("json", "python")) else ""
        yield Example(block["language"], block["body"], reason[1] if reason else "", file)


class Reader:
    """Somebody who types the examples of a page, in a folder."""

    def __init__(self, live: list[Path]) -> None:
        self.live = live
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def try_out(self, example: Example) -> str:
        """Run an example; what went wrong, or nothing."""
        if example.file:
            Path(example.file).write_text(example.body + "\n", encoding="utf-8")
        if example.reason or not (example.commands or example.language == "python"):
            return ""
        return self._python(example.body) if example.language == "python" else self._shell(example.body)

    def _python(self, body: str) -> str:
        try:
            with redirect_stdout(io.StringIO()):
                exec(compile(body, "<example>", "exec"), self.names)
        except Exception as error:  # noqa: BLE001 - whatever it raises, the example is wrong
            return f"{type(error).__name__}: {error}\n{body}"
        return ""

    def _shell(self, body: str) -> str:
        body = re.sub(r"^cat > (\S+) <<'END'\n(.*?\n)END$", self._file, body, flags=re.M | re.S)
        lines = body.splitlines()
        for number, line in enumerate(lines):
            if _WAITING in line.split():
                continue
            if line.startswith("trailmark "):
                code, printed = self._command(line)
                if code > (_FINDS in line.split()):
                    return f"{line}\nended with {code}: {printed[-600:]}"
            elif line.startswith("$ trailmark "):
                _, printed = self._command(line.removeprefix("$ "))
                missing = [each for each in lines[number + 1 :] if each not in printed.replace("\n", " ")]
                if missing:
                    return f"{line}\nprinted {printed!r}, without {missing}"
        return ""

    def _file(self, written: re.Match[str]) -> str:
        Path(written[1]).write_text(written[2], encoding="utf-8")
        return ""

    def _command(self, line: str) -> tuple[int, str]:
        """The exit code of a command, and what it printed; the live web is in archives, and to questions nothing is said."""
        words = shlex.split(line, comments=True)[1:]
        target = words.index(">") if ">" in words else len(words)
        out, kept = io.StringIO(), sys.stdin
        sys.stdin = io.StringIO("skip\n" * 50)
        try:
            with redirect_stdout(out), redirect_stderr(out):
                code = run([*words[:target], *self._archives(words[:target])])
        finally:
            sys.stdin = kept
        if words[target + 1 :]:
            Path(words[target + 1]).write_text(out.getvalue(), encoding="utf-8")
        return code, " ".join(out.getvalue().split("\n"))

    def _archives(self, words: list[str]) -> list[str]:
        asks = any(word in _LIVE for word in words) and not {"--replay", "--annotations", "--rollback", "--history"} & {
            *words
        }
        return [word for archive in self.live if asks for word in ("--replay", str(archive))]
