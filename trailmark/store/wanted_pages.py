"""Which pages people want, as far as runs and answers tell: those that were found, and those that a person refused."""

from __future__ import annotations

from trailmark.store.database import Database

_FOUND = "SELECT url, final_url FROM fetches WHERE goal UNION SELECT url, url FROM answers WHERE answer"
_REFUSED = "SELECT url FROM answers WHERE NOT answer"


def found_pages(database: Database) -> frozenset[str]:
    """Every address of a page that a run calls a goal, or of which a person said that it is one; unsure pages are not among them."""
    with database.snapshot() as connection:
        return frozenset(str(url) for row in connection.execute(_FOUND) for url in row if url)


def refused_pages(database: Database) -> frozenset[str]:
    """Pages of which a person said that they are not wanted."""
    with database.snapshot() as connection:
        return frozenset(str(url) for (url,) in connection.execute(_REFUSED))


def clusters_of_pages(database: Database) -> dict[str, str | None]:
    """Page -> the cluster that it was put in; None where it was looked at and put in none."""
    with database.snapshot() as connection:
        return dict(connection.execute("SELECT url, cluster_id FROM cluster_pages"))
