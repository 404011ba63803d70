"""How `trailmark show URL --why` prints an explanation."""

from __future__ import annotations

from typing import Any

from trailmark.cli.printing import Printer

PARTS_SHOWN, LINK_PARTS_SHOWN, CHANCES_SHOWN = 8, 4, 5


def print_why(printer: Printer, report: dict[str, Any]) -> None:
    """The report of `explain_url` for a person."""
    printer.say(report["title"] or "(no title)", style="bold")
    printer.say(report["url"])
    if report["path"]:
        printer.say(f"reached over {' > '.join(report['path'])}")
    else:
        printer.say("judged as a root, without a path")
    verdict = "a goal" if report["goal"] else "not a goal"
    printer.say(f"It is taken for '{report['label']}' ({verdict}); a goal with {report['goal_probability']:.0%}.")
    chances = list(report["chances"].items())[:CHANCES_SHOWN]
    printer.say("Chances: " + ", ".join(f"{label} {chance:.0%}" for label, chance in chances))
    printer.table(f"Why '{report['label']}'", ["", "because"], _rows(report))
    if report["links"]:
        links = [(link["score"], link["anchor"], _name(link), _because(link)) for link in report["links"]]
        printer.table("Its best links", ["score", "anchor", "taken for", "because"], links)


def _rows(report: dict[str, Any]) -> list[tuple[str, str]]:
    """The strongest parts, all else, the rivals and the sum."""
    shown = [part for part in report["why"] if part["kind"] not in ("rivals", "rest")][:PARTS_SHOWN]
    rivals = [part for part in report["why"] if part["kind"] == "rivals"]
    rest = report["log_odds"] - sum(part["value"] for part in (*shown, *rivals))
    rows = [(part["value"], part["phrase"]) for part in shown] + [(rest, "all else")]
    rows += [(part["value"], part["phrase"]) for part in rivals]
    rows.append((report["log_odds"], "together: log-odds against all other labels"))
    return [(f"{value:+.2f}", phrase) for value, phrase in rows]


def _name(link: dict[str, Any]) -> str:
    return f"{link['label']} ({link['chance']:.0%})"


def _because(link: dict[str, Any]) -> str:
    told = [part for part in link["why"] if part["kind"] in ("word", "path")][:LINK_PARTS_SHOWN]
    return "; ".join(f"{part['phrase']} ({part['value']:+.1f})" for part in told)
