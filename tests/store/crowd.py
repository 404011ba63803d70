"""A crowd on one workspace: two apps, three command lines that teach, and a walk, with `kill -9` among them.

Each writer notes what was acknowledged to it: an answer of the app, or a command that ended with 0. What was being written
when its process was killed may be there or not.
"""

from __future__ import annotations

import json
import os
import random
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter

SITE = "http://crowd.example/"
PAGES = 40
PATIENCE = 120
HTML = (("Content-Type", "text/html; charset=utf-8"),)
COMMAND = (sys.executable, "-m", "trailmark.cli.main")
BUSY = "is being written by another process"
"""One writer of archives at a time: who is told so asks again later."""
WATCH = """
import os, sys

def watch(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        name = os.fsdecode(arguments[0])
        if name.endswith((".db", ".db-wal", ".db-shm")):
            with open(os.environ["TRAILMARK_WATCH_LOG"], "a") as log:
                log.write(name + "\\n")

sys.addaudithook(watch)
"""
"""Python tells of every file that it opens; those that SQLite opens are not told of."""


@dataclass
class Kept:
    """What was acknowledged, what went wrong, and how often somebody was killed."""

    trails: set[str] = field(default_factory=set)
    """Labels, one a trail."""
    marks: set[str] = field(default_factory=set)
    """Values, one a mark."""
    walks: int = 0
    looks: int = 0
    kills: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)


def small_web(path: Path) -> Path:
    """An archive of one page that links to all others."""
    links = "".join(f'<a href="p{number}">Page {number}</a> ' for number in range(PAGES))
    with ArchiveWriter(path) as writer:
        writer.write(Response(SITE, 200, HTML, f"<title>All</title>{links}".encode()))
        for number in range(PAGES):
            writer.write(Response(f"{SITE}p{number}", 200, HTML, f"<title>{number}</title><p>{number}</p>".encode()))
    return path


def watched(scratch: Path) -> dict[str, str]:
    """An environment in which every Python process notes databases that it opens itself, in opened.txt."""
    (scratch / "watch").mkdir(exist_ok=True)
    (scratch / "watch" / "sitecustomize.py").write_text(WATCH)
    path = os.pathsep.join([str(scratch / "watch"), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {**os.environ, "PYTHONPATH": path, "TRAILMARK_WATCH_LOG": str(scratch / "opened.txt")}


class App:
    """`trailmark serve` as a process, and a visitor who was let in by the link that it printed."""

    def __init__(self, folder: Path, archive: Path, environment: dict[str, str]) -> None:
        self.environment = environment
        self.words = [*COMMAND, "-w", str(folder), "serve", "--no-open", "--json", "--replay", str(archive)]
        self.start()

    def start(self) -> None:
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        self.process = subprocess.Popen(
            [*self.words, "--port", str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=self.environment,
        )
        assert self.process.stdout is not None
        link = json.loads(self.process.stdout.readline())["url"]
        self.visitor = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        _when_it_listens(lambda: self.visitor.open(link, timeout=PATIENCE).read())
        found = re.search(r'name="csrf" content="([^"]+)"', self.get("/").decode())
        assert found, "the app's first page has the token of its forms"
        self.csrf = found[1]

    def get(self, path: str) -> bytes:
        with self.visitor.open(self.address + path, timeout=PATIENCE) as answer:
            return bytes(answer.read())

    def teach(self, trail: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{self.address}/api/trails",
            json.dumps({"trails": [trail]}).encode(),
            {"Content-Type": "application/json", "X-Trailmark-Csrf": self.csrf},
        )
        with self.visitor.open(request, timeout=PATIENCE) as answer:
            said: dict[str, Any] = json.loads(answer.read())
            return said

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


class Crowd:
    """Everybody writes until both apps had their lives and the time is over; an app's life ends after so many trails."""

    def __init__(self, folder: Path, archive: Path, scratch: Path, *, lives: int, trails: int, seconds: float) -> None:
        self.folder, self.archive, self.scratch = folder, archive, scratch
        self.lives, self.trails = lives, trails
        self.ends = time.monotonic() + seconds
        self.environment = watched(scratch)
        self.kept = Kept()
        self._lock = threading.Lock()
        self._over = threading.Event()

    def run(self) -> Kept:
        apps = [threading.Thread(target=self._guarded, args=(self._app, n)) for n in range(2)]
        others = [threading.Thread(target=self._guarded, args=(self._teacher, n)) for n in range(3)]
        others.append(threading.Thread(target=self._guarded, args=(self._walker, 0)))
        for thread in (*apps, *others):
            thread.start()
        for thread in apps:
            thread.join()
        self._over.set()
        for thread in others:
            thread.join()
        return self.kept

    def _guarded(self, job: Callable[[int], None], number: int) -> None:
        try:
            job(number)
        except Exception as error:  # noqa: BLE001 - told at the end, not lost with the thread
            self._note_wrong(f"{type(error).__name__}: {error}")

    def _note_wrong(self, what: str) -> None:
        with self._lock:
            self.kept.wrong.append(what)

    def _app(self, number: int) -> None:
        """Two who teach by the app and one who looks; then, while all of them ask, it is killed and started again."""
        for life in range(1_000_000):
            if self.kept.wrong or (life >= self.lives and time.monotonic() > self.ends):
                return
            app = App(self.folder, self.archive, self.environment)
            taken, stop = threading.Semaphore(0), threading.Event()
            threads = [threading.Thread(target=self._post, args=(app, f"a{number}-{k}", taken, stop)) for k in range(2)]
            threads.append(threading.Thread(target=self._look, args=(app, stop)))
            for thread in threads:
                thread.start()
            for _ in range(self.trails):
                if self.kept.wrong or not taken.acquire(timeout=PATIENCE):
                    break
            stop.set()
            app.kill()
            self.kept.kills += 1
            for thread in threads:
                thread.join()

    def _post(self, app: App, name: str, taken: threading.Semaphore, stop: threading.Event) -> None:
        for number in range(1_000_000):
            if stop.is_set():
                return
            label = f"{name}-{app.process.pid}-{number}"
            steps = [{"url": SITE}, {"url": f"{SITE}p{number % PAGES}", "label": label}]
            with self._told_apart(stop):
                said = app.teach({"site": SITE, "outcome": "goal", "steps": steps})
                if said["trails"] == 1:
                    self.kept.trails.add(label)
                    taken.release()
                else:
                    self._note_wrong(f"not taken: {said}")

    def _look(self, app: App, stop: threading.Event) -> None:
        while not stop.is_set():
            with self._told_apart(stop):
                app.get("/api/status")
                app.get("/")
                self.kept.looks += 1

    @contextmanager
    def _told_apart(self, stop: threading.Event) -> Iterator[None]:
        """Errors of a living app are wrong; one that was killed answers nobody."""
        try:
            yield
        except urllib.error.HTTPError as error:
            said = error.read()
            if BUSY.encode() in said:
                self.kept.refused += 1
                time.sleep(0.1)
            else:
                self._note_wrong(f"the app answered {error.code}: {said[:300]!r}")
        except Exception as error:  # noqa: BLE001 - whatever a broken answer leads to
            if not stop.is_set():
                self._note_wrong(f"the app did not answer: {error!r}")

    def _teacher(self, number: int) -> None:
        """`trailmark teach --annotations`, over and over; every third is killed."""
        took = float(PATIENCE)
        for turn in range(1_000_000):
            if turn and self._over.is_set():
                return
            values = [f"m{number}-{turn}-{each}" for each in range(20)]
            file = self.scratch / f"m{number}.jsonl"
            lines = [json.dumps({"url": f"{SITE}p{number}", "field": "f", "value": value}) for value in values]
            file.write_text("".join(line + "\n" for line in lines))
            began = time.monotonic()
            if self._ran(["teach", "--annotations", str(file)], killed_after=_some_of(took) if turn % 3 == 2 else None):
                self.kept.marks.update(values)
                took = time.monotonic() - began

    def _walker(self, number: int) -> None:
        """`trailmark forage --replay`, over and over; every second is killed, and taken up by the next."""
        words = ["forage", SITE, "--replay", str(self.archive), "--strategy", "breadth"]
        took = float(PATIENCE)
        for turn in range(1_000_000):
            if turn and self._over.is_set():
                return
            again, began = turn % 2 == 1, time.monotonic()
            more = ["--again"] if again else []
            if self._ran([*words, *more], killed_after=_some_of(took) if again else None):
                self.kept.walks += 1
                took = time.monotonic() - began
            self._let_others_write()

    def _let_others_write(self) -> None:
        """Until some trails were taken: a walk is the only writer of archives while it goes."""
        seen, ends = len(self.kept.trails), time.monotonic() + 20
        while len(self.kept.trails) < seen + 10 and time.monotonic() < ends and not self._over.is_set():
            time.sleep(0.05)

    def _ran(self, words: list[str], *, killed_after: float | None) -> bool:
        """Whether the command ended well; one that ended badly without being killed is wrong."""
        process = subprocess.Popen(
            [*COMMAND, "-w", str(self.folder), *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        )
        try:
            _, said = process.communicate(timeout=killed_after or PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            self.kept.kills += 1
            process.communicate()
            return False
        if process.returncode == 2 and BUSY in said:
            self.kept.refused += 1
        elif process.returncode != 0:
            self._note_wrong(f"{words[0]} ended with {process.returncode}: {said[-500:]}")
        return process.returncode == 0


def _some_of(seconds: float) -> float:
    """A moment towards the end of what took so long the last time."""
    return seconds * random.uniform(0.5, 1.0)


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def _when_it_listens(what: Callable[[], Any]) -> None:
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            what()
            return
        except (urllib.error.URLError, ConnectionError) as error:
            if isinstance(error, urllib.error.HTTPError) or time.monotonic() > ends:
                raise
            time.sleep(0.05)
