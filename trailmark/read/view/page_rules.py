"""What of a crawled page may be shown: lists of what is allowed. Everything that is not on them is left out."""

from __future__ import annotations

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VOID = frozenset({"area", "br", "col", "hr", "img", "input", "link", "wbr"})

ELEMENTS = _words(
    """html head body title style link div span p br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd dir menu pre code kbd samp var tt
    a b i u s em strong small big strike del ins sub sup font center blockquote q cite abbr acronym address dfn mark bdi
    bdo ruby rt rp rb rtc time data wbr nobr details summary figure figcaption img picture map area table caption colgroup
    col thead tbody tfoot tr td th article aside footer header hgroup main nav section search fieldset legend label
    button select option optgroup textarea input output meter progress form iframe frame frameset noscript x-noframes
    svg g path rect circle ellipse line polyline polygon text tspan defs symbol use lineargradient radialgradient stop
    clippath"""
)
"""Elements that are shown; those of them that could act are shown as something that can't (`SHOWN_AS`)."""

SVG = _words(
    """svg g path rect circle ellipse line polyline polygon text tspan defs symbol use lineargradient radialgradient stop
    clippath title"""
)
"""All that is taken of a drawing: no style, no script, no animation, no foreign content."""

SHOWN_AS = {
    "form": "div",
    "noscript": "div",
    "x-noframes": "div",
    "frameset": "div",
    "iframe": "p",
    "frame": "p",
    "search": "div",
}
"""Elements that would act, and what stands in their place."""

LEFT_OUT = _words(
    """script template object embed applet param audio video source track canvas portal fencedframe math annotation-xml
    foreignobject animate animatemotion animatetransform set mpath handler listener xml xmp plaintext noembed listing
    isindex base basefont bgsound meta slot dialog keygen command model"""
)
"""Left out with all that is in them. What is on neither list is left out too, and what is in it is shown."""

CUSTOM = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
"""Names of custom elements: without scripts they are no more than a `span`, but styles may know them."""

ATTRIBUTES = _words(
    """class id title lang dir alt width height align valign bgcolor color text face size border bordercolor cellpadding
    cellspacing colspan rowspan hspace vspace nowrap start reversed type value name summary span headers scope abbr
    datetime role clear compact noshade rules frame char charoff label open checked selected multiple placeholder rows
    cols wrap min max low high optimum for usemap shape coords hidden media
    viewbox d x y x1 y1 x2 y2 cx cy r rx ry dx dy points fill fill-rule fill-opacity clip-rule stroke stroke-width
    stroke-linecap stroke-linejoin stroke-opacity stroke-dasharray stroke-miterlimit opacity transform offset stop-color
    stop-opacity gradientunits gradienttransform preserveaspectratio text-anchor font-size font-family font-weight xmlns"""
)
"""Attributes that are kept as they are; those with addresses (href, src, style, ...) are written anew."""

NAMED = frozenset({"a", "map"})
"""Elements that keep their name: links lead there. Elsewhere a name would take the place of what scripts know the document by."""

MORE_ATTRIBUTES = re.compile(r"(?:aria|data)-[a-z0-9_.-]{1,60}")
OURS = "data-trailmark"
"""Attributes of ours begin so; a page can't bring its own."""

PAINT = frozenset({"fill", "stroke"})
"""They may hold url(): only with an address in the page itself."""

INPUT_TYPES = _words(
    "text search email tel url number password checkbox radio submit button reset range date time color"
)
PICTURES = re.compile(
    r"data:image/(?:png|gif|jpe?g|webp|avif|bmp|x-icon|vnd\.microsoft\.icon);base64,[A-Za-z0-9+/=\s]*", re.I
)
"""Pictures that stand in the page itself; drawings (SVG) are not among them."""
