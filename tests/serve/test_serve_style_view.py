"""Hostile style sheets: whatever is in them, what is shown loads from the app alone. A second tokeniser (tinycss2) reads what was written."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import pytest
import tinycss2
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from trailmark.read.view.style_tokens import Kind, preprocessed, tokens
from trailmark.read.view.style_view import MOST, MOST_ADDRESSES, style_view

OWN = "/asset?1"
LOADING = re.compile(r"(?:-[a-z]+-)?(?:url|src|image|image-set|image-rect|element|paint|expression)")
PIECES = [
    *"url(URL)'\"\\@import ;:/*{}x.<>72lsrc\n\r\f\t\x00-_#+1e%!(),é\u2028\ufeff\x0b\x7f",
    "url(", "src(", "@import", "image-set(", "-webkit-image-set(", "u\\72l(", "\\75 ", "\\000072", "\\", "\\\r\n", "\r\n", "/*", "*/", "<!--",
    "-->", "--", "</style>", "//evil.example/x", "data:image/png;base64,AA", "#a", "var(--a)", "behavior:", "e\\78pression(", "\\0 ",
]  # fmt: skip


def every(nodes: Iterable[Any]) -> Iterator[Any]:
    """Tokens in document order, those within blocks and functions among them."""
    for node in nodes:
        yield node
        inner = getattr(node, "arguments", None) or getattr(node, "content", None) or ()
        if not isinstance(inner, str):
            yield from every(inner)


def solid(nodes: Iterable[Any]) -> list[Any]:
    return [node for node in nodes if node.type not in ("whitespace", "comment")]


def loads_nothing_else(css: str) -> None:
    """By a real tokeniser: every address is the app's own or in the page, and nothing else could load."""
    nodes = tinycss2.parse_component_value_list(css)
    flat = list(every(nodes))
    for node in flat:
        if node.type == "url":
            assert node.value == OWN or node.value.startswith("#"), css
        elif node.type == "function" and LOADING.fullmatch(node.lower_name):
            assert node.lower_name == "url", css
            assert [each.type for each in solid(node.arguments)] == ["string"], css
            assert node.arguments[0].value == OWN or node.arguments[0].value.startswith("#"), css
        assert node.type != "ident" or node.lower_value not in ("behavior", "-moz-binding"), css
        assert node.type != "error" or node.kind not in ("bad-string", "bad-url"), css
    for node, after in pairwise([*solid(flat), None]):
        if node.type == "at-keyword" and node.lower_value == "import":
            assert after is not None, css
            assert (after.type, getattr(after, "lower_name", "")) in (("function", "url"), ("url", "")), css


@pytest.mark.parametrize(
    ("css", "wanted"),
    [
        ("a{b:url(x.png)}", 'a{b:url("/asset?1")}'),
        ("a{b:URL( \"x.png\" )}", 'a{b:url("/asset?1")}'),
        ("a{b:u\\72l(x.png)}", 'a{b:url("/asset?1")}'),
        ("a{b:u\\72 l(x.png)}", 'a{b:url("/asset?1")}'),
        ("a{b:u\\72\r\nl(x.png)}", 'a{b:url("/asset?1")}'),
        ("a{b:\\75\\72\\6c(x.png)}", 'a{b:url("/asset?1")}'),
        ("a{b:u\\rl(x.png)}", 'a{b:url("/asset?1")}'),
        ("a{b:src('x.png')}", 'a{b:url("/asset?1")}'),
        ("a{b:src(var(--x))}", "a{b:x-left-out(var(--x))}"),
        ("a{b:url('x.png' crossorigin(a))}", 'a{b:x-left-out("" crossorigin(a))}'),
        ("a{b:'\r;c:url(x)}", 'a{b: x-left-out \n;c:url("/asset?1")}'),
        ("a{b:'\f;c:url(x)}", 'a{b: x-left-out \n;c:url("/asset?1")}'),
        ("a{b:'\\\r\n;c:url(x)'}", "a{b:'\\\n;c:url(x)'}"),
        ("a{b:1url(x)}", "a{b:1url(x)}"),
        ("a{b:#url(x)}", "a{b:#url(x)}"),
        ("a{b:-url(x)}", "a{b:-url(x)}"),
        ("a{b:url/**/(x)}", "a{b:url/**/(x)}"),
        ("a{b:url(x y);c:url(z)}", 'a{b: x-left-out ;c:url("/asset?1")}'),
        ("a{b:url(x\"y);c:url(z)}", 'a{b: x-left-out ;c:url("/asset?1")}'),
        ("@import 'x.css';b{}", '@import url("/asset?1");b{}'),
        ("@import'x.css';", '@import url("/asset?1");'),
        ("@import url(x.css) screen and (min-width:1px);", '@import url("/asset?1") screen and (min-width:1px);'),
        ("@import url('x.css') layer(a);", '@import url("/asset?1") layer(a);'),
        ("@import 'x.css' supports(url(y));", '@import url("/asset?1") supports(url("/asset?1"));'),
        ("@im\\port 'x.css';", '@import url("/asset?1");'),
        ("@import #x;", "@x-left-out #x;"),
        ("@import url(#x);", '@x-left-out url("#x");'),
        ("@import @import 'x';", '@x-left-out @import url("/asset?1");'),
        ("a{b:url(#here)}", 'a{b:url("#here")}'),
        ("a{content:'url(x)'}", "a{content:'url(x)'}"),
        ("a{content:\"\\4e00\"}", "a{content:\"\\4e00\"}"),
        ("a/* url(x) */{}", "a/**/{}"),
        ("<!-- a{} -->", "  a{}  "),
        ("a{b:url(x.png", 'a{b:url("/asset?1")'),
        ("a{b:url('x.png'", 'a{b:url("/asset?1")'),
        ("a{b:'x", "a{b:\"x\""),
        ("a{b:image-set('x.png' 1x)}", "a{b:x-left-out('x.png' 1x)}"),
        ("a{b:-webkit-image-set('x.png' 1x)}", "a{b:x-left-out('x.png' 1x)}"),
        ("</style><script>", "< /style>< script>"),
        ("<\\73tyle", "< style"),
        ("a{b:'</style>'}", 'a{b:"\\3c /style\\3e "}'),
        ("a{b:1\\65 3}", "a{b:1\\65 3}"),
        ("\ufeffurl(x)", "\\feff url(x)"),
    ],
)  # fmt: skip
def test_style_sheets(css: str, wanted: str) -> None:
    assert style_view(css, lambda _: OWN) == wanted
    loads_nothing_else(wanted)


def test_an_address_that_may_not_be_loaded_is_left_out() -> None:
    shown = style_view("@import 'a';@import url(b);a{b:url(c)}", lambda _: None)
    assert shown == "@x-left-out x-left-out();@x-left-out x-left-out();a{b:x-left-out()}"


def test_addresses_are_handed_over_with_their_escapes_undone() -> None:
    asked: list[str] = []
    style_view("@import '\\61.css';a{b:url( \\62.png );c:url('\\\r\nc')}", lambda url: asked.append(url) or OWN)  # type: ignore[func-returns-value]
    assert asked == ["a.css", "b.png", "c"]


@pytest.mark.slow
@settings(deadline=None, max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@example("@import'x'")
@example("@import")
@example("url(\\")
@example("'\\")
def test_no_style_sheet_loads_from_elsewhere(css: str) -> None:
    shown = style_view(css, lambda _: OWN)
    loads_nothing_else(shown)
    assert not re.search(r"<[!/a-zA-Z?]", shown)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_what_was_written_anew_is_stable(css: str) -> None:
    once = style_view(css, lambda _: OWN)
    assert style_view(once, lambda _: OWN) == once


def told_by_us(css: str) -> list[tuple[str, str]]:
    kinds = {Kind.NAME: "ident", Kind.AT: "at-keyword", Kind.CALL: "function", Kind.STRING: "string", Kind.URL: "url"}
    return [(kinds[each.kind], each.value) for each in tokens(preprocessed(css)) if each.kind in kinds]


def told_by_another(css: str) -> list[tuple[str, str]]:
    told = []
    for node in every(tinycss2.parse_component_value_list(css)):
        if node.type == "function":
            told.append(("function", node.name))
        elif node.type in ("ident", "at-keyword", "string") or (node.type == "url" and "(" in node.representation):
            told.append((node.type, node.value))
    return told


@pytest.mark.slow
@settings(deadline=None, max_examples=500)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_the_tokens_are_those_of_another_tokeniser(css: str) -> None:
    # The other one takes a backslash before a line end, or at the very end, for a letter of an address.
    assume("\\\n" not in preprocessed(css + "\n"))
    assert told_by_us(css) == told_by_another(css)


def test_too_long_a_sheet_is_left_out_and_addresses_are_counted() -> None:
    assert style_view("a" * (MOST + 1), lambda _: OWN) == ""
    asked: list[str] = []
    style_view("".join(f"url({n})" for n in range(MOST_ADDRESSES + 50)) * 2, lambda url: asked.append(url) or OWN)  # type: ignore[func-returns-value]
    assert len(asked) == MOST_ADDRESSES


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece",
    ["url(a)", "a(", "'\n", "\\72 ", "\\", "\\\n", "a", 'url("', "url(x y", "url(\\", "/*", "/**/", "@import ", "#a ", "1e", "1.", "-", "+", "<", "<!--"],
)  # fmt: skip
def test_twice_the_text_is_twice_the_work(piece: str) -> None:
    """Counted in calls into the tokeniser's patterns and letters written, not in seconds."""
    sizes = [_work(piece * count) for count in (500, 1000, 2000)]
    assert sizes[2] <= 2.2 * sizes[1] <= 5 * sizes[0] + 100


def _work(css: str) -> int:
    lines = 0

    def count(*_: object) -> Any:
        nonlocal lines
        lines += 1
        return count

    sys.settrace(count)
    try:
        shown = style_view(css, lambda _: OWN)
    finally:
        sys.settrace(None)
    return lines + len(shown)


@pytest.mark.slow
def test_no_pattern_tries_twice() -> None:
    """Half a minute and more with a pattern that goes back; a few milliseconds without."""
    for piece in ("url(", "url('", "url(\\", "@import '", "a" * 50 + "\\", "'\\"):
        css = (piece * 180_000)[:180_000]
        began = time.process_time()
        style_view(css, lambda _: OWN)
        assert time.process_time() - began < 15
