"""What `trailmark evaluate drift` prints."""

from __future__ import annotations

from typing import Any

from trailmark.cli.printing import Printer

_GROUPS = ("changed", "unchanged", "all")
_COUNTS = {
    "templates": "templates",
    "flagged": "seen as changed or broken",
    "alarms": "alarms",
    "fields": "fields",
    "broke": "fields that broke",
    "found_broken": "of them found broken",
    "found_or_repaired": "of them found or repaired",
    "false_alarms": "fields in order called broken",
    "reused": "rules that pass and are reused",
    "renewed": "of them renewed, being worn",
    "repaired": "rules repaired",
    "left_to_a_person": "left to a person",
}


def print_drift(printer: Printer, report: dict[str, Any]) -> None:
    """Templates that changed apart from those that did not; then every field."""
    rows = [(said, *(report[group][key] for group in _GROUPS)) for key, said in _COUNTS.items()]
    printer.table("Templates and fields", ["", *_GROUPS], rows)
    stages = list(report["all"]["f1"])
    for name, title in (("f1", "F1 of the first value"), ("set_f1", "F1 of all values")):
        rows = [(stage, *(report[group][name][stage] for group in _GROUPS)) for stage in stages]
        rows.append(("kept of t0 after repair", *(report[group]["kept_after_repair"][name] for group in _GROUPS)))
        printer.table(f"{title}, mean over fields", ["rules", *_GROUPS], rows)
    fields = [
        (
            site["site"],
            field["field"],
            site["status"],
            *(field["scores"][stage][name] for name in ("f1", "set_f1") for stage in stages[:3]),
            _done(field),
        )
        for site in report["sites"]
        for field in site["fields"]
    ]
    columns = [f"{kind} {stage}" for kind in ("F1", "set F1") for stage in stages[:3]]
    printer.table("Fields", ["site", "field", "status", *columns, "rules"], fields)


def _done(field: dict[str, Any]) -> str:
    if field["repaired"]:
        return "repaired"
    if field["renewed"]:
        return "renewed"
    return "reused" if field["reused"] else "left"
