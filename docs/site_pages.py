"""How mkdocs makes the site: pages from outside docs/ are taken in, links to them turned, and no other host is asked.

A document links to files of the repository by relative paths, which is what a reader of the repository needs. In the site,
some of those files are pages of another name (`ADOPTED`). A link to anything else outside docs/ stays as it is, and the
strict build fails on it.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ADOPTED = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security.md",
    "LICENSE": "licence.md",
    "trailmark/serve/extension/README.md": "how-to/recorder.md",
}
"""File of the repository -> page of the site."""

_LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)]*)?\))")
_ASKED = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//|url\([\"']?(?:https?:)?//")


def on_files(files: Any, config: Any) -> Any:
    """Every file of mkdocs -> the same with the adopted ones."""
    from mkdocs.structure.files import File  # here, so that tests can read this module without mkdocs

    for source, target in ADOPTED.items():
        text = (ROOT / source).read_text(encoding="utf-8")
        if not source.endswith(".md"):
            text = f"# Licence\n\n```\n{text}\n```\n"
        files.append(File.generated(config, target, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:  # noqa: ARG001 - mkdocs names them
    """The text of a page -> the same with its links as the site has them."""
    return turned(markdown, page.file.src_uri)


def turned(markdown: str, target: str) -> str:
    """Markdown whose links are as in the repository -> as in the site, for the page `target` of the site."""
    source = next((source for source, page in ADOPTED.items() if page == target), f"docs/{target}")
    return _LINK.sub(lambda link: link[1] + _turned(link[2], source, target) + link[3], markdown)


def _turned(address: str, source: str, target: str) -> str:
    if "://" in address or address.startswith(("mailto:", "/")):
        return address
    path = posixpath.normpath(posixpath.join(posixpath.dirname(source), address))
    page = ADOPTED.get(path, path.removeprefix("docs/") if path.startswith("docs/") else "")
    return posixpath.relpath(page, posixpath.dirname(target) or ".") if page else address


def on_post_build(config: Any) -> None:
    """Fails where a page of the site would load something from another host."""
    from mkdocs.exceptions import PluginError

    for file in sorted(Path(config.site_dir).rglob("*")):
        if file.suffix in (".html", ".css") and (asked := _ASKED.search(file.read_text(encoding="utf-8"))):
            raise PluginError(f"{file} asks another host: {asked[0]}")
