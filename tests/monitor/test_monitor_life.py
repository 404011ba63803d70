"""The life of a workspace whose site is redesigned: wrapped, watched, broken, mended, taken back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.monitor.shop_versions import CLUSTER, archive, facts_of, first_design, marks, second_design, soft_error

Run = Callable[..., Any]


@pytest.fixture
def shop(trailmark: Run, workspace: Path, tmp_path: Path) -> Path:
    """A workspace with rules for the first design."""
    first = archive(tmp_path / "first.warc.gz", first_design)
    assert trailmark("-w", workspace, "cluster", "--archive", first).code == 0
    assert trailmark("-w", workspace, "teach", "--annotations", marks(tmp_path / "marks.jsonl", (2, 7))).code == 0
    assert trailmark("-w", workspace, "wrap").code == 0
    return workspace


def records_of(trailmark: Run, workspace: Path, source: Path, out: Path) -> dict[int, dict[str, list[str]]]:
    assert trailmark("-w", workspace, "extract", "--archive", source, "--out", out).code == 0
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    return {int(each["url"].rpartition("/")[2]): each["fields"] for each in lines}


def right(records: dict[int, dict[str, list[str]]], field: str, *, season: int) -> int:
    return sum(each.get(field) == [facts_of(n, season=season)[field]] for n, each in records.items())


@pytest.mark.slow
def test_a_whole_life(trailmark: Run, shop: Path, tmp_path: Path) -> None:
    same = archive(tmp_path / "same.warc.gz", first_design, season=1)
    ended = trailmark("-w", shop, "monitor", "--replay", same, "--json")
    assert ended.code == 0
    assert [each["status"] for each in ended.report["clusters"]] == ["ok"]
    assert ended.report["open"] == []

    # The shop is redesigned: found, shown, not yet put to use.
    new = archive(tmp_path / "new.warc.gz", second_design, range(40), season=1)
    ended = trailmark("-w", shop, "monitor", "--replay", new, "--json")
    assert ended.code == 1
    cluster = ended.report["clusters"][0]
    assert cluster["template_changed"]
    assert cluster["unlike"] == 1.0
    broken = {field["field"]: field for field in cluster["fields"] if field["broken"]}
    assert {"title", "maker"} <= set(broken)
    assert broken["maker"]["broken_share"] == 1.0
    assert broken["maker"]["last_right"]
    assert {each["field"] for each in cluster["repair"]["fields"]} >= {"title", "maker"}
    assert not cluster["repair"]["applied"]
    shown = next(each for each in cluster["repair"]["fields"] if each["field"] == "maker")
    assert shown["after"] == 1.0
    assert shown["differences"][0]["new"] == shown["differences"][0]["golden"]
    assert shown["new_rule"]["xpath"] != shown["old_rule"]["xpath"]
    since = broken["maker"]["since"]

    # It stays so until it is mended, and the first sight of it is remembered.
    rules = (shop / "models" / "rules.json").read_bytes()
    ended = trailmark("-w", shop, "monitor", "--replay", new, "--json")
    assert ended.code == 1
    again = next(field for field in ended.report["clusters"][0]["fields"] if field["field"] == "maker")
    assert again["since"] == since
    assert (shop / "models" / "rules.json").read_bytes() == rules

    # Mended; pages that nobody saw before are lifted too.
    ended = trailmark("-w", shop, "monitor", "--replay", new, "--repair", "--json")
    assert set(ended.report["clusters"][0]["repaired"]) >= {"title", "maker"}
    records = records_of(trailmark, shop, new, tmp_path / "new.jsonl")
    assert len(records) == 40
    assert right(records, "title", season=1) == right(records, "maker", season=1) == 40
    ended = trailmark("-w", shop, "monitor", "--replay", new, "--json")
    assert not ended.report["clusters"][0]["template_changed"]
    assert not {"title", "maker"} & {f["field"] for f in ended.report["clusters"][0]["fields"] if f["broken"]}

    # And back.
    assert trailmark("-w", shop, "monitor", "--rollback", CLUSTER).code == 0
    assert (shop / "models" / "rules.json").read_bytes() == rules
    records = records_of(trailmark, shop, same, tmp_path / "old.jsonl")
    assert right(records, "price", season=1) == right(records, "maker", season=1) == 20
    assert trailmark("-w", shop, "monitor", "--replay", new, "--json").code == 1
    assert trailmark("-w", shop, "monitor", "--rollback", CLUSTER).code == 2

    ended = trailmark("-w", shop, "monitor", "--history", "--json")
    assert [each["status"] for each in ended.report["visits"]][:3] == ["ok", "broken", "broken"]
    assert ended.report["visits"][3]["repaired"]


@pytest.mark.slow
def test_prices_may_change_and_pages_may_vanish(trailmark: Run, shop: Path, tmp_path: Path) -> None:
    """No alarm: other prices, and a third of the goods sold out."""
    for season in (1, 2, 3):
        later = archive(tmp_path / f"{season}.warc.gz", first_design, range(0, 20 - 2 * season), season=season)
        ended = trailmark("-w", shop, "monitor", "--replay", later, "--json")
        assert ended.code == 0
        assert ended.report["clusters"][0]["status"] == "ok"


@pytest.mark.slow
def test_a_site_that_is_away_is_no_change(trailmark: Run, shop: Path, tmp_path: Path) -> None:
    away = archive(tmp_path / "away.warc.gz", first_design, status=503)
    ended = trailmark("-w", shop, "monitor", "--replay", away, "--repair", "--json")
    assert ended.code == 1
    assert ended.report["clusters"][0]["status"] == "unreachable"
    assert ended.report["clusters"][0]["repair"] is None
    back = archive(tmp_path / "back.warc.gz", first_design)
    assert trailmark("-w", shop, "monitor", "--replay", back).code == 0


@pytest.mark.slow
def test_a_page_that_says_nothing_is_no_template(trailmark: Run, shop: Path, tmp_path: Path) -> None:
    """All pages say 'sorry' with a good status: broken, and nothing is learnt from it."""
    rules = (shop / "models" / "rules.json").read_bytes()
    sorry = archive(tmp_path / "sorry.warc.gz", soft_error)
    ended = trailmark("-w", shop, "monitor", "--replay", sorry, "--repair", "--json")
    assert ended.code == 1
    assert ended.report["clusters"][0]["status"] == "broken"
    assert (shop / "models" / "rules.json").read_bytes() == rules
    back = archive(tmp_path / "back.warc.gz", first_design)
    ended = trailmark("-w", shop, "monitor", "--replay", back, "--json")
    assert ended.code == 0
    assert ended.report["clusters"][0]["status"] == "ok"


@pytest.mark.slow
def test_repair_may_be_automatic(trailmark: Run, shop: Path, tmp_path: Path) -> None:
    (shop / "trailmark.toml").write_text('[monitor]\nrepair = "auto"\n', encoding="utf-8")
    new = archive(tmp_path / "new.warc.gz", second_design)
    ended = trailmark("-w", shop, "monitor", "--replay", new, "--json")
    assert ended.report["clusters"][0]["repair"]["applied"]
    assert right(records_of(trailmark, shop, new, tmp_path / "n.jsonl"), "maker", season=0) == 20


@pytest.mark.slow
def test_what_a_person_reads(trailmark: Run, shop: Path, tmp_path: Path) -> None:
    new = archive(tmp_path / "new.warc.gz", second_design, season=1)
    said = trailmark("-w", shop, "monitor", "--replay", new).out
    assert "'maker' is broken on 100%" in said
    assert "new rule:" in said
    assert " monitor --repair" in said
    assert "broken" in trailmark("-w", shop, "monitor", "--history").out


def test_what_is_missing_is_said(trailmark: Run, workspace: Path) -> None:
    assert "learn some first" in trailmark("-w", workspace, "monitor").err
    assert trailmark("-w", workspace, "monitor", "--rollback", "x", "--repair").code == 2
    assert trailmark("-w", workspace, "monitor", "--history", "--json").report == {"visits": []}
