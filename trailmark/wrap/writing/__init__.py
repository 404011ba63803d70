"""Rules written down for others: as sentences, XPaths, a stylesheet, a program."""
