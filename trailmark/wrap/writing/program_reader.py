"""The reader that an exported program carries with it: the same code by which we read damaged pages, and nothing of ours to import."""

from __future__ import annotations

import ast
import inspect
from functools import lru_cache
from types import ModuleType

from trailmark.read import body_form, browser_tree, damage, json_tree, shown_tags, text_tree, xml_tree

IMPORTS = """from __future__ import annotations

import json
import re
from collections import Counter
from html import unescape
from typing import Any

from lxml import etree
from parsel import Selector

try:
    from turbohtml import Html, parse
except ImportError:  # then pages that need it are refused
    Html = parse = None
"""

_READ = '''

# --- A page as a browser sees it. Nothing below depends on the rules. ---


def read(text, content_type=""):
    """The text of a page, and its content type -> a selector on the tree for which the rules were learnt.

    JSON, XML, feeds and plain text become trees too: of JSON an element a member or item, of plain text one a line.

    Where lxml's tree lacks what a browser shows, turbohtml (pip install turbohtml) makes it; without turbohtml such a page is refused.
    """
    root = _data_root(text, content_type)
    if root is not None:
        return Selector(root=root, type="xml")
    page = with_shown_tags(text.strip().replace("\\x00", "").encode("utf-8", "replace"))
    root = Selector(text=page.decode("utf-8")).root
    if is_damaged(root):
        if parse is None:
            raise RuntimeError("This page is damaged: lxml reads only a part of it. Install turbohtml to read all of it.")
        written = None if has_frames(root) else browser_tree(page)
        reader = etree.XMLParser(recover=True, huge_tree=True, no_network=True, resolve_entities="internal")
        root = joined(root) if written is None else etree.fromstring(written, reader)
    for template in root.iter("template"):
        template.text = None
        del template[:]
    return Selector(root=root, type="html")


def _data_root(text, content_type):
    form = body_form(text.encode("utf-8", "replace"), content_type)
    if form == XML_FORM:
        declared = re.match(r"\\s*<\\?xml[^>]{0,400}>", text)
        clean = re.sub("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]", "", text[declared.end() if declared else 0:])
        return xml_tree(clean.encode(), [])
    root = json_tree(text, []) if form == JSON_FORM else None
    return text_tree(text, []) if root is None and (form == TEXT_FORM or is_text(content_type)) else root


'''


_MODULES = (shown_tags, damage, browser_tree, body_form, json_tree, xml_tree, text_tree)


@lru_cache(maxsize=1)
def reader_source() -> str:
    """The text of the function `read` and of all that it calls."""
    return _READ + "\n\n".join(below_imports(module) for module in _MODULES)


def below_imports(module: ModuleType) -> str:
    """The text of a module without its docstring and its imports."""
    text = inspect.getsource(module)
    parts = ast.parse(text).body
    first = next(part for part in parts[1:] if not isinstance(part, ast.Import | ast.ImportFrom))
    return "".join(text.splitlines(keepends=True)[first.lineno - 1 :])
