"""Fetching pages: politely, and never from an address that is not on the public net. The only room that reaches out."""
