"""Constants of rules: the score by which they are chosen, sites left out in turn, and a page that names no site."""

from __future__ import annotations

from evals.choice_table import Constant, Runs
from evals.choose import read_grid
from evals.choose_rules import GRID
from evals.rule_choice_table import rule_choice, rule_choice_page, score

SITES = ("shop-one", "shop-two", "shop-three")


def run(f1: float = 1.0, wrong: float = 0.0, unsure: float = 0.0) -> dict[str, float]:
    figures = {"f1": f1, "set_f1": f1, "sure_and_wrong": wrong, "left_out": 0.0, "unsure": unsure}
    return {f"{name} {count}": value for name, value in figures.items() for count in (1, 2, 3)}


def test_a_wrong_answer_costs_more_than_asking_and_asking_costs_something() -> None:
    assert score(run()) > score(run(unsure=0.2)) > score(run(wrong=0.2))


def test_each_site_gets_what_the_others_choose() -> None:
    """One site gains much by the other value, and that must not choose for itself."""
    constant = Constant("trailmark.wrap.rules.rule:SURE", "how sure", 0.9, (0.5, 0.9))
    runs: Runs = {
        **{("", None, site): run(0.9) for site in SITES},
        **{(constant.name, 0.5, site): run(1.0 if site == SITES[0] else 0.89) for site in SITES},
    }
    choice = rule_choice(constant, SITES, runs)
    assert choice.best == 0.5
    assert choice.by_others == {SITES[0]: 0.9, SITES[1]: 0.5, SITES[2]: 0.5}
    assert choice.unseen < 0
    page = rule_choice_page([constant], SITES, runs)
    assert "`rule:SURE`" in page
    assert not any(site in page for site in SITES)


def test_every_constant_of_the_grid_is_there() -> None:
    assert all(constant.present in constant.values for constant in read_grid(GRID))
