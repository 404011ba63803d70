"""Sentences of the command line, as the app says them."""

from __future__ import annotations

import pytest

from trailmark.serve.app_words import in_app


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It is not measured yet: measure it with trailmark check 3 --goal 'a b'.", "It is not measured yet: answer with y and n under Check."),
        ("walk a site (trailmark forage), then trailmark check.", "walk a site under Crawl, then answer under Check."),
        ("walk one (trailmark forage) and run trailmark check.", "walk one under Crawl and answer under Check."),
        ("Nothing is urgent: try it with trailmark forage.", "Nothing is urgent: try it under Crawl."),
        ("Mark the whole run of them, then split it: trailmark shape --split", "Mark the whole run of them, then split it by Change a field under Data"),
        ("Mark the whole text, then cut it: trailmark shape --match", "Mark the whole text, then cut it by Change a field under Data"),
        ("trailmark learn renews it", "Learn again under Model renews it"),
        ("Nothing to type here.", "Nothing to type here."),
    ],
)  # fmt: skip
def test_a_sentence_names_pages_of_the_app(said: str, shown: str) -> None:
    assert in_app(said) == shown
