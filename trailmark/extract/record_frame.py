"""Records -> a pandas DataFrame, where pandas is installed: it is nothing that Trailmark needs."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

from trailmark.datatypes import Record
from trailmark.errors import InputError

Column = list[str | None]


def record_frame(records: Iterable[Record], *, separator: str) -> Any:
    """Records -> a DataFrame with a row a record: url, kind, a column a field, made_by."""
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise InputError("A DataFrame needs pandas, which is not installed: pip install pandas") from error
    return pandas.DataFrame(record_columns(records, separator=separator))


def record_columns(records: Iterable[Record], *, separator: str) -> dict[str, Column]:
    """Records -> name -> a value for each record, in one walk; None where a record lacks the field.

    A field called as a column that is always there gets a `_` behind, as in a Parquet file.
    """
    urls, kinds, makers = Column(), Column(), Column()
    values: dict[str, Column] = {}
    for count, record in enumerate(records):
        urls.append(record.url)
        kinds.append(record.kind)
        makers.append(record.made_by)
        for name, texts in record.fields.items():
            column = values.setdefault(name, [])
            column += [None] * (count - len(column))
            column.append(separator.join(texts))
    columns = {"url": urls, "kind": kinds, "made_by": makers}
    for name, column in values.items():
        while name in columns:
            name += "_"
        columns[name] = column + [None] * (len(urls) - len(column))
    columns["made_by"] = columns.pop("made_by")  # it stands last
    return columns
