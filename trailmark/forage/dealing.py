"""Many sites -> parts that are walked apart, each by one walker, so that no host is ever asked by two.

Sites of one registrable domain share servers more often than not (`~user` pages, `www` and `www2`, a CDN under the same name), so a
domain is never split. Dealing looks at the seeds alone: the same seeds are the same parts, wherever and by whomever they are walked.
"""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.forage.scope import Seed, domain_of, host_of

Part = tuple[int, ...]
"""The numbers of the sites of a part, as they stand among the seeds."""


def deal(seeds: Sequence[Seed], most_sites: int) -> tuple[Part, ...]:
    """Seeds -> parts of at most so many sites, in the order in which their domains come first; only a domain that is larger makes a larger part."""
    domains: dict[str, list[int]] = {}
    for number, seed in enumerate(seeds):
        domains.setdefault(domain_of(host_of(seed.url)), []).append(number)
    parts: list[Part] = []
    hand: list[int] = []
    for numbers in domains.values():
        if hand and len(hand) + len(numbers) > most_sites:
            parts.append(tuple(hand))
            hand = []
        hand += numbers
    return (*parts, tuple(hand)) if hand else tuple(parts)


def shares(budget: int, weights: Sequence[int]) -> tuple[int, ...]:
    """A budget -> what each gets of it by its weight: whole numbers that sum to the budget, the earlier ones rounded up first."""
    total = sum(weights)
    if not total:
        return (0,) * len(weights)
    exact = [budget * weight / total for weight in weights]
    given = [budget * weight // total for weight in weights]
    left = budget - sum(given)
    # By the largest remainder; of equal ones the first, so that nothing depends on more than the numbers.
    first = sorted(range(len(weights)), key=lambda place: (given[place] - exact[place], place))
    for place in first[:left]:
        given[place] += 1
    return tuple(given)
