"""Lists of records that are redesigned, two templates that become one, and live visits."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.monitor.shop_versions import WORDS, address, archive, facts_of, first_design, marks, second_design
from trailmark.datatypes import Annotation, Response
from trailmark.monitor.bellwether import BellwetherVisit, Golden, lift
from trailmark.monitor.field_trait import traits_of
from trailmark.monitor.repair import propose_repair
from trailmark.read import parse_html
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.wrap import AnnotatedPage, NodeTable, RuleSet, learn_rules

HTML = (("Content-Type", "text/html; charset=utf-8"),)


# --- lists -------------------------------------------------------------------------------------------------------


def papers(number: int) -> list[dict[str, str]]:
    dice = random.Random(number)
    return [
        {"title": f"On {dice.choice(WORDS)} and {dice.choice(WORDS)} {number}-{at}", "year": str(1980 + number + at)}
        for at in range(7)
    ]


def bullets(number: int) -> NodeTable:
    items = "".join(f"<li><a>{each['title']}</a>, <b>{each['year']}</b></li>" for each in papers(number))
    return _table(f"<html><body><h1>Papers</h1><ul class='papers'>{items}</ul><p>imprint</p></body></html>")


def cards(number: int) -> NodeTable:
    items = "".join(
        f"<div class='card'><span class='when'>{each['year']}</span><h3 class='what'>{each['title']}</h3></div>"
        for each in papers(number)
    )
    return _table(f"<html><body><header>All papers</header><main>{items}</main><footer>imprint</footer></body></html>")


def _table(html: str) -> NodeTable:
    return NodeTable(parse_html(html.encode(), "text/html; charset=utf-8")[0])


def list_rules() -> RuleSet:
    said = tuple(Annotation("u", name, value) for each in papers(0)[:2] for name, value in each.items())
    return learn_rules("list", [AnnotatedPage(bullets(0), said), *(AnnotatedPage(bullets(n)) for n in range(1, 8))])


def test_a_list_is_repaired_as_a_whole() -> None:
    rules = list_rules()
    assert rules.entries is not None
    visits = [BellwetherVisit(lift(rules, f"u{n}", bullets(n)), cards(n), matched=False) for n in range(8)]
    assert all(len(visit.golden.records) == 7 for visit in visits)
    traits = traits_of([visit.golden for visit in visits])
    repair = propose_repair(rules, visits, traits, broken=("title", "year"), share=0.3)
    assert repair.left == ()
    found = [
        {name: values[0] for name, values in record.fields.items()} for record in repair.rules.records("u", cards(30))
    ]
    assert found == papers(30)


def test_a_list_that_says_nothing_is_left() -> None:
    rules = list_rules()
    empty = _table("<html><body><p>sorry</p></body></html>")
    visits = [BellwetherVisit(lift(rules, f"u{n}", bullets(n)), empty, matched=False) for n in range(8)]
    traits = traits_of([visit.golden for visit in visits])
    repair = propose_repair(rules, visits, traits, broken=("title",), share=0.3)
    assert (repair.rules, repair.left) == (rules, ("title",))


# --- two templates become one ------------------------------------------------------------------------------------


def other_design(number: int) -> str:
    """A second template of the shop: for rent."""
    facts = facts_of(number)
    return (
        f"<html><head><title>Rent</title></head><body><form><select><option>a</option><option>b</option></select></form>"
        f"<blockquote><dl><dt>Thing</dt><dd class='thing'>{facts['title']}</dd><dt>From</dt><dd class='from'>{facts['maker']}"
        f"</dd></dl></blockquote><ol><li>one</li><li>two</li><li>three</li></ol></body></html>"
    )


@pytest.mark.slow
def test_rules_of_the_surviving_template_are_taken_over(
    trailmark: Callable[..., Any], workspace: Path, tmp_path: Path
) -> None:
    """Goods for rent get the dress of the goods for sale: the rules of the one serve the other."""
    first = tmp_path / "first.warc.gz"
    with ArchiveWriter(first) as writer:
        for number in range(40):
            design = first_design if number < 20 else lambda n: other_design(n)
            writer.write(Response(address(number), 200, HTML, design(number).encode()))
    assert trailmark("-w", workspace, "cluster", "--archive", first).code == 0
    said = marks(tmp_path / "marks.jsonl", (2, 7, 22, 27))
    lines = [line for line in said.read_text().splitlines() if not ('"price"' in line and "/item/2" in line[:45])]
    said.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert trailmark("-w", workspace, "teach", "--annotations", said).code == 0
    assert trailmark("-w", workspace, "wrap").code == 0
    new = archive(tmp_path / "new.warc.gz", first_design, range(40))
    report = trailmark("-w", workspace, "monitor", "--replay", new, "--repair", "--json").report
    moved = next(each for each in report["clusters"] if each["template_changed"])
    assert [each["status"] for each in report["clusters"] if each is not moved] == ["ok"]
    assert set(moved["repaired"]) >= {"title", "maker"}
    assert {each["match"] for each in moved["repair"]["candidates"]} <= {"cluster", "page", "url"}


def test_lent_rules_that_pass_are_preferred_to_new_ones() -> None:
    taught = [
        AnnotatedPage(
            _table(second_design(n)),
            tuple(Annotation(address(n), field, value) for field, value in facts_of(n).items()),
        )
        for n in range(2)
    ]
    lender = learn_rules("lender", taught + [AnnotatedPage(_table(second_design(n))) for n in range(50, 58)])
    old = learn_rules("old", [AnnotatedPage(_table(first_design(n)), taught[n].annotations) for n in range(2)])
    visits = [
        BellwetherVisit(
            Golden(address(n), ({"maker": (facts_of(n)["maker"],)},)), _table(second_design(n)), matched=False
        )
        for n in range(10, 18)
    ]
    traits = traits_of([visit.golden for visit in visits])
    repair = propose_repair(old, visits, traits, broken=("maker",), share=0.3, lenders=[lender])
    assert [each.source for each in repair.repaired] == ["lender"]


# --- live --------------------------------------------------------------------------------------------------------


class _Shop(BaseHTTPRequestHandler):
    design: Callable[..., str] = first_design

    def do_GET(self) -> None:
        number = self.path.rpartition("/")[2]
        known = number.isdigit()
        body = type(self).design(int(number)).encode() if known else b""
        self.send_response(200 if known else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing."""
        del code, size


@pytest.fixture
def host() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Shop)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://shop.localhost:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_bellwethers_are_visited_live(
    trailmark: Callable[..., Any], workspace: Path, tmp_path: Path, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workspace / "trailmark.toml").write_text(
        '[forage]\ncontact = "tests@example.org"\nallow_hosts = ["*.localhost"]\ndelay = 0\nretries = 0\n[monitor]\npages = 6\n',
        encoding="utf-8",
    )
    first = tmp_path / "first.warc.gz"
    with ArchiveWriter(first) as writer:
        for number in range(12):
            writer.write(Response(f"{host}/item/{number}", 200, HTML, first_design(number).encode()))
    said = marks(tmp_path / "marks.jsonl", (1, 5))
    said.write_text(said.read_text().replace("http://shop.example", host), encoding="utf-8")
    assert trailmark("-w", workspace, "cluster", "--archive", first).code == 0
    assert trailmark("-w", workspace, "teach", "--annotations", said).code == 0
    assert trailmark("-w", workspace, "wrap").code == 0
    ended = trailmark("-w", workspace, "monitor", "--json")
    assert (ended.code, ended.report["clusters"][0]["visited"]) == (0, 6)
    monkeypatch.setattr(_Shop, "design", second_design)
    ended = trailmark("-w", workspace, "monitor", "--json")
    assert ended.code == 1
    assert ended.report["clusters"][0]["template_changed"]
