"""PostScript, packed or not, is read where Ghostscript is installed; where it is not, these tests say so and are skipped."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

from tests.read.made_pdf import Piece, made_pdf
from tests.read.test_other_documents import compressed
from trailmark.datatypes import Response
from trailmark.errors import DocumentError
from trailmark.tag.postscript import ghostscript
from trailmark.tag.read_document import read_document

pytestmark = pytest.mark.skipif(
    ghostscript() is None, reason="Ghostscript is not installed: PostScript can't be read here"
)


@pytest.fixture(scope="module")
def postscript(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder: Path = tmp_path_factory.mktemp("ps")
    (folder / "in.pdf").write_bytes(made_pdf([[Piece(72, 80, "Walks of sites", 18), Piece(72, 120, "Ada Lovelace")]]))
    command = [
        str(ghostscript()),
        "-dSAFER",
        "-dBATCH",
        "-dNOPAUSE",
        "-q",
        "-sDEVICE=ps2write",
        "-sOutputFile=out.ps",
        "in.pdf",
    ]
    subprocess.run(command, cwd=folder, check=True, timeout=60)
    return (folder / "out.ps").read_bytes()


def words(name: str, body: bytes) -> list[str]:
    document = read_document(Response(f"http://a.example/{name}", 200, body=body))
    assert document.kind == "postscript"
    return [word.text for sheet in document.pages for line in sheet.lines for word in line.words]


def test_postscript_and_gzip(postscript: bytes) -> None:
    assert words("a.ps", postscript) == ["Walks", "of", "sites", "Ada", "Lovelace"]
    assert words("a.ps.gz", gzip.compress(postscript)) == words("a.ps", postscript)


def test_compress(postscript: bytes) -> None:
    assert words("a.ps.Z", compressed(postscript)) == words("a.ps", postscript)
    assert words("a.ps.Z", compressed(postscript, clear_after=900)) == words("a.ps", postscript)


def test_a_broken_packed_file_says_so(postscript: bytes) -> None:
    with pytest.raises(DocumentError, match="packed with compress, and broken; fetch it again"):
        words("a.ps.Z", b"\x1f\x9d\x90" + b"\xff" * 400)
