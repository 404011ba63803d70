"""One writer for each language that outside text goes into: what a page, a URL or a file says is quoted here, never pasted.

python_literal      a program
xpath_literal       an XPath, and xpath_name for a tag within one
xml_text            XML and SVG between tags, xml_attribute within one, xslt_template where XSLT looks for `{...}`
json_text           JSON for a file, a stream or a terminal
toml_string         a trailmark.toml
shell_command       a command that a person copies
terminal_text       a terminal: one line, and nothing in it that steers
figure_text         a picture by matplotlib
unicode_text        files whose strings are UTF-8 and nothing else (Parquet)
file_name           a part of the name of a file, on any disk
reason_text         a sentence that names what a library raised

HTML is written by the templates, which escape everything (serve/rendering.py), and tables of cells by export/csv_file.py.
"""

from __future__ import annotations

import hashlib
import json
import re
import shlex
from typing import Any
from urllib.parse import unquote_to_bytes

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
"""Stands for a character that a language can't hold."""

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""What JSON and XML let pass: further controls, characters that turn the direction of writing, halves of a pair."""
_HALF = re.compile("[\ud800-\udfff]")
_PLAIN_LETTERS = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
LONGEST_FILE_NAME = 120
"""Letters of a text that stand in the name of a file; what is longer ends in a digest."""
_JOINERS = "\u200c\u200d"
"""Without width, but Persian, Hindi and emoji are not spelt right without them."""


def python_literal(value: str | bool) -> str:
    """The value as Python writes it: quotes, line ends, controls and turns of direction are escaped."""
    return repr(value)


def is_xml(text: str) -> bool:
    """Whether XML, and so XPath, can hold the text at all: most control characters it can't, in no spelling."""
    return _NOT_XML.search(text) is None


def xml_text(text: str) -> str:
    """The text between tags; what XML can't hold is replaced."""
    return _xml(text).replace("\r", "&#13;")


def xml_attribute(text: str) -> str:
    """The text as an attribute, with its quotes; line ends stay what they are."""
    return '"' + re.sub('[\t\n\r"]', _number, _xml(text)) + '"'


def xslt_template(text: str) -> str:
    """The text as an attribute of an element that XSLT makes: there `{...}` would be evaluated."""
    return xml_attribute(text.replace("{", "{{").replace("}", "}}"))


def xpath_literal(text: str) -> str:
    """The text as a string of XPath 1.0, whatever quotes it has."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in text.split("'")) + ")"


def xpath_name(tag: str) -> str:
    """A step to elements of the tag: pages have tags that no XPath can name (`o:p`, `a"b`)."""
    return tag if _PLAIN_NAME.fullmatch(tag) else f"*[name()={xpath_literal(tag)}]"


def json_text(value: Any, *, indent: int | None = None) -> str:
    """The value as JSON that people can read and any file, stream or terminal can take."""
    return _STEERING.sub(_escape, json.dumps(value, ensure_ascii=False, indent=indent))


def toml_string(text: str) -> str:
    """The text as a basic string of TOML; a half of a pair, which TOML can't hold, is replaced."""
    # JSON's escapes are TOML's, but for the controls that JSON lets pass.
    return _STEERING.sub(_escape, json.dumps(unicode_text(text), ensure_ascii=False))


def shell_command(*words: object) -> str:
    """A command that a shell reads as these words; a file name may hold anything, also what no terminal shows."""
    return " ".join(_shell_word(str(word)) for word in words)


def terminal_text(text: str) -> str:
    """The text on one line, without anything that drives a terminal or turns the direction of what follows."""
    return "".join(map(_shown, text))


def count_of(number: int, one: str, many: str = "") -> str:
    """A number and its noun: `1 page`, `2 pages`; `many` where an s does not do."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def figure_text(text: str) -> str:
    """The text for matplotlib, which takes what stands between dollar signs for a formula."""
    return terminal_text(text).replace("$", r"\$")


def unicode_text(text: str) -> str:
    """The text with each half of a pair replaced: such come from JSON, and no UTF-8 has them."""
    return _HALF.sub(UNKNOWN, text)


def file_name(text: str) -> str:
    """The text in letters that every disk takes as they are; no two texts share one, also where capitals count for nothing.

    Small letters and digits stand for themselves, every other byte of the text's UTF-8 as `%` and two digits.
    """
    letters = text.encode("utf-8", "surrogatepass")
    name = "".join(chr(letter) if letter in _PLAIN_LETTERS else f"%{letter:02x}" for letter in letters)
    if len(name) <= LONGEST_FILE_NAME:
        return name
    return f"{name[: LONGEST_FILE_NAME - 33]}~{hashlib.blake2b(letters, digest_size=16).hexdigest()}"


def file_name_text(name: str) -> str | None:
    """What `file_name` made the name of; None where it was too long to be kept whole, or made by something else."""
    try:
        text = unquote_to_bytes(name).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return text if file_name(text) == name else None


def _shown(letter: str) -> str:
    if letter.isprintable() or letter in _JOINERS:
        return letter
    return " " if letter.isspace() else UNKNOWN


def _shell_word(word: str) -> str:
    if terminal_text(word) == word:
        return shlex.quote(word)
    # Bytes that are no text stand in file names as the halves U+DC80 to U+DCFF.
    letters = re.sub("[\ud800-\udc7f\udd00-\udfff]", UNKNOWN, word).encode("utf-8", "surrogateescape")
    return "$'" + "".join(chr(n) if 32 <= n < 127 and n not in b"\\'" else f"\\x{n:02x}" for n in letters) + "'"


def _number(match: re.Match[str]) -> str:
    return f"&#{ord(match[0])};"


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"


def _xml(text: str) -> str:
    escaped = _NOT_XML.sub(UNKNOWN, text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _STEERING.sub(_number, escaped)


def reason_text(error: BaseException, most: int = 160) -> str:
    """What a library raised, in one line of so many letters at most; its name where it says nothing."""
    return " ".join(str(error).split())[:most] or type(error).__name__
