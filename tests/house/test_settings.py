"""Settings: what a person may write in trailmark.toml, and what is said when it is wrong."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any, get_type_hints

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.hostile_text import HOSTILE
from trailmark.errors import SettingsError
from trailmark.quoting import unicode_text
from trailmark.settings import Settings, commented_toml, parse_settings, rooms_of, settings_reference, with_setting

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


def values(item: Any, hint: Any) -> st.SearchStrategy[Any]:
    """Values that a setting may take."""
    least, most, choices = (item.metadata[name] for name in ("least", "most", "choices"))
    if choices:
        return st.sampled_from(choices)
    if hint is bool:
        return st.booleans()
    if hint is int:
        return st.integers(int(least or 0), int(most) if most is not None else 2**40)
    if hint is float:
        return st.floats(float(least or 0), float(most) if most is not None else 1e12)
    if hint == tuple[int, ...]:
        return st.lists(st.integers(least, most), max_size=4).map(tuple)
    return TEXT if hint is str else st.lists(TEXT, max_size=4).map(tuple)


@st.composite
def any_settings(draw: Any) -> Settings:
    rooms = {}
    for table, room in rooms_of(Settings()):
        hints = get_type_hints(type(room))
        chosen = draw(st.sets(st.sampled_from([item.name for item in fields(room)])))
        new = {item.name: draw(values(item, hints[item.name])) for item in fields(room) if item.name in chosen}
        rooms[table] = replace(room, **new)
    return Settings(**rooms)


@pytest.mark.slow
@settings(deadline=None)
@given(any_settings())
def test_what_is_written_is_read_again(settings: Settings) -> None:
    assert parse_settings(commented_toml(settings)) == settings


def test_a_new_workspace_changes_nothing() -> None:
    text = commented_toml()
    assert parse_settings(text) == parse_settings("") == Settings()
    keys = [line for line in text.splitlines() if line and not line.startswith(("#", "["))]
    assert not keys, "every value of a new file is a comment"
    # Taking the '# ' off every key gives the same settings: the comments show the true defaults.
    names = {item.name for _, room in rooms_of(Settings()) for item in fields(room)}
    lines = [line[2:] if line[2:].split(" = ")[0] in names else line for line in text.splitlines()]
    assert lines != text.splitlines()
    assert parse_settings("\n".join(lines)) == Settings()


def test_values_are_taken() -> None:
    settings = parse_settings('[forage]\ncontact = "me@example.org"\ndelay = 2\nallow_hosts = ["a", "*.b"]\n')
    assert settings.forage.contact == "me@example.org"
    assert (settings.forage.delay, type(settings.forage.delay)) == (2.0, float)
    assert settings.forage.allow_hosts == ("a", "*.b")
    assert settings.read == Settings().read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[forrage]\n", ["[forrage]", "did you mean 'forage'?"]),
        ("[xyz]\n", ["[xyz]", "known are read"]),
        ("[forage]\ncontcat = 'me'\n", ["[forage]", "'contcat'", "did you mean 'contact'?"]),
        ("[read]\nqqq = 1\n", ["'qqq'", "known are page_tokens"]),
        ("read = 3\n", ["'read' must be a table", "[read]"]),
        ("[[read]]\n", ["'read' must be a table"]),
        ("[read]\nwindow = '10'\n", ["[read] window must be a whole number", "'10'"]),
        ("[read]\nwindow = 10.0\n", ["must be a whole number"]),
        ("[read]\nwindow = true\n", ["must be a whole number", "True"]),
        ("[read]\nwindow = 1979-05-27\n", ["must be a whole number"]),
        ("[read]\nwindow = -1\n", ["-1", "out of bounds (0 to 100)"]),
        ("[read]\nwindow = 101\n", ["101", "out of bounds (0 to 100)"]),
        ("[read]\nmax_links = 0\n", ["out of bounds (at least 1)"]),
        ("[read]\nknown_headings = 'news'\n", ["must be a list of strings"]),
        ("[read]\nknown_headings = ['news', 1]\n", ["must be a list of strings"]),
        ("[forage]\ndelay = nan\n", ["[forage] delay"]),
        ("[forage]\ndelay = inf\n", ["[forage] delay", "too large"]),
        ("[forage]\ndelay = -inf\n", ["[forage] delay"]),
        ("[forage]\ndelay = true\n", ["must be a number"]),
        (f"[forage]\ndelay = 1{'0' * 400}\n", ["delay", "too large"]),
        (f"[forage]\nmax_bytes = 1{'0' * 30}\n", ["max_bytes", "too large"]),
        (f"[forage]\nmax_bytes = 1{'0' * 5000}\n", ["not valid TOML"]),
        ("[forage]\nobey_robots = 1\n", ["must be true or false"]),
        ("[forage]\nobey_robots = 'no'\n", ["must be true or false"]),
        ("[forage]\ncontact = 3\n", ["must be a string"]),
        ("[forage\n", ["not valid TOML", "line 1"]),
        ("[read]\nwindow = 1\nwindow = 2\n", ["not valid TOML", "line 3"]),
        ("\x00", ["not valid TOML"]),
        ("[read]\nwindow = " + "[" * 100_000, ["TOML"]),
    ],
)
def test_what_is_wrong_is_named(text: str, words: list[str]) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings(text, source="my/trailmark.toml")
    sentence = str(caught.value)
    assert sentence.startswith("my/trailmark.toml")
    assert "\n" not in sentence
    for word in words:
        assert word in sentence


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_gives_settings_or_a_sentence(text: str) -> None:
    try:
        outcome: object = parse_settings(text)
    except SettingsError as error:
        outcome = str(error)
    assert isinstance(outcome, Settings) or "trailmark.toml" in str(outcome)


def test_the_reference_names_every_key_with_its_bounds() -> None:
    page = settings_reference()
    for table, room in rooms_of(Settings()):
        assert f"## [{table}]" in page
        for item in fields(room):
            assert f"| `{item.name}` |" in page
    assert "(0 to 100)" in page


@pytest.mark.slow
@settings(deadline=None)
@given(HOSTILE, HOSTILE)
@example('"\nbudget = 1\n#', "\x7f")
def test_a_value_that_is_set_is_a_value_whatever_it_says(contact: str, name: str) -> None:
    text = with_setting(commented_toml(), "forage", "contact", contact)
    text = with_setting(text, "serve", "names", (name,))
    wanted = (
        replace(Settings().forage, contact=unicode_text(contact)),
        replace(Settings().serve, names=(unicode_text(name),)),
    )
    assert parse_settings(text) == replace(Settings(), forage=wanted[0], serve=wanted[1])
    assert parse_settings(commented_toml(parse_settings(text))) == parse_settings(text)
    again = with_setting(text, "forage", "contact", "me@here.example")
    assert parse_settings(again).serve.names == (unicode_text(name),)


@pytest.mark.parametrize("end", ["\u2028", "\x85", "\u2029"])
def test_other_lines_stay_as_they_were_whatever_python_takes_for_a_line_end(end: str) -> None:
    text = f"# a remark{end}obey_robots = false\n[forage]\n# see{end}budget = 1\ncontact = 'a{end}b'\n"
    changed = with_setting(text, "forage", "delay", 2.0)
    assert changed == text.replace("[forage]\n", "[forage]\ndelay = 2.0\n")
    assert parse_settings(changed).forage == replace(parse_settings(text).forage, delay=2.0)


@pytest.mark.parametrize("inner", ["[forage]", "[forage]\ndelay = 3"])
def test_what_only_looks_like_a_table_is_not_changed(inner: str) -> None:
    text = f'[wrap]\nkind = """\n{inner}\n"""\n'
    with pytest.raises(SettingsError, match="by hand"):
        with_setting(text, "forage", "delay", 2.0)
