"""Fetching pages: politely, and never from an address that is not on the public net. The only room that reaches out."""

from trailmark.forage.fetch import fetch_pages

__all__ = ["fetch_pages"]
