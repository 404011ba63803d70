"""Rules for the fields of a page: searched, kept, and how they vote (Vertex, section III)."""
