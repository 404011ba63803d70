"""Named arrays in a zip, as numpy writes them -> arrays, with every bound checked before memory is taken for it.

A file of a few megabytes can claim gigabytes: what each member says of itself is compared with what it holds.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.lib import format as npy

MOST_BYTES = 256_000_000
"""Of all arrays together, unpacked: ten times the largest navigator that the settings allow to be learnt."""
_KINDS = "fiub"
_HEADS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def arrays_in(
    content: bytes, names: Collection[str], *, more: Collection[str] = (), most: int = MOST_BYTES
) -> Mapping[str, npt.NDArray[Any]]:
    """The arrays of these names, and all those of `more` or none of them; raises ValueError, or what `zipfile` raises, where they are not there."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        members = file.infolist()
        held = sorted(member.filename for member in members)
        if held not in [sorted(f"{name}.npy" for name in wanted) for wanted in (names, (*names, *more))]:
            raise ValueError("it holds other arrays than it should")
        if sum(member.file_size for member in members) > most:
            raise ValueError(f"it unpacks to more than {most:,} bytes")
        return {member.filename.removesuffix(".npy"): _array(file.read(member)) for member in members}


def _array(member: bytes) -> npt.NDArray[Any]:
    """One array, of plain numbers only."""
    stream = io.BytesIO(member)
    head = _HEADS.get(npy.read_magic(stream))
    if head is None:
        raise ValueError("an array of a version that is not known")
    shape, by_column, dtype = head(stream)
    if dtype.kind not in _KINDS or dtype.itemsize > 8 or dtype.subdtype is not None:
        raise ValueError("an array of something else than numbers")
    if len(shape) > 3 or any(side < 0 for side in shape):
        raise ValueError("an array of no sensible shape")
    if math.prod(shape) * dtype.itemsize != len(member) - stream.tell():
        raise ValueError("an array is longer or shorter than it says")
    numbers = np.frombuffer(member, dtype, offset=stream.tell())
    return numbers.reshape(shape, order="F" if by_column else "C")
