"""Which pages people want, as far as runs and answers tell: those that were found, and those that a person refused.

Of several words on one page the last one counts, whichever run they were said about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from trailmark.store.database import Database

_GOALS = "SELECT DISTINCT url, final_url FROM fetches WHERE goal"
_FOUND_FOR = (
    "SELECT DISTINCT f.url, f.final_url, CASE WHEN f.goal_name != '' THEN f.goal_name WHEN r.goal_name != '' THEN r.goal_name ELSE f.label END "
    "FROM fetches AS f JOIN runs AS r ON r.id = f.run_id WHERE f.goal"
)
_SAID = "SELECT url, answer FROM answers ORDER BY asked_at, run_id"


@dataclass(frozen=True, slots=True)
class PagesToLift:
    """The pages that records come from by default, and those that never do by themselves."""

    pages: frozenset[str]
    """Called a goal by a run, or right by a person, and not called wrong since; unsure pages are not among them."""
    addresses: frozenset[str]
    """The same, with the addresses that led to them."""
    refused: frozenset[str]
    """Pages that a person called wrong."""


def pages_to_lift(database: Database) -> PagesToLift:
    """What runs found and people said -> the pages that go on to records."""
    with database.snapshot() as connection:
        goals = [(str(final or url), str(url)) for url, final in connection.execute(_GOALS)]
        said = {str(url): bool(answer) for url, answer in connection.execute(_SAID)}
    refused = frozenset(url for url, right in said.items() if not right)
    led = [(page, url) for page, url in goals if page not in refused]
    pages = frozenset(page for page, _ in led) | frozenset(url for url, right in said.items() if right)
    return PagesToLift(pages, pages | {url for _, url in led}, refused)


def clusters_of_pages(database: Database) -> dict[str, str | None]:
    """Page -> the cluster that it was put in; None where it was looked at and put in none."""
    with database.snapshot() as connection:
        return dict(connection.execute("SELECT url, cluster_id FROM cluster_pages"))


def pages_found_for(database: Database, goals: Sequence[str]) -> list[str]:
    """Names of goals, capitals aside -> the pages that runs call so and nobody refused, in the order of their addresses."""
    wanted = {goal.lower() for goal in goals}
    with database.snapshot() as connection:
        rows = connection.execute(_FOUND_FOR).fetchall()
        said = {str(url): bool(answer) for url, answer in connection.execute(_SAID)}
    pages = {str(final or url) for url, final, goal in rows if str(goal).lower() in wanted}
    return sorted(page for page in pages if said.get(page, True))
