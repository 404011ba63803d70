"""What a page says of itself for machines (JSON-LD, microdata, RDFa, meta), and fields from it."""
