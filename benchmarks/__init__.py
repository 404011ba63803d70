"""Ratios against peers, each in one run: wall-clock times of a shared machine mean little, ratios hold."""
