"""PostScript -> PDF, by Ghostscript where it is installed: it is looked for, and never required."""

from __future__ import annotations

import resource
import shutil
import subprocess
import tempfile
from pathlib import Path

from trailmark.errors import DocumentError

PROGRAMS = ("gs", "ghostscript")
_OPTIONS = ("-dSAFER", "-dNOPAUSE", "-dBATCH", "-dQUIET", "-sDEVICE=pdfwrite", "-dAutoRotatePages=/None")
"""-dSAFER: a page of PostScript is a program, and may then touch no file but its own."""


def pdf_of_postscript(body: bytes, url: str, *, seconds: float, most: int) -> bytes:
    """PostScript -> the same as PDF, within a time and a size; DocumentError says why there is none."""
    program = ghostscript()
    if program is None:
        raise DocumentError(
            f"{url}: reading PostScript needs Ghostscript, which is not installed; install 'ghostscript'."
        )
    with tempfile.TemporaryDirectory(prefix="trailmark-ps-") as folder:
        source, target = Path(folder, "in.ps"), Path(folder, "out.pdf")
        source.write_bytes(body)
        command = [program, *_OPTIONS, f"-sOutputFile={target}", str(source)]
        try:
            ended = subprocess.run(  # noqa: S603 - the program is Ghostscript, and the file is our own copy
                command,
                timeout=seconds,
                capture_output=True,
                check=False,
                preexec_fn=lambda: _limit_files(most),
                cwd=folder,
            )
        except subprocess.TimeoutExpired as error:
            raise DocumentError(f"{url}: Ghostscript took more than {seconds:g} seconds; it was ended.") from error
        if ended.returncode or not target.exists():
            raise DocumentError(f"{url}: Ghostscript can't read it; it is broken, or no PostScript.")
        return target.read_bytes()


def ghostscript() -> str | None:
    """Where Ghostscript is installed, if it is."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)


def _limit_files(most: int) -> None:
    """In the process of Ghostscript: a file that grows beyond this ends it."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
