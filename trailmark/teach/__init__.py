"""Teach: click paths and marks in files -> `Trail`s and `Annotation`s that can be trusted.

- `trail_file`: lines of a trails file -> trails, each bad line with its reason.
- `trail_check`: is every step linked from the page before it? Fills in the anchors.
- `annotation_file`: lines of an annotations file -> annotations.
- `recording`: what a browser recorded (`recorder`: Chrome's DevTools Recorder; `har`: a network log) -> trails.
- `problem`: what was wrong, where, in one sentence.
"""

from trailmark.teach.annotation_file import parse_annotations
from trailmark.teach.problem import Problem
from trailmark.teach.recording import Recording, parse_recording
from trailmark.teach.trail_check import check_trail, find_link
from trailmark.teach.trail_file import parse_trails

__all__ = [
    "Problem",
    "Recording",
    "check_trail",
    "find_link",
    "parse_annotations",
    "parse_recording",
    "parse_trails",
]
