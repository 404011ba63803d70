"""Processor time and memory of this process and of all that it started, sampled while a block runs; as Linux tells them in /proc."""

from __future__ import annotations

import csv
import os
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

EVERY = 0.5
_KINDS = (("Agent", "agent"), ("ray::", "worker"), ("raylet", "raylet"), ("gcs_server", "gcs"))
_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Sample:
    """One process at one moment."""

    seconds: float
    pid: int
    kind: str
    cpu: float
    megabytes: float


class WatchedProcesses:
    """Within the block: samples of all processes, but those named in `without`."""

    def __init__(self, without: Iterable[int] = ()) -> None:
        self._without = set(without)
        self.samples: list[Sample] = []
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Self:
        self._start = time.monotonic()
        self._before = {pid: sample.cpu for pid, sample in self._look().items()}
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()
        self.samples += self._look().values()
        self.wall = time.monotonic() - self._start

    def cpu(self, kind: str = "") -> float:
        """Seconds of processor within the block, of one kind of process or of all."""
        last = {sample.pid: sample.cpu for sample in self.samples if sample.kind.startswith(kind)}
        return sum(cpu - self._before.get(pid, 0.0) for pid, cpu in last.items())

    def shares(self) -> str:
        """Seconds of processor by kind of process, in words."""
        kinds = dict.fromkeys(sample.kind for sample in self.samples)
        return ", ".join(f"{kind} {self.cpu(kind):.1f}" for kind in kinds)

    def written(self, file: Path) -> None:
        """All samples as CSV."""
        with file.open("w", newline="", encoding="utf-8") as opened:
            rows = csv.writer(opened)
            rows.writerow(["seconds", "pid", "kind", "cpu_seconds", "megabytes"])
            for each in self.samples:
                rows.writerow([f"{each.seconds:.1f}", each.pid, each.kind, f"{each.cpu:.2f}", f"{each.megabytes:.1f}"])

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            self.samples += self._look().values()

    def _look(self) -> dict[int, Sample]:
        now, found = time.monotonic() - self._start, {}
        for pid, (_, ticks, pages) in _family().items():
            if pid not in self._without:
                kind = "driver" if pid == os.getpid() else _kind(pid)
                found[pid] = Sample(now, pid, kind, ticks / _TICKS, pages * _PAGE / 1e6)
        return found


def _family() -> dict[int, tuple[int, int, int]]:
    """This process and all below it -> parent, ticks of processor, pages of memory."""
    every = {}
    for name in (each.name for each in Path("/proc").iterdir() if each.name.isdigit()):
        try:
            values = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
            every[int(name)] = (int(values[1]), int(values[11]) + int(values[12]), int(values[21]))
        except (OSError, IndexError):  # gone since
            continue
    family, newest = {os.getpid()}, {os.getpid()}
    while newest:
        newest = {pid for pid, (parent, *_) in every.items() if parent in newest}
        family |= newest
    return {pid: each for pid, each in every.items() if pid in family}


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode(errors="replace")
    except OSError:
        return ""


def _kind(pid: int) -> str:
    command = _command(pid)
    return next((kind for mark, kind in _KINDS if mark in command), "other")


def workers() -> list[int]:
    """The processes of Ray that are at a task of ours now."""
    return [pid for pid in _family() if _command(pid).startswith("ray::_Worker")]
