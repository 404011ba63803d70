"""XML, feeds and sitemaps as a tree without namespaces: elements are called as they are written, with their prefix (`media:title`).

So rules name what a person sees in the file, whatever address a prefix stands for. Comments are left out.

No entity reaches the parser: those that HTML knows (`&nbsp;`) are read before, as feeds use them, and all others, what a file declares
among them, stay as they are written. Nothing is expanded, loaded or fetched.

An exported program carries this module with it: it imports nothing of ours.
"""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from lxml import etree

_REFERENCE = re.compile(rb"&(#[0-9]{1,7};|#[xX][0-9a-fA-F]{1,6};|[A-Za-z][A-Za-z0-9]{0,31};)?")


def xml_tree(clean: bytes, cuts: list[str]) -> Any:
    """A file as clean UTF-8 without its declaration -> the root of its tree; None where there is none."""
    root = _parsed(_without_entities(clean), cuts)
    return None if root is None else _parsed(_written(root).encode(), [])


def _without_entities(clean: bytes) -> bytes:
    """The same with numbers for all characters that stand as a name; what is marked as plain text (CDATA) is left alone."""
    first, *parts = clean.split(b"<![CDATA[")
    made = [_REFERENCE.sub(_numbered, first)]
    for part in parts:
        plain, end, rest = part.partition(b"]]>")
        made += [b"<![CDATA[", plain, end, _REFERENCE.sub(_numbered, rest)]
    return b"".join(made)


def _numbered(match: re.Match[bytes]) -> bytes:
    # After an error libxml2 still reads numbers, and no longer names, not even `&amp;`.
    name = match[1]
    if name and name.startswith(b"#"):
        return match[0]
    said = unescape(match[0].decode()) if name else "&"
    return _escaped(said).encode()


def _escaped(text: str) -> str:
    for sign in '&<>"':
        text = text.replace(sign, f"&#{ord(sign)};") if sign in text else text
    return text


def _parsed(clean: bytes, cuts: list[str]) -> Any:
    parser = etree.XMLParser(
        encoding="utf-8",
        recover=True,
        no_network=True,
        load_dtd=False,
        resolve_entities=False,
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(clean, parser) if clean.strip() else None
    except (etree.LxmlError, ValueError):
        return None
    if any(error.type_name in ("ERR_RESOURCE_LIMIT", "ERR_INTERNAL_ERROR") for error in parser.error_log):
        cuts.append("XML that nests too deep, or holds too long a text, was cut")
    return root


def _written(root: Any) -> str:
    """The same without namespaces."""
    parts: list[str] = []
    for event, node in etree.iterwalk(root, events=("start", "end")):
        if not isinstance(node.tag, str):
            continue
        if event == "start":
            parts.append(f"<{_name(node)}{_attributes(node)}>{_escaped(node.text or '')}")
            continue
        parts.append(f"</{_name(node)}>")
        if node is not root:
            parts.append(_escaped(node.tail or ""))
    return "".join(parts)


def _name(node: Any) -> str:
    local = node.tag.rpartition("}")[2]
    return f"{node.prefix}:{local}" if node.prefix else str(local)


def _attributes(node: Any) -> str:
    if not node.attrib:
        return ""
    prefixes = {address: prefix for prefix, address in node.nsmap.items() if prefix}
    written = []
    for key, value in node.attrib.items():
        address, _, local = key.rpartition("}")
        prefix = prefixes.get(address.removeprefix("{"), "") if address else ""
        written.append(f' {prefix}{":" if prefix else ""}{local}="{_attribute(value)}"')
    return "".join(dict.fromkeys(written))


def _attribute(value: str) -> str:
    for sign in "\t\n\r":
        value = value.replace(sign, " ")
    return _escaped(value)
