"""Elements of manifests and metadata: made with their namespaces, written the same way every time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lxml import etree

from trailmark.quoting import terminal_text

XSI = "http://www.w3.org/2001/XMLSchema-instance"
XML = "http://www.w3.org/XML/1998/namespace"


def root_element(
    namespaces: Mapping[str | None, str], name: str, schemas: Mapping[str, str], attributes: Mapping[str, str]
) -> Any:
    """Prefixes with their namespaces, the root's name in that without a prefix, namespace -> its schema, attributes -> the root."""
    root = etree.Element(f"{{{namespaces[None]}}}{name}", nsmap={**namespaces, "xsi": XSI})
    for key, value in attributes.items():
        root.set(key, value)
    root.set(f"{{{XSI}}}schemaLocation", " ".join(f"{space} {file}" for space, file in schemas.items()))
    return root


def child(parent: Any, name: str, text: str | None = None, space: str | None = None, **attributes: str) -> Any:
    """A new last child of an element, in its namespace or another; texts of the web can stand in it whatever they hold."""
    made = etree.SubElement(parent, f"{{{space or etree.QName(parent).namespace}}}{name}")
    for key, value in attributes.items():
        made.set(key, terminal_text(value))
    if text is not None:
        made.text = terminal_text(text)
    return made


def xml_bytes(root: Any) -> bytes:
    """A tree -> its file: UTF-8, indented, with declaration."""
    etree.indent(root)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="UTF-8")) + b"\n"
