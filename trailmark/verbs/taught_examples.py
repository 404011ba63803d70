"""The pages of trails, each read once, and the examples that they make: what `learn` and every strategy are taught with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from trailmark.datatypes import Page, Trail
from trailmark.learn.choice import ExampleSource
from trailmark.learn.example import Example, make_examples
from trailmark.read import read_page
from trailmark.store.replay import Replay
from trailmark.teach import find_link
from trailmark.workspace import Workspace


def page_reader(workspace: Workspace, replay: Replay) -> Callable[[str], Page]:
    """A page by its URL, each read once, with all its words: the recipe says how many count."""
    settings = replace(workspace.settings.read, page_tokens=-1)
    return cache(lambda url: read_page(replay.fetch(url), settings))


def example_source(page: Callable[[str], Page], trails: Sequence[Trail]) -> ExampleSource:
    """Examples of the trails, for any number of page tokens and any window; `page` gives their pages."""

    @cache
    def examples(page_tokens: int, window: int) -> list[Example]:
        return make_examples(trails, page, find_link, page_tokens=page_tokens, window=window)

    return examples
