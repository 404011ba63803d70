"""Topics from keywords alone (Cora, section 5.3, table 8)."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from trailmark.organise.item import Item

Places = npt.NDArray[np.int64]


def message_item(number: str, text: str) -> Item:
    """A message with its head -> an item; what answers a message has its thread in common with it."""
    head, _, body = text.partition("\n\n")
    lines = dict(re.findall(r"^([A-Za-z-]+): *(.*)$", head, re.MULTILINE))
    fields = {name.lower(): value for name, value in lines.items()}
    title = re.sub(r"^(?:(?:re|fwd?)(?:\[\d+\])?: *)+", "", fields.get("subject", ""), flags=re.IGNORECASE).strip()
    address = re.search(r"[\w.+-]+@[\w.-]+", fields.get("from", ""))
    author = (address[0] if address else fields.get("from", "")).lower()
    rest = " ".join(fields.get(name, "") for name in ("keywords", "summary", "organization"))
    return Item(number, title, f"{body} {rest}", {"thread": (title.lower(),), "author": (author,)})
