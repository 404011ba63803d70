"""Lists of records on one page: where the entries stand, and rules for the fields of an entry."""
