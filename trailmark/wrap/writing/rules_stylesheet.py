"""Rules as an XSLT 1.0 stylesheet, as Vertex keeps them (section II-B).

It makes `<record><field name="price"><value>$25.99</value></field></record>` of a page, and of a list `<records>` with a record an entry. Where only a part of a text is the
value it calls a regular expression, which is an extension of XSLT (EXSLT) that lxml has and xsltproc has not. In the name of a cluster
or a field every character that XML can't hold is a replacement character.

It can't recover what the parser of its page lost, and says so at its top.
"""

from __future__ import annotations

from collections.abc import Sequence

from trailmark.quoting import xml_attribute, xpath_literal, xslt_template
from trailmark.wrap.rules.rule_set import RuleSet
from trailmark.wrap.writing.plain_lists import plain_list
from trailmark.wrap.writing.plain_rules import READABLE, SQUEEZED, PlainField, between_plain, plain_fields
from trailmark.wrap.writing.stylesheet_lists import ENTITIES, TEMPLATES, list_template

_HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!-- Values of web pages by rules that Trailmark learnt. The parameter says of which cluster the page is.
     A stylesheet can't mend the tree that it is given. Trailmark reads damaged pages (those that go on behind an early end of html or body, or whose
     rows and items were left open) as a browser does: for such pages give it the tree of a parser that follows the HTML standard. -->
<!DOCTYPE xsl:stylesheet [
  <!-- Of a text: that it is not blank (a no-break space is), and no script. -->
  <!ENTITY text "{READABLE}">
{ENTITIES}]>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
    xmlns:re="http://exslt.org/regular-expressions" xmlns:exsl="http://exslt.org/common" exclude-result-prefixes="re exsl">
  <xsl:output method="xml" encoding="UTF-8" indent="yes"/>
"""


def rules_to_stylesheet(sets: Sequence[RuleSet]) -> str:
    """The text of the stylesheet."""
    first = xpath_literal(sets[0].id if sets else "")
    lists = any(rules.entries is not None for rules in sets)
    parts = [
        _HEAD.replace("{READABLE}", _escaped(READABLE)).replace("{ENTITIES}", ENTITIES if lists else ""),
        f'  <xsl:param name="cluster" select={xml_attribute(first)}/>\n',
        TEMPLATES if lists else "",
    ]
    parts.append('  <xsl:template match="/">\n    <xsl:choose>\n')
    for number, rules in enumerate(sets):
        test = xml_attribute(f"$cluster = {xpath_literal(rules.id)}")
        parts.append(f'      <xsl:when test={test}><xsl:call-template name="rules-{number}"/></xsl:when>\n')
    parts.append("      <xsl:otherwise><record/></xsl:otherwise>\n    </xsl:choose>\n  </xsl:template>\n")
    for number, rules in enumerate(sets):
        parts.append(f'  <xsl:template name="rules-{number}">\n{_body(rules)}  </xsl:template>\n')
    return "".join([*parts, "</xsl:stylesheet>\n"])


def _body(rules: RuleSet) -> str:
    """One record of a page, or one of each entry of a list."""
    fields = "".join(_field(field) for field in plain_fields(rules))
    entries = plain_list(rules)
    return (
        f"    <record>\n{fields}    </record>\n"
        if entries is None
        else list_template(rules.id, entries, fields, _value)
    )


def _field(field: PlainField) -> str:
    """The first rule that finds something is believed; what it finds becomes values."""
    choices = []
    for xpath in field.xpaths:
        fitting = f"({xpath})" + (
            f"[re:test({SQUEEZED}, {xpath_literal(field.part)}, 'i')]" if field.part else f"[{SQUEEZED}]"
        )
        chosen = fitting if field.several else f"({fitting})[1]"
        choices.append(
            f"      <xsl:when test={_xpath(fitting)}>\n"
            f"        <field name={xslt_template(field.name)}><xsl:for-each select={_xpath(chosen)}>{_value(field.part)}"
            "</xsl:for-each></field>\n      </xsl:when>\n"
        )
    return f"    <xsl:choose>\n{''.join(choices)}      <xsl:otherwise/>\n    </xsl:choose>\n"


def _xpath(xpath: str) -> str:
    """The XPath as an attribute, with the entity where it asks whether a text can be read."""
    return '"' + "&text;".join(xml_attribute(part)[1:-1] for part in between_plain(xpath)) + '"'


def _escaped(text: str) -> str:
    """With numbers for the blanks that an attribute would lose."""
    return "".join(letter if letter == " " or not letter.isspace() else f"&#38;#{ord(letter)};" for letter in text)


def _value(pattern: str) -> str:
    # The first that a match gives is all of it, the second its first group.
    part = f"re:match({SQUEEZED}, {xpath_literal(pattern)}, 'i')[2]" if pattern else SQUEEZED
    return f"<value><xsl:value-of select={xml_attribute(part)}/></value>"
