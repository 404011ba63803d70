"""A navigator as bytes and back: numpy arrays and JSON in one zip, versioned; no pickle, so that a file can't run code."""

from __future__ import annotations

import io
import json
import zipfile
import zlib
from dataclasses import asdict
from typing import Any

import numpy as np

from trailmark.errors import InputError
from trailmark.learn.encoding import Encoding
from trailmark.learn.label_space import LabelSpace
from trailmark.learn.navigator import Navigator
from trailmark.learn.recipe import Recipe
from trailmark.learn.vocabulary import Vocabulary
from trailmark.quoting import json_text
from trailmark.sequence import CRF

VERSION = 1


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
    kept = io.BytesIO()
    np.savez_compressed(
        kept,
        head=np.frombuffer(json_text(head).encode(), dtype=np.uint8),
        rewards=navigator.rewards,
        edges=navigator.model.edges_,
        **arrays,
    )
    return kept.getvalue()


def navigator_from_bytes(content: bytes, *, source: str = "the navigator") -> Navigator:
    """The navigator of a file; raises InputError where it is not one, or is of a newer version."""
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = json.loads(arrays.pop("head").tobytes())
        if head["format"] != "trailmark navigator":
            raise InputError(f"{source} is not a navigator.")
        if head["version"] > VERSION:
            raise InputError(f"{source} was made by a newer Trailmark; learn again or upgrade.")
        return _navigator(head, arrays)
    except (
        ValueError,
        KeyError,
        TypeError,
        OSError,
        EOFError,
        NotImplementedError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise InputError(
            f"{source} is damaged or not a navigator ({error}); learn it again with: trailmark learn"
        ) from error


def _navigator(head: dict[str, Any], arrays: dict[str, Any]) -> Navigator:
    recipe = Recipe(**head["recipe"])
    columns: dict[str, dict[str, int]] = {}
    for number, (group, word) in enumerate(zip(head["groups"], head["words"], strict=True)):
        columns.setdefault(group, {})[word] = number
    vocabulary = Vocabulary(columns, len(head["words"]))
    space = LabelSpace(tuple(head["labels"]), by_distance=head["by_distance"])
    encoding = Encoding(space, vocabulary, recipe.scheme, marginalise=recipe.marginalise)
    rewards, edges = arrays.pop("rewards"), arrays.pop("edges")
    model = CRF.from_arrays(arrays)
    model.edges_ = np.asarray(edges, dtype=np.float64)
    if model.state_weights_.shape != (vocabulary.size, encoding.n_states):
        raise ValueError("weights and words do not fit")
    return Navigator(recipe, encoding, model, np.asarray(rewards, dtype=np.float64), head["goal"])


def _single(array: Any) -> Any:
    return array.astype(np.float32) if array.dtype == np.float64 else array
