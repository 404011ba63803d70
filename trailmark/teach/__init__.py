"""Click paths and marks, in files and recordings -> `Trail`s and `Annotation`s that can be trusted."""

from trailmark.read.written_lines import Problem
from trailmark.teach.annotation_file import parse_annotations
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
