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
    columns = record_columns(records, separator=separator)
    frame = pandas.DataFrame(
        {number: values for number, (_, values) in enumerate(columns)}
    )  # a field may be called url
    frame.columns = [name for name, _ in columns]
    return frame


def record_columns(records: Iterable[Record], *, separator: str) -> list[tuple[str, Column]]:
    """Records -> columns with their names, a value for each record, in one walk; None where a record lacks the field."""
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
    for column in values.values():
        column += [None] * (len(urls) - len(column))
    return [("url", urls), ("kind", kinds), *values.items(), ("made_by", makers)]
