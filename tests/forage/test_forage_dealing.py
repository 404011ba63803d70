"""Seeds dealt in parts, and budgets in shares."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trailmark.forage.dealing import deal, shares
from trailmark.forage.scope import Seed, domain_of, host_of

HOSTS = st.sampled_from(
    ["a.edu", "www.a.edu", "b.edu", "c.co.uk", "www.c.co.uk", "x.github.io", "y.github.io", "10.0.0.1", "d.test"]
)
SEEDS = st.lists(
    st.builds(lambda host, user: Seed(f"http://{host}/~{user}/", "prefix"), HOSTS, st.integers(0, 99)), max_size=40
)


@given(SEEDS, st.integers(1, 12))
def test_every_site_is_in_one_part_and_no_domain_in_two(seeds: list[Seed], most: int) -> None:
    parts = deal(seeds, most)
    assert sorted(number for part in parts for number in part) == list(range(len(seeds)))
    owners = [{domain_of(host_of(seeds[number].url)) for number in part} for part in parts]
    assert sum(map(len, owners)) == len(set().union(*owners)) if owners else not seeds
    for part, domains in zip(parts, owners, strict=True):
        assert len(part) <= most or len(domains) == 1
    assert deal(seeds, most) == parts


def test_users_of_one_host_are_walked_by_one() -> None:
    seeds = [Seed(f"http://www.cs.edu/~{name}/", "prefix") for name in "abc"] + [Seed("http://b.org/", "host")]
    assert deal(seeds, 2) == ((0, 1, 2), (3,))


@given(st.integers(0, 10_000), st.lists(st.integers(0, 60), min_size=1, max_size=30))
def test_shares_are_the_whole_budget_and_fair(budget: int, weights: list[int]) -> None:
    given_out = shares(budget, weights)
    total = sum(weights)
    assert sum(given_out) == (budget if total else 0)
    for share, weight in zip(given_out, weights, strict=True):
        assert total == 0 or abs(share - budget * weight / total) < 1
