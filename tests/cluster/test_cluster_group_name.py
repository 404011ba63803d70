from __future__ import annotations

import pytest

from trailmark.cluster import group_name


@pytest.mark.parametrize(
    ("titles", "name"),
    [
        (["CS 101 - Courses - Elm", "CS 7 - Courses - Elm"], "CS - Courses - Elm"),
        (["Ada Lovelace", "Alan Turing"], "Ada Lovelace"),
        (["Only one | Shop"], "Only one | Shop"),
        (["Publications of Ada Lovelace", "Papers of Alan Turing"], "Publications of Ada Lovelace"),
        (["", "  "], ""),
        ([], ""),
        (["A | Shop", "", "B | Shop"], "Shop"),
        (["x" * 200, "x" * 200], "x" * 59 + "…"),
    ],
)
def test_a_group_is_called_by_what_its_titles_share(titles: list[str], name: str) -> None:
    assert group_name(titles) == name
