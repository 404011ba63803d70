"""What is done with a page: every function that goes over the content of pages. One line adds another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fuzz.fuzz_pages import URL
from trailmark.cluster import page_nodes, sign_page
from trailmark.cluster.site_clusters import find_clusters
from trailmark.datatypes import Annotation, Page, Response
from trailmark.forage.missing_pages import look_of
from trailmark.forage.queued_link import numbered_shape, url_pattern
from trailmark.forage.traps import gist_of, repeats
from trailmark.learn.bag import host_words, link_bag, page_bag
from trailmark.learn.context import page_text
from trailmark.propose.site_slots import find_slots, read_site
from trailmark.read import parse_html, read_page, tokens
from trailmark.read.charset import decode
from trailmark.read.view.page_view import page_view
from trailmark.store.http_message import parse_response
from trailmark.store.warc_record import response_record
from trailmark.url_key import link_key
from trailmark.wrap import AnnotatedPage, NodeTable, learn_rules, structured_items
from trailmark.wrap.page.node_columns import column, places_of
from trailmark.wrap.page.node_layer import LAYERS, layer_of
from trailmark.wrap.page.picked_value import holds_text

Work = tuple[Callable[[bytes], Any], Callable[[Any], object]]
"""(what is made of the page's bytes beforehand, what is measured on it)."""


def response(body: bytes) -> Response:
    return Response(URL, 200, (("Content-Type", "text/html; charset=utf-8"),), body)


def unlabelled(body: bytes) -> Response:
    return Response(URL, 200, (("Content-Type", "text/html"),), body)


def tree(body: bytes) -> Any:
    root = parse_html(body, "text/html; charset=utf-8")[0]
    return parse_html(b"<p>x</p>")[0] if root is None else root


def text(body: bytes) -> str:
    return body.decode("utf-8", "replace")


def table(body: bytes) -> NodeTable:
    return NodeTable(tree(body))


def read(body: bytes) -> Page:
    return read_page(response(body))


def link_bags(page: Page) -> None:
    own = host_words(page.url)
    for link in page.links:
        link_bag(link, source=page.url, own=own)


def addresses(nodes: NodeTable) -> None:
    for row in range(len(nodes)):
        nodes.xpath(row)


def columns(nodes: NodeTable) -> None:
    for layer in LAYERS:
        view = layer_of(nodes, layer)
        list(view.texts)
        for kind, level in places_of(layer):
            column(view, kind, level)


def learnt(body: bytes) -> None:
    """Rules from the first texts of the page, and what they find on it."""
    nodes = table(body)
    marks = tuple(Annotation(URL, f"field {n}", value) for n, value in enumerate(dict.fromkeys(nodes.texts[:3])))
    learn_rules("a", [AnnotatedPage(nodes, marks), AnnotatedPage(table(body))]).records(URL, nodes)


def listed(body: bytes) -> None:
    """The rules of a list: the same field marked at several places."""
    nodes = table(body)
    values = list(dict.fromkeys(nodes.texts))[:6]
    marks = tuple(Annotation(URL, ("name", "more")[n % 2], value) for n, value in enumerate(values))
    learn_rules("a", [AnnotatedPage(nodes, marks), AnnotatedPage(table(body))]).records(URL, nodes)


def clustered(body: bytes) -> None:
    pages = [Response(f"{URL}?{n}", 200, (("Content-Type", "text/html"),), body) for n in range(3)]
    find_clusters(lambda _: iter(pages))


def link_shapes(page: Page) -> None:
    for link in page.links:
        for work in (link_key, url_pattern, numbered_shape, repeats):
            work(link.url)


WORK: dict[str, Work] = {
    "read_page": (response, read_page),
    "read_page without a label": (unlabelled, read_page),
    "parse_html": (bytes, parse_html),
    "decode": (bytes, decode),
    "tokens": (text, tokens),
    "page_bag": (read, lambda page: page_bag(page, site=URL)),
    "link_bag": (read, link_bags),
    "page_text": (read, lambda page: page_text(page, URL)),
    "look_of": (read, lambda page: look_of(page, 1000)),
    "gist_of": (read, gist_of),
    "shapes of links": (read, link_shapes),
    "sign_page": (tree, sign_page),
    "page_nodes": (tree, page_nodes),
    "find_clusters": (bytes, clustered),
    "NodeTable": (tree, NodeTable),
    "node_columns": (bytes, lambda body: columns(table(body))),
    "xpath of each text": (bytes, lambda body: addresses(table(body))),
    "structured_items": (tree, structured_items),
    "learn_rules": (bytes, learnt),
    "learn_list": (bytes, listed),
    "find_slots": (bytes, lambda body: find_slots(read_site([table(body)] * 2))),
    "holds_text": (tree, lambda root: holds_text(root, "no such text")),
    "page_view": (
        response,
        lambda given: page_view(
            given, link_href=lambda number, _: f"/{number}", asset_href=lambda url: url, number_nodes=True
        ),
    ),
    "parse_response": (
        lambda body: b"HTTP/1.1 200 OK\r\n\r\n" + body,
        lambda block: parse_response(block, url=URL, max_bytes=10**8),
    ),
    "response_record": (response, response_record),
}
