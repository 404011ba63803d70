"""Evaluate: every table of the papers, measured on a folder of benchmark data. One module a task.

This room reads benchmark folders through `store` and puts the stage rooms to the test; no stage room knows it.
"""
