"""The keywords that a case would be walked by, if its teacher had no trails and knew names alone: those of goal pages of other webs."""

from __future__ import annotations

from evals.forage_cases import Case
from trailmark.learn.keyword_list import LONGEST_KEYWORD, Keyword, parse_keywords

MOST_NAMES = 200


def goal_word(case: Case) -> list[Keyword]:
    """A case -> the word that its goal is called by."""
    return parse_keywords([case.goal.replace("-", " ")], case.title)


def goal_names(case: Case) -> list[Keyword]:
    """A case -> the word that its goal is called by, and the titles of goal pages that its trails end at, none of them on a site that is walked."""
    pages = [
        web.page(trail.steps[-1].url) for web, trails in case.taught for trail in trails if trail.outcome == "goal"
    ]
    titles = dict.fromkeys(" ".join(page.title.split())[:LONGEST_KEYWORD] for page in pages)
    named = [title for title in titles if any(letter.isalnum() for letter in title) and not title.startswith("#")]
    return [*goal_word(case), *(parse_keywords(named[:MOST_NAMES], case.title) if named else [])]
