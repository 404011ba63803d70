"""The wiring: what joins rooms to the store, and verbs to rooms. Each module serves one or two verbs and has no task of its own.

Modules that `workspace.py` calls know nothing of it:
    teaching, strategies, foraging, clustering; lifting, crew and extraction_tally for extraction.
Modules that call the workspace are what the command line and the web app call beside its methods:
    seeing, explaining, tracing, watching        looking: pages, judgements, records, runs
    asking, suggesting                           questions of the teacher
    browsing, demonstrating, annotating          teaching by clicking; picture_pool fetches what pages load
    wrapping, proposing, extracting, exporting   rules and records
    monitoring (revisiting, mending, monitor_report)

The order is held by tests/house/test_house.py.
"""

from __future__ import annotations
