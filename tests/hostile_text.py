"""Texts that end a string, open a tag, call a function or steer a terminal in one language or another."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = (
    '"""', "'''", '"', "'", "\\", "\\N{BULLET}", "\\x41", "\n", "\r", "\r\n", "\t", "\x00", "\x07", "\x08", "\x0b", "\x1b[2J",
    "\x1b]0;owned\x07", "\x1f", "\x7f", "\x85", "\x9b31m", "\u00a0", "\u200b", "\u200d", "\u2028", "\u2029", "\u202egnp.exe",
    "\u2066", "\ufeff", "\ufffe", "\uffff", "\ud800", "\udfff", "e\u0301\u0301", "\u0301", "{document('file:///etc/hostname')}",
    "{", "}", "{{", "}}", "{0}", "%s", "%(x)s", "%", "${x}", "$x^2$", "$", "\\$", "`id`", "$(id)", ";", "|", "&", "&amp;", "&text;",
    "<b>", "</script>", "<!--", "-->", "<![CDATA[", "]]>", "]", "[", "[bold]", "[/bold]", "[link=file:///x]", ":smile:",
    "[normalize-space()]", "(", ")", "|document('x')", "=1+1", "@SUM(A1)", "+", "-", ",", "; =1", "\n=1", "#", "# ", "[forage]\n",
    "contact = 'x'\n", "../", "/", "~", "*", "שלום", "مرحبا", "你好", "नमस्ते", "👩‍👩‍👧", "Ａ", "import os; os._exit(7)", "_", " ",
)  # fmt: skip
"""Of each language something that means more than its letters; and letters of many scripts."""

HOSTILE = st.one_of(
    st.sampled_from(FRAGMENTS),
    st.lists(st.sampled_from(FRAGMENTS), min_size=1, max_size=6).map("".join),
    st.text(st.characters(), max_size=12),
)
"""Any text at all, with halves of pairs and control characters, and mostly the worst."""

HOSTILE_GOALS = (
    "course", "Course", "COURSE", "", ".", "..", "../../etc/passwd", "a/b", "a\\b", "CON", "con", "nul.txt", "a b", "goal", "fail", "%41",
    "\u202egnp.exe", "شهادة", "👩‍👩‍👧", "e\u0301", "\u00e9", "x" * 300, "x" * 299 + "y", "\ud800", "a\x00b", "~", "-w", "*", "before goal",
)  # fmt: skip
"""Names that a goal may have, each another one."""
