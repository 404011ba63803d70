"""`forage`: seeds -> pages.

1. Seeds are read: URLs, and files of them. 2. The strategy is made from what was learnt. 3. The run is begun, or taken up where an
earlier one of the same was left, and walks until every site has ended (`trailmark.forage.forage_run`); its books are the workspace's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from trailmark.errors import InputError
from trailmark.forage.documents import WithDocuments
from trailmark.forage.forage_report import ForageReport
from trailmark.forage.forage_run import Errand, ForageRun, Watch
from trailmark.forage.keyword_walk import is_keyword_walk
from trailmark.forage.scope import Seed
from trailmark.forage.seeds import BadSeed, read_seeds
from trailmark.settings import ForageSettings
from trailmark.store.archive_names import path_named
from trailmark.store.live_files import refuse_database
from trailmark.strategy import Strategy
from trailmark.verbs.keyword_lists import keyword_strategy_name
from trailmark.verbs.keyword_records import follow_keyword_pages
from trailmark.verbs.run_books import StoredBooks
from trailmark.verbs.strategies import reading_settings, workspace_strategy
from trailmark.verbs.teach import lines_of
from trailmark.workspace import Workspace


def forage(
    workspace: Workspace,
    seeds: str | Path | Sequence[str | Path | Seed],
    *,
    archives: Sequence[str | Path] = (),
    strategy: str | Strategy = "path",
    budget: int | None = None,
    site_budget: int | None = None,
    scope: str | None = None,
    log: str | Path | None = None,
    again: bool = False,
    goal: str | Sequence[str] = (),
    keywords: str | Path | Sequence[str | Path] = (),
    keywords_from: str | Sequence[str] = (),
    documents: bool = False,
    picture: str | Path | None = None,
    watch: Watch | None = None,
    begun: Callable[[int], None] | None = None,
) -> ForageReport:
    """Seeds -> the pages of their sites, walked best first; the report says what was found, and why each site ended.

    A seed is a URL, a `Seed` with a scope of its own, or a file with one URL a line: a `Path`, or the name of a file that is there. Pages come from the network, or from
    `archives` where any are given. `strategy` is a name, `package.module:Class`, or an object that is a strategy itself.
    It looks for all goals that were learnt at once, or for those that `goal` names. With files of `keywords`, or courses to take them from, it looks for
    pages that speak of these instead, without any trail.
    With `documents`, PDF and PostScript files that goal pages link to are fetched first, within the budget, for `tag` to read.
    Budgets and scope are as the settings say where they are not given. The same call again goes on where the last one stopped;
    with `again` it begins anew. `log` gets a JSON line for each fetch, `picture` the harvest curve, `watch` the run now and then,
    `begun` its number as soon as it has one.
    """
    strategy = sought(workspace, strategy, goal, keywords, keywords_from)
    limits = limits_of(workspace.settings.forage, budget, site_budget, scope)
    settings = reading_settings(replace(workspace.settings, forage=limits), strategy)
    for file in (log, picture):
        if file is not None:
            refuse_database(Path(file))
    sites, bad = seeds_of([seeds] if isinstance(seeds, (str, Path)) else seeds, settings.forage.scope)
    named = [goal] if isinstance(goal, str) else goal
    chosen, model, goals = chosen_strategy(workspace, strategy, named, documents=documents)
    paths = [path_named(archive) for archive in archives]
    errand = Errand(sites, chosen, model, paths, path_of(log), again, path_of(picture), goals)
    books = StoredBooks(workspace.folder, workspace.database, settings, paths)
    report = replace(ForageRun(errand, settings, books, watch, begun).run(), bad_seeds=tuple(bad))
    if is_keyword_walk(chosen):
        follow_keyword_pages(workspace)
    return report


def sought(
    workspace: Workspace,
    strategy: str | Strategy,
    goal: str | Sequence[str],
    keywords: str | Path | Sequence[str | Path],
    keywords_from: str | Sequence[str],
) -> str | Strategy:
    """What a walk is to look for -> its strategy: the one that was named, or that of the keywords, which are kept for it."""
    files = [keywords] if isinstance(keywords, (str, Path)) else keywords
    courses = [keywords_from] if isinstance(keywords_from, str) else keywords_from
    if not files and not courses:
        return strategy
    if strategy != "path" or goal:
        raise InputError(
            "A walk by keywords has a strategy of its own and no goal that was learnt: leave out --strategy and --goal."
        )
    return keyword_strategy_name(workspace, files, courses)


def chosen_strategy(
    workspace: Workspace, strategy: str | Strategy, goals: Sequence[str], *, documents: bool
) -> tuple[Strategy, str, tuple[str, ...]]:
    """As `workspace_strategy` has it; with `documents`, files that goal pages link to are fetched first."""
    chosen, model, found = workspace_strategy(workspace, strategy, goals)
    return (WithDocuments(chosen) if documents else chosen), model, found


def seeds_of(seeds: Sequence[str | Path | Seed], scope: str) -> tuple[list[Seed], list[BadSeed]]:
    """Seeds as they are, and as a person names them -> seeds, and lines that are none."""
    ready = [seed for seed in seeds if isinstance(seed, Seed)]
    named = [seed for seed in seeds if not isinstance(seed, Seed)]
    if ready and not named:
        return ready, []
    urls, files = _urls_and_files(named)
    more, bad = read_seeds(urls, [(str(file), lines_of(file)) for file in files], scope)
    return [*ready, *more], bad


def _urls_and_files(seeds: Sequence[str | Path]) -> tuple[list[str], list[Path]]:
    """Seeds as a person names them -> those that are URLs, and those that are files of URLs."""
    urls, files = [], []
    for seed in seeds:
        if isinstance(seed, str) and not _is_file(seed):
            urls.append(seed)
        else:
            files.append(Path(seed))
    return urls, files


def _is_file(name: str) -> bool:
    try:
        return "://" not in name and Path(name).is_file()
    except OSError:  # longer than any file name
        return False


def path_of(name: str | Path | None) -> Path | None:
    """A file as it was named, where one was."""
    return None if name is None else Path(name)


def limits_of(
    settings: ForageSettings, budget: int | None, site_budget: int | None, scope: str | None
) -> ForageSettings:
    """Budgets and scope as they were asked for, else as the settings have them."""
    return replace(
        settings,
        budget=settings.budget if budget is None else budget,
        site_budget=settings.site_budget if site_budget is None else site_budget,
        scope=settings.scope if scope is None else scope,
    )
