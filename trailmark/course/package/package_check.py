"""A package of any maker -> what is wrong with it: files that are missing or named nowhere, references that dangle, doubled identifiers, bad names.

A package may be hostile: entries, bytes and references are counted, nothing is written to disk, the manifest is read without entities and
without opening an address.
"""

from __future__ import annotations

import lzma
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any
from urllib.parse import unquote, urljoin, urlsplit

from lxml import etree

from trailmark.course.package.file_name import name_faults
from trailmark.course.package.manifest import MANIFEST
from trailmark.quoting import reason_text
from trailmark.read.tree import html_parser

MOST_ENTRIES, MOST_BYTES, MOST_MANIFEST, MOST_PAGE = 20_000, 2_000_000_000, 20_000_000, 20_000_000
MOST_FAULTS = 200
_BROKEN = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    NotImplementedError,
    EOFError,
    OSError,
    zlib.error,
    lzma.LZMAError,
    struct.error,
)
"""What reading a damaged zip file may raise."""
_PAGES = (".html", ".htm", ".xhtml")
_LOADS = (("a", "href"), ("iframe", "src"), ("img", "src"), ("script", "src"), ("link", "href"), ("frame", "src"))


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a package."""

    where: str
    """A path in the package, or an identifier of its manifest."""
    what: str


@dataclass(frozen=True, slots=True)
class CheckedPackage:
    """A package and what is wrong with it."""

    form: str
    """What its manifest says that it is, such as `ADL SCORM 1.2`."""
    items: int
    """Items of its outline that lead to something."""
    files: int
    bytes: int
    faults: tuple[Fault, ...]


def checked_package(file: IO[bytes]) -> CheckedPackage:
    """An opened zip file -> what was found in it; one that can't be read at all has that as its fault."""
    try:
        with zipfile.ZipFile(file) as packed:
            return _checked(packed)
    except (*_BROKEN, ValueError) as error:
        return CheckedPackage("", 0, 0, 0, (Fault("", f"this is no zip file that can be read ({reason_text(error)})"),))


def manifest_of(file: IO[bytes]) -> bytes | None:
    """An opened package -> the bytes of its manifest; None where it has none that can be read."""
    try:
        with zipfile.ZipFile(file) as packed:
            return _read(packed, MANIFEST, MOST_MANIFEST)
    except (*_BROKEN, ValueError):
        return None


def _checked(packed: zipfile.ZipFile) -> CheckedPackage:
    entries = packed.infolist()
    size = sum(entry.file_size for entry in entries)
    names = [entry.filename for entry in entries]
    if len(entries) > MOST_ENTRIES or size > MOST_BYTES:
        return CheckedPackage(
            "", 0, len(entries), size, (Fault("", "it holds more files or bytes than any course does"),)
        )
    files = {name for name in names if not name.endswith("/")}
    faults = [*_name_faults(entries)]
    manifest = _manifest(packed, files, faults)
    form, items = "", 0
    if manifest is not None:
        faults += _manifest_faults(manifest, files)
        form = " ".join(filter(None, (_text(manifest, "schema"), _text(manifest, "schemaversion"))))
        items = sum(1 for item in _named(manifest, "item") if item.get("identifierref"))
    faults += _page_faults(packed, files)
    return CheckedPackage(form, items, len(files), size, tuple(dict.fromkeys(faults))[:MOST_FAULTS])


def _name_faults(entries: list[zipfile.ZipInfo]) -> Iterator[Fault]:
    counts = Counter(entry.filename for entry in entries)
    for name, fault in name_faults(counts):
        yield Fault(name, f"its name {fault}")
    for entry in entries:
        if counts[entry.filename] > 1:
            yield Fault(entry.filename, "it is in the package twice")
        if (entry.external_attr >> 16) & 0o170000 == 0o120000:
            yield Fault(entry.filename, "it is a link of the file system, not a file")
        if entry.flag_bits & 1:
            yield Fault(entry.filename, "it is locked with a password")


def _manifest(packed: zipfile.ZipFile, files: set[str], faults: list[Fault]) -> Any:
    if MANIFEST not in files:
        inner = next((name for name in sorted(files) if name.endswith(f"/{MANIFEST}")), "")
        hint = f": it stands in {inner!r}, one folder too deep" if inner else ""
        faults.append(Fault(MANIFEST, f"there is no manifest{hint}"))
        return None
    try:
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
        return etree.fromstring(_read(packed, MANIFEST, MOST_MANIFEST), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        faults.append(Fault(MANIFEST, f"it is no XML ({reason_text(error)})"))
        return None


def _manifest_faults(manifest: Any, files: set[str]) -> Iterator[Fault]:
    identifiers = Counter(str(each.get("identifier")) for each in _elements(manifest) if each.get("identifier"))
    for name, count in identifiers.items():
        if count > 1:
            yield Fault(name, f"{count} parts of the manifest have this identifier")
    resources = {str(each.get("identifier")): each for each in _named(manifest, "resource")}
    for each in (*_named(manifest, "item"), *_named(manifest, "dependency")):
        wanted = each.get("identifierref")
        if wanted and wanted not in resources:
            yield Fault(str(wanted), "an item or a resource refers to it, and no resource has this identifier")
    yield from _outline_faults(manifest)
    used: set[str] = {MANIFEST}
    for name, resource in resources.items():
        base = _base(resource)
        listed = [(each.get("href") or "", _base(each)) for each in resource if _name(each) == "file"]
        own = resource.get("href")
        for href, where in [*listed, *([(own, base)] if own else [])]:
            path = _inner_path(href, where)
            if path is None:
                continue
            used.add(path)
            if path not in files:
                yield Fault(path, f"resource {name} names this file, and it is not in the package")
    for path in sorted(files - used):
        if not path.endswith((".xsd", ".dtd")):
            yield Fault(path, "no resource of the manifest names this file")


def _outline_faults(manifest: Any) -> Iterator[Fault]:
    outlines = {str(each.get("identifier")) for each in _named(manifest, "organization")}
    for each in _named(manifest, "organizations"):
        default = each.get("default")
        if default and default not in outlines:
            yield Fault(str(default), "it is the default outline, and no outline has this identifier")
    if not any(item.get("identifierref") for item in _named(manifest, "item")):
        yield Fault(MANIFEST, "no item of its outline leads to anything")


def _page_faults(packed: zipfile.ZipFile, files: set[str]) -> Iterator[Fault]:
    """References between the pages of the package that lead nowhere."""
    for name in sorted(files):
        if not name.lower().endswith(_PAGES):
            continue
        try:
            body = _read(packed, name, MOST_PAGE)
        except ValueError as error:
            yield Fault(name, f"it can't be unpacked ({reason_text(error)})")
            continue
        try:
            root = etree.fromstring(body, html_parser())
        except etree.XMLSyntaxError:
            continue
        for each in root.iter(*{tag for tag, _ in _LOADS}) if root is not None else ():
            href = next((each.get(key) for tag, key in _LOADS if tag == each.tag and each.get(key)), None)
            path = _inner_path(href, name) if href else None
            if path is not None and path not in files:
                yield Fault(name, f"it refers to {path!r}, which is not in the package")


def _inner_path(href: str, base: str) -> str | None:
    """A reference -> the path in the package that it means; None where it leads to the web, or to a place in the same page."""
    try:
        parts = urlsplit(href.strip())
        if parts.scheme or parts.netloc or not parts.path:
            return None
        return unquote(urlsplit(urljoin(f"http://package/{base}", href.strip())).path.lstrip("/"))
    except ValueError:
        return None


def _base(element: Any) -> str:
    """What `xml:base` of an element and all around it says."""
    said = [
        each.get("{http://www.w3.org/XML/1998/namespace}base") or "" for each in (element, *element.iterancestors())
    ]
    return "".join(reversed(said))


def _read(packed: zipfile.ZipFile, name: str, most: int) -> bytes:
    """The bytes of an entry; ValueError where it can't be had, whatever is wrong with it."""
    try:
        with packed.open(name) as file:
            body = file.read(most + 1)
    except (*_BROKEN, KeyError, RuntimeError) as error:
        raise ValueError(str(error)) from error
    if len(body) > most:
        raise ValueError("it is too large")
    return body


def _elements(root: Any) -> Iterator[Any]:
    return (each for each in root.iter() if isinstance(each.tag, str))


def _named(root: Any, name: str) -> list[Any]:
    return [each for each in _elements(root) if _name(each) == name]


def _name(element: Any) -> str:
    return str(etree.QName(element).localname) if isinstance(element.tag, str) else ""


def _text(root: Any, name: str) -> str:
    return " ".join((next((each.text or "" for each in _named(root, name)), "")).split())[:60]
