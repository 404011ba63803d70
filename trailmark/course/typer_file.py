"""A typer as bytes and back: numpy arrays and JSON in one zip, versioned; no pickle, so that a file can't run code."""

from __future__ import annotations

import io
import json
import struct
import tokenize
import zipfile
import zlib
from typing import Any

import numpy as np

from trailmark.course.item_typer import STEPS, ItemTyper
from trailmark.course.type_word import TYPES
from trailmark.errors import InputError
from trailmark.quoting import json_text, reason_text
from trailmark.sequence.array_file import arrays_in
from trailmark.sequence.tied_crf import TiedCRF

VERSION = 1
_FORMAT = "trailmark item typer"
_ARRAYS = ("head", "free", "tied", "stay", "edges")
_DAMAGE = (
    ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError, MemoryError, OSError, EOFError,
    RuntimeError, SyntaxError, AttributeError, tokenize.TokenError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What a damaged or crafted file may raise on its way through zip, npy and JSON."""


def typer_to_bytes(typer: ItemTyper) -> bytes:
    """The file's content, the same for the same typer; weights are kept in single precision."""
    head = {
        "format": _FORMAT,
        "version": VERSION,
        "types": TYPES,
        "clues": [list(clue) for clue in typer.free],
        "rules": list(typer.tied),
    }
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        _put(file, "head", np.frombuffer(json_text(head).encode(), dtype=np.uint8))
        for name, array in typer.model.to_arrays().items():
            _put(file, name, array.astype(np.float32))
    return stream.getvalue()


def typer_from_bytes(content: bytes, *, source: str = "the typer") -> ItemTyper:
    """The typer of a file; raises InputError where it is not one, or is of another version."""
    try:
        arrays = dict(arrays_in(content, _ARRAYS))
        head = json.loads(arrays.pop("head").tobytes())
        if not isinstance(head, dict) or head.get("format") != _FORMAT:
            raise InputError(f"{source} is not a typer of course items.")
        if head["version"] != VERSION or tuple(head["types"]) != TYPES:
            raise InputError(f"{source} was made by another version of Trailmark; learn it again from typed courses.")
        return _typer(head, TiedCRF.from_arrays(arrays))
    except _DAMAGE as error:
        damage = reason_text(error, 200)
        raise InputError(
            f"{source} is damaged or not a typer ({damage}); learn it again from typed courses."
        ) from error


def _typer(head: dict[str, Any], model: TiedCRF) -> ItemTyper:
    free = {(_text(name), _text(kind)): number for number, (name, kind) in enumerate(head["clues"])}
    tied = {_text(name): number for number, name in enumerate(head["rules"])}
    shapes = (len(head["clues"]), len(head["rules"]), len(TYPES), STEPS)
    if (len(free), len(tied)) != shapes[:2] or (
        len(model.free_),
        len(model.tied_),
        model.n_states,
        model.n_kinds,
    ) != shapes:
        raise ValueError("weights and clues do not fit")
    return ItemTyper(free, tied, model)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{str(value)[:40]!r} stands where a text should")
    return value


def _put(file: zipfile.ZipFile, name: str, array: Any) -> None:
    """One array, without the hour at which it was written."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
    member = zipfile.ZipInfo(f"{name}.npy")
    member.compress_type = zipfile.ZIP_DEFLATED
    file.writestr(member, stream.getvalue())
