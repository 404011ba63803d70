"""Damaged pages: the app shows what rules see, and a real browser without scripts sees the same."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser
from typing import Any

import pytest

from tests.read.page_fixtures import URL, names, response, shown_words
from trailmark.read import parse_html, tokens
from trailmark.read.view.page_view import page_view

READ_ON = ("frames", "shadow_root", "wrong_charset", "cyrillic_without_charset")
"""Where we read more than a browser shows: frames that it would load, a shadow root that is no part of its document, charsets it does not guess."""
TEXTS = """() => {
    const texts = [], unseen = new Set(['SCRIPT', 'STYLE', 'TEMPLATE']);
    let node = document.documentElement;
    while (node) {
        if (node.nodeType === 3) texts.push(node.data);
        let next = node.nodeType === 1 && !unseen.has(node.nodeName) ? node.firstChild : null;
        while (!next && node !== document.documentElement) { next = node.nextSibling; if (!next) node = node.parentNode; }
        node = next;
    }
    return [texts, Array.from(document.links).length];
}"""


class Texts(HTMLParser):
    """The texts of what the app writes, but for styles."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.feed(re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL))

    def handle_data(self, data: str) -> None:
        self.words += tokens(data)


@pytest.mark.parametrize("name", [name for name in names() if name != "frames"])
def test_the_app_shows_the_page_that_rules_see(name: str) -> None:
    page = response(name)
    root = parse_html(page.body, page.header("content-type"))[0]
    assert root is not None
    view = page_view(page, link_href=lambda _n, _l: None, asset_href=lambda _u: None, number_nodes=True)
    titles = Counter(word for title in root.iter("title") for word in shown_words(title))
    assert Counter(Texts(view.html).words) - titles == Counter(shown_words(root)) - titles
    followed = [href for link in root.iter("a") if (href := link.get("href")) and not href.startswith("mailto:")]
    assert len(view.links) == len(followed)


@pytest.mark.parametrize("name", [name for name in names() if name not in READ_ON])
def test_a_browser_without_scripts_shows_the_same(chromium: Any, name: str) -> None:
    page = response(name)
    root = parse_html(page.body, page.header("content-type"))[0]
    assert root is not None
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    headers = {"content-type": page.header("content-type")}
    tab.route(
        "**/*",
        lambda route: route.fulfill(body=page.body, headers=headers) if route.request.url == URL else route.abort(),
    )
    tab.goto(URL, wait_until="domcontentloaded")
    texts, links = tab.evaluate(TEXTS)
    context.close()
    assert Counter(word for text in texts for word in tokens(text)) == Counter(shown_words(root))
    ours = sum(link.get("href") is not None for link in root.iter("a", "area"))
    assert ours == links or name == "overlapping_formatting"  # there the browser makes two links of one
