"""The sentences in which references are cited."""

from __future__ import annotations

import csv
import hashlib
import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise.citation_context import LONGEST, MOST, CitedReference, citation_contexts, cited_reference
from trailmark.organise.sentences import sentence_spans
from trailmark.read.pdf_document import read_pdf
from trailmark.tag.body_text import body_text
from trailmark.tag.paper import find_paper

NUMBERED = [CitedReference(number) for number in range(1, 13)]
KNUTH = CitedReference(names=("knuth",), year=1984)
KNUTH_A = CitedReference(names=("knuth", "plass"), year=1986, letter="a")
KNUTH_B = CitedReference(names=("knuth",), year=1986, letter="b")
LAMPORT = CitedReference(names=("lamport",), year=1994)
NAMED = [KNUTH, KNUTH_A, KNUTH_B, LAMPORT]


def cited(body: str, references: list[CitedReference]) -> list[int]:
    """The places of those that have a context."""
    return [place for place, contexts in enumerate(citation_contexts(body, references)) if contexts]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("It was shown [12].", [11]),
        ("It was shown [3,7-9].", [2, 6, 7, 8]),
        ("It was shown [3, 7–9; 11].", [2, 6, 7, 8, 10]),
        ("See [5, p. 12] for more.", [4]),
        ("See Knuth[2] for more.", [1]),
        ("The value a[3] is in [0, 1), and [99] and [1-999] and [x].", []),
        ("An interval [2.5] and [].", []),
    ],
)
def test_numbers_in_brackets_name_references(text: str, places: list[int]) -> None:
    assert cited(text, NUMBERED) == places


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("This is old (Knuth, 1984; Lamport, 1994).", [0, 3]),
        ("Knuth (1984) said so.", [0]),
        ("As Knuth and Plass (1986a) said.", [1]),
        ("As Knuth et al. 1986a said.", [1]),
        ("As Knuth [1984, 1986b] said.", [0, 2]),
        ("By KNUTH’s (1986b) work and that of Lamport's 1994 book.", [2, 3]),
        ("In 1984 there was snow, and Plass (1984) fell.", []),
        ("Knuth was born before 1984, they say, and so was the year 1994.", []),
        ("Knuth (1985) said so, (Lamport 1984) did not.", []),
    ],
)
def test_names_and_years_name_references(text: str, places: list[int]) -> None:
    assert cited(text, NAMED) == places


def test_a_citation_that_may_mean_two_references_is_given_to_neither() -> None:
    twins = [CitedReference(names=("knuth",), year=1986), CitedReference(names=("knuth",), year=1986)]
    assert cited("As Knuth (1986) said.", twins) == []


def test_labels_in_brackets_name_references() -> None:
    references = [CitedReference(label="Knu84"), CitedReference(label="LS+ 94"), CitedReference(label="Knuth, 1990")]
    assert cited("It is so [Knu84, LS+94] and [Knuth,1990] but not [Knu85] or [1].", references) == [0, 1, 2]


def test_the_sentence_is_told_and_a_citation_behind_the_point_belongs_to_it() -> None:
    body = "First one. Trees are fast, e.g. by A. Knuth et al. in Fig. 3 [2]. Graphs are slow. [3] The next begins. Last [3]."
    contexts = citation_contexts(body, NUMBERED)
    assert contexts[1] == ("Trees are fast, e.g. by A. Knuth et al. in Fig. 3 [2].",)
    assert contexts[2] == ("Graphs are slow. [3]", "Last [3].")


def test_a_long_sentence_is_cut_around_the_citation() -> None:
    body = f"{'word ' * 300}here [4] it stands {'other ' * 300}end."
    (context,) = citation_contexts(body, NUMBERED)[3]
    assert "here [4] it stands" in context
    assert context.startswith("… word")
    assert context.endswith("other …")
    assert len(context) <= LONGEST + 4


def test_of_many_contexts_the_first_are_kept() -> None:
    body = " ".join(f"Sentence {number} of them [1]." for number in range(20))
    assert len(citation_contexts(body, NUMBERED)[0]) == MOST


def test_a_reference_tells_what_a_text_may_call_it() -> None:
    fields = {"author": ["D. E. Knuth", "M. Plass"], "author_normal": ["Knuth, D. E.", "Plass, M."], "date": ["1986a"]}
    numbered = cited_reference("[12] D. E. Knuth and M. Plass. Pages 1984-1990. 1986a.", fields)
    assert numbered == CitedReference(12, "", ("knuth", "plass"), 1986, "a")
    assert cited_reference("[KP86] Knuth, D. 1986.", {}) == CitedReference(None, "KP86", ("knuth",), 1986)
    assert cited_reference("7. L. Lamport, LaTeX, 1994", {}) == CitedReference(7, "", ("lamport",), 1994)
    assert cited_reference("Müller-Lüdenscheidt, H. Bath.", {}).names == ("mullerludenscheidt",)
    assert cited_reference("", {}) == CitedReference()


@given(st.text(alphabet="ab A.[]()12,;-–\n 1984KnuthLport’", max_size=300))
def test_any_text_has_contexts_that_stand_in_it(body: str) -> None:
    for contexts in citation_contexts(body, [*NUMBERED, *NAMED]):
        for context in contexts:
            assert context in " ".join(body.split())


@given(st.text(alphabet='ab A.!?[](1)\n"”', max_size=200))
def test_sentences_cover_the_text_in_order(body: str) -> None:
    spans = sentence_spans(body)
    assert all(start <= end for start, end in spans)
    assert "".join("".join(body[start:end] for start, end in spans).split()) == "".join(body.split())


@pytest.mark.parametrize("piece", ["[1,", "[[[[", "1984 ", "Knuth and ", "(Knuth ", ". [", "a.", "[1-9] ", "\n", "x"])
def test_hostile_text_takes_time_in_proportion(piece: str) -> None:
    references = [*NUMBERED, *NAMED]
    start = time.process_time()
    citation_contexts(piece * (200_000 // len(piece)), references)
    assert time.process_time() - start < 10


@pytest.mark.skipif(not os.environ.get("TRAILMARK_PAPERS"), reason="TRAILMARK_PAPERS names no folder of papers")
def test_real_papers_have_contexts_for_most_of_their_references() -> None:
    """`context_counts.csv` names real papers by digest; 85 contexts of such papers were read by a person, and each cites its reference."""
    rows = csv.DictReader((Path(__file__).parent / "context_counts.csv").read_text().splitlines())
    known = {row["sha1"]: row for row in rows}
    mine = expected = 0
    for file in sorted(Path(os.environ["TRAILMARK_PAPERS"]).glob("*.pdf")):
        row = known.get(hashlib.sha1(file.read_bytes(), usedforsecurity=False).hexdigest())
        if row:
            document = read_pdf(file.read_bytes())
            paper = find_paper(document)
            named = [cited_reference(reference.text, {}) for reference in paper.references]
            mine += sum(map(bool, citation_contexts(body_text(paper.lines, paper.references), named)))
            expected += int(row["with_context"])
    assert mine >= 0.95 * expected
