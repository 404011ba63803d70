"""A workspace's log, DIR/logs/trailmark.log: what happened and why, one line an event, oldest first.

Rooms say what they decided with the standard library's loggers; only here is it decided where that goes. Several processes
write into the same file (the app, its jobs, a shell), so every line is one write at the file's end, and the file is opened
for that write alone. What comes from pages can forge no line and drive no terminal: control characters are escaped.
"""

from __future__ import annotations

import fcntl
import logging
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

NAME = "trailmark.log"
MOST_BYTES, OLDER_FILES = 2_000_000, 4
"""Of one file; and how many full ones are kept as trailmark.log.1 (the latest) and on."""
LONGEST = 20_000
"""Letters of a line; of a longer one the beginning and the end are kept, since a traceback's point is in its last line."""

ROOMS = ("trailmark", "scrapy", "uvicorn", "py.warnings")
CHATTY = {
    "scrapy.addons": logging.WARNING,
    "scrapy.crawler": logging.WARNING,
    "scrapy.middleware": logging.WARNING,
    "scrapy.utils.log": logging.WARNING,
    "scrapy.downloadermiddlewares.redirect": logging.ERROR,
}
"""They tell at each start which settings and parts there are: of use to those who ask for everything only."""

HELD_BACK = "trailmark.cli.main"

# A link planted at the log's place is not followed, and a pipe there is not waited for.
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK


class OneLine(logging.Formatter):
    """A record as one line of printable text: time (UTC), process, level, room, message, traceback."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s")

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: ARG002, N802
        time = datetime.fromtimestamp(record.created, UTC)
        return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def format(self, record: logging.LogRecord) -> str:
        line = escaped(super().format(record))
        half = LONGEST // 2
        return line if len(line) <= LONGEST else f"{line[:half]} ... {line[-half:]}"


def escaped(text: str) -> str:
    """Text without control characters, line breaks and letters that turn the direction: each as Python would write it."""
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(letter if letter.isprintable() and letter != "\\" else ascii(letter)[1:-1] for letter in text)


class LogFile(logging.Handler):
    """Writes to the log of the workspace in `folder`; where there is no workspace, nowhere.

    A workspace that can't be used (a newer Trailmark's, say) is left untouched, its log too. So what the command line says
    of itself is held back until a room speaks, which it does in a workspace that was opened, or until the verb has ended.
    """

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__()
        self.folder = folder
        self.setFormatter(OneLine())
        self._troubled = False
        self._held: list[bytes] | None = []

    @property
    def path(self) -> Path | None:
        """Where the log is; None where the folder is no workspace."""
        if self.folder is None or not all(
            (self.folder / name).is_file() for name in ("trailmark.toml", "trailmark.db")
        ):
            return None
        return self.folder / "logs" / NAME

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record).encode("utf-8", "backslashreplace") + b"\n"
        except Exception:  # noqa: BLE001 - a message that can't be formatted must not end a verb
            self.handleError(record)
            return
        if self._held is not None and record.name == HELD_BACK:
            self._held.append(line)
            return
        self.write_held()
        self._write(line)

    def write_held(self) -> None:
        """Write what was held back; from now on nothing is."""
        held, self._held = self._held, None
        for line in held or ():
            self._write(line)

    def forget(self) -> None:
        """Unless a room has spoken: leave the workspace alone."""
        if self._held is not None:
            self.folder, self._held = None, []

    def _write(self, line: bytes) -> None:
        path = self.path
        if path is None:
            return
        try:
            path.parent.mkdir(exist_ok=True)
            if append(path, line) > MOST_BYTES:
                turn_over(path)
        except OSError as error:
            self._say_once(path, error)

    def _say_once(self, path: Path, error: OSError) -> None:
        """A log that can't be written is no reason to stop, and a reason to say so."""
        if not self._troubled:
            self._troubled = True
            sys.stderr.write(
                f"trailmark: warning: {path} can't be written ({error.strerror}); going on without a log.\n"
            )


def append(path: Path, line: bytes) -> int:
    """Write a line at the end of a file in one piece; the file's size after it."""
    file = os.open(path, _FLAGS, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(0, "it is no plain file")
        os.write(file, line)
        return os.fstat(file).st_size
    finally:
        os.close(file)


def turn_over(path: Path) -> None:
    """Make a full file the first of the older ones, and forget the oldest; of several processes one does it."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if path.stat().st_size <= MOST_BYTES:  # another process was faster
            return
        for number in range(OLDER_FILES, 1, -1):
            with suppress(FileNotFoundError):
                older_file(path, number - 1).replace(older_file(path, number))
        path.replace(older_file(path, 1))
    except FileNotFoundError:
        return
    finally:
        os.close(folder)


def older_file(path: Path, number: int) -> Path:
    """Where the n-th of the older files is; 1 is the latest."""
    return path.with_name(f"{path.name}.{number}")


@contextmanager
def logging_to(log: LogFile) -> Iterator[None]:
    """While it lasts, all loggers of the process write to a log; afterwards everything is as it was."""
    root, known = logging.getLogger(), {name: logging.getLogger(name).level for name in (*ROOMS, *CHATTY)}
    handlers = list(root.handlers)
    root.addHandler(log)
    set_verbosity(0)
    try:
        yield
    finally:
        for handler in [handler for handler in root.handlers if handler not in handlers]:
            root.removeHandler(handler)
        for name, level in known.items():
            logging.getLogger(name).setLevel(level)


def log_to(folder: Path) -> None:
    """From now on, the log is that of the workspace in a folder: the one named with -w, or one that was just made."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, LogFile):
            handler.folder = folder


def set_verbosity(verbosity: int) -> None:
    """0: decisions, to the file. 1: to the terminal as well. 2 and more: every detail of ours and of the engine, to both."""
    everything = verbosity > 1
    for name in ROOMS:
        logging.getLogger(name).setLevel(logging.DEBUG if everything else logging.INFO)
    for name, level in CHATTY.items():
        logging.getLogger(name).setLevel(logging.DEBUG if everything else level)
    if verbosity:
        terminal = logging.StreamHandler()
        terminal.setFormatter(OneLine())
        logging.getLogger().addHandler(terminal)
