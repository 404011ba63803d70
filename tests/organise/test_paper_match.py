"""Groups of references mean papers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trailmark.organise.paper_match import PaperMatch, match_papers, paper_index, paper_parts
from trailmark.organise.reference_parts import ReferenceParts, reference_parts


def reference(author: str, title: str, rest: str) -> ReferenceParts:
    return reference_parts(f"{author} {title} {rest}", {"author": [author], "title": [title]})


ENGINE = [
    reference("Lovelace, A.", "Notes on the analytical engine.", "Scientific Memoirs 3, 666-731, 1943."),
    reference("A. Lovelance", "Notes on the analitical engine", "Sci. Mem., vol 3, pp. 666-731 (1943)"),
]
SKETCH = [reference("Menabrea, L.", "Sketch of the difference engine.", "Bibliotheque 41, 352-376, 1942.")]
PAPERS = {
    "p-engine": paper_parts("Notes on the Analytical Engine", ["Ada Lovelace"], 1943),
    "p-flying": paper_parts("Letters on flying machines", ["Ada Lovelace"], None),
    "p-nameless": paper_parts("", ["Menabrea"], 1942),
}


def test_a_group_finds_its_paper_and_no_other() -> None:
    matches = match_papers({0: ENGINE, 2: SKETCH, 9: []}, paper_index(PAPERS))
    assert [(match.group, match.paper) for match in matches] == [(0, "p-engine")]
    assert matches[0].chance > 0.9


def test_of_two_groups_the_likelier_has_the_paper() -> None:
    matches = match_papers({0: ENGINE[1:], 1: ENGINE[:1]}, paper_index(PAPERS))
    assert [(match.group, match.paper) for match in matches] == [(1, "p-engine")]


def test_what_was_matched_before_stays_and_new_papers_find_their_groups() -> None:
    index = paper_index(PAPERS)
    known = [PaperMatch(1, "p-engine", 0.6), PaperMatch(7, "p-flying", 0.9), PaperMatch(2, "p-gone", 0.9)]
    index.add("p-sketch", paper_parts("Sketch of the Difference Engine", ["L. Menabrea"], 1942))
    matches = match_papers({0: ENGINE, 1: ENGINE[1:], 2: SKETCH}, index, known=known)
    assert [(match.group, match.paper) for match in matches] == [(1, "p-engine"), (2, "p-sketch")]
    assert matches[0].chance == 0.6


titles = st.lists(
    st.sampled_from(["analytical", "engine", "letters", "flying", "machines", "sketch", "notes"]), max_size=5
)


@given(st.lists(titles, max_size=5), st.lists(titles, max_size=5))
def test_matches_are_one_to_one_and_matching_again_changes_nothing(
    cited: list[list[str]], held: list[list[str]]
) -> None:
    groups = {n: [reference("Lovelace", " ".join(words), "1943")] for n, words in enumerate(cited)}
    index = paper_index({f"p{n}": paper_parts(" ".join(words), ["Lovelace"], 1943) for n, words in enumerate(held)})
    matches = match_papers(groups, index)
    assert len({match.group for match in matches}) == len({match.paper for match in matches}) == len(matches)
    assert match_papers(groups, index, known=matches) == matches
