"""Rules as a Python program of their own: a function on parsel selectors that imports nothing of ours."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.wrap.plain_rules import PLAIN, READABLE, PlainField, plain_fields
from trailmark.wrap.rule_set import RuleSet

_HEAD = '''"""Values of web pages by rules that Trailmark learnt. It needs parsel, and nothing else.

    from parsel import Selector

    extract(Selector(text=html), {first!r})

For each field the XPaths are asked in turn; the first that finds a value is believed.
"""

import re

# Cluster of pages -> field -> (several values?, the part of a text that is the value, XPaths).
RULES = {{
'''

_TAIL = '''}


# Scripts are no text, and a no-break space is a blank.
TEXT = "{READABLE}"


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
        values = [_value(_text(each), part) for each in page.xpath(xpath.replace("{PLAIN}", TEXT))]
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
    """The text of the program."""
    made = [_HEAD.format(first=sets[0].id if sets else "")]
    for rules in sets:
        made.append(f"    {rules.id!r}: {{\n")
        made += [_field(each) for each in plain_fields(rules)]
        made.append("    },\n")
    tail = _TAIL.replace("{READABLE}", ascii(READABLE)[1:-1]).replace("{PLAIN}", PLAIN)
    return "".join([*made, tail])


def _field(field: PlainField) -> str:
    xpaths = "".join(f"            {each!r},\n" for each in field.xpaths)
    return f"        {field.name!r}: ({field.several!r}, {field.part!r}, [\n{xpaths}        ]),\n"
