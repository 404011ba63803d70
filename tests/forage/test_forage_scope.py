"""How far a site reaches, and seeds as people write them."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given

from trailmark.forage.scope import SCOPES, Seed, Territory, _domain_of, domain_of, folder_of, host_of, in_scope
from trailmark.forage.seeds import make_seed, parse_seeds

ROOT = "http://www.cs.example.ac.uk/people/"


@pytest.mark.parametrize(
    ("url", "scopes"),
    [
        ("http://www.cs.example.ac.uk/people/", "prefix host domain any"),
        ("http://www.cs.example.ac.uk/people/ada.html?x=1", "prefix host domain any"),
        ("https://www.cs.example.ac.uk/people/ada", "prefix host domain any"),
        ("http://www.cs.example.ac.uk/people", "prefix host domain any"),
        ("http://www.cs.example.ac.uk/people2/", "host domain any"),
        ("http://www.cs.example.ac.uk/", "host domain any"),
        ("http://www.cs.example.ac.uk:8080/people/", "domain any"),
        ("http://maths.example.ac.uk/people/", "domain any"),
        ("http://other.ac.uk/people/", "any"),
        ("http://example.org/www.cs.example.ac.uk/people/", "any"),
        ("http://www.cs.example.ac.uk.evil.com/people/", "any"),
    ],
)
def test_scopes(url: str, scopes: str) -> None:
    assert [scope for scope in SCOPES if in_scope(Seed(ROOT, scope), url)] == scopes.split()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.cs.example.edu", "example.edu"), ("a.b.example.co.uk:81", "example.co.uk"), ("EXAMPLE.com".lower(), "example.com"),
        ("localhost", "localhost"), ("cs-town.test", "cs-town.test"), ("a.localhost:80", "a.localhost"),
        ("10.0.0.1:8000", "10.0.0.1"), ("[::1]:80", "[::1]"), ("co.uk", "co.uk"), ("", ""),
        ("ada.github.io", "ada.github.io"), ("www.ada.github.io:8080", "ada.github.io"), ("github.io", "github.io"),
        ("shop.blogspot.com", "shop.blogspot.com"), ("a.s3.amazonaws.com", "a.s3.amazonaws.com"), ("x" * 300, "x" * 300),
    ],
)  # fmt: skip
def test_registrable_domains(host: str, domain: str) -> None:
    assert domain_of(host) == domain


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("http://a.test/", "http://a.test/"), ("http://a.test", "http://a.test/"),
        ("http://a.test/x/index.html", "http://a.test/x/"), ("http://a.test/~ada", "http://a.test/~ada/"),
        ("http://a.test/~ada/?q=/b/", "http://a.test/~ada/"),
    ],
)  # fmt: skip
def test_what_lies_under_a_page(url: str, folder: str) -> None:
    assert folder_of(url) == folder


def test_a_neighbour_on_a_shared_host_is_another_site() -> None:
    site = Seed("https://ada.github.io/")
    assert in_scope(site, "https://ada.github.io/papers/")
    assert in_scope(site, "http://www.ada.github.io/")
    assert not in_scope(site, "https://eve.github.io/")
    assert not in_scope(site, "https://github.io/")


def test_names_that_are_no_hosts_are_not_kept() -> None:
    before = _domain_of.cache_info().currsize
    assert domain_of("a" * 1_000_000 + ".example.org") == "a" * 1_000_000 + ".example.org"
    assert _domain_of.cache_info().currsize == before


def test_sites_of_one_domain_do_not_walk_each_other() -> None:
    territory = Territory([Seed("http://www.u.edu/"), Seed("http://www.u.edu/~ada/"), Seed("http://cs.u.edu/")])
    owners = {
        "http://www.u.edu/news": [0], "http://www.u.edu/~ada/x": [1], "https://www.u.edu/~ada": [1], "http://cs.u.edu/": [2],
        "http://library.u.edu/": [0, 1, 2], "http://elsewhere.edu/": [],
    }  # fmt: skip
    for url, sites in owners.items():
        assert [number for number in range(3) if territory.admits(number, url)] == sites, url


def test_a_root_that_moved_takes_its_site_along() -> None:
    territory = Territory([Seed("http://old.test/", "host")])
    assert not territory.admits(0, "http://new.test/page")
    territory.move(0, "http://new.test/")
    assert territory.admits(0, "http://new.test/page")
    assert territory.admits(0, "http://old.test/page")


@pytest.mark.slow
@given(st.text())
def test_no_url_is_too_odd(url: str) -> None:
    for scope in SCOPES:
        assert isinstance(in_scope(Seed(ROOT, scope), url), bool)  # type: ignore[arg-type]
    assert host_of(f"http://{url}") in f"http://{url}"


def test_seeds_file() -> None:
    lines = [
        "\ufeff# roots of departments",
        "http://a.edu/",
        "",
        "  https://B.edu/x   prefix   # only this part",
        "www.c.edu any",
        "ftp://d.edu/",
        "http://e.edu/ everywhere",
        "http://f.edu/ host and more",
        "http://a.edu/",
        "http://a.edu/ host",
        "http://g.edu/#top",
    ]
    seeds, bad = parse_seeds(lines, "roots.txt", scope="host")
    assert seeds == [
        Seed("http://a.edu/", "host"), Seed("https://b.edu/x", "prefix"), Seed("http://www.c.edu/", "any"),
        Seed("http://g.edu/", "host"),
    ]  # fmt: skip
    assert [(each.file, each.line) for each in bad] == [("roots.txt", 6), ("roots.txt", 7), ("roots.txt", 8)]
    assert "ftp://d.edu/" in bad[0].reason
    assert "'everywhere'" in bad[1].reason
    assert "prefix, host, domain, any" in bad[1].reason
    assert "'and more'" in bad[2].reason


def test_a_seed_given_twice_with_two_scopes_is_named() -> None:
    seeds, bad = parse_seeds(["http://a.edu/ host", "http://a.edu/ any"], "roots.txt")
    assert seeds == [Seed("http://a.edu/", "host")]
    assert bad[0].line == 2


@pytest.mark.slow
@given(st.lists(st.text(max_size=40), max_size=8))
def test_any_file_is_read_to_its_end(lines: list[str]) -> None:
    seeds, bad = parse_seeds(lines, "f")
    assert len(seeds) + len(bad) <= len(lines)
    assert all(0 < each.line <= len(lines) for each in bad)


def test_a_bad_url_is_named() -> None:
    with pytest.raises(ValueError, match="mailto"):
        make_seed("mailto://x@example.org")
