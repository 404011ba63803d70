"""Masked shingle vectors: k of 8 bytes are told, the others are wild cards (Vertex, section III-A)."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

VECTOR_LENGTH = 8
MOST_WILD = 2

# Fewest wild cards first, then wild cards as far right as they go: among candidates of equal count the first is taken.
MASKS: tuple[tuple[int, ...], ...] = tuple(
    wild for count in range(MOST_WILD + 1) for wild in sorted(combinations(range(VECTOR_LENGTH), count), reverse=True)
)
"""Places of the wild cards of the 37 candidates that cover a vector."""


def masked_values(vectors: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """(vectors, masks): each vector under each mask as one number, with zeros for wild cards."""
    whole = np.ascontiguousarray(vectors, dtype=np.uint8).view(">u8").astype(np.uint64).reshape(-1, 1)
    keep = np.array([_kept_bits(wild) for wild in MASKS], dtype=np.uint64)
    values: NDArray[np.uint64] = whole & keep
    return values


def written(vector: bytes, wild: tuple[int, ...]) -> str:
    """As a person sees it: `1.*.4.0.7.7.*.2`."""
    return ".".join("*" if place in wild else str(byte) for place, byte in enumerate(vector))


def covers(mask: str, vector: bytes) -> bool:
    """Whether a written masked vector covers a vector."""
    parts = mask.split(".")
    return len(parts) == len(vector) and all(part in ("*", str(byte)) for part, byte in zip(parts, vector, strict=True))


def _kept_bits(wild: tuple[int, ...]) -> int:
    return int.from_bytes(bytes(0 if place in wild else 255 for place in range(VECTOR_LENGTH)), "big")
