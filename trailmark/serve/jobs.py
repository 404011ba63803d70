"""Long work in the background: a verb of the command line as a process of its own, which outlives the app.

    DIR/serve/jobs/0007/job.json     what was asked, the process, what was wished of it since
                        out, err     what the verb printed: one JSON report, and its messages
                        code         its exit code, once it has ended
                        run          of a walk: the number of its run

Nothing else is remembered, so that an app that was killed and started again knows as much as before. A pause is Ctrl-C's
polite stop; every long verb goes on where it stopped when it is run again.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from trailmark.errors import InputError
from trailmark.quoting import json_text
from trailmark.report import Json, as_json
from trailmark.serve.job_words import JOB_VARIABLE, RUN_FILE, Fence, job_words
from trailmark.serve.options import TOKEN_VARIABLE
from trailmark.store.json_lines import written_whole

INTERRUPTED = 130
JobState = Literal["running", "done", "trouble", "failed", "paused", "stopped", "broken"]
_LONGEST_MESSAGE = 2000
_LONGEST_TITLE = 200
# The shell outlives Ctrl-C (its trap) to write down how the verb ended; the verb itself gets the signal as in a terminal.
_SHELL = 'trap : INT; d="$1"; shift; "$@" >"$d/out" 2>"$d/err" </dev/null; echo $? >"$d/code.new"; mv "$d/code.new" "$d/code"'


@dataclass(frozen=True, slots=True)
class Job:
    """One job as it was asked for, with how it stands."""

    id: str
    verb: str
    arguments: tuple[str, ...]
    title: str
    started: float
    pid: int = 0
    born: str = ""
    """When the process was born, as the system counts: a number may have been given to another one since."""
    wish: str = ""
    """`pause` or `stop`, once a person wished so."""
    back: str = ""
    """The page that a person comes back to from it."""
    state: JobState = "running"
    ended: float | None = None
    message: str = ""
    """What it said last."""

    @property
    def active(self) -> bool:
        return self.state == "running"

    @property
    def resumable(self) -> bool:
        """What was paused, or broke off; what was stopped is over."""
        return self.state in ("paused", "broken")


class Jobs:
    """The jobs of a workspace."""

    def __init__(self, folder: Path, named: Sequence[Path] = ()) -> None:
        """`named` are files outside of the workspace that jobs may read."""
        self.workspace = folder
        self._fence = Fence(folder, tuple(named))
        self.folder = folder / "serve" / "jobs"
        self._lock = threading.Lock()
        self._children: list[subprocess.Popen[bytes]] = []

    def start(self, verb: str, *arguments: str, title: str, back: str = "") -> Job:
        """Run `trailmark -w WORKSPACE VERB ARGUMENTS... --json` in the background; raises where the words are not allowed.

        Where the very same is under way, that is the job: a button that was pressed twice begins it once.
        """
        words = job_words(verb, arguments, self._fence)
        with self._lock:
            same = next((job for job in self.active(verb) if job.arguments == words and not job.wish), None)
            if same is not None:
                return same
            job = Job(self._new_id(), verb, words, title[:_LONGEST_TITLE], time.time(), back=back)
            return self._launch(job)

    def all(self) -> list[Job]:
        """Every job, the latest first."""
        names = sorted((path.name for path in self.folder.glob("[0-9]*")), reverse=True)
        return [job for name in names if (job := self._read(name)) is not None]

    def active(self, verb: str | None = None) -> list[Job]:
        """Jobs that run now."""
        return [job for job in self.all() if job.active and verb in (None, job.verb)]

    def get(self, name: str) -> Job:
        job = self._read(name) if name.isascii() and name.isdigit() and len(name) < 10 else None
        if job is None:
            raise InputError(f"There is no job {name[:20]}.")
        return job

    def report(self, name: str) -> dict[str, Json]:
        """The verb's own report; empty while it runs, or where it made none."""
        try:
            report = json.loads((self.folder / self.get(name).id / "out").read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return report if isinstance(report, dict) else {}

    def run(self, name: str) -> int | None:
        """The run that a job began or took up, once it has told; a job of an earlier version never does."""
        try:
            return int((self.folder / name / RUN_FILE).read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None

    def messages(self, name: str) -> str:
        """What the verb said to a person, its end where it is long."""
        return _tail(self.folder / self.get(name).id / "err", _LONGEST_MESSAGE * 4)

    def pause(self, name: str) -> Job:
        """A polite stop, to be taken up later."""
        return self._interrupt(name, "pause")

    def stop(self, name: str) -> Job:
        """A polite stop; asked a second time, an end at once."""
        return self._interrupt(name, "stop")

    def resume(self, name: str) -> Job:
        """Run the same again: the verb goes on where it stopped."""
        with self._lock:
            job = self.get(name)
            if job.active:
                return job
            words = job_words(job.verb, job.arguments, self._fence)
            (self.folder / job.id / "code").unlink(missing_ok=True)
            return self._launch(replace(job, arguments=words, wish="", state="running", ended=None, message=""))

    # --- processes -----------------------------------------------------------------------------------------------

    def _launch(self, job: Job) -> Job:
        folder = self.folder / job.id
        verb = [sys.executable, "-m", "trailmark.cli.main", "-w", str(self.workspace.resolve()), job.verb]
        process = subprocess.Popen(  # noqa: S603 - a list of words; no shell reads the person's
            ["/bin/sh", "-c", _SHELL, "trailmark-job", str(folder), *verb, "--json", *job.arguments],
            start_new_session=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={
                **{name: value for name, value in os.environ.items() if name != TOKEN_VARIABLE},
                JOB_VARIABLE: str(folder.resolve()),
            },
        )
        self._children = [child for child in self._children if child.poll() is None] + [process]
        job = replace(job, pid=process.pid, born=_born(process.pid))
        self._write(job)
        return job

    def _interrupt(self, name: str, wish: str) -> Job:
        with self._lock:
            job = self.get(name)
            if not job.active:
                return job
            again = job.wish == "stop" and wish == "stop"
            self._write(replace(job, wish=wish))
            with suppress(ProcessLookupError):
                os.killpg(job.pid, signal.SIGKILL if again else signal.SIGINT)
        return replace(job, wish=wish)

    def _new_id(self) -> str:
        self.folder.mkdir(parents=True, exist_ok=True)
        number = max((int(path.name) for path in self.folder.glob("[0-9]*")), default=0) + 1
        (self.folder / f"{number:04d}").mkdir()
        return f"{number:04d}"

    # --- on disk -------------------------------------------------------------------------------------------------

    def _write(self, job: Job) -> None:
        with written_whole(self.folder / job.id / "job.json") as file:
            file.write(json_text(as_json(job)).encode())

    def _read(self, name: str) -> Job | None:
        try:
            value = json.loads((self.folder / name / "job.json").read_bytes())
            job = Job(**{**value, "arguments": tuple(value["arguments"])})
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        state, ended = self._state(job)
        message = "" if state == "done" else _tail(self.folder / name / "err", _LONGEST_MESSAGE).rpartition("\n")[2]
        return replace(job, state=state, ended=ended, message=message.removeprefix("trailmark: "))

    def _state(self, job: Job) -> tuple[JobState, float | None]:
        # Asked before the code is read: a job that ends in between has written its code by then.
        alive = _born(job.pid) == job.born if job.born else False
        path = self.folder / job.id / "code"
        try:
            code, ended = int(path.read_text()), path.stat().st_mtime
        except (OSError, ValueError):
            return ("running", None) if alive else ("stopped" if job.wish == "stop" else "broken", None)
        if code == 1 and not _tail(path.parent / "out", 10):
            # A verb that found a problem reports it. Python says 1 as well, without a report, where it was interrupted
            # while it loaded, or crashed: that is no end of the verb's own.
            code = INTERRUPTED
        if job.wish and code not in (0, 1, 2):
            return ("paused" if job.wish == "pause" else "stopped"), ended
        states: dict[int, JobState] = {0: "done", 1: "trouble", 2: "failed"}
        return states.get(code, "broken"), ended


def _born(pid: int) -> str:
    """When a process was born, in the system's own words; empty where it is no more, or only its exit code is left."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return "" if fields[0] == "Z" else fields[19]
    except (OSError, IndexError):
        pass
    if Path("/proc/self/stat").exists():
        return ""
    try:
        os.kill(pid, 0)
    except OSError:
        return ""
    return "alive"


def _tail(path: Path, size: int) -> str:
    try:
        with path.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - size))
            return file.read().decode("utf-8", "replace").strip()
    except OSError:
        return ""
