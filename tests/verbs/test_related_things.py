"""What is related to a thing when somebody asks, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.organise.test_things import keep, record
from trailmark.datatypes import Record
from trailmark.store.library import Library
from trailmark.verbs import related_things as module
from trailmark.verbs.organise import organise
from trailmark.verbs.organised_record import organised_record
from trailmark.verbs.related_things import RelatedThing, related_things
from trailmark.workspace import create

AUTHORS = {"Parsing sentences quickly with tables": "Ann Parserson", "Waves at sea by night": "Ann Season"}


def paper(name: str, title: str, text: str, *cited: str) -> list[Record]:
    url = f"http://a.example/{name}.pdf"
    own = record(url, "paper", title=title, author=f"Ann {name.capitalize()}son", abstract=text)
    references = [
        record(
            url,
            "reference",
            text=f"{AUTHORS.get(each, 'B. Other')}. {each}. 1990.",
            title=each,
            author=AUTHORS.get(each, "B. Other"),
        )
        for each in cited
    ]
    return [own, *references]


GRAMMARS, LETTERS = "Grammars for everybody and their machines", "Letters of the alphabet in seven languages"
THINGS = [
    *paper("parser", "Parsing sentences quickly with tables", "a chart of bottom rows", GRAMMARS, LETTERS),
    *paper("lexer", "Cutting texts into small pieces", "pieces of paper", LETTERS),
    *paper("chart", "Tables by the hundred for sentences", "rows without an end", GRAMMARS, LETTERS),
    *paper(
        "survey",
        "All about languages in one book",
        "overview",
        "Parsing sentences quickly with tables",
        "Waves at sea by night",
    ),
    *paper("sea", "Waves at sea by night", "salt water"),
]


@pytest.fixture
def found(tmp_path: Path) -> dict[str, RelatedThing]:
    workspace = create(tmp_path / "ws")
    keep(workspace, THINGS)
    organise(workspace)
    with Library.of(workspace.folder) as library:
        names = dict(library.connection.execute("SELECT key, url FROM items").fetchall())
        (key,) = (key for key, url in names.items() if url.endswith("parser.pdf"))
        near = related_things(library, key, 10)
        assert related_things(library, key, 1) == near[:1]
        assert related_things(library, "never there", 10) == ()
        assert [each.key for each in near] == list(dict.fromkeys(each.key for each in near))
        assert key not in {each.key for each in near}
    shown = organised_record(workspace, 1)
    assert shown is not None
    assert [(each.key, each.reason) for each in shown.related] == [(each.key, each.reason) for each in near]
    return {names[each.key].rpartition("/")[2][:-4]: each for each in near}


def test_what_cites_the_same_and_shares_words_comes_first_and_it_is_told(found: dict[str, RelatedThing]) -> None:
    assert next(iter(found)) == "chart"
    assert found["chart"].reason.startswith("cites 2 of the same papers; shares the words ")


def test_one_side_is_enough(found: dict[str, RelatedThing]) -> None:
    assert found["lexer"].reason == "cites a paper that this one cites; shares the words alphabet, letters"
    assert found["sea"].reason == "cited together by 1 paper"
    assert all(0 < each.score <= 1 for each in found.values())


def test_what_everybody_cites_or_says_makes_nobody_related(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "OF_EACH", 5)
    monkeypatch.setattr(module, "COMMON", 5)
    workspace = create(tmp_path / "ws")
    keep(
        workspace,
        [
            each
            for n in range(8)
            for each in paper(f"p{n}", f"Common words {'abcdefgh'[n] * 5}", "everywhere", GRAMMARS)
        ],
    )
    organise(workspace)
    with Library.of(workspace.folder) as library:
        keys = [key for (key,) in library.connection.execute("SELECT key FROM items")]
        assert len(keys) == 8
        assert [related_things(library, key, 10) for key in keys] == [()] * 8
