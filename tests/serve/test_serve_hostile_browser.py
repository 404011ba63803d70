"""The first wall alone: what is written anew of hostile pages, in a real browser without sandbox and policy, does and loads nothing."""

from __future__ import annotations

from typing import Any

from test_serve_page_view import HOSTILE, view

PLACE = "http://shown.test/"


def test_hostile_pages_without_the_other_walls(browser_page: Any) -> None:
    page = browser_page
    asked: list[str] = []
    ran: list[str] = []
    patience = 1000
    pages = {f"{PLACE}page-{number}": view(markup).html for number, markup in enumerate(HOSTILE)}
    # A handler that did run would be a dialog; this one proves that it would be seen.
    pages[f"{PLACE}proof"] = "<img src='/asset?9' onerror=alert(1)><img src='http://evil.example/seen'>"

    def answer(route: Any) -> None:
        url = route.request.url
        asked.append(url)
        if url in pages:
            route.fulfill(status=200, content_type="text/html; charset=utf-8", body=pages[url])
        else:
            route.abort()

    page.route("**/*", answer)
    page.on("dialog", lambda dialog: (ran.append(page.url), dialog.dismiss()))
    for url in pages:
        if url.endswith("proof"):
            assert not ran
            assert all(each.startswith(PLACE) for each in asked), [each for each in asked if not each.startswith(PLACE)]
        page.goto(url, wait_until="load")
        page.mouse.click(5, 5)
    while not ran and (patience := patience - 1):
        page.wait_for_timeout(100)
    assert ran
    assert "http://evil.example/seen" in asked
