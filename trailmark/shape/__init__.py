"""Records -> records as a person wants them: fields renamed, split, joined, cut by a pattern, brought to one form; single values corrected."""

from trailmark.shape.field_step import FieldStep
from trailmark.shape.shaper import ShapedRecord, Shaper
from trailmark.shape.value_edit import ValueEdit

__all__ = ["FieldStep", "ShapedRecord", "Shaper", "ValueEdit"]
