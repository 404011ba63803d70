"""Sheets of lines -> the bytes of a PDF: as much of the format as a paper needs, and no more.

A line is drawn in one go, its words side by side as the font sets them; only where a line begins is reckoned here. So widths of letters
need to be right on average alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 612.0, 792.0
"""Of a sheet, in points."""
FACES = ("Times-Roman", "Times-Bold", "Times-Italic", "Helvetica", "Helvetica-Bold", "Courier")
_NARROW, _WIDE = frozenset("iljt.,;:'|!()[]f- r"), frozenset("mwMW@—%")


@dataclass(frozen=True, slots=True)
class Run:
    """Words in one face and size; raised ones stand above the line."""

    text: str
    face: str = "Times-Roman"
    size: float = 10.0
    raised: bool = False


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """Runs that follow one another from a place on: from the left, and from the top to the foot of its letters."""

    x: float
    y: float
    runs: tuple[Run, ...]


def text_width(text: str, size: float, face: str = "Times-Roman") -> float:
    """How wide a text is, about."""
    if face == "Courier":
        return 0.6 * size * len(text)
    stretch = 1.1 if face.startswith("Helvetica") else 1.06 if "Bold" in face else 1.0
    return stretch * size * sum(_letter(letter) for letter in text)


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.3
    if letter in _WIDE:
        return 0.83
    return 0.68 if letter.isupper() else 0.47


def pdf_bytes(sheets: Sequence[Sequence[DrawnLine]], title: str = "") -> bytes:
    """Sheets of lines -> a PDF, the same bytes for the same lines."""
    fonts = "".join(
        f"/F{number} << /Type /Font /Subtype /Type1 /BaseFont /{face} /Encoding /WinAnsiEncoding >> "
        for number, face in enumerate(FACES)
    )
    kids = [f"{4 + 2 * number} 0 R" for number in range(len(sheets))]
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode(),
    ]
    for lines in sheets:
        packed = zlib.compress("\n".join(map(_drawn, lines)).encode("cp1252", "replace"))
        objects.append(b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed))
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH:g} {HEIGHT:g}] /Contents {len(objects)} 0 R "
            f"/Resources << /Font << {fonts}>> >> >>".encode()
        )
    objects.append(f"<< /Title ({_escaped(title)}) >>".encode("cp1252", "replace"))
    return _file(objects)


def _file(objects: Iterable[bytes]) -> bytes:
    """Objects, the first of which is the catalogue and the last of which tells the title -> a file with its table."""
    body, offsets = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, written)
    count = len(offsets)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (count + 1)
    tail = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count + 1, count, len(body))
    return body + head + table + tail


def _drawn(line: DrawnLine) -> str:
    parts = [f"BT {line.x:.1f} {HEIGHT - line.y:.1f} Td"]
    for run in line.runs:
        rise = 0.4 * run.size if run.raised else 0.0
        parts.append(f"/F{FACES.index(run.face)} {run.size:g} Tf {rise:g} Ts ({_escaped(run.text)}) Tj")
    return " ".join([*parts, "ET"])


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
