"""JSON, XML and plain text as trees: exact where they are sound, bounded and silent where they are hostile."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from tests.hostile_text import HOSTILE
from trailmark.read import parse_html
from trailmark.read.body_form import HTML_FORM, JSON_FORM, TEXT_FORM, XML_FORM, body_form
from trailmark.read.json_path import json_path_of, xpath_of
from trailmark.read.json_tree import DEEPEST_JSON, MOST_JSON


def read(body: bytes, content_type: str = "application/json") -> tuple[Any, tuple[str, ...]]:
    root, _, cuts = parse_html(body, content_type)
    return root, cuts


def written(root: Any) -> str:
    return etree.tostring(root, encoding="unicode")


@pytest.mark.parametrize(
    ("body", "content_type", "form"),
    [
        (b'{"a": 1}', "application/json; charset=utf-8", JSON_FORM),
        (b'{"a": 1}', "application/vnd.api+json", JSON_FORM),
        (b'[{"a": 1}]\n', "text/plain", JSON_FORM),
        (b"<html><body>Sign in</body></html>", "application/json", HTML_FORM),
        (b"<?xml version='1.0'?>\n<rss version='2.0'></rss>", "text/html", XML_FORM),
        (b"<feed xmlns='http://www.w3.org/2005/Atom'></feed>", "", XML_FORM),
        (b"<?xml version='1.0'?><html xmlns='x'></html>", "text/xml", HTML_FORM),
        (b"<svg></svg>", "image/svg+xml", HTML_FORM),
        (b"<html></html>", "text/plain", HTML_FORM),
        (b"Dear all,", "text/plain", TEXT_FORM),
        (b"a,b\n1,2", "text/csv", TEXT_FORM),
        (b"<p>[x]</p>", "text/html", HTML_FORM),
        (b"", "", HTML_FORM),
    ],
)
def test_what_a_body_is_made_of(body: bytes, content_type: str, form: str) -> None:
    assert body_form(body, content_type) == form


def test_json_is_an_element_a_member() -> None:
    root, cuts = read(b'{"a": [1, {"odd key": "v", "script": null}], "big": 1e9999, "n": NaN, "yes": true}')
    assert written(root) == (
        '<json><a type="array"><item type="number">1</item><item><key class="odd key">v</key>'
        '<key class="script" type="null"></key></item></a><big type="number">1e9999</big><n type="number">NaN</n>'
        '<yes type="boolean">true</yes></json>'
    )
    assert cuts == ()


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (
            b'{"a": 1}\n{"a": 2}\n',
            '<json type="array"><item><a type="number">1</a></item><item><a type="number">2</a></item></json>',
        ),
        (b')]}\'\n{"a": "x"}', "<json><a>x</a></json>"),
        (b'{"a": "x", "a": "y"}', "<json><a>y</a></json>"),
        (b'{"a": "\\ud800 \\u0000 \\uffff"}', "<json><a>\ufffd \ufffd \ufffd</a></json>"),
        ('{"ä": "é"}'.encode(), '<json><key class="ä">é</key></json>'),
        (b"\xef\xbb\xbf{}", "<json/>"),
    ],
)
def test_json_as_it_is_met(body: bytes, wanted: str) -> None:
    assert written(read(body)[0]) == wanted


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), HOSTILE),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(HOSTILE, inner, max_size=4)),
    max_leaves=12,
)


@settings(deadline=None, max_examples=150)
@given(VALUES)
def test_each_element_has_a_json_path_of_its_own(value: Any) -> None:
    root, _ = read(json.dumps(value).encode())
    assert root is not None
    if root.tag != "json":
        return
    etree.fromstring(written(root).encode())
    paths = [json_path_of(element) for element in root.iter("*")]
    twice = {path for path in paths if paths.count(path) > 1}  # keys that differ in what XML can't hold
    for element, path in zip(root.iter("*"), paths, strict=True):
        xpath = xpath_of(path)
        if path not in twice and not any("\ufffd" in path for path in paths):
            assert xpath is not None
            assert root.xpath(xpath) == [element]


@pytest.mark.parametrize(
    ("path", "xpath"),
    [
        ("$", "/json"),
        ("$.offers[1].price", "/json/offers/item[2]/price"),
        ("$['offers'][*]", "/json/offers/*"),
        ("$..price", "/json//price"),
        ("$.script", "/json/key[@class='script']"),
        ("$['per unit']", "/json/key[@class='per unit']"),
        ("$[?(@.a)]", None),
        ("$.a[-1]", None),
        ("/html", None),
    ],
)
def test_json_paths_are_read(path: str, xpath: str | None) -> None:
    assert xpath_of(path) == xpath


def test_xml_is_called_as_it_is_written() -> None:
    root, cuts = read(
        b'<?xml version="1.0" encoding="ISO-8859-1"?><!-- x --><rss xmlns:m="http://m/" xmlns="http://d/"><item m:n="1 &amp; 2">'
        b"<m:title>caf\xe9&nbsp;&amp; b &lt;</m:title><d><![CDATA[<p>&nbsp;</p>]]></d> tail & more</item></rss>",
        "application/rss+xml",
    )
    assert [element.tag for element in root.iter()] == ["rss", "item", "m:title", "d"]
    assert root[0].get("m:n") == "1 & 2"
    assert root[0][0].text == "café\u00a0& b <"
    assert root[0][1].text == "<p>&nbsp;</p>"
    assert root[0][1].tail == " tail & more"
    assert cuts == ()


def test_no_entity_is_expanded_and_no_file_is_read() -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    body = f'<!DOCTYPE a [<!ENTITY l0 "lol">{levels}<!ENTITY f SYSTEM "file:///etc/hostname">]><a>&l11;&f;</a>'
    root, _ = read(body.encode(), "text/xml")
    assert "".join(root.itertext()) == "&l11;&f;"


def test_text_is_an_element_a_line() -> None:
    root, _ = read("one\r\n\r\nzwö\x00lf\n".encode(), "text/plain; charset=utf-8")
    assert [line.text or "" for line in root] == ["one", "", "zwö lf", ""]
    assert read(b"[ this is no JSON ]", "text/plain")[0][0].text == "[ this is no JSON ]"


HOSTILE_BODIES = {
    "deep JSON": (b'{"a":' * 900 + b"1" + b"}" * 900, "application/json"),
    "bottomless JSON": (b"[" * 500_000 + b"]" * 500_000, "application/json"),
    "open JSON": (b"[1," * 100_000, "application/json"),
    "long JSON": (b"[" + b"1," * 200_000 + b"1]", "application/json"),
    "a long number": (b"9" * 1_000_000, "application/json"),
    "many values": (b"1 " * 300_000 + b"x", "application/json"),
    "deep XML": (b"<a>" * 200_000, "text/xml"),
    "wide XML": (b"<a " + b" ".join(b'x%d="1"' % n for n in range(100_000)) + b"></a>", "text/xml"),
    "hidden wide XML": (b'<a y=">" ' + b" ".join(b'x%d="1"' % n for n in range(100_000)) + b"></a>", "text/xml"),
    "many names": (b"<a>" + b"&x;" * 100_000 + b"</a>", "text/xml"),
    "open CDATA": (b"<a>" + b"<![CDATA[" * 50_000, "text/xml"),
    "many lines": (b"a\n" * 300_000, "text/plain"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE_BODIES)
def test_hostile_bodies_take_no_time(name: str) -> None:
    body, content_type = HOSTILE_BODIES[name]
    begun = time.process_time()
    root, _ = read(body, content_type)
    assert time.process_time() - begun < 10
    assert root is None or sum(1 for _ in root.iter()) <= MOST_JSON + 1 or root.tag not in ("json", "text")


def test_json_that_nests_beyond_all_measure_stays_json_and_says_that_it_was_cut() -> None:
    root, cuts = read(b'{"a":' * 10_000 + b"1" + b"}" * 10_000)
    assert root.tag == "json"
    assert len(cuts) == 1


def test_what_is_cut_is_said() -> None:
    root, cuts = read(b'{"a":' * 100 + b"1" + b"}" * 100)
    assert max(sum(1 for _ in element.iterancestors()) for element in root.iter()) == DEEPEST_JSON
    assert len(cuts) == len(read(b"[" + b"1," * MOST_JSON + b"1]")[1]) == 1


@pytest.mark.slow
@settings(deadline=None, max_examples=200)
@given(
    st.lists(HOSTILE, max_size=8).map("".join),
    st.sampled_from(["application/json", "text/xml", "text/plain", "text/html", ""]),
)
def test_any_text_is_read(text: str, content_type: str) -> None:
    root, _ = read(text.encode("utf-8", "surrogatepass"), content_type)
    if root is not None:
        etree.tostring(root)
