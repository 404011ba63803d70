"""The taggers that come with Trailmark: learnt from papers that the generated web's own hand writes, since no tagged text may be shipped.

`python -m trailmark.verbs.ready_taggers` (`make ready`) learns them again and writes their files into the package. That is needed where what
taggers look at has changed: a weight of an attribute that no longer exists says nothing. A test holds what they get right.

Each paper is set as a PDF and read as any other, so that a tagger sees letters' sizes and places as it will see them. Their names and titles
are invented: they know what a header looks like, and few of the words that stand in one. Tagged text of one's own teaches more.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import islice
from pathlib import Path
from random import Random

from trailmark.demo.paper_file import DemoPaper, make_paper
from trailmark.demo.reference_text import Labelled
from trailmark.demo.works import draw_work
from trailmark.read.pdf_document import read_pdf
from trailmark.tag.crf_tagger import CrfRecipe, learnt_tagger
from trailmark.tag.feature_blocks import Window
from trailmark.tag.lexicon import lexicon_of
from trailmark.tag.models import HEADERS, REFERENCES, file_name
from trailmark.tag.page_lines import PageLine, tagger_lines, whole_words
from trailmark.tag.paper import find_paper
from trailmark.tag.references import without_mark
from trailmark.tag.tagged_text import TaggedDocument
from trailmark.tag.tagger_file import tagger_to_bytes

FOLDER = "ready"
"""Below trailmark/tag, where the files are."""
PAPERS, SEED = 220, 14
RECIPES = {
    HEADERS: CrfRecipe(Window(1, 1, 1), least=6, l2=0.5, l2_wide=2.0, max_iterations=50),
    REFERENCES: CrfRecipe(Window(1, 2, 0), least=12, l2=0.5, l2_wide=4.0, max_iterations=50),
}
"""Small models of text that is simpler than life."""


def ready_tagger(name: str) -> bytes | None:
    """The file of a tagger that comes with Trailmark; None where none of that name does."""
    file = resources.files("trailmark.tag") / FOLDER / file_name(name)
    return file.read_bytes() if file.is_file() else None


def tagged_papers(count: int, seed: int) -> dict[str, list[TaggedDocument]]:
    """So many generated papers -> their headers and their references, tagged."""
    found: dict[str, list[TaggedDocument]] = {HEADERS: [], REFERENCES: []}
    for number in range(count):
        rng = Random(f"{seed}/tagged/{number}")
        paper = make_paper(draw_work(rng), [draw_work(rng) for _ in range(rng.randint(4, 12))], rng)
        header, references = tagged_paper(paper)
        found[HEADERS] += header
        found[REFERENCES] += references
    return found


def tagged_paper(paper: DemoPaper) -> tuple[list[TaggedDocument], list[TaggedDocument]]:
    """A generated paper, read from its PDF -> its header and its references, each word with its field; what reading garbled is left out."""
    found = find_paper(read_pdf(paper.body))
    truth = {_compact(segment): [label for word, label in segment for _ in _bare(word)] for segment in paper.header}
    header = _tagged(whole_words(found.header), truth, found.body_size)
    references = []
    for words, reference in zip(paper.references, found.references, strict=False):
        labels = [label for word, label in words for _ in word]
        lines = without_mark(whole_words(reference.lines), reference.split)
        flat = "".join(word.text for line in lines for word in line.line.words)
        if flat == _compact(words):
            references.append(_with_labels(lines, iter(labels), found.body_size))
    return ([header] if header else []), references


def _bare(word: str) -> str:
    return word.replace("^", "")


def _compact(words: Sequence[Labelled]) -> str:
    return "".join(_bare(word) for word, _ in words)


def _tagged(lines: Sequence[PageLine], truth: dict[str, list[str]], body: float) -> TaggedDocument | None:
    """Lines whose letters stand in the truth, one segment or several side by side, in order."""
    letters = "".join(word.text for line in lines for word in line.line.words)
    labels: list[str] = []
    while len(labels) < len(letters):
        rest = letters[len(labels) :]
        match = max((text for text in truth if rest.startswith(text)), key=len, default="")
        if not match:
            return None
        labels += truth[match]
    return _with_labels(lines, iter(labels), body)


def _with_labels(lines: Sequence[PageLine], labels: Iterator[str], body: float) -> TaggedDocument:
    """Each word has the label of its first letter."""
    rows = tuple(tuple(_first_of(labels, len(word.text)) for word in line.line.words) for line in lines)
    return TaggedDocument(tuple(map(tuple, tagger_lines(lines, body))), rows)


def _first_of(labels: Iterator[str], count: int) -> str:
    """The first of so many labels; the others are passed over."""
    first, *_ = islice(labels, count)
    return first


def learnt(name: str, documents: Sequence[TaggedDocument]) -> bytes:
    """The file of a ready tagger, learnt from tagged papers."""
    return tagger_to_bytes(learnt_tagger(documents, name=name, lexicon=lexicon_of([]), recipe=RECIPES[name]))


def write_ready(folder: Path) -> dict[str, int]:
    """Learn all and write their files into a folder -> the name and the bytes of each."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = {}
    for name, documents in tagged_papers(PAPERS, SEED).items():
        body = learnt(name, documents)
        (folder / file_name(name)).write_bytes(body)
        sizes[name] = len(body)
    return sizes


if __name__ == "__main__":
    for written, size in write_ready(Path(__file__).parents[1] / "tag" / FOLDER).items():
        print(f"{written}: {size:,} bytes")  # noqa: T201 - it is a command
