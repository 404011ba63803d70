"""Crawled pages are rewritten in threads of their own, and their addresses hold for a day."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.serve.app_visitor import Visitor, running, wait_for, way_in
from trailmark.serve import view_pages
from trailmark.serve.options import Options
from trailmark.serve.view_crew import AT_ONCE, MOST_WAITING
from trailmark.serve.view_pages import check, signed

SITE = "http://dept.example/"


def status(url: str, visit: Callable[..., Any] = urllib.request.urlopen) -> int:
    try:
        with visit(url, timeout=60) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


@pytest.mark.slow
def test_the_app_answers_while_pages_take_long_to_rewrite(
    folder: Path, small_archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    over, at_work, most = threading.Event(), [0, 0], threading.Lock()
    from trailmark.read.view.page_view import page_view as rewrite

    def slow(*arguments: Any, **options: Any) -> Any:
        with most:
            at_work[0] += 1
            at_work[1] = max(at_work)
        over.wait(60)
        with most:
            at_work[0] -= 1
        return rewrite(*arguments, **options)

    monkeypatch.setattr(view_pages, "page_view", slow)
    visitor = Visitor(folder, Options(archives=(small_archive,)))
    address = signed(visitor.state, "/view/question", url=SITE)
    with running(folder, archives=(small_archive,)) as home, ThreadPoolExecutor(AT_ONCE + MOST_WAITING + 5) as threads:
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        assert status(home + way_in(folder), browser.open) == 200
        try:
            views = [threads.submit(status, home + address) for _ in range(AT_ONCE + MOST_WAITING + 5)]
            wait_for(lambda: sum(view.done() for view in views) == 5 and at_work[0] == AT_ONCE)
            assert {view.result() for view in views if view.done()} == {503}
            assert status(f"{home}/", browser.open) == 200
        finally:
            over.set()
        assert Counter(view.result(timeout=60) for view in views) == {200: AT_ONCE + MOST_WAITING, 503: 5}
    assert at_work[1] == AT_ONCE


def test_addresses_hold_for_a_day_and_not_for_ever(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    state = visitor.state
    address = signed(state, "/asset", u=SITE, live="0")
    signature = address.rpartition("k=")[2].replace("%3D", "=")
    now = time.time()
    for days, holds in ((0, True), (1, True), (2, False), (400, False), (-1, False)):
        monkeypatch.setattr(time, "time", lambda days=days: now + days * 86_400)
        assert check(state, "/asset", u=SITE, live="0", k=signature) is holds, days
    monkeypatch.undo()
    assert visitor.get(address).status_code == 404, "signed, though the archive has no such picture"
    monkeypatch.setattr(view_pages, "today", lambda: int(now // 86_400) + 2)
    assert visitor.get(address).status_code == 403
