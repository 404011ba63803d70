"""The picture of a run, and the table that a person watches."""

from __future__ import annotations

import warnings
from io import BytesIO, StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, example, given, settings
from rich.console import Console

from tests.forage.forage_deaths import errand, forage
from tests.forage.forage_strategies import Hashed
from tests.hostile_text import HOSTILE
from trailmark.cli.forage_progress import MOST_SITES, progress_table
from trailmark.forage.breadth import Breadth
from trailmark.forage.harvest_picture import harvest_picture
from trailmark.forage.site_queue import SiteQueue
from trailmark.forage.totals import Totals
from trailmark.quoting import terminal_text
from trailmark.settings import ForageSettings
from trailmark.workspace import Workspace


def heights(axes: Any) -> list[list[float]]:
    return [line.get_ydata().tolist() for line in axes.lines]


def legend(axes: Any) -> Any:
    return axes.get_legend().get_texts()


def test_a_line_a_strategy_in_both_halves() -> None:
    figure = harvest_picture({"path": [False, True, True], "breadth": [False, False]})
    found, harvest = figure.axes
    assert heights(found) == [[0, 1, 2], [0, 0]]
    assert heights(harvest) == [[0, 0.5, pytest.approx(2 / 3)], [0, 0]]
    assert [text.get_text() for text in legend(found)] == ["path", "breadth"]
    assert harvest_picture({"path": []}).axes


@pytest.mark.slow
def test_earlier_runs_over_the_same_sites_stand_beside(tmp_path: Path) -> None:
    folder, picture = tmp_path / "w", tmp_path / "w" / "harvest.svg"
    Workspace.create(folder).close()
    forage(folder, ForageSettings(budget=20), errand(Breadth()))
    forage(folder, ForageSettings(budget=30), errand(Hashed(), picture=picture))
    text = picture.read_text(encoding="utf-8")
    assert text.index("<!-- hashed -->") < text.index("<!-- breadth -->")


@pytest.mark.parametrize("count", [3, MOST_SITES, 40])
def test_the_table_shows_some_sites_and_all_totals(count: int) -> None:
    sites = [SiteQueue(number, f"http://s{number}.test/", pages=number, goals=number) for number in range(count)]
    sites[-1].ended = "dry"
    forager = SimpleNamespace(sites=sites, totals=Totals(fetched=100, goals=7))
    run = SimpleNamespace(forager=forager, elapsed=lambda: 10.0)
    console = Console(width=120, record=True, file=StringIO())
    console.print(progress_table(run))  # type: ignore[arg-type]
    text = console.export_text()
    assert text.count(".test/") == min(count, MOST_SITES)
    assert f"{count} sites, 1 ended" in text
    assert "10.0 pages/s" in text
    assert ("more" in text) == (count > MOST_SITES)


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HOSTILE)
@example(r"$\frac{1}{$")
@example("--><script>x</script><!--")
def test_names_are_no_formulas_and_no_markup(name: str) -> None:
    figure = harvest_picture({f"x{name}": [True, False]})
    said = legend(figure.axes[0])[0]
    assert said._preprocess_math(said.get_text())[1] is False
    drawn = BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # letters that the font lacks
        figure.savefig(drawn, format="svg")
    root = ElementTree.fromstring(drawn.getvalue())
    assert not any(each.tag.endswith("script") for each in root.iter())


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(HOSTILE, HOSTILE)
@example("[/bold]", "[/bold]")
def test_sites_are_no_markup(root: str, ended: str) -> None:
    site = SiteQueue(0, f"<{root}>")
    site.ended = ended
    run = SimpleNamespace(forager=SimpleNamespace(sites=[site], totals=Totals()), elapsed=lambda: 0.0)
    console = Console(width=2000, record=True, file=StringIO())
    console.print(progress_table(run))  # type: ignore[arg-type]
    assert terminal_text(root).strip() in console.export_text()
    assert not any(sign in console.export_text() for sign in "\x1b\x9b\x07\u202e")
