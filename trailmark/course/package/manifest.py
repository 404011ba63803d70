"""The lessons of a package -> its `imsmanifest.xml` and all other files, in one of three formats.

SCORM 1.2 and SCORM 2004 (4th edition): every lesson is an object that talks with the learning system (an SCO). IMS Common Cartridge 1.3:
copies are web content, all else web links. In each, lessons stand in groups by type, in order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from trailmark.course.package.content import Content, Lesson
from trailmark.course.package.lesson_page import RUNTIME, STYLE, lesson_page, shared_files
from trailmark.course.package.metadata import (
    DUBLIN_CORE,
    course_description,
    course_title,
    dublin_core,
    lesson_description,
    lom_of_ieee,
    lom_of_scorm12,
)
from trailmark.course.package.xml_tree import child, root_element, xml_bytes
from trailmark.settings import PackageSettings

Format = Literal["scorm12", "scorm2004", "imscc"]
FORMATS: tuple[Format, ...] = ("scorm12", "scorm2004", "imscc")
MANIFEST = "imsmanifest.xml"
SUFFIXES = {"scorm12": ".scorm12.zip", "scorm2004": ".scorm2004.zip", "imscc": ".imscc"}
_SCORM = {"scorm12": "1.2", "scorm2004": "2004", "imscc": ""}

_CP12 = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
_MD12 = "http://www.imsglobal.org/xsd/imsmd_rootv1p2p1"
_ADL12 = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
_CP = "http://www.imsglobal.org/xsd/imscp_v1p1"
_ADL = "http://www.adlnet.org/xsd/adlcp_v1p3"
_SS = "http://www.imsglobal.org/xsd/imsss"
_LOM = "http://ltsc.ieee.org/xsd/LOM"
_CC = "http://www.imsglobal.org/xsd/imsccv1p3/imscp_v1p1"
_CC_LOM = "http://ltsc.ieee.org/xsd/imsccv1p3/LOM/manifest"
_WEB_LINK = "http://www.imsglobal.org/xsd/imsccv1p3/imswl_v1p3"


@dataclass(frozen=True, slots=True)
class _Dialect:
    namespaces: dict[str | None, str]
    schemas: dict[str, str]
    schema: str
    version: str


_DIALECTS: dict[Format, _Dialect] = {
    "scorm12": _Dialect(
        {None: _CP12, "imsmd": _MD12, "adlcp": _ADL12},
        {_CP12: "imscp_rootv1p1p2.xsd", _MD12: "imsmd_rootv1p2p1.xsd", _ADL12: "adlcp_rootv1p2.xsd"},
        "ADL SCORM",
        "1.2",
    ),
    "scorm2004": _Dialect(
        {None: _CP, "adlcp": _ADL, "imsss": _SS, "lom": _LOM},
        {_CP: "imscp_v1p1.xsd", _ADL: "adlcp_v1p3.xsd", _SS: "imsss_v1p0.xsd", _LOM: "lom.xsd"},
        "ADL SCORM",
        "2004 4th Edition",
    ),
    "imscc": _Dialect(
        {None: _CC, "lomimscc": _CC_LOM},
        {
            _CC: "http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_imscp_v1p2_v1p0.xsd",
            _CC_LOM: "http://www.imsglobal.org/profile/cc/ccv1p3/LOM/ccv1p3_lommanifest_v1p0.xsd",
        },
        "IMS Common Cartridge",
        "1.3.0",
    ),
}


def package_files(content: Content, form: Format, settings: PackageSettings) -> dict[str, bytes]:
    """A package's content -> its files by their paths, the manifest among them."""
    files = {MANIFEST: xml_bytes(_manifest(content, form, settings.language))}
    files[DUBLIN_CORE] = dublin_core(content, settings.language)
    files |= {path: copy.body for path, copy in content.copies}
    title, scorm = course_title(content), _SCORM[form]
    for lesson in content.lessons:
        if _is_link(lesson, form):
            files[_link_file(lesson)] = _web_link(lesson)
        elif _has_page(lesson, form):
            page = lesson_page(lesson, course=title, language=settings.language, scorm=scorm, done=settings.completion)
            files[lesson.page] = page.encode("utf-8", "replace")
    if any(_has_page(lesson, form) for lesson in content.lessons):
        files |= shared_files(scorm=bool(scorm))
    return files


def _is_link(lesson: Lesson, form: Format) -> bool:
    """Whether a lesson is a web link of its own kind, which only cartridges have."""
    return form == "imscc" and not lesson.copy


def _has_page(lesson: Lesson, form: Format) -> bool:
    """Whether a lesson has a page of ours; a file in a cartridge is opened by itself."""
    return form != "imscc" or lesson.is_framed


def _link_file(lesson: Lesson) -> str:
    return f"links/{lesson.number:03d}.xml"


def _web_link(lesson: Lesson) -> bytes:
    schema = {_WEB_LINK: "http://www.imsglobal.org/profile/cc/ccv1p3/ccv1p3_imswl_v1p3.xsd"}
    root = root_element({None: _WEB_LINK}, "webLink", schema, {})
    child(root, "title", lesson.title)
    child(root, "url", href=lesson.item.url, target="_blank")
    return xml_bytes(root)


def _manifest(content: Content, form: Format, language: str) -> Any:
    dialect = _DIALECTS[form]
    attributes = {"identifier": f"course-{content.course.id}"} | ({"version": "1"} if form != "imscc" else {})
    root = root_element(dialect.namespaces, "manifest", dialect.schemas, attributes)
    metadata = child(root, "metadata")
    child(metadata, "schema", dialect.schema)
    child(metadata, "schemaversion", dialect.version)
    told = course_description(content, language)
    if form == "scorm12":
        lom_of_scorm12(metadata, told, _MD12)
    else:
        lom_of_ieee(metadata, told, _LOM if form == "scorm2004" else _CC_LOM)
    _organisations(root, content, form)
    resources = child(root, "resources")
    for lesson in content.lessons:
        _resource(resources, lesson, form, language)
    _shared_resources(resources, content, form)
    return root


def _organisations(root: Any, content: Content, form: Format) -> None:
    """The outline: groups by type or week, lessons in them."""
    cartridge = form == "imscc"
    organisations = child(root, "organizations", **({} if cartridge else {"default": "outline"}))
    shape = {"structure": "rooted-hierarchy"} if cartridge else {"structure": "hierarchical"}
    outline = child(organisations, "organization", identifier="outline", **shape)
    if cartridge:
        outline = child(outline, "item", identifier="top")
    else:
        child(outline, "title", course_title(content))
    for each in content.groups:
        group = child(outline, "item", identifier=each.name)
        child(group, "title", each.title)
        for lesson in each.lessons:
            item = child(
                group, "item", identifier=f"item-{lesson.number:03d}", identifierref=f"res-{lesson.number:03d}"
            )
            child(item, "title", lesson.title)
        if form == "scorm2004":
            _sequencing(group)
    if form == "scorm2004":
        _sequencing(outline)


def _sequencing(parent: Any) -> None:
    """A learner may choose any lesson, and go through them in order."""
    child(child(parent, "sequencing", space=_SS), "controlMode", choice="true", flow="true")


def _resource(resources: Any, lesson: Lesson, form: Format, language: str) -> None:
    identifier = f"res-{lesson.number:03d}"
    if form == "imscc":
        _cartridge_resource(resources, lesson, identifier)
        return
    made = child(resources, "resource", identifier=identifier, type="webcontent", href=lesson.page)
    space, name = (_ADL12, "scormtype") if form == "scorm12" else (_ADL, "scormType")
    made.set(f"{{{space}}}{name}", "sco")
    metadata, told = child(made, "metadata"), lesson_description(lesson, language)
    if form == "scorm12":
        lom_of_scorm12(metadata, told, _MD12)
    else:
        lom_of_ieee(metadata, told, _LOM)
    for path in _files(lesson):
        child(made, "file", href=path)
    child(made, "dependency", identifierref="res-shared")


def _cartridge_resource(resources: Any, lesson: Lesson, identifier: str) -> None:
    if not lesson.copy:
        made = child(resources, "resource", identifier=identifier, type="imswl_xmlv1p3")
        child(made, "file", href=_link_file(lesson))
        return
    paths = tuple(_files(lesson)) if lesson.is_framed else (_path(lesson.copy),)
    made = child(resources, "resource", identifier=identifier, type="webcontent", href=paths[0])
    for path in paths:
        child(made, "file", href=path)
    if lesson.is_framed:
        child(made, "dependency", identifierref="res-shared")


def _files(lesson: Lesson) -> Iterator[str]:
    yield lesson.page
    if lesson.copy:
        yield _path(lesson.copy)


def _path(copy: str) -> str:
    """The path of a copy without the place in it."""
    return copy.partition("#")[0]


def _shared_resources(resources: Any, content: Content, form: Format) -> None:
    asset = {"scorm12": {f"{{{_ADL12}}}scormtype": "asset"}, "scorm2004": {f"{{{_ADL}}}scormType": "asset"}}.get(
        form, {}
    )
    shared = [STYLE, RUNTIME] if _SCORM[form] else [STYLE]
    parts = [("res-metadata", [DUBLIN_CORE])]
    if any(_has_page(lesson, form) for lesson in content.lessons):
        parts.append(("res-shared", shared))
    for identifier, paths in parts:
        made = child(resources, "resource", identifier=identifier, type="webcontent", href=paths[0])
        for key, value in asset.items():
            made.set(key, value)
        for path in paths:
            child(made, "file", href=path)
