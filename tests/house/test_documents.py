"""Every example of the documents runs as it stands, or says why it can't."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.document_examples import Example, Reader, examples
from tests.house.document_world import World, make_world

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
RUN = [
    page
    for page in PAGES
    if any(each.commands or each.language == "python" for each in examples(page.read_text(encoding="utf-8")))
    and page.name != "cli.md"  # its blocks are help texts
]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return make_world(tmp_path_factory.mktemp("world"))


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_examples_of_a_page_run(page: Path, world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = page.read_text(encoding="utf-8")
    world.copy_to(tmp_path, text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    reader = Reader(world.live)
    tried = [(example, reader.try_out(example)) for example in examples(text)]
    assert not [wrong for _, wrong in tried if wrong]
    assert [example for example, _ in tried if not example.reason]


def test_blocks_are_found_with_their_reasons_and_files() -> None:
    text = (
        "Write `mine.jsonl`:\n\n```json\n{}\n```\n\nThen:\n\n<!-- not run: it waits -->\n```\ntrailmark serve\n```\n\n"
        "```\n$ trailmark status\nAll is well.\n```\n"
    )
    assert list(examples(text)) == [
        Example("json", "{}", file="mine.jsonl"),
        Example("", "trailmark serve", reason="it waits"),
        Example("", "$ trailmark status\nAll is well."),
    ]


def test_what_goes_wrong_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reader = Reader([])
    assert "ended with 2" in reader.try_out(Example("", "trailmark -w nowhere status"))
    assert "ZeroDivisionError" in reader.try_out(Example("python", "1 / 0"))
    assert "without" in reader.try_out(Example("", "$ trailmark --version\ntrailmark 99"))
    assert reader.try_out(Example("", "trailmark -w nowhere status", reason="it is nowhere")) == ""
