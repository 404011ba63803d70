"""Words of a document, in lines -> the field that each belongs to, by chain models learnt from tagged text."""

from trailmark.tag.tagged_text import NO_FIELD, TaggedDocument, parse_tagged
from trailmark.tag.words import Tag, Tagger, Word

__all__ = ["NO_FIELD", "Tag", "TaggedDocument", "Tagger", "Word", "parse_tagged"]
