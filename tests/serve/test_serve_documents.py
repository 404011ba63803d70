"""The documents of the app: every picture is made by the script, every page of the menu is told of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from trailmark.serve.rendering import NAVIGATION

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LARGEST = 150_000


@pytest.fixture(scope="module")
def made() -> set[str]:
    """Pictures that the script makes."""
    from docs.pictures import take

    return {name for names in take.STOPS.values() for name in names}


def shown() -> set[str]:
    """Pictures that the documents show."""
    pages = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
    links = [link for page in pages for link in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text(encoding="utf-8"))]
    assert all(Path(link).parent.name == "pictures" for link in links)
    return {Path(link).name for link in links}


def test_every_picture_is_made_by_the_script_and_shown(made: set[str]) -> None:
    on_disk = {path.name for path in (DOCS / "pictures").iterdir() if path.suffix in (".png", ".svg")}
    assert shown() == made == on_disk


def test_pictures_are_small_and_said_in_words() -> None:
    for path in (DOCS / "pictures").glob("*.png"):
        assert path.stat().st_size < LARGEST, f"{path.name} has {path.stat().st_size} bytes"
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        for words in re.findall(r"!\[([^\]]*)\]\(", page.read_text(encoding="utf-8")):
            assert len(words) > 15, f"{page.name}: '{words}' tells nothing to those who can't see"


def test_every_page_of_the_menu_has_its_section() -> None:
    text = (DOCS / "how-to" / "serve.md").read_text(encoding="utf-8")
    for _, name in NAVIGATION:
        section = re.search(rf"^## {name}: .*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
        assert section, f"docs/how-to/serve.md has no section for {name}"
        assert len(section[0].split()) > 30, f"the section for {name} says little"
    for more in ("Record in your own browser", "The JSON API", "What keeps it safe"):
        assert f"## {more}" in text
