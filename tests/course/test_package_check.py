"""What the checks of packages find, in packages of any maker and in files that are none."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.course.package_world import packed, unpacked
from trailmark.course.package.package_check import checked_package, manifest_of
from trailmark.course.package.schema_check import schema_check
from trailmark.errors import InputError

Change = Callable[[dict[str, bytes]], None]


def zipped(files: dict[str, bytes]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as opened:
        for name, body in files.items():
            opened.writestr(name, body)
    return target.getvalue()


def faults(body: bytes) -> list[str]:
    return [f"{fault.where}: {fault.what}" for fault in checked_package(io.BytesIO(body)).faults]


def changed(change: Change) -> list[str]:
    """What is wrong with our own package after a change."""
    files = unpacked(packed("scorm12"))
    change(files)
    return faults(zipped(files))


def manifest(old: bytes, new: bytes) -> Change:
    def change(files: dict[str, bytes]) -> None:
        assert old in files["imsmanifest.xml"]
        files["imsmanifest.xml"] = files["imsmanifest.xml"].replace(old, new)

    return change


def test_a_whole_package_has_no_fault() -> None:
    assert changed(lambda files: None) == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda files: files.pop("imsmanifest.xml"), "there is no manifest"),
        (lambda files: files.pop("copies/001.html"), "not in the package"),
        (lambda files: files.update({"extra.txt": b""}), "no resource of the manifest names this file"),
        (lambda files: files.update({"Items/001-sorting.html": b""}), "capital letters only"),
        (lambda files: files.update({"../out.txt": b""}), "leads out"),
        (lambda files: files.update({"C:\\out.txt": b""}), "leads out"),
        (lambda files: files.update({"con.txt": b""}), "Windows"),
        (lambda files: files.update({"caf\u00e9.txt": b""}), "other letters"),
        (lambda files: files.update({"a" * 150 + ".txt": b""}), "too long"),
        (lambda files: files.update({"items/x.html": b'<a href="gone.html">x</a>'}), "refers to 'items/gone.html'"),
        (manifest(b'identifier="item-002"', b'identifier="item-001"'), "2 parts of the manifest"),
        (manifest(b'identifierref="res-001"', b'identifierref="res-999"'), "no resource has this identifier"),
        (manifest(b'default="outline"', b'default="other"'), "default outline"),
        (manifest(b"</manifest>", b""), "no XML"),
    ],
)
def test_each_fault_is_found(change: Change, told: str) -> None:
    assert any(told in fault for fault in changed(change)), changed(change)


def test_a_manifest_one_folder_too_deep_is_told() -> None:
    files = {f"course/{path}": body for path, body in unpacked(packed("imscc")).items()}
    assert any("one folder too deep" in fault for fault in faults(zipped(files)))


def test_no_entity_of_a_manifest_is_opened() -> None:
    told = b'<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><manifest><metadata><schema>&x;</schema></metadata></manifest>'
    found = checked_package(io.BytesIO(zipped({"imsmanifest.xml": told})))
    assert "root" not in found.form


def test_a_bomb_is_counted_before_it_is_unpacked() -> None:
    body = zipped({f"{n}.txt": b"" for n in range(20_001)})
    assert any("more files" in fault for fault in faults(body))


@given(st.binary(max_size=300))
def test_what_is_no_zip_file_is_told_as_such(body: bytes) -> None:
    assert any("no zip file" in fault for fault in faults(body))
    assert manifest_of(io.BytesIO(body)) is None


@given(st.data())
def test_a_damaged_package_never_breaks_the_check(data: st.DataObject) -> None:
    body = bytearray(packed("scorm12"))
    for _ in range(8):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    checked_package(io.BytesIO(bytes(body)))


SCHEMA = b"""<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:m" xmlns="urn:m" elementFormDefault="qualified">
<xs:element name="manifest"><xs:complexType><xs:sequence><xs:element name="title" type="xs:string"/></xs:sequence></xs:complexType></xs:element></xs:schema>"""


def test_schemas_of_a_user_are_asked() -> None:
    good, bad = b'<manifest xmlns="urn:m"><title>t</title></manifest>', b'<manifest xmlns="urn:m"><other/></manifest>'
    assert schema_check(good, {"m.xsd": SCHEMA}).faults == ()
    assert schema_check(bad, {"m.xsd": SCHEMA}).faults[0].where == "imsmanifest.xml:1"


def test_schemas_of_another_format_are_refused_in_one_sentence() -> None:
    with pytest.raises(InputError, match="which the manifest is written in"):
        schema_check(b'<manifest xmlns="urn:other"/>', {"m.xsd": SCHEMA})


def test_schemas_open_no_address() -> None:
    far = SCHEMA.replace(
        b'<xs:element name="manifest">',
        b'<xs:import namespace="urn:x" schemaLocation="http://evil.example/x.xsd"/><xs:element name="manifest">',
    )
    assert schema_check(b'<manifest xmlns="urn:m"><title>t</title></manifest>', {"m.xsd": far}).faults == ()
