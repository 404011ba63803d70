"""An alarm from end to end: a redesign breaks a field, the app shows it with a repair, the repair is accepted and taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.serve.app_visitor import Visitor, running, way_in
from tests.serve.test_serve_annotate import NAMES, SITE, cluster_of, item, mark, node_of, shop
from trailmark.datatypes import Response
from trailmark.store.archive_writer import ArchiveWriter

__all__ = ["shop"]  # a fixture

EVIL = "</td><script>alert(1)</script><img src=x onerror=alert(2)>"


def redesigned(folder: Path) -> Path:
    """An archive of the shop's pages after a redesign: where the price was, a word stands; the price stands elsewhere."""
    archive = folder / "today.warc.gz"
    with ArchiveWriter(archive) as writer:
        for number in range(len(NAMES)):
            price = f"${number + 5}.99"
            body = item(number).replace(f"<b>{price}</b>", "<b>see below</b>").replace("class=item", "class=product")
            body = body.replace("<hr>", f"<hr><table class=offer><tr><th>Now only<td><em>{price}</em></table>")
            url = f"{SITE}item/{number}"
            writer.write(Response(url, 200, (("Content-Type", "text/html"),), body.encode()))
    return archive


def test_an_alarm_its_repair_and_the_way_back(shop: Path, tmp_path: Path, browser_page: Any) -> None:
    visitor = Visitor(shop)
    mark(visitor, 2, "price", "$7.99", node=str(node_of(2, "//b")))
    mark(visitor, 5, "price", "$10.99", node=str(node_of(5, "//b")))
    mark(visitor, 2, "name", "Table <2>", node=str(node_of(2, "//h1")))
    visitor.post("/annotate/cluster", do="use", id=cluster_of(visitor), url=f"{SITE}item/2")
    assert all(visitor.wait(job["id"])["state"] == "done" for job in visitor.get("/api/jobs").json())
    page = browser_page
    with running(shop, archives=(redesigned(tmp_path),)) as address:
        page.goto(address + way_in(shop))
        page.goto(f"{address}/alarms")
        page.get_by_role("button", name="Visit them now").click()
        page.get_by_text("price is broken since").wait_for()
        page.get_by_text("price: a repair").wait_for()
        assert page.locator("tbody td", has_text="$8.99").count() == 2  # known, and found by the new rule
        page.get_by_role("button", name="Accept the repairs").click()
        page.get_by_role("button", name="Put the old rules back").click()
        page.get_by_role("status").get_by_text("has the rules back").wait_for()
        page.get_by_role("button", name="Accept the repairs").wait_for()


def written_alarm(folder: Path, words: str) -> None:
    """A visit that ended with an alarm, as its job left it, with these words wherever a page's words come to stand."""
    job = folder / "serve" / "jobs" / "0001"
    job.mkdir(parents=True)
    said: dict[str, Any] = {"id": "0001", "verb": "monitor", "arguments": [], "title": words, "started": 0.0}
    (job / "job.json").write_text(json.dumps(said), encoding="utf-8")
    (job / "code").write_text("1", encoding="utf-8")
    (job / "err").write_text(words, encoding="utf-8")
    rule = {"says": words, "xpath": words}
    difference = {"url": f"http://a.example/{words}", "golden": [words], "old": [], "new": [words]}
    field = {
        "field": words,
        "before": 0.0,
        "after": 1.0,
        "old_rule": rule,
        "new_rule": rule,
        "differences": [difference],
    }
    cluster = {
        "cluster": words,
        "status": "broken",
        "fields": [{"field": words, "broken": True, "since": words, "last_right": words}],
        "repair": {"applied": False, "fields": [field]},
        "left": [words],
    }
    (job / "out").write_text(json.dumps({"clusters": [cluster], "at": words}), encoding="utf-8")


def test_words_of_an_alarm_stay_words(folder: Path) -> None:
    written_alarm(folder, EVIL)
    visitor = Visitor(folder)
    for path in ("/alarms", "/jobs", "/jobs/0001"):
        text = visitor.get(path).text
        assert "&lt;script&gt;" in text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
