"""Trails with the pages they lead over -> examples: the words of every page and of every link that was clicked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from trailmark.datatypes import Link, Page, Step, Trail
from trailmark.learn.bag import Bag, host_words, link_bag, page_bag


@dataclass(frozen=True)
class Example:
    """A trail as bags: one a page, and one a link between two pages."""

    trail: Trail
    pages: tuple[Bag, ...]
    links: tuple[Bag, ...]

    @property
    def site(self) -> str:
        return self.trail.site


FindLink = Callable[[Page, Step], Link | None]


def make_examples(
    trails: Iterable[Trail],
    page_at: Callable[[str], Page],
    find_link: FindLink,
    *,
    page_tokens: int = 100,
    window: int = 10,
) -> list[Example]:
    """Examples of trails whose steps are all linked; `find_link` says which link of a page leads to a step.

    Bags of a page or link that many trails share are made once.
    """
    pages: dict[tuple[str, str], Bag] = {}
    links: dict[tuple[str, str, str], Bag] = {}
    examples = []
    for trail in trails:
        own = host_words(trail.site)
        for step in trail.steps:
            if (trail.site, step.url) not in pages:
                bag = page_bag(page_at(step.url), site=trail.site, page_tokens=page_tokens)
                pages[trail.site, step.url] = bag
        for before, step in zip(trail.steps, trail.steps[1:], strict=False):
            key = (trail.site, before.url, step.url)
            if key not in links:
                page = page_at(before.url)
                link = find_link(page, step) or Link(step.url, step.anchor or "")
                links[key] = link_bag(link, source=page.url, own=own, window=window)
        examples.append(
            Example(
                trail,
                tuple(pages[trail.site, step.url] for step in trail.steps),
                tuple(
                    links[trail.site, before.url, step.url]
                    for before, step in zip(trail.steps, trail.steps[1:], strict=False)
                ),
            )
        )
    return examples


def different_bags(examples: Sequence[Example]) -> list[Bag]:
    """Every bag once, however many trails lead over its page: the root must not count a hundred times."""
    seen = {id(bag): bag for example in examples for bag in (*example.pages, *example.links)}
    return list(seen.values())
