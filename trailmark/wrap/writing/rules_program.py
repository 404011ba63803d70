"""Rules as a Python program of their own: a function on parsel selectors that imports nothing of ours."""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.quoting import python_literal
from trailmark.wrap.rules.rule_set import RuleSet
from trailmark.wrap.writing import program_lists
from trailmark.wrap.writing.plain_lists import PlainList, plain_list
from trailmark.wrap.writing.plain_rules import READABLE, PlainField, between_plain, plain_fields
from trailmark.wrap.writing.program_reader import IMPORTS, below_imports, reader_source

_HEAD = '''"""Values of web pages by rules that Trailmark learnt. It needs parsel, and turbohtml for damaged pages.

    page = read(text, content_type)
    for cluster in RULES:
        print(records(page, cluster))

A page is one record, or a list of them where the cluster is in LISTS. For each field the XPaths are asked in turn; the first that finds a value is believed. Any selector of parsel will do; `read` makes one
of the tree that a browser would make, also of pages of which parsel's own holds a part (those that go on behind `</html>`, say).
"""

{IMPORTS}
# Of a text: that it is not blank (a no-break space is), and no script.
TEXT = {READABLE}

# Cluster of pages -> field -> (several values?, the part of a text that is the value, XPaths).
RULES = {
'''

_LISTS = """}

# Cluster whose pages are lists of records -> where the entries stand; its rules above look at one entry alone.
LISTS = {
"""

_TAIL = '''}


def extract(page, cluster):
    """Field -> values of a page of the cluster; of a list those of its first record."""
    if cluster in LISTS:
        return next(iter(records(page, cluster)), {})
    return _fields(page, cluster)


def records(page, cluster):
    """All records of a page of the cluster, each as field -> values."""
    if cluster in LISTS:
        return _list_records(page, cluster, LISTS[cluster])
    found = _fields(page, cluster)
    return [found] if found else []


def _fields(page, cluster):
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


_LIST_RECORDS = """

# --- Lists of records. ---

from copy import deepcopy
from itertools import takewhile


def _list_records(page, cluster, rule):
    root = page.root.getroottree().getroot()
    entries = list_entries(root, rule)
    above = [(name, part, headings_above(root, entries, symbol)) for name, symbol, part in rule["headings"]]
    found = []
    for at, (entry, _, _) in enumerate(entries):
        values = _fields(Selector(root=entry, type="html"), cluster)
        for name in rule["whole"]:
            values[name] = [whole_text(entry)]
        for name, part, texts in above:
            value = _value(texts[at], part) if texts[at] else ""
            if values and value:
                values[name] = [value]
        if values and 2 * sum(name in values for name in rule["expected"]) >= len(rule["expected"]):
            found.append(values)
    return found


"""


def rules_to_program(sets: Sequence[RuleSet]) -> str:
    """The text of the program: what pages and people named stands in it as literals, and nowhere else."""
    parts = [_HEAD.replace("{IMPORTS}", IMPORTS).replace("{READABLE}", ascii(READABLE))]
    for rules in sets:
        parts.append(f"    {python_literal(rules.id)}: {{\n")
        parts += [_field(field) for field in plain_fields(rules)]
        parts.append("    },\n")
    lists = [(rules.id, made) for rules in sets if (made := plain_list(rules)) is not None]
    parts += [_LISTS, *(f"    {python_literal(cluster)}: {_list(made)},\n" for cluster, made in lists), _TAIL]
    more = _LIST_RECORDS + below_imports(program_lists) if lists else ""
    return "".join([*parts, more, reader_source()])


def _list(rule: PlainList) -> str:
    """The rule of a list as a literal."""
    lines = {
        "xpath": python_literal(rule.xpath),
        "opens": python_literal(rule.opens),
        "parted": python_literal(rule.parted),
        "goes_on": _strings(rule.goes_on),
        "shapes": f"[{', '.join(map(_strings, rule.shapes))}]",
        "least": repr(rule.least),
        "never": _strings(rule.never),
        "whole": _strings(rule.whole),
        "headings": f"[{', '.join(map(_strings, rule.headings))}]",
        "expected": _strings(rule.expected),
    }
    return "{\n" + "".join(f"        {key!r}: {line},\n" for key, line in lines.items()) + "    }"


def _strings(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(python_literal, texts))}]"


def _field(field: PlainField) -> str:
    xpaths = "".join(f"            {_expression(xpath)},\n" for xpath in field.xpaths)
    head = f"{python_literal(field.several)}, {python_literal(field.part)}"
    return f"        {python_literal(field.name)}: ({head}, [\n{xpaths}        ]),\n"


def _expression(xpath: str) -> str:
    parts = [part for text in between_plain(xpath) for part in ("TEXT", python_literal(text) if text else "")]
    return " + ".join(part for part in parts[1:] if part)
