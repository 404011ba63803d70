"""What was learnt of topics <-> bytes of a file, so that an item which comes later is placed without learning again."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import numpy as np
import numpy.typing as npt

from trailmark.errors import InputError
from trailmark.organise.topic_model import TopicModel
from trailmark.organise.topic_tree import TopicTree
from trailmark.organise.word_counts import Vocabulary
from trailmark.sequence.array_file import arrays_in

_NAMES = ("log_words", "log_prior", "keyword_weights", "words", "evidence")


def topic_model_bytes(model: TopicModel) -> bytes:
    """A model -> the bytes of its file; its tree rests in topics.json."""
    words = sorted(model.vocabulary.columns, key=model.vocabulary.columns.__getitem__)
    text = np.frombuffer(json.dumps(words).encode(), dtype=np.uint8)
    file = io.BytesIO()
    arrays: dict[str, npt.NDArray[Any]] = {
        "log_words": model.log_words.astype(np.float32),
        "log_prior": model.log_prior,
        "keyword_weights": model.keyword_weights,
        "words": text,
        "evidence": np.array([model.evidence]),
    }
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in _NAMES:
            member = io.BytesIO()
            np.save(member, arrays[name], allow_pickle=False)
            # A date of its own, so that the same model is the same bytes.
            packed.writestr(
                zipfile.ZipInfo(f"{name}.npy", (2000, 1, 1, 0, 0, 0)), member.getvalue(), zipfile.ZIP_DEFLATED
            )
    return file.getvalue()


def topic_model_from_bytes(content: bytes, tree: TopicTree, source: str) -> TopicModel:
    """The bytes of a file and the tree it was learnt for -> the model; InputError where it is none of that tree."""
    try:
        arrays = arrays_in(content, _NAMES, most=2_000_000_000)
        words = json.loads(arrays["words"].tobytes())
        columns = {str(word): column for column, word in enumerate(words)}
        log_words = np.asarray(arrays["log_words"], dtype=np.float64)
        if log_words.shape != (len(tree.leaves) + 1, len(columns)):
            raise ValueError("it was learnt for other topics")
        prior, weights = (np.asarray(arrays[name], dtype=np.float64) for name in ("log_prior", "keyword_weights"))
        return TopicModel(tree, Vocabulary(columns), log_words, prior, weights, float(arrays["evidence"][0]))
    except (ValueError, KeyError, IndexError, TypeError, OSError, RecursionError, zipfile.BadZipFile) as error:
        raise InputError(f"{source} can't be read as topics ({error}): run trailmark organise --again") from error
