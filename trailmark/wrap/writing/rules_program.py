"""Rules as a Python program of their own: a function on parsel selectors that imports nothing of ours."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.quoting import python_literal
from trailmark.wrap.rules.rule_set import RuleSet
from trailmark.wrap.writing.plain_rules import READABLE, PlainField, between_plain, plain_fields
from trailmark.wrap.writing.program_reader import IMPORTS, reader_source

_HEAD = '''"""Values of web pages by rules that Trailmark learnt. It needs parsel, and turbohtml for damaged pages.

    page = read(html)
    for cluster in RULES:
        print(extract(page, cluster))

For each field the XPaths are asked in turn; the first that finds a value is believed. Any selector of parsel will do; `read` makes one
of the tree that a browser would make, also of pages of which parsel's own holds a part (those that go on behind `</html>`, say).
"""

{IMPORTS}
# Of a text: that it is not blank (a no-break space is), and no script.
TEXT = {READABLE}

# Cluster of pages -> field -> (several values?, the part of a text that is the value, XPaths).
RULES = {
'''

_TAIL = '''}


def extract(page, cluster):
    """Field -> values of a page of the cluster."""
    found = {}
    for name, (several, part, xpaths) in RULES[cluster].items():
        values = _values(page, part, xpaths)
        if values:
            found[name] = values if several else values[:1]
    return found


def _values(page, part, xpaths):
    for xpath in xpaths:
        values = [_value(_text(each), part) for each in page.xpath(xpath)]
        values = [value for value in dict.fromkeys(values) if value]
        if values:
            return values
    return []


def _text(node):
    text = node.root if isinstance(node.root, str) else node.xpath("string()").get()
    return " ".join(text.split())


def _value(text, part):
    if not part:
        return text
    found = re.search(part, text, re.IGNORECASE)
    return found.group(1).strip() if found else ""
'''


def rules_to_program(sets: Sequence[RuleSet]) -> str:
    """The text of the program: what pages and people named stands in it as literals, and nowhere else."""
    parts = [_HEAD.replace("{IMPORTS}", IMPORTS).replace("{READABLE}", ascii(READABLE))]
    for rules in sets:
        parts.append(f"    {python_literal(rules.id)}: {{\n")
        parts += [_field(field) for field in plain_fields(rules)]
        parts.append("    },\n")
    return "".join([*parts, _TAIL, reader_source()])


def _field(field: PlainField) -> str:
    xpaths = "".join(f"            {_expression(xpath)},\n" for xpath in field.xpaths)
    head = f"{python_literal(field.several)}, {python_literal(field.part)}"
    return f"        {python_literal(field.name)}: ({head}, [\n{xpaths}        ]),\n"


def _expression(xpath: str) -> str:
    parts = [part for text in between_plain(xpath) for part in ("TEXT", python_literal(text) if text else "")]
    return " + ".join(part for part in parts[1:] if part)
