"""Sentences of the command line as the app says them: who clicks is not told to type."""

from __future__ import annotations

import re

_WORDS = (
    (r"measure it with trailmark check \d+(?: --goal (?:'[^']*'|\S+))?", "answer with y and n under Check"),
    (r"walk a site \(trailmark forage\), then trailmark check", "walk a site under Crawl, then answer under Check"),
    (r"a walk \(trailmark forage\), then trailmark check", "a walk under Crawl, then answers under Check"),
    (r"\(trailmark forage\) and run trailmark check", "under Crawl and answer under Check"),
    (r"with trailmark forage", "under Crawl"),
    (r"then (split|cut) it: trailmark shape --(?:split|match)", r"then \1 it by Change a field under Data"),
    (r"trailmark learn renews it", "Learn again under Model renews it"),
    (r"trailmark wrap renews it", "Use these rules under Fields renews it"),
    (r"trailmark extract renews it", "Lift them under Data renews it"),
    (r"trailmark organise renews it", "Organise again under Topics renews it"),
)
"""(what the command line says, what the app says)."""


def in_app(sentence: str) -> str:
    """A sentence that names commands -> the same with the pages of the app that do it."""
    for pattern, words in _WORDS:
        sentence = re.sub(pattern, words, sentence)
    return sentence
