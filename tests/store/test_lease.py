"""A name is leased to one process at a time, and comes back however that ends."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from trailmark.store.lease import Leases


def test_two_holders_exclude_each_other(tmp_path: Path) -> None:
    with Leases(tmp_path) as one, Leases(tmp_path) as other:
        assert one.take("a.edu")
        assert one.take("a.edu"), "one's own stays one's own"
        assert not other.take("a.edu")
        assert other.take("b.edu")
        one.close()
        assert other.take("a.edu")


def test_names_of_any_kind(tmp_path: Path) -> None:
    names = ["x" * 5000, "../../etc", "", "bücher.de", "\ud800", "A.edu", "a.edu"]
    with Leases(tmp_path) as one, Leases(tmp_path) as other:
        assert all(map(one.take, names))
        assert not any(map(other.take, names))
    assert all(file.parent == tmp_path for file in tmp_path.iterdir())


def test_a_killed_process_gives_its_leases_back(tmp_path: Path) -> None:
    read, write = os.pipe()
    if not (child := os.fork()):
        Leases(tmp_path).take("a.edu")
        os.write(write, b"x")
        signal.pause()
    os.read(read, 1)
    with Leases(tmp_path) as ours:
        assert not ours.take("a.edu")
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        assert ours.take("a.edu")
