"""Quality floors: what was measured once must hold. `python -m evals --data DIR` (or `make evals`)."""
