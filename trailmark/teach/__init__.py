"""Teach: click paths and marks in files -> `Trail`s and `Annotation`s that can be trusted.

- `trail_file`: lines of a trails file -> trails, each bad line with its reason.
- `trail_check`: is every step linked from the page before it? Fills in the anchors.
- `annotation_file`: lines of an annotations file -> annotations.
- `problem`: what was wrong, where, in one sentence.
"""

from trailmark.teach.annotation_file import parse_annotations
from trailmark.teach.problem import Problem
from trailmark.teach.trail_check import check_trail, find_link
from trailmark.teach.trail_file import parse_trails

__all__ = ["Problem", "check_trail", "find_link", "parse_annotations", "parse_trails"]
