"""A crawled style sheet as it may be shown: every address in it leads to the app, or nowhere.

The text is cut into tokens as a browser cuts it (`style_tokens`) and written again token by token; what would load something is written anew. Functions
whose strings are addresses (`image-set`) are left out, since a string may reach them through a variable. What an old browser would have
run (`expression()`, `behavior`, `-moz-binding`) is taken away, though none of today's knows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from trailmark.read.view.style_tokens import Kind, Token, preprocessed, quoted, tokens

MOST = 2_000_000
"""Characters of a style sheet; a longer one is not shown."""
MOST_ADDRESSES = 2000
"""Different addresses in one style sheet; further ones lead nowhere."""

Href = Callable[[str], str | None]
"""The app's own address for one that stands in a page; None where it must not be loaded."""

_NOWHERE = "x-left-out()"
_CALLED = frozenset({"url", "src"})
_LEFT_OUT = frozenset({"image", "image-set", "image-rect", "expression", "element", "paint"})
_RUN = frozenset({"behavior", "behaviour", "-moz-binding", "-o-link", "-o-link-source"})
_VENDOR = re.compile(r"-[a-z]++-(?=.)")


def style_view(text: str, href: Href) -> str:
    """The style sheet with every address written anew by `href`; what is doubtful is left out."""
    if len(text) > MOST:
        return ""
    writer = _StyleWriter(href)
    for token in tokens(preprocessed(text)):
        writer.take(token)
    return writer.text()


class _StyleWriter:
    """Takes tokens in order. It waits at `@import` for its address, and at `url(` for a string and the closing bracket."""

    def __init__(self, href: Href) -> None:
        self._href = href
        self._own: dict[str, str | None] = {}
        self._out: list[str] = []
        self._import: int | None = None
        self._call: int | None = None
        self._called: str | None = None

    def text(self) -> str:
        """All that was taken, written anew."""
        if self._call is not None:
            self._end_call(whole=self._called is not None)
        self._no_import()
        return "".join(self._out)

    def take(self, token: Token) -> None:
        if token.kind is Kind.SPACE:
            self._out.append(token.text)
        elif self._call is None:
            self._take(token)
        elif token.kind is Kind.STRING and self._called is None:
            self._called = token.value
            self._out.append('""')
        else:
            closed = token.text.startswith(")") and self._called is not None
            self._end_call(whole=closed)
            self._take(Token(token.kind, token.value, token.text[1:]) if closed else token)

    def _take(self, token: Token) -> None:
        if token.kind is Kind.STRING:
            self._string(token)
        elif token.kind is Kind.URL:
            self._out.append(self._address(token.value))
        elif token.kind is Kind.CALL:
            self._function(token)
        elif token.kind is Kind.AT and token.value.lower() == "import":
            self._no_import()
            self._import = len(self._out)
            self._out.append("@import")
        else:
            self._no_import()
            run = token.kind is Kind.NAME and token.value.lower() in _RUN
            self._out.append("x-left-out" if run else token.text)

    def _string(self, token: Token) -> None:
        if self._import is None:
            self._out.append(token.text)
            return
        glued = self._import == len(self._out) - 1
        self._out.append(f"{' ' * glued}{self._address(token.value)}")

    def _function(self, token: Token) -> None:
        name = token.value.lower()
        if name in _CALLED:
            self._call, self._called = len(self._out), None
            self._out.append("")
            return
        self._no_import()
        self._out.append("x-left-out(" if _VENDOR.sub("", name, count=1) in _LEFT_OUT else token.text)

    def _end_call(self, *, whole: bool) -> None:
        """`url("...")` was read whole, or turned out to be something else."""
        assert self._call is not None
        place, address = self._call, self._called
        self._call = self._called = None
        if whole and address is not None:
            del self._out[place:]
            self._out.append(self._address(address))
        else:
            self._no_import()
            self._out[place] = "x-left-out("

    def _address(self, address: str) -> str:
        """`url("...")` with the app's own address; an @import before it is one only where there is such an address."""
        local = address.startswith("#")
        own = address if local else self._known(address.strip())
        if own is None or local:
            self._no_import()
        self._import = None
        return _NOWHERE if own is None else f"url({quoted(own)})"

    def _known(self, address: str) -> str | None:
        if address not in self._own and len(self._own) < MOST_ADDRESSES:
            self._own[address] = self._href(address)
        return self._own.get(address)

    def _no_import(self) -> None:
        """What stands behind `@import` is no address."""
        if self._import is not None:
            self._out[self._import] = "@x-left-out"
            self._import = None
