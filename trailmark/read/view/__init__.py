"""A crawled page as it may be shown to a person: it looks like itself, and can do nothing."""
