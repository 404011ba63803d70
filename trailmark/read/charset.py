"""Bytes to text, whatever their label says: byte order mark, header, meta, then a guess from the bytes themselves.

Labels are read as browsers read them (the WHATWG Encoding standard): `latin-1` and `ascii` mean windows-1252, `gb2312`
means its superset, and so on. One departure: a label that the bytes contradict is not believed. Text that is valid UTF-8
beyond ASCII is UTF-8 although it be called latin-1, and text called UTF-8 that is full of broken sequences is not.
"""

from __future__ import annotations

import codecs
import re
from functools import lru_cache

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16le"), (codecs.BOM_UTF16_BE, "utf-16be"))

# Python's codec for a label -> (name shown, codec used). A codec that is not here is never asked: several of Python's
# codecs are no character sets (zlib, rot13, idna), and utf-7 is a way to smuggle markup.
_KNOWN = {
    "utf-8": ("utf-8", "utf-8"), "utf-8-sig": ("utf-8", "utf-8"),
    "utf-16": ("utf-16le", "utf-16-le"), "utf-16-le": ("utf-16le", "utf-16-le"), "utf-16-be": ("utf-16be", "utf-16-be"),
    "ascii": ("windows-1252", "cp1252"), "iso8859-1": ("windows-1252", "cp1252"), "cp1252": ("windows-1252", "cp1252"),
    "iso8859-9": ("windows-1254", "cp1254"), "cp1254": ("windows-1254", "cp1254"),
    "iso8859-11": ("windows-874", "cp874"), "tis-620": ("windows-874", "cp874"), "cp874": ("windows-874", "cp874"),
    "shift_jis": ("shift_jis", "cp932"), "cp932": ("shift_jis", "cp932"),
    "euc_jp": ("euc-jp", "euc_jp"), "iso2022_jp": ("iso-2022-jp", "iso2022_jp"),
    "euc_kr": ("euc-kr", "cp949"), "cp949": ("euc-kr", "cp949"),
    "gb2312": ("gbk", "gb18030"), "gbk": ("gbk", "gb18030"), "gb18030": ("gb18030", "gb18030"),
    "big5": ("big5", "big5hkscs"), "big5hkscs": ("big5", "big5hkscs"),
    "koi8-r": ("koi8-r", "koi8_r"), "koi8-u": ("koi8-u", "koi8_u"),
    "mac-roman": ("macintosh", "mac_roman"), "mac-cyrillic": ("x-mac-cyrillic", "mac_cyrillic"),
    "cp866": ("ibm866", "cp866"),
    **{f"iso8859-{n}": (f"iso-8859-{n}", f"iso8859_{n}") for n in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
    **{f"cp{n}": (f"windows-{n}", f"cp{n}") for n in (1250, 1251, 1253, 1255, 1256, 1257, 1258)},
}  # fmt: skip
_CODEC = dict(_KNOWN.values())
_ALIASES = {"x-sjis": "shift_jis", "windows-31j": "cp932", "unicode": "utf-16", "x-gbk": "gbk", "x-x-big5": "big5",
            "macintosh": "mac-roman", "x-mac-roman": "mac-roman", "dos-874": "cp874", "windows-949": "cp949",
            "ks_c_5601-1987": "euc_kr", "visual": "iso8859-8", "logical": "iso8859-8", "x-cp1251": "cp1251",
            "unicode-1-1-utf-8": "utf-8", "x-cp1252": "cp1252", "x-euc-jp": "euc_jp"}  # fmt: skip

_META = re.compile(rb"<meta[^>]{0,400}?charset\s*=\s*(?:[\"']\s*)?([\w.:-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([\w.:-]{2,40})", re.IGNORECASE)
_HEADER = re.compile(r"charset\s*=\s*(?:[\"']\s*)?([\w.:-]{2,40})", re.IGNORECASE)
_META_BYTES = 4096  # the standard asks for 1024; old pages have long comments before their meta
_SAMPLE = 20_000
_KANA = re.compile("[\u3041-\u30ff]")
_CYRILLIC = re.compile("[оеаинтсрвлОЕАИНТ]")


def decode(body: bytes, content_type: str = "") -> tuple[str, str]:
    """(text, name of the character set); undecodable bytes become U+FFFD, nothing is ever raised."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _lenient(body[len(mark) :], name), name
    header = _label(match.group(1) if (match := _HEADER.search(content_type)) else "")
    if header == "utf-8" or not header:  # the common case first: one strict decoding and nothing else
        text = _strict(body, "utf-8")
        if text is not None and (header or not text.isascii()) and "\x00" not in text[:64]:
            return text, "utf-8"
    for name in (header, _declared(body)):
        if name and (text := _believable(body, name)) is not None:
            return _utf8_after_all(body, name, text)
    name = _guess(body)
    return _lenient(body, name), name


def is_plain(body: bytes, content_type: str) -> bool:
    """Whether bytes are called UTF-8 and are ASCII: then there is nothing to decode."""
    match = _HEADER.search(content_type)
    return match is not None and body.isascii() and b"\x00" not in body[:64] and _label(match.group(1)) == "utf-8"


@lru_cache(maxsize=256)
def _label(label: str) -> str:
    """The name of a character set by any of its labels; empty where it is unknown or no character set."""
    label = label.strip().lower()
    try:
        known = _KNOWN.get(codecs.lookup(_ALIASES.get(label, label)).name)
    except (LookupError, ValueError):
        return ""
    return known[0] if known else ""


def _declared(body: bytes) -> str:
    """What the page says of itself. A page whose meta could be read at all is not UTF-16, whatever it says."""
    head = body[:_META_BYTES]
    match = _META.search(head) or _XML.match(head)
    name = _label(match.group(1).decode("ascii", "replace")) if match else ""
    return "utf-8" if name.startswith("utf-16") else name


def _strict(body: bytes, name: str) -> str | None:
    try:
        return body.decode(_CODEC[name])
    except UnicodeDecodeError:
        return None


def _lenient(body: bytes, name: str) -> str:
    return body.decode(_CODEC[name], "replace")


def _believable(body: bytes, name: str) -> str | None:
    """The text under a label, or None where the label lies: more than one bad character in two hundred beyond ASCII."""
    text = _strict(body, name)
    if text is not None:
        # UTF-16 makes letters of almost any bytes; blanks tell whether they are the right ones.
        return text if not name.startswith("utf-16") or any(sign in text for sign in " <\n") else None
    text = _lenient(body, name)
    bad = text.count("\ufffd")
    beyond = sum(1 for sign in text[: 10 * _SAMPLE] if sign > "\x7f") if bad > 2 else bad
    return text if bad <= 2 and beyond != bad else text if bad * 20 < beyond or _single_byte(name) else None


def _single_byte(name: str) -> bool:
    return name.startswith(("windows-", "iso-8859", "koi8", "mac", "ibm", "x-mac"))


def _utf8_after_all(body: bytes, name: str, text: str) -> tuple[str, str]:
    """Text called latin-1 that is valid UTF-8 beyond ASCII is UTF-8: by chance that hardly happens."""
    if name == "windows-1252" and not text.isascii():
        other = _strict(body, "utf-8")
        if other is not None:
            return other, "utf-8"
    return text, name


def _guess(body: bytes) -> str:
    """A character set for bytes without a believable label."""
    sample = body[:_SAMPLE]
    if len(sample) > 3 and sample.count(0) * 5 > len(sample) * 2:
        return "utf-16be" if sample[0] == 0 else "utf-16le"
    if b"\x1b$" in sample or b"\x1b(" in sample:
        return "iso-2022-jp"
    high = sum(1 for byte in sample if byte > 0x7F)
    if not high:
        return "windows-1252"
    text = sample.decode("utf-8", "replace")
    if (bad := text.count("\ufffd")) * 10 < sum(1 for sign in text if sign > "\x7f") - bad:
        return "utf-8"
    return _guess_by_letters(sample, high)


def _guess_by_letters(sample: bytes, high: int) -> str:
    """Japanese by its kana, Russian by its most frequent letters; else western Europe."""
    for name in ("shift_jis", "euc-jp"):
        text = sample.decode(_CODEC[name], "ignore")
        if len(_KANA.findall(text)) * 5 > high:
            return name
    letters = sum(1 for byte in sample if byte > 0x7F or 65 <= byte & 0xDF <= 90)
    if high * 3 > letters:
        counts = {name: len(_CYRILLIC.findall(_lenient(sample, name))) for name in ("windows-1251", "koi8-r")}
        best = max(counts, key=lambda name: counts[name])
        if counts[best] * 3 > high:
            return best
    return "windows-1252"
