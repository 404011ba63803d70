"""Seeds as people write them: one URL a line, the scope of its site after it where it is not the usual one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from trailmark.errors import InputError
from trailmark.forage.scope import SCOPES, Scope, Seed
from trailmark.read import normalise_url


@dataclass(frozen=True, slots=True)
class BadSeed:
    """A line of a seeds file that can't be used, and why."""

    file: str
    line: int
    reason: str


def read_seeds(
    urls: Sequence[str], files: Sequence[tuple[str, Sequence[str]]], scope: str
) -> tuple[list[Seed], list[BadSeed]]:
    """Seeds named one by one and in files (name, lines), each once; raises InputError where there is not one good one."""
    usual: Scope = scope  # type: ignore[assignment]
    seeds: list[Seed] = []
    bad: list[BadSeed] = []
    for url in urls:
        try:
            seeds.append(make_seed(url, scope=usual))
        except ValueError as reason:
            raise InputError(f"{reason}.") from reason
    for name, lines in files:
        good, wrong = parse_seeds(lines, name, scope=usual)
        seeds += good
        bad += wrong
    if not seeds:
        first = f": line {bad[0].line} of {bad[0].file}: {bad[0].reason}" if bad else ""
        raise InputError(f"There is no seed to begin with{first}.")
    return list({seed.url: seed for seed in reversed(seeds)}.values())[::-1], bad


def parse_seeds(lines: Iterable[str], source: str, *, scope: Scope = "domain") -> tuple[list[Seed], list[BadSeed]]:
    """The seeds of a file, each once, and the lines that are none. `#` begins a comment at the start of a word."""
    seeds: dict[str, Seed] = {}
    bad: list[BadSeed] = []
    for number, line in enumerate(lines, start=1):
        words = _words(line)
        if not words:
            continue
        try:
            seed = make_seed(*words, scope=scope)
        except ValueError as reason:
            bad.append(BadSeed(source, number, str(reason)))
            continue
        if seed.url in seeds and seeds[seed.url] != seed:
            bad.append(BadSeed(source, number, f"{seed.url} was given before with scope {seeds[seed.url].scope}"))
        seeds.setdefault(seed.url, seed)
    return list(seeds.values()), bad


def make_seed(url: str, *words: str, scope: Scope = "domain") -> Seed:
    """A seed from a URL and, after it, its scope; raises ValueError with the reason where that is nonsense."""
    # A person who writes `www.example.org` means the site.
    full = url if "://" in url else f"http://{url}"
    normal = normalise_url(full)
    if normal is None:
        raise ValueError(f"{url!r} is not an http or https URL")
    if len(words) > 1:
        raise ValueError(f"there is more than a URL and a scope: {' '.join(words[1:])!r}")
    if words and words[0] not in SCOPES:
        raise ValueError(f"the scope {words[0]!r} is not one of {', '.join(SCOPES)}")
    chosen: Scope = words[0] if words else scope  # type: ignore[assignment]
    return Seed(normal, chosen)


def _words(line: str) -> list[str]:
    words = line.replace("\ufeff", "").split()
    comment = next((place for place, word in enumerate(words) if word.startswith("#")), len(words))
    return words[:comment]
