"""A navigator as bytes and back: numpy arrays and JSON in one zip, versioned; no pickle, so that a file can't run code.

What a file claims is checked before memory is taken for it: a crafted one is refused in a sentence.
"""

from __future__ import annotations

import io
import json
import struct
import tokenize
import zipfile
import zlib
from dataclasses import asdict
from typing import Any, get_args

import numpy as np

from trailmark.errors import InputError
from trailmark.learn.encoding import Encoding
from trailmark.learn.label_space import FAIL, GOAL, LabelSpace
from trailmark.learn.navigator import Navigator
from trailmark.learn.recipe import Recipe, Scheme
from trailmark.learn.vocabulary import Vocabulary
from trailmark.quoting import json_text, reason_text
from trailmark.sequence import CRF
from trailmark.sequence.array_file import arrays_in

VERSION = 1
MOST_LABELS = 2_000
_NAMES = ("head", "rewards", "edges", "state", "edge", "start", "conditioned", "sharing", "forbidden")
_DAMAGE = (
    ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError, MemoryError, OSError, EOFError,
    RuntimeError, SyntaxError, tokenize.TokenError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What a damaged or crafted file may raise on its way through zip, npy and JSON."""


def navigator_to_bytes(navigator: Navigator) -> bytes:
    """The file's content. Weights are kept in single precision: half the size, and no score moves in the sixth digit."""
    space = navigator.encoding.space
    names = navigator.encoding.vocabulary.names()
    head = {
        "format": "trailmark navigator",
        "version": VERSION,
        "goal": navigator.goal_name,
        "recipe": asdict(navigator.recipe),
        "labels": space.labels,
        "by_distance": space.by_distance,
        "groups": [group for group, _ in names],
        "words": [word for _, word in names],
    }
    arrays = {name: _single(array) for name, array in navigator.model.to_arrays().items()}
    stream = io.BytesIO()
    np.savez_compressed(
        stream,
        head=np.frombuffer(json_text(head).encode(), dtype=np.uint8),
        rewards=navigator.rewards,
        edges=navigator.model.edges_,
        **arrays,
    )
    return stream.getvalue()


def navigator_from_bytes(content: bytes, *, source: str = "the navigator") -> Navigator:
    """The navigator of a file; raises InputError where it is not one, or is of a newer version."""
    try:
        arrays = dict(arrays_in(content, _NAMES))
        head = json.loads(arrays.pop("head").tobytes())
        if not isinstance(head, dict) or head.get("format") != "trailmark navigator":
            raise InputError(f"{source} is not a navigator.")
        if _checked(head["version"], int) > VERSION:
            raise InputError(f"{source} was made by a newer Trailmark; learn again or upgrade.")
        return _navigator(head, arrays)
    except _DAMAGE as error:
        damage = reason_text(error, 200)
        raise InputError(
            f"{source} is damaged or not a navigator ({damage}); learn it again with: trailmark learn"
        ) from error


def _navigator(head: dict[str, Any], arrays: dict[str, Any]) -> Navigator:
    recipe = _recipe(_checked(head["recipe"], dict))
    labels, groups, words = (_texts(head[name]) for name in ("labels", "groups", "words"))
    if len(set(labels)) < len(labels) or not {GOAL, FAIL} <= set(labels) or len(labels) > MOST_LABELS:
        raise ValueError("its labels are not those of a navigator")
    columns: dict[str, dict[str, int]] = {}
    for number, (group, word) in enumerate(zip(groups, words, strict=True)):
        columns.setdefault(group, {})[word] = number
    space = LabelSpace(labels, by_distance=_checked(head["by_distance"], bool))
    encoding = Encoding(space, Vocabulary(columns, len(words)), recipe.scheme, marginalise=recipe.marginalise)
    _check_shapes({name: array.shape for name, array in arrays.items()}, encoding)
    if any(np.isnan(array).any() for array in arrays.values()):
        raise ValueError("some weights are no numbers")
    rewards, edges = arrays.pop("rewards"), arrays.pop("edges")
    model = CRF.from_arrays(arrays)
    model.edges_ = np.asarray(edges, dtype=np.float64)
    return Navigator(recipe, encoding, model, np.asarray(rewards, dtype=np.float64), _checked(head["goal"], str))


def _check_shapes(shapes: dict[str, tuple[int, ...]], encoding: Encoding) -> None:
    """Weights, words and labels must fit each other: nothing is made of them before."""
    states, words = encoding.n_states, encoding.vocabulary.size
    square, sharing = (states, states), shapes["sharing"]
    shared = len(sharing) == 2 and sharing[1] == states and sharing[0] > 0
    wanted: dict[str, list[tuple[int, ...]]] = {
        "state": [(words, sharing[0] if shared else states)],
        "edge": [square],
        "edges": [square],
        "start": [(states,)],
        "conditioned": [(*shapes["conditioned"][:1], *square)],
        "sharing": [(0, 0), sharing if shared else (0, 0)],
        "forbidden": [(0, 0), square],
        "rewards": [(encoding.space.size,)],
    }
    for name, allowed in wanted.items():
        if shapes[name] not in allowed:
            raise ValueError(f"weights and words do not fit: {name}")


def _recipe(values: dict[str, Any]) -> Recipe:
    """The recipe, each part of the kind that it has by default."""
    known = asdict(Recipe())
    for name, value in values.items():
        kind = type(known[name])
        _checked(value, (int, float) if kind is float else kind)
    if values.get("scheme", "page") not in get_args(Scheme):
        raise ValueError("its scheme is not known")
    return Recipe(**values)


def _checked(value: Any, kind: Any) -> Any:
    """The value, where it is of that kind; a truth value is no number."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{str(value)[:40]!r} stands where it can't")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(_checked(text, str) for text in _checked(value, list))


def _single(array: Any) -> Any:
    return array.astype(np.float32) if array.dtype == np.float64 else array
