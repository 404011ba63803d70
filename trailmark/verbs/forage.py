"""`forage`: seeds -> pages.

1. Seeds are read from the command and from files. 2. The strategy is made from what was learnt. 3. The run is begun, or taken up
where an earlier one of the same was left (`forage_run`), and walks until every site has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from trailmark.forage.seeds import read_seeds
from trailmark.settings import ForageSettings
from trailmark.store.live_files import refuse_database
from trailmark.strategy import Strategy
from trailmark.verbs.forage_run import Errand, ForageRun, Watch
from trailmark.verbs.strategies import workspace_strategy
from trailmark.verbs.teach import lines_of
from trailmark.workspace import Workspace


def forage(
    workspace: Workspace,
    urls: Sequence[str] = (),
    seed_files: Sequence[Path] = (),
    *,
    archives: Sequence[Path] = (),
    strategy: str | Strategy = "path",
    budget: int | None = None,
    site_budget: int | None = None,
    scope: str | None = None,
    log: Path | None = None,
    again: bool = False,
    picture: Path | None = None,
    watch: Watch | None = None,
) -> dict[str, Any]:
    """Walk sites best-first from the seeds; what is not given is as the settings say.

    `strategy` is a name, `package.module:Class`, or an object that is a strategy itself.
    """
    settings = replace(workspace.settings, forage=_limits(workspace.settings.forage, budget, site_budget, scope))
    for file in filter(None, (log, picture)):
        refuse_database(file)
    files = [(str(file), lines_of(file)) for file in seed_files]
    seeds, bad = read_seeds(urls, files, settings.forage.scope)
    chosen, model = workspace_strategy(workspace, strategy)
    errand = Errand(seeds, chosen, model, archives, log, again, picture)
    report = ForageRun(workspace.folder, workspace.database, settings, errand, watch).run()
    return {**report, "bad_seeds": [{"file": b.source, "line": b.line, "reason": b.reason} for b in bad]}


def _limits(settings: ForageSettings, budget: int | None, site_budget: int | None, scope: str | None) -> ForageSettings:
    return replace(
        settings,
        budget=settings.budget if budget is None else budget,
        site_budget=settings.site_budget if site_budget is None else site_budget,
        scope=settings.scope if scope is None else scope,
    )
