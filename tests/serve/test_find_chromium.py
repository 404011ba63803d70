"""How a browser for the tests is found and fetched: said in words that a newcomer understands."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import Any

import pytest

from tests.serve import find_chromium


@pytest.mark.parametrize("system", [True, False])
def test_every_step_says_what_it_does_before_it_does_it(
    system: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run: list[list[str]] = []

    def pretend(command: list[str], **_: Any) -> None:
        run.append(command)
        if command[:2] == ["apt-get", "update"]:
            raise subprocess.TimeoutExpired(command, 1)

    monkeypatch.setattr(find_chromium, "find", lambda: None)
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if system else None)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(subprocess, "run", pretend)
    find_chromium.install()
    first, *steps = capsys.readouterr().out.splitlines()
    assert first.startswith("The browser tests need a Chromium, and there is none yet.")
    assert run == [command for _, command in find_chromium.ways(system=system)]
    for words, command in find_chromium.ways(system=system):
        (line, *_) = [step for step in steps if words in step]
        assert all(word in line for word in command), "the whole command is shown, not its tail"
        assert words.split()[0] in ("installing", "downloading", "that")


def test_it_stops_at_the_first_way_that_gives_one(monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[Any] = []
    monkeypatch.setattr(find_chromium, "find", lambda: "/usr/bin/chromium" if run else None)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: run.append(command))
    find_chromium.install()
    assert len(run) == 1
