"""Bytes to pages.

    page.py         Response -> Page: the public entry
    tree.py         bytes -> tree of elements, for rooms that need one
    charset.py      bytes -> text
    walk.py         the one walk over a page, at the parser's pace
    note_taker.py   what is noted at the elements that mean something
    marks.py        what an element means to the walk
    notes.py        what the walk brings home
    link.py         notes -> links with their surroundings
    repetition.py   notes -> repeated blocks
    tandem.py       tandem repeats in a sequence, with a suffix array
    url.py          URLs made absolute, normalised, split into words
    words.py        text -> tokens

Pure: no clock, no files, no network, no randomness.
"""

from trailmark.read.page import read_page
from trailmark.read.tree import parse_html, tree_of
from trailmark.read.url import normalise_url, url_words
from trailmark.read.words import tokens

__all__ = ["normalise_url", "parse_html", "read_page", "tokens", "tree_of", "url_words"]
