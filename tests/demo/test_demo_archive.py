"""The generated web written in the benchmark format and read back: nothing gets lost between the rooms."""

from __future__ import annotations

from pathlib import Path

import pytest

from trailmark.demo import GOALS, DemoSite, DemoWeb
from trailmark.store import BenchmarkWeb, Replay, read_webs, write_web

SITES = list(DemoWeb(pages=100))[:3]


def write(folder: Path, sites: list[DemoSite]) -> BenchmarkWeb:
    return write_web(
        folder,
        name="demo",
        roots=[site.root for site in sites],
        responses=(response for site in sites for response in site.responses()),
        labels={url: label for site in sites for url, label in site.labels.items()},
        trails_by_goal={goal: [trail for site in sites for trail in site.trails(goal, 10)] for goal in GOALS},
        source="generated",
    )


@pytest.mark.slow
def test_roots_labels_and_trails_come_back(tmp_path: Path) -> None:
    write(tmp_path, SITES)
    (web,) = read_webs(tmp_path)
    assert web.roots == tuple(site.root for site in SITES)
    assert web.labels() == {url: label for site in SITES for url, label in site.labels.items()}
    for goal in GOALS:
        assert web.trails(goal) == tuple(trail for site in SITES for trail in site.trails(goal, 10))


@pytest.mark.slow
def test_replay_answers_like_the_site(tmp_path: Path) -> None:
    web = write(tmp_path, SITES)
    with Replay([web.archive]) as replay:
        for site in SITES:
            for expected in site.responses():
                answer = replay.fetch_once(expected.url)
                assert (answer.status, answer.body) == (expected.status, expected.body), expected.url
                assert answer.header("Content-Type") == expected.header("Content-Type")
            assert replay.fetch(site.url("/welcome")).url == site.root
            assert replay.fetch(site.url("/old-news/")).status == 508
            assert replay.fetch(site.url("/lost/page.html")).status == 404
