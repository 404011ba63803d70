"""The papers of the generated web: the same for the same seed, read as papers, and citing one another in other words."""

from __future__ import annotations

from random import Random

from trailmark.demo import DemoWeb
from trailmark.demo.paper_file import make_paper
from trailmark.demo.works import draw_work, library
from trailmark.read.pdf_document import read_pdf
from trailmark.tag.paper import find_paper


def test_papers_are_the_same_for_the_same_seed_and_are_served() -> None:
    site, again = DemoWeb(sites=2).site(0), DemoWeb(sites=2).site(0)
    assert site.papers
    for url in site.papers:
        assert site.paper(url).body == again.paper(url).body == site.respond(url).body


def test_papers_are_read_as_papers_and_their_references_are_told_apart() -> None:
    right = count = 0
    for number in range(15):
        rng = Random(f"paper/{number}")
        paper = make_paper(draw_work(rng), rng.sample(library(1), 8), rng)
        found = find_paper(read_pdf(paper.body))
        assert found.is_paper, paper.title
        right += len(found.references) == len(paper.references)
        count += 1
    assert right >= count - 1


def test_a_work_is_cited_by_several_papers_in_other_words() -> None:
    site = DemoWeb(sites=2).site(0)
    cited: dict[str, set[str]] = {}
    for url in site.papers:
        paper = site.paper(url)
        for work, words in zip(paper.cited, paper.references, strict=True):
            cited.setdefault(work.title, set()).add(" ".join(word for word, _ in words))
    assert any(len(ways) > 1 for ways in cited.values())
    titles = {site.paper(url).title for url in site.papers}
    assert titles & set(cited), "papers of one house cite one another"
