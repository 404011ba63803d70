"""Bytes -> page tree, links with their surroundings, words, headings, repetition.

Pure: no clock, no files, no network, no randomness.
"""

from trailmark.read.page import read_page
from trailmark.read.tree import parse_html, tree_of
from trailmark.read.url import normalise_url, url_words
from trailmark.read.words import tokens

__all__ = ["normalise_url", "parse_html", "read_page", "tokens", "tree_of", "url_words"]
