"""Records -> files that other programs read; which kind of file, its suffix says."""

from trailmark.export.record_file import FORMATS, Form, form_of, write_records
from trailmark.export.record_json import record_to_json

__all__ = ["FORMATS", "Form", "form_of", "record_to_json", "write_records"]
