"""Documents: what our reading and tagging of PDFs costs beyond parsing, and words of references tagged in a second of one core.

    python -m benchmarks.documents DATA/papers [--models my-project/models] [--files 60]

The peer is the plain text of every page by pypdfium2, in the same process, file by file in turn. Ours reads the same pages into lines of placed words,
says whether it is a paper, finds header and references, tags them and makes records. Seconds are of the processor, the best of some rounds: a busy machine makes
a round slower and none faster. References are tagged as `trailmark tag` does it, those of one paper at a time.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pypdfium2

from evals.papers import taggers_of
from trailmark.datatypes import Response
from trailmark.errors import DocumentError
from trailmark.settings import TagSettings
from trailmark.tag.document_tagger import make_tagger
from trailmark.tag.page_lines import tagger_lines, whole_words
from trailmark.tag.paper import find_paper
from trailmark.tag.read_document import read_document
from trailmark.tag.references import without_mark
from trailmark.tag.words import Tagger, Word

ROUNDS = 3
MOST_MILLISECONDS = 10.0
"""A page beyond parsing."""
LEAST_WORDS = 20_000
"""Of references in a second."""


def parsed(body: bytes) -> int:
    """The peer: the text of every page -> how many pages there are."""
    pdf = pypdfium2.PdfDocument(body)
    try:
        for page in pdf:
            text_page = page.get_textpage()
            text_page.get_text_range()
            text_page.close()
            page.close()
        return len(pdf)
    finally:
        pdf.close()


def seconds(work: Callable[[], object]) -> float:
    """Of the processor."""
    began = time.process_time()
    work()
    return time.process_time() - began


def references_of(response: Response) -> list[list[list[Word]]]:
    """The references of a paper as its tagger reads them."""
    paper = find_paper(read_document(response))
    rows = [
        without_mark(whole_words(reference.lines), reference.split) for reference in paper.references if reference.lines
    ]
    return [tagger_lines(row, paper.body_size) for row in rows]


def tagged_in_a_second(tagger: Tagger, papers: Sequence[Sequence[Sequence[Sequence[Word]]]]) -> float:
    """Words of references a second."""
    words = sum(len(line) for paper in papers for document in paper for line in document)
    best = min(seconds(lambda: [tagger.tag(paper) for paper in papers]) for _ in range(ROUNDS))
    return words / max(best, 1e-9)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--models", type=Path, help="a folder of taggers (default: those that come with Trailmark)")
    parser.add_argument("--files", type=int, default=60)
    chosen = parser.parse_args()
    taggers = taggers_of(chosen.models)
    work = make_tagger(taggers, None, TagSettings())
    pages = 0
    spent = dict.fromkeys(("pypdfium2", "reading", "all"), 0.0)
    papers = []
    for file in sorted(chosen.papers.glob("*.pdf"))[: chosen.files]:
        response = Response(file.absolute().as_uri(), 200, body=file.read_bytes())
        try:
            papers.append(references_of(response))
        except DocumentError:
            continue  # a scan: neither says anything of it
        pages += parsed(response.body)
        works = (lambda: parsed(response.body), lambda: read_document(response), lambda: work(response))  # noqa: B023 - called at once
        rounds = [[seconds(each) for each in works] for _ in range(ROUNDS)]
        for name, times in zip(spent, zip(*rounds, strict=True), strict=True):
            spent[name] += min(times)
    if not pages:
        print(f"{chosen.papers} holds no PDF that can be read.", file=sys.stderr)
        return 2
    each = {name: 1000 * total / pages for name, total in spent.items()}
    beyond = each["all"] - each["pypdfium2"]
    print(f"{len(papers)} papers, {pages} pages; milliseconds a page:")
    print(f"{'pypdfium2, plain text':>32} {each['pypdfium2']:8.2f}")
    print(
        f"{'ours, lines of placed words':>32} {each['reading']:8.2f}   {each['reading'] / each['pypdfium2']:.2f} of it"
    )
    print(
        f"{'ours, records of paper and references':>32} {each['all']:8.2f}   {each['all'] / each['pypdfium2']:.2f} of it"
    )
    print(f"{'beyond parsing':>32} {beyond:8.2f}   (at most {MOST_MILLISECONDS:g})")
    speed = tagged_in_a_second(taggers["references"], papers)
    print(f"{'words of references a second':>32} {speed:8,.0f}   (at least {LEAST_WORDS:,})")
    return 0 if beyond <= MOST_MILLISECONDS and speed >= LEAST_WORDS else 1


if __name__ == "__main__":
    sys.exit(main())
