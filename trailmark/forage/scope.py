"""Which pages belong to a site: under its root, on its host, in its registrable domain, or anywhere.

Where several seeds claim a page, the one with the longest root on its host has it, so that two sites of one university
do not walk each other. The list of public suffixes is the copy that comes with `tldextract`; none is asked from the net.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, get_args

Scope = Literal["prefix", "host", "domain", "any"]
SCOPES: tuple[str, ...] = get_args(Scope)


_LONGEST_HOST = 262
"""Of DNS, with a port."""


@dataclass(frozen=True, slots=True)
class Seed:
    """The root of a site, normalised, and how far the site reaches."""

    url: str
    scope: Scope = "domain"


def host_of(url: str) -> str:
    """Host with port of a normalised URL, without user name."""
    return url.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]


def domain_of(host: str) -> str:
    """The registrable domain; a host without one (a bare name, an address) is its own, the port left out.

    Names under `.test` and `.localhost` count as registered below it, as they do for tests and demos.
    """
    return _domain_of(host) if len(host) <= _LONGEST_HOST else host  # what is longer names no host, and is not kept


@lru_cache(maxsize=65_536)
def _domain_of(host: str) -> str:
    name = host.rpartition("@")[2]
    if name.startswith("["):
        return name.partition("]")[0] + "]"
    name = name.partition(":")[0].rstrip(".")
    return _registered(name) or name


@lru_cache(maxsize=1)
def _extractor() -> Any:
    import tldextract  # it takes a fifth of a second to load, and only this scope needs it

    # With the private part of the list: what people put on `x.github.io` is theirs, and not of `y.github.io`.
    return tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def _registered(name: str) -> str:
    parts = _extractor().extract_str(name)
    return f"{parts.domain}.{parts.suffix}" if parts.suffix and parts.domain else ""


class Territory:
    """The scopes of all sites of a run; sites are known by their number."""

    def __init__(self, seeds: Sequence[Seed] = ()) -> None:
        self._seeds: list[Seed] = []
        self._roots: dict[str, list[tuple[str, int]]] = defaultdict(list)
        self._moved: dict[int, list[Seed]] = defaultdict(list)
        for seed in seeds:
            self.add(seed)

    def add(self, seed: Seed) -> int:
        """The number of the new site."""
        number = len(self._seeds)
        self._seeds.append(seed)
        self._claim(number, seed.url)
        return number

    def move(self, number: int, url: str) -> None:
        """The root of a site leads elsewhere: the site is there too."""
        seed = self._seeds[number]
        self._moved[number].append(Seed(url, seed.scope))
        self._claim(number, url)

    def twin(self, number: int, url: str) -> int | None:
        """The site that a site turns out to be when its root leads to a URL: one that begins at the same place."""
        folder = _plain(folder_of(url))
        there = (owner for claimed, owner in self._roots.get(host_of(url), ()) if claimed == folder)
        first = next(there, number)
        return None if first == number else first

    def admits(self, number: int, url: str) -> bool:
        """Whether a page belongs to a site."""
        if not in_scope(self._seeds[number], url) and not any(
            in_scope(seed, url) for seed in self._moved.get(number, ())
        ):
            return False
        owner = self.owner(url)
        return owner is None or owner == number

    def _claim(self, number: int, url: str) -> None:
        claims = self._roots[host_of(url)]
        claims.append((_plain(folder_of(url)), number))
        claims.sort(key=lambda claim: (-len(claim[0]), claim[1]))

    def owner(self, url: str) -> int | None:
        """The site whose root is the nearest above a page on its host."""
        claims = self._roots.get(host_of(url))
        if claims is None:
            return None
        place = _plain(url)
        return next((number for folder, number in claims if f"{place}/".startswith(folder)), None)


def in_scope(seed: Seed, url: str) -> bool:
    """Whether a URL is within the scope of a seed, whatever other seeds there are."""
    if seed.scope == "any":
        return True
    if seed.scope == "prefix":
        return f"{_plain(url)}/".startswith(_plain(folder_of(seed.url)))
    host, own = host_of(url), host_of(seed.url)
    return host == own or (seed.scope == "domain" and domain_of(host) == domain_of(own))


def folder_of(url: str) -> str:
    """What lies under a page: the page itself where its name looks like a folder's (`/~ada`), else its folder."""
    head, mark, rest = url.partition("://")
    path = rest.partition("?")[0]
    _, slash, inner = path.partition("/")
    name = inner.rpartition("/")[2]
    if not slash or (name and "." not in name):
        return f"{head}{mark}{path}/"
    return f"{head}{mark}{path[: path.rfind('/') + 1]}"


def _plain(url: str) -> str:
    """Without the scheme: a site that is served over both is one."""
    return url.partition("://")[2]
