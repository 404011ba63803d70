"""How the owner wants the portal to look: its name and texts, the page about it, colours, a logo."""

from __future__ import annotations

from pathlib import Path

from markdown_it import MarkdownIt

from trailmark.errors import InputError
from trailmark.serve.portal.options import contrast
from trailmark.serve.portal.page_html import Frame
from trailmark.serve.portal.ways import Ways
from trailmark.settings import PortalSettings

LOGOS = {
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".webp": "image/webp",
}
LARGEST_LOGO, LONGEST_ABOUT = 1_000_000, 200_000


def portal_frame(folder: Path, portal: PortalSettings, ways: Ways, *, suggest: bool = False) -> Frame:
    """A workspace's folder and settings -> what stands around every page."""
    return Frame(
        name=portal.name or folder.resolve().name,
        ways=ways,
        tagline=portal.tagline,
        contact=portal.contact,
        logo=bool(portal.logo),
        about=about_html(folder, portal),
        suggest=suggest,
    )


def owners_logo(folder: Path, portal: PortalSettings) -> Path | None:
    """The owner's picture; None where there is none, InputError where it can't be one."""
    logo = workspace_file(folder, portal.logo, "portal.logo")
    if logo is not None and (logo.suffix.lower() not in LOGOS or logo.stat().st_size > LARGEST_LOGO):
        raise InputError(
            f"portal.logo names {portal.logo!r}: take a picture that ends in {', '.join(LOGOS)}, of 1 MB at most."
        )
    return logo


def about_html(folder: Path, portal: PortalSettings) -> str:
    """The owner's page in Markdown -> HTML; what is HTML in it is shown as text."""
    file = workspace_file(folder, portal.about, "portal.about")
    if file is None:
        return ""
    text = file.read_text(encoding="utf-8-sig", errors="replace")[:LONGEST_ABOUT]
    made = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    return made if "<h1>" in made else f"<h1>About</h1>\n{made}"


def theme_css(portal: PortalSettings) -> str:
    """The owner's colours."""
    light, dark = (f"--accent: {colour}; --on-accent: {_on(colour)}" for colour in (portal.colour, portal.colour_dark))
    return f"@media screen {{ :root {{ {light} }} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def _on(colour: str) -> str:
    return max(("#ffffff", "#0d1b27"), key=lambda ink: contrast(colour, ink))


def workspace_file(folder: Path, name: str, setting: str) -> Path | None:
    """A file that a setting names, from the workspace's folder; None where it names none, InputError where it is not there."""
    if not name:
        return None
    file = folder / name
    if not file.is_file():
        raise InputError(
            f"{setting} names {name[:200]!r}, which is no file in {folder}; put it there, or clear the setting."
        )
    return file
