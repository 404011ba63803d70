"""The last step of the demo: what was found as a public site, in files."""

from __future__ import annotations

from pathlib import Path

from trailmark.cli.printing import Printer
from trailmark.quoting import count_of, shell_command
from trailmark.report import Json
from trailmark.serve.portal.publishing import publish
from trailmark.workspace import Workspace, change_settings

NAME = "The library of the demo"
TAGLINE = "Papers and lists of publications, found on sites that nobody had shown the way on."


def publish_portal(out: Path, printer: Printer) -> dict[str, Json]:
    """The demo's folder -> its portal in files, and how to open it."""
    change_settings(out / "workspace", {("portal", "name"): NAME, ("portal", "tagline"): TAGLINE})
    with Workspace.open(out / "workspace") as workspace:
        report = publish(workspace, out / "portal", progress=printer.progress)
    printer.say(
        f"   {count_of(report.items, 'item')} in {count_of(report.topics, 'topic')} are {count_of(report.files, 'file')} in {out / 'portal'}; "
        f"{report.links:,} links between them were followed, {len(report.broken)} lead nowhere. To open it, with all that needs a program behind it:"
    )
    printer.say("   " + shell_command("trailmark", "-w", out / "workspace", "serve", "--portal"))
    return report.to_json()
