"""Lines of an annotations file -> annotations. The format is in docs/reference/formats.md."""

from __future__ import annotations

from collections.abc import Iterable

from lxml import etree

from trailmark.datatypes import Annotation
from trailmark.read.json_path import xpath_of
from trailmark.read.written_lines import JsonObject, Problem, Refusal, parse_lines, text_of, url_of

LONGEST_FIELD = 100
_EMPTY_PAGE = etree.Element("html")


def parse_annotations(lines: Iterable[str], source: str) -> tuple[list[tuple[int, Annotation]], list[Problem]]:
    """Lines of a file -> its annotations with their line numbers, and a problem for each line that is not one."""
    return parse_lines(lines, source, _annotation)


def _annotation(entry: JsonObject) -> Annotation:
    url = url_of(entry, "url")
    field = (text_of(entry, "field") or "").strip()
    if not field:
        raise Refusal("'field' must be the name of a field, not an empty string")
    if len(field) > LONGEST_FIELD or not field.isprintable():  # it heads columns, and is put before values
        raise Refusal(f"'field' must be up to {LONGEST_FIELD} letters that can be seen, not {field[:40]!r}")
    if "value" not in entry:
        raise Refusal("'value' is missing (write null where the page lacks the field)")
    xpath = text_of(entry, "xpath", optional=True)
    if xpath is not None and xpath.startswith("$"):
        xpath = _of_json_path(xpath)
    if xpath is not None:
        _check_xpath(xpath)
    return Annotation(url=url, field=field, value=text_of(entry, "value", optional=True), xpath=xpath)


def _of_json_path(path: str) -> str:
    """The XPath of a place in an answer that is JSON; XPaths never begin as JSON paths do."""
    xpath = xpath_of(path)
    if xpath is None:
        raise Refusal(f"'xpath' begins like a JSON path, but is none of names, numbers and *: {path[:80]!r}")
    return xpath


def _check_xpath(xpath: str) -> None:
    try:
        place = etree.XPath(xpath)(_EMPTY_PAGE)  # an unknown prefix shows only when it is used
    except (etree.XPathError, ValueError) as error:  # a control character is no XPath error
        raise Refusal(f"'xpath' is not valid XPath 1.0: {xpath[:80]!r}") from error
    if not isinstance(place, list):
        raise Refusal(f"'xpath' must lead to a place in the page, not to a number or a text: {xpath[:80]!r}")
