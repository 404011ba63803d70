"""Rules of lists in XSLT 1.0: templates that are the same for every list, and one for each list that calls them.

A list goes through in four steps, each a tree of its own (`exsl:node-set`): what may be entries (`c`) and headings (`h`) in document order,
entries with the paths at which they have texts, how alike these are to the marked ones, records of those that are alike enough.
Each entry is copied, so that a field's XPath sees nothing else. What it can't do: set entries side by side that a page left open. Where it meets
some it says so in a message, with the name of the list.
"""

from __future__ import annotations

from collections.abc import Callable

from trailmark.quoting import xml_attribute, xpath_literal, xslt_template
from trailmark.wrap.lists.entry_items import STOPS
from trailmark.wrap.writing.plain_lists import PlainList

ENTITIES = """  <!-- Of an element: its tag, with its class where that has no number. -->
  <!ENTITY class "normalize-space(translate(@class, '&#38;#160;', ' '))">
  <!ENTITY plain "number(translate(@class, '0123456789', '') = @class and &class; != '')">
  <!ENTITY symbol "concat(name(), substring(concat('.', &class;), 1, &plain; * (string-length(&class;) + 1)))">
  <!-- Of a node: that it is an element or a text that can be read. -->
  <!ENTITY item "[self::* or self::text()&text;]">
"""

TEMPLATES = """  <xsl:key name="parent" match="c" use="@parent"/>
  <xsl:key name="group" match="c" use="@group"/>
  <xsl:key name="run" match="i" use="concat(generate-id(..), ' ', generate-id(preceding-sibling::b[1]))"/>

  <!-- A heading, and which candidates it is in. -->
  <xsl:template name="heading">
    <xsl:param name="number"/>
    <xsl:param name="ids"/>
    <h n="{$number}">
      <xsl:for-each select="ancestor-or-self::node()[contains($ids, concat(' ', generate-id(), ' '))]">
        <in id="{generate-id()}"/>
      </xsl:for-each>
      <t><xsl:value-of select="."/></t>
    </h>
  </xsl:template>

  <!-- A child of an element that holds entries: b where it begins or ends one, i where it is a part of one. Breaks come together. -->
  <xsl:template name="item">
    <xsl:param name="opens"/>
    <xsl:param name="parted"/>
    <xsl:param name="stops"/>
    <xsl:variable name="symbol">
      <xsl:choose>
        <xsl:when test="self::br and following-sibling::node()&item;[1][self::br]">br br</xsl:when>
        <xsl:when test="self::br">br</xsl:when>
        <xsl:when test="self::*"><xsl:value-of select="&symbol;"/></xsl:when>
        <xsl:otherwise>#text</xsl:otherwise>
      </xsl:choose>
    </xsl:variable>
    <xsl:variable name="begins" select="$opens != '' and $symbol = $opens"/>
    <xsl:variable name="ends" select="($parted != '' and $symbol = $parted) or (self::* and contains($stops, concat(' ', name(), ' ')))"/>
    <xsl:variable name="what"><xsl:choose><xsl:when test="$begins or $ends">b</xsl:when><xsl:otherwise>i</xsl:otherwise></xsl:choose></xsl:variable>
    <xsl:if test="not(self::br and preceding-sibling::node()&item;[1][self::br])">
      <xsl:element name="{$what}">
        <xsl:attribute name="id"><xsl:value-of select="generate-id()"/></xsl:attribute>
        <xsl:if test="$begins"><xsl:attribute name="begins">yes</xsl:attribute></xsl:if>
        <xsl:choose>
          <xsl:when test="self::br"><br/></xsl:when>
          <xsl:when test="self::*"><xsl:copy-of select="."/></xsl:when>
          <xsl:otherwise><xsl:value-of select="normalize-space(translate(., '&#160;', ' '))"/></xsl:otherwise>
        </xsl:choose>
      </xsl:element>
    </xsl:if>
  </xsl:template>

  <!-- The items of one element: entries, with the headings where they stood. -->
  <xsl:template match="l" mode="runs">
    <xsl:param name="opens"/>
    <xsl:variable name="list" select="generate-id()"/>
    <xsl:for-each select="h | b | i">
      <xsl:variable name="before" select="concat($list, ' ', generate-id(preceding-sibling::b[1]))"/>
      <xsl:choose>
        <xsl:when test="self::h"><xsl:copy-of select="."/></xsl:when>
        <xsl:when test="self::b[@begins]">
          <xsl:call-template name="run">
            <xsl:with-param name="members" select=". | key('run', concat($list, ' ', generate-id()))"/>
          </xsl:call-template>
        </xsl:when>
        <xsl:when test="self::i and $opens = '' and generate-id() = generate-id(key('run', $before)[1])">
          <xsl:call-template name="run"><xsl:with-param name="members" select="key('run', $before)"/></xsl:call-template>
        </xsl:when>
      </xsl:choose>
    </xsl:for-each>
  </xsl:template>
  <xsl:template match="h | c" mode="runs"><xsl:copy-of select="."/></xsl:template>

  <xsl:template name="run">
    <xsl:param name="members"/>
    <xsl:if test="$members//text()&text;">
      <c id="{$members[1]/@id}" group="{generate-id(..)}">
        <entry><xsl:copy-of select="$members/node()"/></entry>
        <xsl:for-each select="$members"><in id="{@id}"/></xsl:for-each>
      </c>
    </xsl:if>
  </xsl:template>

  <!-- The paths below an entry at which it has texts. -->
  <xsl:template name="paths">
    <xsl:param name="depth"/>
    <xsl:if test="count(*[1]//text()&text;) &lt;= 300">
      <xsl:for-each select="*[1]/descendant-or-self::*[text()&text;]">
        <p>
          <xsl:for-each select="ancestor-or-self::*[count(ancestor::*) &gt; 1]">
            <xsl:if test="position() &gt; 1">/</xsl:if><xsl:value-of select="name()"/>
          </xsl:for-each>
          <xsl:if test="count(ancestor::*) &gt; $depth"><xsl:value-of select="substring-after(&symbol;, name())"/></xsl:if>
        </p>
      </xsl:for-each>
    </xsl:if>
  </xsl:template>

  <!-- All that an entry says. -->
  <xsl:template match="*" mode="said">
    <xsl:variable name="apart" select="not(contains(' a abbr b big cite code em font i q s small span strong sub sup tt u ', concat(' ', name(), ' ')))"/>
    <xsl:if test="$apart"><xsl:text> </xsl:text></xsl:if>
    <xsl:if test="not(self::script or self::style)"><xsl:apply-templates select="* | text()" mode="said"/></xsl:if>
    <xsl:if test="$apart"><xsl:text> </xsl:text></xsl:if>
  </xsl:template>
  <xsl:template match="text()" mode="said"><xsl:value-of select="."/></xsl:template>
"""

_STEPS = """    <xsl:variable name="stream">{STREAM}</xsl:variable>
{MESSAGE}    <xsl:variable name="entries"><xsl:apply-templates select="exsl:node-set($stream)/*" mode="runs">
      <xsl:with-param name="opens" select={OPENS}/>
    </xsl:apply-templates></xsl:variable>
    <xsl:variable name="shared"><xsl:for-each select="exsl:node-set($entries)/*">
      <xsl:choose>
        <xsl:when test="self::h"><xsl:copy-of select="."/></xsl:when>
        <xsl:otherwise>
          <xsl:variable name="all"><xsl:call-template name="paths"><xsl:with-param name="depth" select="{DEPTH}"/></xsl:call-template></xsl:variable>
          <xsl:variable name="paths" select="exsl:node-set($all)/p[not(. = preceding-sibling::p)]"/>
          <xsl:variable name="shares"><s>0</s>{SHARES}</xsl:variable>
          <c id="{@id}">
            <xsl:attribute name="group"><xsl:choose>
              <xsl:when test="@group"><xsl:value-of select="@group"/></xsl:when>
              <xsl:when test="count(key('parent', @parent)) &gt; 1"><xsl:value-of select="concat('in ', @parent)"/></xsl:when>
              <xsl:otherwise><xsl:value-of select="concat('around ', @around)"/></xsl:otherwise>
            </xsl:choose></xsl:attribute>
            <xsl:attribute name="share"><xsl:for-each select="exsl:node-set($shares)/s">
              <xsl:sort select="." data-type="number" order="descending"/>
              <xsl:if test="position() = 1"><xsl:value-of select="."/></xsl:if>
            </xsl:for-each></xsl:attribute>
            <xsl:copy-of select="node()"/>
          </c>
        </xsl:otherwise>
      </xsl:choose>
    </xsl:for-each></xsl:variable>
    <xsl:variable name="taken"><xsl:text> </xsl:text><xsl:for-each select="exsl:node-set($shared)/c">
      <xsl:if test="@share &gt;= 0.2 and sum(key('group', @group)/@share) div count(key('group', @group)) &gt;= {LEAST} - 0.000000001">
        <xsl:variable name="said"><xsl:apply-templates select="*[1]" mode="said"/></xsl:variable>
        <xsl:variable name="squeezed" select="normalize-space(translate($said, '&#160;', ' '))"/>
        <xsl:if test={NEVER}><xsl:for-each select=". | in"><xsl:value-of select="concat(@id, ' ')"/></xsl:for-each></xsl:if>
      </xsl:if>
    </xsl:for-each></xsl:variable>
    <records>
      <xsl:for-each select="exsl:node-set($shared)/c[generate-id() = generate-id(key('group', @group)[1])]">
        <xsl:for-each select="key('group', @group)[contains($taken, concat(' ', @id, ' '))]">
          <xsl:variable name="entry"><xsl:copy-of select="*[1]"/></xsl:variable>
          <xsl:variable name="own">
            <xsl:for-each select="exsl:node-set($entry)">
{FIELDS}            </xsl:for-each>
{WHOLE}          </xsl:variable>
          <xsl:variable name="values">
            <xsl:copy-of select="$own"/>
            <xsl:if test="exsl:node-set($own)/field">
{HEADINGS}            </xsl:if>
          </xsl:variable>
          <xsl:if test={IS_RECORD}><record><xsl:copy-of select="$values"/></record></xsl:if>
        </xsl:for-each>
      </xsl:for-each>
    </records>
"""


def list_template(name: str, rule: PlainList, fields: str, value: Callable[[str], str]) -> str:
    """The body of the template of the list of that name; `fields` finds those of an entry, `value` gives the part of a text that is one."""
    parts = {
        "STREAM": _run_stream(rule) if rule.opens or rule.parted else _element_stream(rule),
        "MESSAGE": _open_message(name, rule),
        "OPENS": xml_attribute(xpath_literal(rule.opens)),
        "DEPTH": "2" if rule.opens or rule.parted else "1",
        "SHARES": "".join(map(_share, rule.shapes)),
        "LEAST": f"{rule.least:.12f}",
        "NEVER": xml_attribute(" and ".join(f"$squeezed != {xpath_literal(text)}" for text in rule.never) or "true()"),
        "FIELDS": fields,
        "WHOLE": "".join(map(_whole, rule.whole)),
        "HEADINGS": "".join(_heading(number, *heading, value) for number, heading in enumerate(rule.headings)),
        "IS_RECORD": xml_attribute(_is_record(rule)),
    }
    # A part may hold the name of another: each is put in its place, and none is looked through.
    text, made = _STEPS, []
    while text:
        before, brace, text = text.partition("{")
        name, _, rest = text.partition("}")
        made.append(before)
        if brace and name in parts:
            made.append(parts[name])
            text = rest
        elif brace:
            made.append(brace)
    return "".join(made)


def _texts_of_headings(rule: PlainList) -> str:
    tests = [f"&symbol; = {_escaped(xpath_literal(symbol))}" for _, symbol, _ in rule.headings]
    return f"//text()&text;[parent::*[{' or '.join(tests)}]]" if tests else "(/..)"


def _marked_headings(rule: PlainList) -> str:
    return "".join(
        f'<xsl:if test="self::text() and parent::*[&symbol; = {_escaped(xpath_literal(symbol))}]">'
        f'<xsl:call-template name="heading"><xsl:with-param name="number" select="{number}"/>'
        '<xsl:with-param name="ids" select="$ids"/></xsl:call-template></xsl:if>'
        for number, (_, symbol, _) in enumerate(rule.headings)
    )


_IDS = (
    '\n      <xsl:variable name="ids"><xsl:text> </xsl:text><xsl:for-each select="$members">'
    "<xsl:value-of select=\"concat(generate-id(), ' ')\"/></xsl:for-each></xsl:variable>"
)


def _element_stream(rule: PlainList) -> str:
    """Candidates that are elements, and headings, in document order."""
    return (
        f'\n      <xsl:variable name="members" select="({_escaped(rule.xpath)})[position() &lt;= 5000][.//text()&text;]"/>{_IDS}'
        f'\n      <xsl:for-each select="$members | {_texts_of_headings(rule)}">{_marked_headings(rule)}<xsl:if test="self::*">'
        '<c id="{generate-id()}" parent="{generate-id(..)}" around="{generate-id(../..)}"><xsl:copy-of select="."/></c>'
        "</xsl:if></xsl:for-each>\n    "
    )


def _open_message(name: str, rule: PlainList) -> str:
    """One sentence where three entries or more stand in one another."""
    sentence = f"Entries of the list {name} stand in one another, as their end tags are missing: a stylesheet can't set them side by side, the exported program can."
    children = "/*" if rule.opens or rule.parted else ""
    return (
        f'    <xsl:variable name="open"><xsl:for-each select="({_escaped(rule.xpath)}){children}[position() &lt;= 5000]">'
        '<xsl:variable name="own" select="&symbol;"/>'
        '<xsl:if test="descendant::*[&symbol; = $own]/descendant::*[&symbol; = $own]">x</xsl:if></xsl:for-each></xsl:variable>'
        f"<xsl:if test=\"$open != ''\"><xsl:message><xsl:value-of select={xml_attribute(xpath_literal(sentence))}/></xsl:message></xsl:if>\n"
    )


def _run_stream(rule: PlainList) -> str:
    """The elements that hold entries with all that is in them, and the headings that stand elsewhere, in document order."""
    stops = " ".join(sorted(STOPS - set(rule.goes_on)))
    parameters = "".join(
        f'<xsl:with-param name="{name}" select={xml_attribute(xpath_literal(text))}/>'
        for name, text in (("opens", rule.opens), ("parted", rule.parted), ("stops", f" {stops} "))
    )
    headings, marked = _texts_of_headings(rule), _marked_headings(rule)
    within = headings.replace("//text()", ".//text()", 1) if rule.headings else headings
    return (
        f'\n      <xsl:variable name="lists" select="{_escaped(rule.xpath)}"/>'
        f'\n      <xsl:variable name="members" select="$lists/node()&item;"/>{_IDS}'
        '\n      <xsl:variable name="holders"><xsl:text> </xsl:text><xsl:for-each select="$lists">'
        "<xsl:value-of select=\"concat(generate-id(), ' ')\"/></xsl:for-each></xsl:variable>"
        f"\n      <xsl:for-each select=\"$lists | {headings}[not(ancestor::*[contains($holders, concat(' ', generate-id(), ' '))])]\">"
        f'<xsl:choose><xsl:when test="self::*"><l><xsl:for-each select="node()&item; | {within}">'
        f"{marked}<xsl:if test=\"contains($ids, concat(' ', generate-id(), ' '))\">"
        f'<xsl:call-template name="item">{parameters}</xsl:call-template></xsl:if></xsl:for-each></l></xsl:when>'
        f"<xsl:otherwise>{marked}</xsl:otherwise></xsl:choose></xsl:for-each>\n    "
    )


def _share(shape: tuple[str, ...]) -> str:
    """The paths that an entry has in common with a marked one, of those that either has."""
    known = " or ".join(f". = {xpath_literal(path)}" for path in shape) or "false()"
    both = f"count($paths[{known}])"
    either = f"(count($paths) + {len(shape)} - {both})"
    return f"<xsl:if test={xml_attribute(f'{either} > 0')}><s><xsl:value-of select={xml_attribute(f'{both} div {either}')}/></s></xsl:if>"


def _whole(name: str) -> str:
    return (
        f"            <field name={xslt_template(name)}><value>"
        '<xsl:variable name="whole"><xsl:apply-templates select="*[1]" mode="said"/></xsl:variable>'
        "<xsl:value-of select=\"normalize-space(translate($whole, '&#160;', ' '))\"/></value></field>\n"
    )


def _heading(number: int, name: str, _: str, part: str, value: Callable[[str], str]) -> str:
    free = f"preceding-sibling::h[@n = {number}][not(in[contains($taken, concat(' ', @id, ' '))])][1]/t"
    return f'              <xsl:for-each select="{free}"><field name={xslt_template(name)}>{value(part)}</field></xsl:for-each>\n'


def _is_record(rule: PlainList) -> str:
    names = [f"@name = {xpath_literal(name)}" for name in rule.expected]
    some = "exsl:node-set($values)/field"
    return some if not names else f"{some} and 2 * count({some}[{' or '.join(names)}]) >= {len(names)}"


def _escaped(xpath: str) -> str:
    """The XPath within an attribute, without the quotes around it."""
    return xml_attribute(xpath)[1:-1]
