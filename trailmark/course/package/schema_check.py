"""A manifest and the schemas of its format, where a user has them -> what the schemas say is wrong.

Schemas are not part of Trailmark: whoever publishes them says who may hand them on. Nothing is loaded from the network.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lxml import etree

from trailmark.course.package.manifest import MANIFEST
from trailmark.course.package.package_check import Fault
from trailmark.errors import InputError

XS = "http://www.w3.org/2001/XMLSchema"
_MOST = 50
_OWN_SPACES = ("{http://www.w3.org/XML/1998/namespace}", "{http://www.w3.org/2001/XMLSchema-instance}")
_XML_SPACE = re.compile(rb"""targetNamespace\s*=\s*["']http://www\.w3\.org/XML/1998/namespace["']""")
_XML_SCHEMA = (
    f'<xs:schema xmlns:xs="{XS}" targetNamespace="http://www.w3.org/XML/1998/namespace">'
    '<xs:attribute name="lang" type="xs:string"/><xs:attribute name="base" type="xs:anyURI"/>'
    '<xs:attribute name="space" type="xs:string"/></xs:schema>'
).encode()
"""In place of a file for `xml:lang` and `xml:base`: those that come with old schemas declare the namespace in a way that no longer parses."""


@dataclass(frozen=True, slots=True)
class SchemaCheck:
    """What the schemas said."""

    faults: tuple[Fault, ...]
    unchecked: tuple[str, ...]
    """Namespaces of the manifest that no schema was there for, or none that can be used."""


def schema_check(manifest: bytes, schemas: Mapping[str, bytes]) -> SchemaCheck:
    """The bytes of a manifest, and schema files by their paths -> what is wrong by the schemas of the namespaces that it uses."""
    try:
        root = etree.fromstring(manifest, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
    except etree.XMLSyntaxError as error:
        return SchemaCheck((Fault(MANIFEST, f"it is no XML ({error})"),), ())
    used = list(dict.fromkeys(_used(root)))
    spaces = _spaces(schemas)
    usable = {space: spaces[space] for space in used if space in spaces and _schema({space: spaces[space]}, schemas)}
    if used[0] not in usable:
        raise InputError(
            f"None of the {len(schemas)} schemas can be used for {used[0]}, which the manifest is written in: name the folder with the schemas of its format."
        )
    schema = _schema(usable, schemas)
    if schema is None:
        raise InputError("The schemas contradict one another: name a folder with the schemas of one format.")
    schema.validate(root)
    unchecked = tuple(space for space in used if space not in usable)
    told = [each for each in schema.error_log if not _is_unknown(each.message, unchecked)]
    return SchemaCheck(tuple(Fault(f"{MANIFEST}:{each.line}", each.message[:300]) for each in told[:_MOST]), unchecked)


def _used(root: Any) -> Iterator[str]:
    """The namespaces of a tree's elements and attributes, that of its root first."""
    for each in root.iter():
        if isinstance(each.tag, str):
            names = [each.tag, *(key for key in each.attrib if key.startswith("{"))]
            yield from (str(etree.QName(name).namespace) for name in names if not name.startswith(_OWN_SPACES))


def _is_unknown(message: str, unchecked: Sequence[str]) -> bool:
    """Whether a schema only says that it does not know an element of a namespace without a schema."""
    return "wildcard" in message and any(f"{{{space}}}" in message for space in unchecked)


def _schema(spaces: Mapping[str, str], schemas: Mapping[str, bytes]) -> Any:
    """Namespaces with the paths of their schemas -> one schema for all; None where they can't be used.

    That of SCORM 1.2's metadata is among these: libxml2 finds it ambiguous.
    """
    imports = (f'<xs:import namespace="{space}" schemaLocation="memory:///{path}"/>' for space, path in spaces.items())
    wrapper = f'<xs:schema xmlns:xs="{XS}" targetNamespace="urn:all">{"".join(imports)}</xs:schema>'
    try:
        return etree.XMLSchema(etree.fromstring(wrapper, _schema_parser(schemas)))
    except (etree.XMLSchemaParseError, etree.XMLSyntaxError):
        return None


def _spaces(schemas: Mapping[str, bytes]) -> dict[str, str]:
    """Namespace -> the path of its schema: the one that no other of the same namespace includes, and the shortest of these."""
    found: dict[str, list[str]] = {}
    included: set[str] = set()
    for path, body in schemas.items():
        try:
            root = etree.fromstring(body, etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False))
        except etree.XMLSyntaxError:
            continue
        if root.tag != f"{{{XS}}}schema":
            continue
        found.setdefault(str(root.get("targetNamespace") or ""), []).append(path)
        included |= {str(each.get("schemaLocation") or "").rpartition("/")[2] for each in root.iter(f"{{{XS}}}include")}
    return {
        space: min(paths, key=lambda path: (path.rpartition("/")[2] in included, len(path), path))
        for space, paths in found.items()
    }


class _Memory(etree.Resolver):
    """Answers for schemas from those that were handed over, by their file names; nothing else is opened."""

    def __init__(self, schemas: Mapping[str, bytes]) -> None:
        super().__init__()
        self._paths = dict(schemas)
        self._names = {path.rpartition("/")[2]: body for path, body in sorted(schemas.items(), reverse=True)}

    def resolve(self, system_url: Any, public_id: Any, context: Any) -> Any:  # noqa: ARG002 - as lxml calls it
        url = str(system_url or "")
        body = self._paths.get(url.removeprefix("memory:///"), self._names.get(url.rpartition("/")[2]))
        if body is None or _XML_SPACE.search(body):
            body = _XML_SCHEMA if body or url.endswith("xml.xsd") else None
        return self.resolve_empty(context) if body is None else self.resolve_string(body, context, base_url=url)


def _schema_parser(schemas: Mapping[str, bytes]) -> Any:
    parser = etree.XMLParser(no_network=True, resolve_entities=False, load_dtd=False)
    parser.resolvers.add(_Memory(schemas))
    return parser
