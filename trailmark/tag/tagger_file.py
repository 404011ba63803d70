"""A tagger as bytes and back: numpy arrays and JSON in one zip, versioned; no pickle, so that a file can't run code."""

from __future__ import annotations

import io
import json
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from trailmark.errors import InputError
from trailmark.quoting import json_text, reason_text
from trailmark.sequence import HMM
from trailmark.sequence.array_file import arrays_in
from trailmark.sequence.block_crf import BlockCRF
from trailmark.tag.crf_tagger import CrfTagger
from trailmark.tag.feature_blocks import STEP_KINDS, VIEWS, Vocabulary, Window
from trailmark.tag.hmm_tagger import HmmTagger
from trailmark.tag.lexicon import Lexicon
from trailmark.tag.line_chain import LINE_BLOCKS, LINE_KINDS, TOLD_STEPS, LineChain

VERSION = 3
"""2: words of a paragraph are looked at too. 3: there may be a chain over lines below that over words, and more states than labels."""
OLDEST = 2
"""Of a conditional random field that can still be read."""
MOST_LABELS = 100
"""Learning takes their number squared."""
WIDEST = 20
_CHAIN = ("state", "sizes", "edges", "start")
_ARRAYS = ("head", *_CHAIN)
_LINES = tuple(f"lines_{name}" for name in _CHAIN)
"""Of the chain over lines, where there is one."""
_DAMAGE = (
    ValueError, KeyError, TypeError, IndexError, OverflowError, RecursionError, MemoryError, OSError, EOFError,
    RuntimeError, SyntaxError, AttributeError, tokenize.TokenError, struct.error, zipfile.BadZipFile, zlib.error,
)  # fmt: skip
"""What a damaged or crafted file may raise on its way through zip, npy and JSON."""


def tagger_to_bytes(tagger: CrfTagger | HmmTagger) -> bytes:
    """The file's content, the same for the same tagger; weights are kept in single precision."""
    head: dict[str, Any] = {"format": "trailmark tagger", "version": VERSION, "name": tagger.name}
    head["labels"] = tagger.labels
    if tagger.pieces:
        head["pieces"] = True
    if isinstance(tagger, CrfTagger):
        window = tagger.window
        head |= {"model": "crf", "states": tagger.states, "window": [window.words, window.near, window.lines]}
        head |= {"views": {view: tagger.vocabulary.names[view] for view in VIEWS}, "lexicon": dict(tagger.lexicon.uses)}
        arrays = tagger.model.to_arrays()
        if tagger.below is not None:
            arrays |= {f"lines_{name}": array for name, array in tagger.below.model.to_arrays().items()}
    else:
        head |= {"model": "hmm", "states": tagger.states, "words": tagger.words}
        own = tagger.model.to_arrays()
        arrays = {"state": own["state"], "sizes": np.array([len(own["state"])]), "edges": own["edge"][None]}
        arrays["start"] = own["start"]
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as file:
        _put(file, "head", np.frombuffer(json_text(head).encode(), dtype=np.uint8))
        for name in (*_CHAIN, *(name for name in _LINES if name in arrays)):
            _put(file, name, arrays[name].astype(np.float32) if arrays[name].dtype == np.float64 else arrays[name])
    return stream.getvalue()


def tagger_from_bytes(content: bytes, *, source: str = "the tagger") -> CrfTagger | HmmTagger:
    """The tagger of a file; raises InputError where it is not one, or is of a newer version."""
    try:
        arrays = dict(arrays_in(content, _ARRAYS, more=_LINES))
        head = json.loads(arrays.pop("head").tobytes())
        if not isinstance(head, dict) or head.get("format") != "trailmark tagger":
            raise InputError(f"{source} is not a tagger.")
        if not isinstance(head["version"], int) or head["version"] > VERSION:
            raise InputError(f"{source} was made by a newer Trailmark; learn it again or upgrade.")
        if head["version"] < OLDEST and head["model"] == "crf":
            raise InputError(f"{source} was made by an older Trailmark; learn it again from tagged text.")
        if any(array.dtype.kind == "f" and not np.isfinite(array).all() for array in arrays.values()):
            raise ValueError("some weights are no numbers")
        return replace(_tagger(head, arrays), pieces=head.get("pieces") is True)
    except _DAMAGE as error:
        damage = reason_text(error, 200)
        raise InputError(f"{source} is damaged or not a tagger ({damage}); learn it again from tagged text.") from error


def _tagger(head: dict[str, Any], arrays: dict[str, Any]) -> CrfTagger | HmmTagger:
    name, labels = head["name"], _texts(head["labels"])
    if not isinstance(name, str) or not labels or len(set(labels)) < len(labels) or len(labels) > MOST_LABELS:
        raise ValueError("its name or its labels are none")
    chain = BlockCRF.from_arrays({name: arrays[name] for name in _CHAIN})
    below = None
    if _LINES[0] in arrays:
        below = LineChain(BlockCRF.from_arrays({name: arrays[f"lines_{name}"] for name in _CHAIN}))
    if head["model"] == "crf":
        return _crf(name, labels, head, chain, below)
    if head["model"] == "hmm" and below is None:
        return _hmm(name, labels, head, chain)
    raise ValueError("its kind of model is not known")


def _crf(
    name: str, labels: tuple[str, ...], head: dict[str, Any], chain: BlockCRF, below: LineChain | None
) -> CrfTagger:
    sides = head["window"]
    if len(sides) != 3 or any(type(side) is not int or not 0 <= side <= WIDEST for side in sides):
        raise ValueError("its window is none")
    window = Window(*sides)
    vocabulary = Vocabulary({view: _texts(head["views"][view]) for view in VIEWS})
    wanted = [len(vocabulary.names[view]) for view, _ in window.blocks]
    states = _texts(head["states"]) if "states" in head else labels
    if set(states) != set(labels) or len(states) > 2 * MOST_LABELS:
        raise ValueError("its states are not those of its labels")
    if below is not None:
        wanted += [len(labels)] * len(TOLD_STEPS)
        lines = [len(vocabulary.names[view]) for view, _ in LINE_BLOCKS]
        if not window.lines or not _fits(below.model, lines, len(labels), LINE_KINDS):
            raise ValueError("weights of lines and words do not fit")
    if not _fits(chain, wanted, len(states), STEP_KINDS):
        raise ValueError("weights and words do not fit")
    uses = {_text(word): _texts(found) for word, found in head["lexicon"].items()}
    return CrfTagger(name, labels, states, window, Lexicon(uses), vocabulary, chain, below)


def _fits(chain: BlockCRF, blocks: Sequence[int], states: int, kinds: int) -> bool:
    """Whether a chain has these features in its blocks, and so many states and kinds of steps."""
    return [len(block) for block in chain.state_] == list(blocks) and (chain.n_states, chain.n_kinds) == (states, kinds)


def _hmm(name: str, labels: tuple[str, ...], head: dict[str, Any], chain: BlockCRF) -> HmmTagger:
    states, words = _texts(head["states"]), _texts(head["words"])
    fits = chain.n_states == len(states) and chain.n_kinds == 1 and len(chain.state_) == 1
    if not fits or not words or len(chain.state_[0]) != len(words) + 1:
        raise ValueError("weights and words do not fit")
    own = {"state": chain.state_[0], "edge": chain.edges_[0], "start": chain.start_}
    return HmmTagger(name, labels, states, words, HMM.from_arrays(own))


def _put(file: zipfile.ZipFile, name: str, array: Any) -> None:
    """One array, without the hour at which it was written."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.ascontiguousarray(array), allow_pickle=False)
    member = zipfile.ZipInfo(f"{name}.npy")
    member.compress_type = zipfile.ZIP_DEFLATED
    file.writestr(member, stream.getvalue())


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError("a list of words is none")
    return tuple(_text(text) for text in value)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{str(value)[:40]!r} stands where a word should")
    return value
