"""Records to files that other programs read.

record_json.py     a record -> the JSON object that the formats page describes
json_file.py       records -> JSON Lines, or one JSON array
csv_file.py        records -> a table with one row a record
parquet_file.py    records -> Parquet, where pyarrow is installed
record_file.py     which of these: by the suffix of the file's name
"""

from trailmark.export.record_file import FORMATS, Form, form_of, write_records
from trailmark.export.record_json import record_to_json

__all__ = ["FORMATS", "Form", "form_of", "record_to_json", "write_records"]
