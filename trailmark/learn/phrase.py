"""A feature, a state or a step of the way as a phrase that a person understands."""

from __future__ import annotations

from trailmark.learn.label_space import AWAY, FAIL, GOAL, PREFIX

SAYINGS = {
    "title": "the title says '{}'",
    "head": "its description says '{}'",
    "body": "its text says '{}'",
    "heading": "a heading on it says '{}'",
    "url": "its URL has the word '{}'",
    "shape": "its title or URL has a word of the form {}",
    "anchor": "the anchor says '{}'",
    "pair": "the anchor says '{}'",
    "around": "near the link stands '{}'",
    "above": "it stands under the heading '{}'",
    "to": "the URL has the word '{}'",
}
"""Groups whose features are words as they were read."""

_WAYS = {
    "itself": "the same page",
    "beside": "the same folder",
    "below": "a folder below",
    "above": "a folder above",
    "across": "another folder of the host",
    "sister host": "another host of the same domain",
    "elsewhere": "another domain",
    "with query": "a URL with a query",
}
_PLACES = {
    "text": "it stands in running text",
    "list": "it stands in a list",
    "table": "it stands in a table",
    "navigation": "it stands among navigation links",
    "heading": "it is a heading itself",
    "a": "it is an ordinary link",
    "area": "it is an area of an image map",
    "frame": "it is a frame",
    "repeated": "it stands in a repeated block",
    "alone": "it stands outside of repeated blocks",
}
_COUNTS = {
    "links": "it has about {} links",
    "words": "it has about {} words",
    "headings": "it has about {} headings",
    "type": "its type is {}",
    "repeats": "its strongest block repeats about {} times",
    "coverage": "its strongest block covers about {} of it",
    "repeated links": "about {} of its links stand in repeated blocks",
    "has": "it has the heading '{}'",
}


def feature_phrase(group: str, word: str) -> str:
    """What a feature says, e.g. `anchor`, `faculty` -> "the anchor says 'faculty'"."""
    if group in SAYINGS:
        return SAYINGS[group].format(shape_phrase(word) if group == "shape" else word)
    if group in ("ending", "to ending"):
        promise = "a web page" if word == "page" else f"a file of type .{word}"
        return f"it is {promise}" if group == "ending" else f"it leads to {promise}"
    if group == "place":
        return _PLACES.get(word, f"it stands inside the tags {word}")
    if group == "way":
        return f"it leads to {_WAYS.get(word, word)}"
    if group == "look":
        return f"its wording has the form {shape_phrase(word)}" if word != "empty" else "its anchor is empty"
    if group == "form":
        return _form_phrase(word)
    return f"{group}: {word}"


def _form_phrase(word: str) -> str:
    if word in _WAYS:
        return f"seen from the root it lies in {_WAYS[word]}"
    kind = next((kind for kind in ("repeated links", *_COUNTS) if word.startswith(kind + " ")), None)
    return _COUNTS[kind].format(word.removeprefix(kind + " ")) if kind else f"it is {word}"


def shape_phrase(shape: str) -> str:
    """`a9` -> "letters-digits"; `Aa Aa` -> "Capital Capital"."""
    named = []
    for word in shape.split():
        spelt = word.replace("Aa", "A").replace("a", "letters-").replace("9", "digits-").replace("A", "Capital-")
        named.append(spelt.rstrip("-"))
    return " ".join(named)


def state_phrase(label: str, goal_name: str = GOAL) -> str:
    """What a page of a label is like: `before course` -> "seems to lie on the way to course"."""
    if label == GOAL:
        return "looks like a goal" if goal_name == GOAL else f"looks like a goal ({goal_name})"
    if label == FAIL:
        return "seems to lie off the way"
    if label.startswith(PREFIX):
        following = label.removeprefix(PREFIX)
        ends = {GOAL: "seems to lie just before a goal", FAIL: "seems to lead off the way"}
        return ends.get(following, f"seems to lie on the way to {following}")
    if label.endswith(AWAY):
        distance = label.removesuffix(AWAY)
        return f"seems to be {distance} click{'' if distance == '1' else 's'} from the goal"
    return f"looks like {'an' if label[:1].lower() in 'aeiou' else 'a'} {label}"
