"""One module a command: it takes a workspace and arguments, wires the rooms to the store, and returns a report.

`cli` prints what comes back, `serve` renders it.
"""
