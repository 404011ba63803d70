"""How `trailmark show URL --why` prints an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trailmark.cli.printing import Printer
from trailmark.forage.settling import in_words

if TYPE_CHECKING:  # the numerics take a second to load, and `trailmark show URL` does without them
    from trailmark.learn.why import LinkWhy, PageWhy
    from trailmark.verbs.explain import WhyReport

PARTS_SHOWN, LINK_PARTS_SHOWN, CHANCES_SHOWN = 8, 4, 5


def print_why(printer: Printer, report: WhyReport) -> None:
    """The page and its best links, for a person."""
    page = report.page
    printer.say(page.title or "(no title)", style="bold")
    printer.say(page.url)
    if page.path:
        printer.say(f"reached over {' > '.join(page.path)}")
    elif page.run is None:
        printer.say("judged as a root, without a way to it")
    by = f", as run {page.run} found" if page.run is not None else ""
    name = f"'{page.label}'" if page.label else "nothing it knows"
    printer.say(f"It is taken for {name} ({in_words(page.goal)}{by}); a goal with {page.goal_probability:.0%}.")
    chances = list(page.chances.items())[:CHANCES_SHOWN]
    printer.say("By its words and its path alone: " + ", ".join(f"{label} {chance:.0%}" for label, chance in chances))
    printer.table(f"What speaks for '{page.explained}'", ["", "because"], _rows(page))
    if report.links:
        links = [
            (link.score, link.anchor, f"{link.label} ({link.chance:.0%})", _because(link)) for link in report.links
        ]
        printer.table("Its best links", ["score", "anchor", "taken for", "because"], links)


def _rows(page: PageWhy) -> list[tuple[str, str]]:
    """The strongest parts, all else, the rivals and the sum."""
    shown = [part for part in page.why if part.kind not in ("rivals", "rest")][:PARTS_SHOWN]
    rivals = [part for part in page.why if part.kind == "rivals"]
    rest = page.log_odds - sum(part.value for part in (*shown, *rivals))
    rows = [(part.value, part.phrase) for part in shown] + [(rest, "all else")]
    rows += [(part.value, part.phrase) for part in rivals]
    rows.append((page.log_odds, "together: log-odds against all other labels"))
    return [(f"{value:+.2f}", phrase) for value, phrase in rows]


def _because(link: LinkWhy) -> str:
    parts = [part for part in link.why if part.kind in ("word", "path")][:LINK_PARTS_SHOWN]
    return "; ".join(f"{part.phrase} ({part.value:+.1f})" for part in parts)
