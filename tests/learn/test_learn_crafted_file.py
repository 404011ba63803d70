"""Navigators that were damaged or made up: one sentence, whatever they hold, and no memory for what they only claim."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trailmark.datatypes import Page
from trailmark.errors import InputError
from trailmark.learn.example import Example
from trailmark.learn.learner import make_navigator
from trailmark.learn.navigator import Navigator
from trailmark.learn.navigator_file import navigator_from_bytes, navigator_to_bytes
from trailmark.learn.recipe import Recipe
from trailmark.sequence.array_file import arrays_in


@pytest.fixture(scope="module")
def members(taught: list[Example]) -> dict[str, bytes]:
    navigator = make_navigator(taught[:12], Recipe(max_iterations=15), goal="publications")
    with zipfile.ZipFile(io.BytesIO(navigator_to_bytes(navigator))) as file:
        return {name: file.read(name) for name in file.namelist()}


def _zip(members: dict[str, bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", packing) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return kept.getvalue()


def _npy(array: Any, **more: Any) -> bytes:
    kept = io.BytesIO()
    np.save(kept, array, **more)
    return kept.getvalue()


def _claiming(shape: tuple[int, ...], dtype: str = "<f4") -> bytes:
    """The head of an array of that shape, and nothing behind it."""
    kept = io.BytesIO()
    np.lib.format.write_array_header_1_0(kept, {"descr": dtype, "fortran_order": False, "shape": shape})
    return kept.getvalue()


def _refused(content: bytes) -> str:
    with pytest.raises(InputError) as caught:
        navigator_from_bytes(content, source="models/navigator.npz")
    said = str(caught.value)
    assert said.startswith("models/navigator.npz ")
    assert "\n" not in said
    return said


def _with_head(members: dict[str, bytes], change: Callable[[dict[str, Any]], Any]) -> bytes:
    head = json.loads(np.load(io.BytesIO(members["head.npy"])).tobytes())
    changed = change(head)
    text = json.dumps(head if changed is None else changed).encode()
    return _zip({**members, "head.npy": _npy(np.frombuffer(text, dtype=np.uint8))})


ARRAYS = {
    "claims terabytes": ("state.npy", _claiming((10**6, 10**6))),
    "claims more than an index can hold": ("state.npy", _claiming((2**62, 2**62))),
    "claims sides without an end": ("edge.npy", _claiming((0, 10**12))),
    "claims a negative side": ("edge.npy", _claiming((-1, 4))),
    "objects": ("state.npy", _npy(np.array([{}], dtype=object), allow_pickle=True)),
    "texts": ("state.npy", _npy(np.array(["x"]))),
    "records": ("state.npy", _npy(np.zeros(2, dtype=[("a", "f4")]))),
    "no numbers": ("rewards.npy", _npy(np.array(["nan"]))),
    "a number alone": ("edge.npy", _npy(np.float32(1))),
    "four sides": ("conditioned.npy", _npy(np.zeros((1, 1, 1, 1)))),
    "another shape": ("edges.npy", _npy(np.zeros((3, 5)))),
    "no array": ("start.npy", b"hello"),
    "nothing": ("start.npy", b""),
    "a head that is no head": ("start.npy", b"\x93NUMPY\x01\x00\x10\x00" + b"(" * 16),
    "a head that is too deep": ("start.npy", b"\x93NUMPY\x01\x00\x70\x17" + b"(" * 6000),
    "an unknown version": ("start.npy", b"\x93NUMPY\x09\x00"),
    "another name": ("extra.npy", _npy(np.zeros(1))),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", ARRAYS)
def test_crafted_arrays_are_refused(members: dict[str, bytes], what: str) -> None:
    name, array = ARRAYS[what]
    assert "learn it again" in _refused(_zip({**members, name: array}))


HEADS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a list": lambda head: [head],
    "no format": lambda head: head.pop("format") and None,
    "a text for a version": lambda head: head.update(version="1"),
    "truth for a version": lambda head: head.update(version=True),
    "labels that are no texts": lambda head: head.update(labels=[1] * len(head["labels"])),
    "one label": lambda head: head.update(labels="goal"),
    "the same label twice": lambda head: head.update(labels=[head["labels"][0]] * len(head["labels"])),
    "no goal": lambda head: head.update(labels=[f"l{n}" for n in range(len(head["labels"]))]),
    "fewer words": lambda head: head.update(words=head["words"][1:]),
    "words that are none": lambda head: head.update(words=[[]] * len(head["words"])),
    "a recipe that is none": lambda head: head.update(recipe=[1]),
    "an unknown part of a recipe": lambda head: head["recipe"].update(other=1),
    "an unknown scheme": lambda head: head["recipe"].update(scheme="other"),
    "a text for a number": lambda head: head["recipe"].update(page_tokens="many"),
    "a number for a goal": lambda head: head.update(goal=7),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", HEADS)
def test_crafted_heads_are_refused(members: dict[str, bytes], what: str) -> None:
    _refused(_with_head(members, HEADS[what]))


def test_a_head_nested_without_end_is_refused(members: dict[str, bytes]) -> None:
    deep = np.frombuffer(b"[" * 200_000, dtype=np.uint8)
    _refused(_zip({**members, "head.npy": _npy(deep)}))


def test_a_newer_one_asks_for_an_upgrade(members: dict[str, bytes]) -> None:
    assert "upgrade" in _refused(_with_head(members, lambda head: head.update(version=99)))


def test_zeros_that_unpack_to_more_than_allowed_are_not_unpacked() -> None:
    bomb = _zip({"state.npy": _npy(np.zeros(1_000_000))})
    assert len(bomb) < 50_000
    with pytest.raises(ValueError, match="more than 1,000,000 bytes"):
        arrays_in(bomb, ["state"], most=1_000_000)
    assert arrays_in(bomb, ["state"])["state"].shape == (1_000_000,)


@pytest.mark.parametrize("packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
def test_the_real_one_is_read_however_it_is_packed(members: dict[str, bytes], packing: int) -> None:
    assert navigator_from_bytes(_zip(members, packing)).labels


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    name=st.sampled_from(["head", "rewards", "edges", "state", "edge", "start", "conditioned", "sharing", "forbidden"]),
    at=st.integers(0, 400),
    noise=st.binary(min_size=1, max_size=12),
    cut=st.booleans(),
)
def test_noise_in_any_member_is_harmless_or_refused(
    members: dict[str, bytes], name: str, at: int, noise: bytes, cut: bool
) -> None:
    content = members[f"{name}.npy"]
    changed = content[:at] + noise + (b"" if cut else content[at + len(noise) :])
    refused, made = _outcome(_zip({**members, f"{name}.npy": changed}, zipfile.ZIP_STORED))
    assert refused.startswith("nav ") or (
        made is not None and made.judge(Page("http://a.example/"), site="http://a.example/").label
    )


def _outcome(content: bytes) -> tuple[str, Navigator | None]:
    """The sentence of the refusal, or the navigator."""
    try:
        return "", navigator_from_bytes(content, source="nav")
    except InputError as error:
        return str(error), None
