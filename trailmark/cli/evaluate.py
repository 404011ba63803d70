"""`trailmark evaluate`: found in a checkout, beside the package. What only measuring needs is not shipped to users."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import trailmark
from trailmark.errors import InputError

_CHECKOUT = Path(trailmark.__file__).parents[1]


def _command() -> click.Command:
    """The command of `evals/`; where there is no checkout, one that says so."""
    if not (_CHECKOUT / "evals" / "command.py").is_file():
        return _missing
    if str(_CHECKOUT) not in sys.path:
        sys.path.insert(0, str(_CHECKOUT))
    from evals.command import verb

    return verb


@click.command("evaluate", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON report on stdout.")
def _missing(words: tuple[str, ...], as_json: bool) -> None:
    """Measure a table of the papers on benchmark data: needs a checkout of Trailmark.

    \b
    trailmark evaluate paths --data webs/
    """
    del words, as_json
    raise InputError(
        "`trailmark evaluate` needs a checkout of Trailmark, whose folder evals/ is not part of the package."
    )


verb = _command()
