"""Fixtures of this room."""

from __future__ import annotations

import pytest

from tests.learn.learn_demo_web import demo_examples
from trailmark.learn.example import Example


@pytest.fixture(scope="session")
def taught() -> tuple[Example, ...]:
    """Trails to publications on three sites."""
    return demo_examples("publications", (0, 1, 2))


@pytest.fixture(scope="session")
def unseen() -> tuple[Example, ...]:
    """Trails to publications on three other sites."""
    return demo_examples("publications", (3, 4, 5))
