"""What a person clicked or wrote about a page -> the annotation that it means, looked up in the tree that the rules read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from trailmark.datatypes import Annotation
from trailmark.errors import InputError
from trailmark.read import tree_of
from trailmark.workspace import Workspace
from trailmark.wrap.page.picked_value import holds_text, picked_value

LONGEST_FIELD = 60
_FIELD = re.compile(r"[^\W_][\w .()/-]*")


def field_name(text: str) -> str:
    """What a person calls a field -> its name; InputError where it is none."""
    name = " ".join(text.split())[:LONGEST_FIELD]
    if not _FIELD.fullmatch(name):
        raise InputError("Name the field with letters and digits, such as price or date of birth.")
    return name


def marked_value(
    workspace: Workspace, url: str, field: str, value: str, *, node: int | None, archives: Sequence[Path] = ()
) -> Annotation:
    """A page, a field, and a value that was clicked in the element of a number, or written -> the annotation.

    It can only name a text that the page has: InputError says so where it has none such.
    """
    name = field_name(field)
    with workspace.replay(archives, all_known=True) as replay:
        root = tree_of(replay.fetch(url))
    picked = picked_value(root, node, value) if root is not None and node is not None else None
    if picked is not None:
        return Annotation(url, name, *picked)
    if not value:
        raise InputError("Click a value in the page first, or write it as it stands there.")
    if root is None or not holds_text(root, value):
        raise InputError(f"The page does not hold '{value[:80]}': write it just as it stands there.")
    return Annotation(url, name, value, None)
