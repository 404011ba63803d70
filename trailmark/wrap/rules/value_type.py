"""Typed values: regular expressions that both select and validate (Vertex, section III-C4)."""

from __future__ import annotations

import re

_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec)[a-z]{0,6}"
_PATTERNS = {
    "e-mail": r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}",
    "url": r"(?:https?://|www\.)[^\s<>\"]{3,300}",
    "isbn": r"(?:97[89][ -]?)?\d{1,5}[ -]?\d{1,7}[ -]?\d{1,7}[ -]?[\dxX](?![\w-])",
    "price": r"(?:US|CA|AU|C|A|HK|NZ)?\s?[$€£¥₹]\s?\d{1,3}(?:[,.]?\d{3}){0,4}(?:[.,]\d{2})?|\d{1,9}(?:[.,]\d{2})?\s?(?:USD|EUR|GBP|€|dollars|euros)",
    "phone": r"(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,5}\)|\d{2,5})[ ./-]?\d{3,4}[ .-]\d{3,4}(?:\s?(?:x|ext\.?)\s?\d{1,6})?",
    "date": rf"\d{{1,2}}[./-]\d{{1,2}}[./-](?:\d{{4}}|\d{{2}})|\d{{4}}-\d{{2}}-\d{{2}}|(?:\w{{3,9}},? )?{_MONTH}\.?,? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|(?:\w{{3,9}},? )?\d{{1,2}}(?:st|nd|rd|th)?[ -]{_MONTH}\.?,?[ -]\d{{2,4}}|{_MONTH}\.?,? \d{{4}}",
    "postcode": r"\d{5}-\d{4}|[A-Z]{2} \d{5}|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d",
    "currency": r"(?:US|CA|AU|C|A|HK|NZ)?[$€£¥₹]|\b(?:USD|EUR|GBP|JPY|CHF|CAD|AUD|INR|CNY)\b",
    "year": r"(?:1[5-9]|20)\d{2}",
    "number": r"[+-]?\d{1,3}(?:,\d{3}){1,6}(?:\.\d{1,9})?|[+-]?\d{1,15}(?:\.\d{1,9})?%?",
}
PATTERNS = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _PATTERNS.items()}
"""In the order in which they are tried: a year is a number too."""
LONGEST_TYPED = 60


def types_of(text: str) -> list[str]:
    """The types whose pattern the whole text matches, the most telling first."""
    if len(text) > LONGEST_TYPED or (len(text) > 4 and not any(sign in text for sign in "0123456789@.")):
        return []
    return [name for name in PATTERNS if fits(name, text)]


def fits(name: str, text: str) -> bool:
    """Whether the whole text is a value of the type."""
    return len(text) <= LONGEST_TYPED and PATTERNS[name].fullmatch(text) is not None and _holds(name, text)


def _holds(name: str, text: str) -> bool:
    if name != "isbn":
        return True
    return sum(sign.isalnum() for sign in text) in (10, 13) and _check_digit(text)


def _check_digit(text: str) -> bool:
    """Whether the last sign of an ISBN says what the others add up to."""
    signs = [10 if sign in "xX" else int(sign) for sign in text if sign.isalnum()]
    if len(signs) == 13:
        return 10 not in signs and sum(n * (1 + 2 * (at % 2)) for at, n in enumerate(signs)) % 10 == 0
    return 10 not in signs[:-1] and sum(n * (10 - at) for at, n in enumerate(signs)) % 11 == 0
