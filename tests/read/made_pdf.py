"""Small PDFs made by hand, with words where they are wanted; and such as no reader should trust."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Piece(NamedTuple):
    """Text at a place: from the left and from the top, in points."""

    x: float
    y: float
    text: str
    size: float = 10.0
    bold: bool = False


HEIGHT = 792.0
WIDTH = 612.0


def made_pdf(pages: Sequence[Sequence[Piece]], *, title: str = "") -> bytes:
    """Pages of pieces -> a PDF, each piece written in the order given."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    fonts = "<< /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> /F2 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >> >>"
    kids = []
    for pieces in pages:
        stream = "\n".join(_shown(piece) for piece in pieces)
        objects.append(f"<< /Length {len(stream.encode('latin-1', 'replace'))} >>\nstream\n{stream}\nendstream")
        content = len(objects)
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {WIDTH:g} {HEIGHT:g}] /Contents {content} 0 R /Resources << /Font {fonts} >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    if title:
        objects.append(f"<< /Title ({_escaped(title)}) >>")
    return pdf_of(objects, info=len(objects) if title else 0)


def pdf_of(objects: Sequence[str | bytes], *, info: int = 0) -> bytes:
    """Objects, the first of which is the catalogue -> a PDF with its table."""
    body, offsets = b"%PDF-1.4\n", []
    for number, written in enumerate(objects, start=1):
        offsets.append(len(body))
        raw = written if isinstance(written, bytes) else written.encode("latin-1", "replace")
        body += b"%d 0 obj\n" % number + raw + b"\nendobj\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    more = b" /Info %d 0 R" % info if info else b""
    trailer = b"trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, more, len(body))
    return body + table + trailer


def _shown(piece: Piece) -> str:
    font = "F2" if piece.bold else "F1"
    return f"BT /{font} {piece.size:g} Tf {piece.x:g} {HEIGHT - piece.y:g} Td ({_escaped(piece.text)}) Tj ET"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


# --- what no reader should trust ---------------------------------------------------------------------------------


@cache
def broken_pdfs() -> dict[str, bytes]:
    """Name -> bytes of documents that are broken in one way each."""
    good = made_pdf([[Piece(72, 72, "A line of text that stands alone")]])
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"
    loop = good.replace(b"/Root 1 0 R", b"/Root 1 0 R /Prev %d" % good.rindex(b"xref\n0"))
    return {
        "empty.pdf": b"",
        "only_the_name.pdf": b"%PDF-1.7\n",
        "cut_in_the_middle.pdf": good[: len(good) // 2],
        "cut_before_the_table.pdf": good[: good.index(b"xref")],
        "table_in_a_loop.pdf": loop,
        "tree_in_a_loop.pdf": pdf_of(
            ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"]
        ),
        "no_pages.pdf": pdf_of(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [] /Count 0 >>"]),
        "claims_many_pages.pdf": pdf_of(
            ["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 2000000000 >>", page]
        ),
        "no_text.pdf": pdf_of(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", page]),
        "names_itself.pdf": pdf_of(["1 0 R"]),
        "deep_brackets.pdf": pdf_of(["[" * 20_000 + "]" * 20_000]),
        "unpacks_to_much.pdf": _bomb(),
        "not_a_pdf.pdf": b"<html>Not found</html>",
        "text_behind_the_name.pdf": b"%PDF-1.4\n" + b"\x00\xff" * 500,
        "locked.pdf": _locked(),
    }


def _bomb() -> bytes:
    """A page of thirty million blanks in less than a kilobyte: packed twice."""
    packed = zlib.compress(zlib.compress(b" " * 30_000_000, 9), 9)
    stream = b"<< /Length %d /Filter [/FlateDecode /FlateDecode] >>\nstream\n%s\nendstream" % (len(packed), packed)
    page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 3 0 R >>"
    return pdf_of(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [4 0 R] /Count 1 >>", stream, page])


def _locked() -> bytes:
    """Encrypted with a password that nobody knows: keys made of nothing."""
    key = "<" + "41" * 32 + ">"
    good = made_pdf([[Piece(72, 72, "Secret")]])
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /O {key} /U {key} /P -4 >> /ID [<41> <41>]"
    return good.replace(b"/Root 1 0 R", b"/Root 1 0 R " + lock.encode())


if __name__ == "__main__":
    folder = Path(__file__).parents[1] / "tag" / "broken"
    folder.mkdir(exist_ok=True)
    for name, written in broken_pdfs().items():
        (folder / name).write_bytes(written)
