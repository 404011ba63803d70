"""Character sets: labels, marks, lies and guesses."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trailmark.read.charset import decode

FRENCH = "Les élèves du collège étudient l'été à Nîmes"
RUSSIAN = "Факультет информатики и вычислительной техники, кафедра программирования"
JAPANESE = "情報科学の講義についてのお知らせです。これはテストです。"


@pytest.mark.parametrize(
    ("label", "text", "name"),
    [
        ("utf-8", FRENCH + RUSSIAN + JAPANESE, "utf-8"),
        ("iso-8859-1", FRENCH, "windows-1252"),
        ("latin1", FRENCH, "windows-1252"),
        ("windows-1252", FRENCH + " – “quoted”", "windows-1252"),
        ("iso-8859-15", FRENCH + " €", "iso-8859-15"),
        ("iso-8859-2", "Zażółć gęślą jaźń", "iso-8859-2"),
        ("windows-1251", RUSSIAN, "windows-1251"),
        ("koi8-r", RUSSIAN, "koi8-r"),
        ("shift_jis", JAPANESE, "shift_jis"),
        ("euc-jp", JAPANESE, "euc-jp"),
        ("iso-2022-jp", JAPANESE, "iso-2022-jp"),
        ("gb2312", "计算机科学系", "gbk"),
        ("big5", "計算機科學", "big5"),
        ("euc-kr", "컴퓨터 과학", "euc-kr"),
        ("windows-1253", "Πανεπιστήμιο", "windows-1253"),
        ("windows-1256", "جامعة", "windows-1256"),
    ],
)
@pytest.mark.parametrize("by", ["header", "meta"])
def test_a_labelled_text_comes_back_whole(label: str, text: str, name: str, by: str) -> None:
    page = f"<html><head><meta charset={label}></head><p>{text}</p>" if by == "meta" else f"<p>{text}</p>"
    body = page.encode(label)
    assert decode(body, f"text/html; charset={label}" if by == "header" else "text/html") == (page, name)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
def test_a_byte_order_mark_beats_the_header(mark: bytes) -> None:
    codec = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}[mark]
    text, _ = decode(mark + FRENCH.encode(codec), "text/html; charset=koi8-r")
    assert text == FRENCH


def test_header_that_says_utf_8_over_latin_1_bytes_is_not_believed() -> None:
    assert decode(FRENCH.encode("latin-1"), "text/html; charset=utf-8") == (FRENCH, "windows-1252")


def test_header_that_says_latin_1_over_utf_8_bytes_is_not_believed() -> None:
    assert decode(FRENCH.encode(), "text/html; charset=iso-8859-1") == (FRENCH, "utf-8")


def test_one_bad_byte_does_not_spoil_a_utf_8_page() -> None:
    text, name = decode((FRENCH * 20).encode() + b"\xff", "text/html; charset=utf-8")
    assert name == "utf-8"
    assert text.startswith(FRENCH)


@pytest.mark.parametrize("label", ["", "bogus", "utf-7", "rot13", "zlib", "idna", "unicode_escape", "\x00", "x" * 500])
def test_unknown_and_dangerous_labels_are_left_to_the_guess(label: str) -> None:
    assert decode(FRENCH.encode(), f"text/html; charset={label}") == (FRENCH, "utf-8")
    assert decode(b"+ADw-script+AD4-", f"text/html; charset={label}")[0] == "+ADw-script+AD4-"


@pytest.mark.parametrize(
    ("text", "codec"),
    [(RUSSIAN, "cp1251"), (RUSSIAN, "koi8-r"), (JAPANESE, "shift_jis"), (JAPANESE, "euc-jp"), (FRENCH, "cp1252")],
)
def test_guess_without_any_label(text: str, codec: str) -> None:
    assert decode(text.encode(codec))[0] == text


def test_utf_16_without_a_mark_is_seen_by_its_zeros() -> None:
    assert decode("<p>Plain words</p>".encode("utf-16-le"))[0] == "<p>Plain words</p>"


@given(
    st.binary(max_size=400),
    st.sampled_from(["utf-8", "latin-1", "utf-16", "shift_jis", "gbk", "koi8-r", "iso-2022-jp", "x"]),
)
def test_any_bytes_under_any_label_give_text(body: bytes, label: str) -> None:
    text, name = decode(body, f"text/html; charset={label}")
    assert isinstance(text, str)
    assert name
    text.encode("utf-8", "strict")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\x00\ufeff"), max_size=200))
def test_utf_8_round_trip(text: str) -> None:
    assert decode(text.encode(), "text/html; charset=utf-8")[0] == text
