"""Several threads fetch at once, as requests of the web app do: there is one reactor, and they wait for each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from trailmark.demo import DemoWeb, serve
from trailmark.forage.fetch import fetch_pages
from trailmark.settings import ForageSettings

THREADS = 4


@pytest.mark.slow
def test_threads_wait_for_each_other() -> None:
    settings = ForageSettings(contact="https://trailmark.test/", allow_hosts=("*.localhost",), delay=0.0)

    def fetch(url: str) -> list[tuple[str, int]]:
        got: list[tuple[str, int]] = []
        fetch_pages(
            [url],
            settings,
            on_response=lambda asked, response: got.append((asked, response.status)),
            on_failure=lambda asked, error: got.append((f"{asked}: {error}", 0)),
        )
        return got

    with serve(DemoWeb(sites=THREADS, seed=3, pages=100)) as server, ThreadPoolExecutor(THREADS) as pool:
        roots = [server.root(number) for number in range(THREADS)]
        assert list(pool.map(fetch, roots)) == [[(root, 200)] for root in roots]
