"""One change of a field that all records undergo: kept in the workspace, and made again whenever records are lifted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, Literal, get_args

from trailmark.datatypes import Record
from trailmark.errors import InputError
from trailmark.shape.normal_form import FORMS, LONGEST, Form, Order, normal_form

How = Literal["rename", "split", "join", "match", "replace", "type"]
HOWS: tuple[How, ...] = get_args(How)
LONGEST_PATTERN, LONGEST_NAME, MOST_NAMES = 300, 60, 12
Values = dict[str, tuple[tuple[str, str], ...]]
"""Field -> its values, each with its place."""


@dataclass(frozen=True, slots=True)
class FieldStep:
    """rename: fields[0] -> into[0]. split: at `pattern`, a sign or a word -> `into`, or several values. join: all fields, with `pattern`
    between -> into[0]. match: what the regular expression finds, its first group where it has one. replace: `put` for what it finds.
    type: values in one form (`form`), those that are something else as they are."""

    how: How
    fields: tuple[str, ...]
    into: tuple[str, ...] = ()
    pattern: str = ""
    put: str = ""
    form: Form = "text"
    order: Order = ""
    decimal: str = ""

    @property
    def sentence(self) -> str:
        """What it does, in words."""
        name, into = self.fields[0], ", ".join(self.into)
        sentences: dict[How, str] = {
            "rename": f"“{name}” is called “{into}”.",
            "split": f"“{name}” is split at “{self.pattern}” into {into or 'several values'}.",
            "join": f"{', '.join(self.fields)} are joined with “{self.pattern}” between as “{into}”.",
            "match": f"Of “{name}” what {self.pattern} finds is kept.",
            "replace": f"In “{name}” what {self.pattern} finds becomes “{self.put}”.",
            "type": f"“{name}” is brought to the form of a {self.form}.",
        }
        return sentences[self.how]

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def names(self, names: Iterable[str]) -> list[str]:
        """Fields before it -> fields after it, in the order of columns."""
        before = list(dict.fromkeys(names))
        if not any(name in before for name in self.fields):
            return before
        places: dict[str, tuple[str, ...]] = {name: (name,) for name in before}
        if self.how in ("rename", "join") or (self.how == "split" and self.into):
            first = next(name for name in before if name in self.fields)
            places |= {name: self.into if name == first else () for name in self.fields}
        return list(dict.fromkeys(after for name in before for after in places[name]))

    def __call__(self, record: Record) -> Record:
        """The record after it; the same where it has none of the fields."""
        if not any(name in record.fields for name in self.fields):
            return record
        after = _CHANGES[self.how](self, _values(record))
        filled = {name: values for name, values in after.items() if values}
        order = [name for name in self.names(record.fields) if name in filled]
        touched = any(name in record.unsure for name in self.fields)
        unsure = [name for name in record.unsure if name in filled]
        unsure += [name for name in self.into if touched and name in filled and name not in unsure]
        return replace(
            record,
            fields={name: tuple(value for value, _ in filled[name]) for name in order},
            sources={
                name: tuple(place for _, place in filled[name]) for name in order if any(p for _, p in filled[name])
            },
            unsure=tuple(unsure),
        )


def step_from_json(data: Any) -> FieldStep:
    """The inverse of `to_json`; InputError where it is no step that can be made."""
    try:
        many = {name: tuple(map(str, data.get(name, ()))) for name in ("fields", "into")}
        plain = {name: str(data.get(name, "")) for name in ("pattern", "put", "order", "decimal")}
        form = str(data.get("form") or "text")
        step = FieldStep(data["how"], **many, **plain, form=form)  # type: ignore[arg-type]
    except (AttributeError, KeyError, TypeError) as error:
        raise InputError(f"That is no change of a field ({error!r}).") from error
    return checked(step)


def checked(step: FieldStep) -> FieldStep:
    """The step; InputError in one sentence where it can't be made."""
    if step.how not in HOWS:
        raise InputError(f"A field can't be changed by '{step.how}'; known are {', '.join(HOWS)}.")
    if not step.fields or not all(step.fields):
        raise InputError("Name the field that is to be changed.")
    _check_names(step)
    if step.how == "split" and not step.pattern:
        raise InputError("Say at which sign or word the field is to be split.")
    if step.how in ("match", "replace"):
        _compiled(step.pattern)
    if step.how == "type" and step.form not in FORMS:
        raise InputError(f"'{step.form}' is no form of a value; known are {', '.join(FORMS)}.")
    if step.order not in ("", "dmy", "mdy") or step.decimal not in ("", ".", ","):
        raise InputError("The order of a date is dmy or mdy, the sign before a fraction . or ,")
    return step


def _check_names(step: FieldStep) -> None:
    if step.how in ("rename", "join") and len(step.into) != 1:
        raise InputError("Say what the field is to be called.")
    if step.how == "join" and len(step.fields) < 2:
        raise InputError("Name two fields or more that are to be joined.")
    if len(step.fields) > MOST_NAMES or len(step.into) > MOST_NAMES or len(set(step.into)) < len(step.into):
        raise InputError(f"Up to {MOST_NAMES} fields, each once, can be made or joined.")
    if any(not name.strip() or len(name) > LONGEST_NAME or not name.isprintable() for name in step.into):
        raise InputError(f"A field is named by up to {LONGEST_NAME} letters that can be seen.")


@lru_cache(maxsize=64)
def _compiled(pattern: str) -> re.Pattern[str]:
    if not pattern or len(pattern) > LONGEST_PATTERN:
        raise InputError(f"Write a regular expression of up to {LONGEST_PATTERN} letters.")
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(f"{pattern} is no regular expression: {error}.") from error


def _values(record: Record) -> Values:
    values: Values = {}
    for name, texts in record.fields.items():
        places = record.sources.get(name, ())
        values[name] = tuple((text, places[n] if n < len(places) else "") for n, text in enumerate(texts))
    return values


def _rename(step: FieldStep, values: Values) -> Values:
    old, new = step.fields[0], step.into[0]
    kept = {name: texts for name, texts in values.items() if name != old}
    return {**kept, new: (*kept.get(new, ()), *values[old])}


def _split(step: FieldStep, values: Values) -> Values:
    name = step.fields[0]
    kept = {other: texts for other, texts in values.items() if other != name}
    if not step.into:
        parts = [(part, place) for text, place in values[name] for part in _parts(text.split(step.pattern))]
        return {**kept, name: tuple(parts)}
    for text, place in values[name]:
        for into, part in zip(step.into, text.split(step.pattern, len(step.into) - 1), strict=False):
            kept[into] = (*kept.get(into, ()), *((one, place) for one in _parts([part])))
    return kept


def _join(step: FieldStep, values: Values) -> Values:
    kept = {name: texts for name, texts in values.items() if name not in step.fields}
    parts = [pair for name in step.fields for pair in values.get(name, ())]
    joined = (step.pattern.join(text for text, _ in parts), parts[0][1])
    return {**kept, step.into[0]: (*kept.get(step.into[0], ()), joined)}


def _match(step: FieldStep, values: Values) -> Values:
    pattern = _compiled(step.pattern)

    def kept(text: str) -> str:
        match = pattern.search(text[:LONGEST])
        return "" if match is None else (match[1] if pattern.groups else match[0]) or ""

    return _each(step, values, kept)


def _replace(step: FieldStep, values: Values) -> Values:
    return _each(
        step, values, lambda text: _compiled(step.pattern).sub(lambda match: _put(match, step), text[:LONGEST])
    )


def _put(match: re.Match[str], step: FieldStep) -> str:
    try:
        return match.expand(step.put)
    except (re.error, IndexError) as error:
        raise InputError(f"“{step.put}” can't be put in: {error}.") from error


def _type(step: FieldStep, values: Values) -> Values:
    return _each(
        step, values, lambda text: normal_form(text, step.form, order=step.order, decimal=step.decimal) or text
    )


def _each(step: FieldStep, values: Values, change: Callable[[str], str]) -> Values:
    changed = ((change(text).strip(), place) for text, place in values[step.fields[0]])
    return {**values, step.fields[0]: tuple((text, place) for text, place in changed if text)}


def _parts(parts: Sequence[str]) -> list[str]:
    return [part.strip() for part in parts if part.strip()]


_CHANGES: Mapping[How, Callable[[FieldStep, Values], Values]] = {
    "rename": _rename,
    "split": _split,
    "join": _join,
    "match": _match,
    "replace": _replace,
    "type": _type,
}
