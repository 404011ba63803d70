"""Records and keywords -> topics, groups of references, ranking, related records, search (Cora, sections 2 and 5)."""
