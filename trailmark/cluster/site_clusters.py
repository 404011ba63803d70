"""Pages of one or many sites -> clusters, in a few walks over pages that are read afresh each time.

Nothing but signatures is kept between walks, so that memory grows by a few kilobytes for each page that is clustered and
by nothing for the others. The walks: count the pages of each site; sign those in the sample and cluster them (section III-A);
let the others join; look at some pages of each cluster to choose the ones to annotate (section III-B).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from trailmark.cluster.page_groups import group_pages
from trailmark.cluster.sampling import PageNodes, annotation_order, page_nodes
from trailmark.cluster.signature import Signature, sign_page
from trailmark.cluster.template import Template, assign, heavier
from trailmark.cluster.url_pattern import url_pattern
from trailmark.datatypes import Cluster, Response
from trailmark.read import parse_html
from trailmark.read.body_form import has_rules
from trailmark.settings import ClusterSettings

Walk = Callable[[str], Iterable[Response]]
"""The pages from the first to the last, as often as it is called; the word says what for."""

T = TypeVar("T")


class EachPage(Protocol):
    """Who reads pages: this process, as `map` does, or others side by side; None stands for what a page gave that could not be read."""

    def __call__(self, work: Callable[[Response], T | None], pages: Iterable[Response], /) -> Iterable[T | None]: ...


_OTHER_URLS = 500  # URLs of each other cluster that a pattern is tried against


@dataclass(frozen=True, slots=True)
class KnownCluster:
    """A cluster and the template by which later pages find it."""

    cluster: Cluster
    template: Template


@dataclass(slots=True)
class _Site:
    """The clusters of one site while they are made."""

    site: str
    members: list[tuple[str, Template, list[str]]] = field(default_factory=list)
    left_over: list[str] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)


def site_of(url: str) -> str:
    """Scheme and host: pages of one site are clustered together."""
    try:
        parts = urlsplit(url)
    except ValueError:  # an archive may hold any URL, for example one with a broken IPv6 address
        scheme, _, rest = url.partition("://")
        return f"{scheme}://{rest.partition('/')[0]}"
    return f"{parts.scheme}://{parts.netloc}"


def find_clusters(
    walk: Walk,
    known: Iterable[KnownCluster] = (),
    settings: ClusterSettings = ClusterSettings(),  # noqa: B008 - frozen
    each: EachPage = map,
) -> tuple[list[KnownCluster], list[str]]:
    """All clusters, the known ones with the pages that joined them, and the URLs of pages that are in none.

    Pages that are in a known cluster stay there; of the others each joins the cluster it is like, and those that are like
    none form new clusters. `each` says who reads the pages.
    """
    stored = {known_cluster.cluster.id: known_cluster for known_cluster in known}
    sites = _known_sites(stored.values())
    placed = {url for kept in stored.values() for url in kept.cluster.pages}
    sizes = Counter(site_of(url) for url in _page_urls(walk("counting pages")) if url not in placed)
    wanted: dict[str, Callable[[str], bool]] = {
        "reading pages": lambda url: url not in placed and _in_sample(url, sizes, settings)
    }
    if any(size > _sample_size(size, settings) for size in sizes.values()):
        wanted["placing the other pages"] = lambda url: url not in placed
    for purpose, choice in wanted.items():
        _place(_answers(each(_signed, _wanted_pages(walk(purpose), choice))), sites, placed, settings)
    chosen = _chosen_pages(sites.values(), walk, settings, each)
    clusters = [made for site in sites.values() for made in _finished(site, stored, chosen, settings)]
    clusters.sort(key=lambda made: (made.cluster.site, -len(made.cluster.pages), made.cluster.id))
    return clusters, sorted(url for site in sites.values() for url in site.left_over)


def _place(
    pages: Iterable[tuple[str, Signature]], sites: dict[str, _Site], placed: set[str], settings: ClusterSettings
) -> None:
    """Each page joins a cluster of its site; those that are like none form new ones in the end."""
    pool: dict[str, list[tuple[str, Signature]]] = {}
    for url, signature in pages:
        site = sites.setdefault(site_of(url), _Site(site_of(url)))
        placed.add(url)
        if _join(site, url, signature, settings):
            continue
        waiting = pool.setdefault(site.site, [])
        if len(waiting) < settings.sample_most:
            waiting.append((url, signature))
        else:
            site.left_over.append(url)
    for name, waiting in pool.items():
        _add_clusters(sites[name], waiting, settings)


def _known_sites(known: Iterable[KnownCluster]) -> dict[str, _Site]:
    sites: dict[str, _Site] = {}
    for known_cluster in known:
        site = sites.setdefault(known_cluster.cluster.site, _Site(known_cluster.cluster.site))
        site.members.append((known_cluster.cluster.id, known_cluster.template, list(known_cluster.cluster.pages)))
    return sites


def _is_page(response: Response) -> bool:
    return response.status == 200 and bool(response.body) and has_rules(response.content_type)


def _page_urls(pages: Iterable[Response]) -> Iterator[str]:
    seen: set[bytes] = set()
    for response in pages:
        if _is_page(response) and _is_new(response.url, seen):
            yield response.url


def _wanted_pages(pages: Iterable[Response], wanted: Callable[[str], bool]) -> Iterator[Response]:
    """The pages that are wanted, each URL once."""
    seen: set[bytes] = set()
    return (page for page in pages if _is_page(page) and wanted(page.url) and _is_new(page.url, seen))


def _answers(read: Iterable[tuple[str, T] | None]) -> Iterator[tuple[str, T]]:
    """What can't be read is passed over."""
    return (page for page in read if page is not None)


def _signed(page: Response) -> tuple[str, Signature] | None:
    root, _, _ = parse_html(page.body, page.header("content-type"))
    return None if root is None else (page.url, sign_page(root))


def _with_nodes(page: Response) -> tuple[str, PageNodes] | None:
    root, _, _ = parse_html(page.body, page.header("content-type"))
    return None if root is None else (page.url, page_nodes(root))


def _is_new(url: str, seen: set[bytes]) -> bool:
    mark = _digest(url)
    if mark in seen:
        return False
    seen.add(mark)
    return True


def _digest(url: str) -> bytes:
    return hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=8).digest()


def _sample_size(pages: int, settings: ClusterSettings) -> int:
    """20 % of a site and at most 20,000 pages in the paper; a small site is taken whole."""
    share = max(round(pages * settings.sample_share), settings.sample_least)
    return min(pages, settings.sample_most, share)


def _in_sample(url: str, sizes: Mapping[str, int], settings: ClusterSettings) -> bool:
    """Whether the page is clustered: settled by its URL's hash, so that every walk and every run agree."""
    pages = sizes[site_of(url)]
    return int.from_bytes(_digest(url), "big") < _sample_size(pages, settings) / max(pages, 1) * 2**64


def _join(site: _Site, url: str, signature: Signature, settings: ClusterSettings) -> bool:
    number = assign(signature, [template for _, template, _ in site.members], settings)
    if number is None:
        return False
    name, template, pages = site.members[number]
    pages.append(url)
    site.members[number] = (name, heavier(template, 1), pages)
    site.changed.add(name)
    return True


def _add_clusters(site: _Site, pages: Sequence[tuple[str, Signature]], settings: ClusterSettings) -> None:
    groups = group_pages([signature for _, signature in pages], settings)
    last = max((int(name.rpartition("/")[2]) for name, _, _ in site.members), default=0)
    host = site.site.partition("://")[2]
    for number, (template, members) in enumerate(zip(groups.templates, groups.pages, strict=True), start=last + 1):
        name = f"{host}/{number}"
        site.members.append((name, template, [pages[page][0] for page in members]))
        site.changed.add(name)
    site.left_over += [pages[page][0] for page in groups.left_over]


def _chosen_pages(
    sites: Iterable[_Site], walk: Walk, settings: ClusterSettings, each: EachPage
) -> dict[str, list[str]]:
    """Cluster -> the pages to annotate, for clusters that changed."""
    owner: dict[str, str] = {}
    for site in sites:
        for name, _, urls in site.members:
            if name in site.changed:
                evenly = sorted(urls, key=_digest)[: settings.annotate_from]
                owner.update(dict.fromkeys(evenly, name))
    nodes: dict[str, list[tuple[str, PageNodes]]] = {}
    wanted = _wanted_pages(walk("choosing pages to annotate"), owner.__contains__) if owner else ()
    for url, found in _answers(each(_with_nodes, wanted)):
        nodes.setdefault(owner[url], []).append((url, found))
    chosen: dict[str, list[str]] = {}
    for name, pages in nodes.items():
        pages.sort(key=lambda page: page[0])
        order = annotation_order([nodes_of_page for _, nodes_of_page in pages], most=settings.annotate)
        chosen[name] = [pages[position][0] for position in order]
    return chosen


def _finished(
    site: _Site, stored: Mapping[str, KnownCluster], chosen: Mapping[str, list[str]], settings: ClusterSettings
) -> Iterator[KnownCluster]:
    urls_of: dict[str, list[str]] = {name: urls for name, _, urls in site.members}
    for name, template, urls in site.members:
        if name not in site.changed:
            yield stored[name]
            continue
        others = [url for other, each in urls_of.items() if other != name for url in each[:_OTHER_URLS]]
        more: dict[str, Any] = {
            "pages": tuple(sorted(urls)),
            "url_pattern": url_pattern(urls, others=others, most=settings.pattern_length),
            "sample": tuple(chosen.get(name, ())) or (stored[name].cluster.sample if name in stored else ()),
        }
        signature = template.signatures[0] if template.signatures else ""
        yield KnownCluster(replace(Cluster(name, site.site, signature, ()), **more), template)
