"""A page as rules see it: its texts, elements and attributes in tables, and what can be said of each."""
