"""What is a paper, and what is none: precision and recall of the test on PDFs that a person judged, and on documents that are none.

Those that are none are pages of the generated web, and slides, invoices, forms and lists that are set here as PDFs.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from trailmark.datatypes import Document
from trailmark.demo import DemoWeb
from trailmark.demo.pdf_writer import DrawnLine, Run, pdf_bytes
from trailmark.demo.prose import citation, paragraph
from trailmark.errors import DocumentError
from trailmark.read.html_document import read_html
from trailmark.read.pdf_document import read_pdf
from trailmark.tag.paper import find_paper

EACH = 20
"""Documents of each kind that is set here."""
PAGES = 250
"""Pages of the generated web."""


def no_papers() -> Iterator[tuple[str, Document]]:
    """(kind, document) of documents that are none."""
    for kind, lines_of in (
        ("slides", _slides),
        ("invoices", _invoice),
        ("forms", _form),
        ("lists of publications", _list),
    ):
        for number in range(EACH):
            sheets = lines_of(Random(f"{kind}/{number}"))
            yield kind, read_pdf(pdf_bytes(sheets))
    yield from (("pages of the generated web", page) for page in _pages())


def _pages() -> Iterator[Document]:
    read = 0
    for site in DemoWeb(sites=3, seed=5):
        for response in site.responses():
            if response.status == 200 and response.content_type.startswith("text/html") and read < PAGES:
                try:
                    document = read_html(response.body, response.url, response.header("content-type"))
                except DocumentError:
                    continue
                read += 1
                yield document


def measured(judged: list[tuple[bool, bool]]) -> dict[str, Any]:
    """(is a paper, was called one) of the PDFs that a person judged -> the table, with documents that are none beside them."""
    kinds = {
        "papers": _row([called for true, called in judged if true], wanted=True),
        "other PDFs beside them": _row([called for true, called in judged if not true], wanted=False),
    }
    found: dict[str, list[bool]] = {}
    for kind, document in no_papers():
        found.setdefault(kind, []).append(find_paper(document).is_paper)
    kinds |= {kind: _row(called, wanted=False) for kind, called in found.items()}
    hits = kinds["papers"]["right"]
    called = sum(row["called_papers"] for row in kinds.values())
    return {
        "precision": hits / called if called else 0.0,
        "recall": hits / max(kinds["papers"]["documents"], 1),
        "kinds": kinds,
    }


def _row(called: list[bool], *, wanted: bool) -> dict[str, int]:
    return {"documents": len(called), "called_papers": sum(called), "right": sum(each == wanted for each in called)}


def _line(y: float, text: str, size: float = 11.0, face: str = "Helvetica", x: float = 72.0) -> DrawnLine:
    return DrawnLine(x, y, (Run(text, face, size),))


def _slides(rng: Random) -> list[list[DrawnLine]]:
    """A talk: few words a sheet, an outline that says Introduction, and at its end some references."""
    sheets = [
        [
            _line(300, paragraph(rng, "course", sentences=1)[:40], 26.0, "Helvetica-Bold"),
            _line(360, "Ada Fairbourne", 16.0),
        ]
    ]
    sheets.append(
        [
            _line(100, "Outline", 24.0, "Helvetica-Bold"),
            *(
                _line(150 + 40 * n, word, 18.0)
                for n, word in enumerate(("Introduction", "Method", "Results", "Conclusion"))
            ),
        ]
    )
    for _ in range(rng.randint(4, 12)):
        points = [paragraph(rng, "page", sentences=1)[:60] for _ in range(4)]
        sheets.append(
            [
                _line(100, points[0][:25], 24.0, "Helvetica-Bold"),
                *(_line(170 + 50 * n, f"- {text}", 16.0) for n, text in enumerate(points[1:])),
            ]
        )
    sheets.append([_line(300, "Thank you! Questions?", 28.0, "Helvetica-Bold")])
    return sheets


def _invoice(rng: Random) -> list[list[DrawnLine]]:
    rows = [
        f"{n + 1}  {rng.choice(('Paper', 'Toner', 'Service', 'Cable'))}  {rng.randint(1, 9)}  {rng.randint(2, 90)}.50"
        for n in range(rng.randint(4, 20))
    ]
    lines = [
        _line(80, f"Invoice No. {rng.randint(1000, 9999)}", 18.0, "Helvetica-Bold"),
        _line(110, "Summary"),
        _line(130, f"Date: 3 May {rng.randint(1990, 2015)}"),
    ]
    return [
        [
            *lines,
            *(_line(160 + 16 * n, row) for n, row in enumerate(rows)),
            _line(620, "Reference: please quote the number of this invoice."),
        ]
    ]


def _form(rng: Random) -> list[list[DrawnLine]]:
    names = ("Name", "Address", "Date of birth", "Course", "References", "Signature", "Abstract of your project")
    lines = [_line(80, "Application form", 18.0, "Helvetica-Bold")]
    for number, name in enumerate(rng.sample(names, len(names))):
        lines += [_line(130 + 60 * number, name, 11.0, "Helvetica-Bold"), _line(150 + 60 * number, "." * 60)]
    return [lines]


def _list(rng: Random) -> list[list[DrawnLine]]:
    """A curriculum with its publications: references alone make no paper."""
    lines = [_line(80, "Publications", 16.0, "Helvetica-Bold")]
    for number in range(rng.randint(6, 22)):
        text = citation(rng, "A. Fairbourne")
        lines += [
            _line(110 + 28 * number, f"[{number + 1}] {text[:80]}", 9.0),
            _line(122 + 28 * number, text[80:] or "1999.", 9.0, x=90.0),
        ]
    return [lines]
