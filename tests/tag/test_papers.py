"""Papers: what is one, where its header ends, how its references are split; and the counts of real papers where somebody has them.

`reference_counts.csv` names real papers by digest alone, counted in the text of the paper and not in what was found. `counted_by`: `numbers` where the last
reference says how many there are, `keys` where each has one, `entries` where they were read one by one, `not counted` else. Set TRAILMARK_PAPERS to a folder of PDFs to compare.
"""

from __future__ import annotations

import csv
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.read.made_pdf import Piece, made_pdf
from trailmark.read.html_document import read_html
from trailmark.read.pdf_document import read_pdf
from trailmark.tag.normal_forms import names_in, normal_date, normal_name, normal_pages, normal_venue
from trailmark.tag.paper import Paper, find_paper

AUTHORS = ("Abel, N.", "Bernoulli, J.", "Cantor, G.", "Dirichlet, P.", "Euler, L.")


def paper(references: Sequence[tuple[float, str]], *, step: float = 14, opening: str = "Abstract") -> Paper:
    """Lines of references, each with its place from the left -> what is found in a paper with them."""
    first = [Piece(100, 80, "A Title", 18), Piece(72, 120, opening, 12, bold=True), Piece(72, 140, "We show things")]
    first += [Piece(72, 170, "1 Introduction", 12, bold=True), Piece(72, 190, "The body begins here and goes on")]
    last = [Piece(72, 80, "References", 12, bold=True)]
    last += [Piece(x, 100 + step * number, text) for number, (x, text) in enumerate(references)]
    return find_paper(read_pdf(made_pdf([first, last])))


def test_bracketed_references() -> None:
    found = paper(
        [part for n in range(1, 6) for part in ((72, f"[{n}] {AUTHORS[n - 1]} On things"), (90, "of 1999. Journal."))]
    )
    assert [reference.split for reference in found.references] == ["bracket"] * 5
    assert found.references[1].text == "[2] Bernoulli, J. On things of 1999. Journal."
    assert found.is_paper


def test_numbered_references_and_a_line_that_begins_with_another_number() -> None:
    rows = [
        (72.0, "1. Abel, N. Sums. Journal, pages"),
        (72.0, "300. Oslo, 1826."),
        (72.0, "2. Euler, L. Bridges. 1736."),
        (72.0, "3. Gauss, C. Curves. 1827."),
    ]
    found = paper(rows)
    assert [reference.text[:2] for reference in found.references] == ["1.", "2.", "3."]


def test_references_by_indentation() -> None:
    rows = [
        part
        for name in AUTHORS
        for part in (
            (72.0, f"{name} (1830). A study of many things and"),
            (90.0, "Their kinds. Journal of Things, 3, 1-9."),
        )
    ]
    found = paper(rows)
    assert {reference.split for reference in found.references} == {"indentation"}
    assert [reference.text[: len(name)] for reference, name in zip(found.references, AUTHORS, strict=True)] == list(
        AUTHORS
    )


def test_references_by_author_where_nothing_else_tells() -> None:
    rows = [
        part
        for name in AUTHORS
        for part in ((72.0, f"{name} (1830). A study of many"), (72.0, "things and their kinds. Journal, 3."))
    ]
    assert len(paper(rows).references) == 5


def test_the_header_ends_before_the_first_section() -> None:
    found = paper([(72.0, "[1] Abel, N. 1826. Sums of series."), (72.0, "[2] Euler, L. 1736. Bridges and ways.")])
    assert [line.text for line in found.header] == ["A Title", "Abstract", "We show things"]


def test_no_paper() -> None:
    assert not find_paper(read_pdf(made_pdf([[Piece(72, 72, "Minutes of a meeting")]]))).is_paper
    page = b"<h1>Publications</h1><h2>References</h2><p>Ada Lovelace will give references on request to all who ask her.</p>"
    assert not find_paper(read_html(page)).is_paper


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("[]().,0123456789Aa\u201c -", max_size=40), max_size=30))
def test_any_lines_are_split_without_losing_one(texts: list[str]) -> None:
    body = "\n".join(["References", *texts])
    from trailmark.read.html_document import read_text

    document = read_text(body.encode())
    references = find_paper(document).references
    lines = [line.text for line in document.pages[0].lines]
    assert all(line.text in lines for reference in references for line in reference.lines)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A. Lovelace, B. Babbage and C. Turing", ["A. Lovelace", "B. Babbage", "C. Turing"]),
        ("Lovelace, A., Babbage, C. B., and Turing, A.", ["Lovelace, A.", "Babbage, C. B.", "Turing, A."]),
        ("Ada Lovelace1, Alan Turing2,3∗", ["Ada Lovelace", "Alan Turing"]),
        ("Ada Lovelace & Alan Turing; Grace Hopper", ["Ada Lovelace", "Alan Turing", "Grace Hopper"]),
        ("Brooks, F. P., Jr. and Kugler, H.-J.", ["Brooks, F. P., Jr.", "Kugler, H.-J."]),
        ("", []),
    ],
)  # fmt: skip
def test_names_of_a_list(text: str, names: list[str]) -> None:
    assert names_in(text) == names


def test_plain_forms() -> None:
    assert [normal_name(name) for name in ("Ada Lovelace", "Lovelace, A.B.", "J. van der Berg", "Plato")] == [
        "Lovelace, Ada", "Lovelace, A. B.", "van der Berg, J.", "Plato",
    ]  # fmt: skip
    assert [normal_date(text) for text in ("(March 1998).", "3 Oct. 2001", "1936", "soon")] == [
        "1998-03",
        "2001-10-03",
        "1936",
        "",
    ]
    assert [normal_pages(text) for text in ("pp. 12--34", "1123–45", "p. 7", "none")] == ["12-34", "1123-1145", "7", ""]
    assert normal_venue("In Proceedings of Things,") == "Proceedings of Things"


@pytest.mark.parametrize(
    ("found", "plain"),
    [
        ("John W. Backus.", "Backus, John W."),
        ("Codd, E. F.", "Codd, E. F."),
        ("Knuth, Donald.", "Knuth, Donald"),
        ("Wm. Li.", "Li, Wm."),
        ("Smith, Geo.", "Smith, Geo."),
        ("Frederick P. Brooks, Jr.", "Brooks, Frederick P. Jr."),
        ("Brooks, F. P., Jr.", "Brooks, F. P. Jr."),
        ("Martin Luther King Jr.", "King, Martin Luther Jr."),
        ("Jr.", "Jr."),
        ("", ""),
    ],
)
def test_the_stop_that_ends_a_list_is_no_part_of_a_name(found: str, plain: str) -> None:
    assert normal_name(found) == plain
    assert normal_name(plain) == plain


@pytest.mark.parametrize(
    ("found", "plain"),
    [
        ("21(8):613–641", "613-641"),
        ("77(2-3):375–400,", "375-400"),
        ("31:1123-45", "1123-1145"),
        ("vol. 6: 293–326", "293-326"),
        ("23:1–23:30", "23:1-23:30"),
        ("7(3):e33993", "e33993"),
        ("pages 10-12, 1999", "10-12"),
    ],
)
def test_a_volume_before_pages_is_not_taken_for_them(found: str, plain: str) -> None:
    assert normal_pages(found) == plain
    assert normal_pages(plain) == plain


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60))
def test_plain_forms_take_any_text(text: str) -> None:
    for name in names_in(text):
        normal_name(name)
    assert normal_pages(normal_pages(text)) == normal_pages(text)
    assert normal_date(normal_date(text)) == normal_date(text)
    normal_venue(text)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("TRAILMARK_PAPERS"), reason="TRAILMARK_PAPERS names no folder of papers")
def test_real_papers() -> None:
    rows = csv.DictReader((Path(__file__).parent / "reference_counts.csv").read_text().splitlines())
    known = {row["sha1"]: row for row in rows}
    right = counted = 0
    for file in sorted(Path(os.environ["TRAILMARK_PAPERS"]).glob("*.pdf")):
        row = known.get(hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest())
        if row and row["references"]:
            counted += 1
            right += len(find_paper(read_pdf(file.read_bytes())).references) == int(row["references"])
    assert counted == 0 or right / counted >= 0.8
