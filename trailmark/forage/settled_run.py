"""A run in the books -> its verdicts settled there: read as the walk judged them, with what people said since, and written over them.

What the walk thought stays in the books beside the verdict (`RunRows.unsettle` brings it back), so that a run can be settled any number
of times, and taken up again as if it had never been settled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from trailmark.datatypes import Fetch, SiteState
from trailmark.forage.run_books import RunRows
from trailmark.forage.settling import JudgedPage, settle

LOT = 20_000
"""Pages that are settled at once, where no site has more and nobody has answered."""


def settle_run(rows: RunRows, run: int) -> None:
    """The number of a run -> the verdicts of all its pages computed anew and kept, in the transaction that is open or in one of its own."""
    rows.unsettle(run)
    answers = rows.answers(run)
    lots = [None] if answers else _lots(rows.sites(run))  # an answer may move any page of the run
    rows.save_verdicts(run, (each for lot in lots for each in _verdicts(rows, run, answers, lot)))


def _verdicts(
    rows: RunRows, run: int, answers: Mapping[str, bool], sites: range | None
) -> list[tuple[int, bool | None, float]]:
    judged = [
        (fetch.n, judged_page(fetch, answers.get(page_url(fetch)))) for _, fetch in rows.fetches(run, sites=sites)
    ]
    pages = {n: page for n, page in judged if page is not None}
    verdicts = settle(list(pages.values()))
    return [(n, each.goal, each.goal_probability) for n, each in zip(pages, verdicts, strict=True)]


def _lots(sites: Sequence[SiteState]) -> Iterator[range]:
    """Sites in the order of their numbers -> stretches of numbers with about `LOT` pages: without answers no site has a say in another's verdicts, and memory stays flat."""
    first = pages = 0
    for site in sorted(sites, key=lambda each: each.number):
        if pages and pages + site.pages > LOT:
            yield range(first, site.number)
            first, pages = site.number, 0
        pages += site.pages
    yield range(first, max((site.number for site in sites), default=-1) + 1)


def page_url(fetch: Fetch) -> str:
    """The address by which the page of a fetch is known: the one that answered."""
    return fetch.final_url or fetch.url


def judged_page(fetch: Fetch, answer: bool | None = None) -> JudgedPage | None:
    """A fetch, not settled, and what a person said of its page -> the page for settling; None where nothing judged it and nobody was asked."""
    unjudged = not fetch.content_hash or not (fetch.goal_probability or fetch.evidence)
    if unjudged and answer is None:
        return None
    return JudgedPage(
        page_url(fetch),
        fetch.site,
        fetch.family,
        fetch.evidence,
        fetch.goal_probability,
        answer,
        fetch.commonness,
        fetch.goal_name,
    )
