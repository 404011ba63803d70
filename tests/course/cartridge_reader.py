"""A reader for IMS Common Cartridge 1.3, written by its specification and knowing nothing of our writer: what a learning system would show."""

from __future__ import annotations

import io
import posixpath
import xml.etree.ElementTree as ET
import zipfile
from dataclasses import dataclass
from typing import Any

CP = "{http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1}"
WL = "{http://www.imsglobal.org/xsd/imsccv1p3/imswl_v1p3}"
LOM = "{http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest}"


@dataclass(frozen=True)
class Entry:
    """What stands in a cartridge's outline: a folder with entries, a page or file, or a link."""

    title: str
    kind: str
    target: str = ""
    entries: tuple[Entry, ...] = ()


@dataclass(frozen=True)
class Cartridge:
    """A cartridge that was read."""

    title: str
    version: str
    entries: tuple[Entry, ...]


def read_cartridge(body: bytes) -> Cartridge:
    """The bytes of a cartridge -> its outline; raises where the specification is not kept."""
    with zipfile.ZipFile(io.BytesIO(body)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    root = ET.fromstring(files["imsmanifest.xml"])
    assert root.tag == f"{CP}manifest"
    metadata = one(root, f"{CP}metadata")
    assert text(one(metadata, f"{CP}schema")) == "IMS Common Cartridge"
    outlines = one(root, f"{CP}organizations").findall(f"{CP}organization")
    assert len(outlines) == 1, "a cartridge has one organization at most"
    assert outlines[0].get("structure") == "rooted-hierarchy"
    top = outlines[0].findall(f"{CP}item")
    assert len(top) == 1, "all stands below one item"
    assert top[0].get("identifierref") is None
    resources = {each.get("identifier"): each for each in one(root, f"{CP}resources").findall(f"{CP}resource")}
    title = text(one(metadata, f"{LOM}lom/{LOM}general/{LOM}title/{LOM}string"))
    entries = tuple(entry(each, resources, files) for each in top[0].findall(f"{CP}item"))
    return Cartridge(title, text(one(metadata, f"{CP}schemaversion")), entries)


def entry(element: Any, resources: dict[Any, Any], files: dict[str, bytes]) -> Entry:
    title = text(one(element, f"{CP}title"))
    wanted = element.get("identifierref")
    inner = element.findall(f"{CP}item")
    if wanted is None:
        return Entry(title, "folder", "", tuple(entry(each, resources, files) for each in inner))
    assert not inner, "what leads to something holds nothing (Common Cartridge, outline rules)"
    resource = resources[wanted]
    listed = [each.get("href") for each in resource.findall(f"{CP}file")]
    assert all(path in files and not posixpath.isabs(path) for path in listed)
    for dependency in resource.findall(f"{CP}dependency"):
        assert dependency.get("identifierref") in resources
    if resource.get("type") == "imswl_xmlv1p3":
        assert resource.get("href") is None
        assert len(listed) == 1
        link = ET.fromstring(files[listed[0]])
        assert link.tag == f"{WL}webLink"
        return Entry(title, "link", one(link, f"{WL}url").attrib["href"])
    assert resource.get("type") == "webcontent"
    assert resource.get("href") in listed, "the page that is opened is one of the resource's files"
    return Entry(title, "page", resource.attrib["href"])


def one(element: Any, path: str) -> Any:
    found = element.findall(path)
    assert len(found) == 1, f"{path} stands there {len(found)} times"
    return found[0]


def text(element: Any) -> str:
    return (element.text or "").strip()
