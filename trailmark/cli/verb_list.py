"""The verbs of the command line, known without loading any of them."""

from __future__ import annotations

VERBS = {
    "init": "Make a new workspace.",
    "teach": "Import demonstrated click paths, or marked values.",
    "learn": "Learn the way from the trails that were taught.",
    "forage": "Walk the learnt way on other sites.",
    "check": "Measure how many of the pages that a run found are right.",
    "cluster": "Group pages by template, and choose the pages worth annotating.",
    "wrap": "Learn rules from annotated pages.",
    "extract": "Lift records off pages by the rules that were learnt.",
    "shape": "Change fields of all records: rename, split, join, bring to one form.",
    "tag": "Turn documents into records: titles, authors and references of papers.",
    "course": "Turn course pages into courses: what each of their links is, by type and week.",
    "package": "Pack courses for a learning system, or check such packages.",
    "map": "Draw a map of what courses teach: key phrases and how they stand to one another.",
    "recommend": "Find what other courses have on the same as an item, and say what the item is about.",
    "draft": "Start a course: for each week of a syllabus, what other courses have that fits.",
    "organise": "Put records in topics, group what they cite, rank them, and index them for search.",
    "curate": "Hide things, make several one, take apart what is not one.",
    "search": "Find items among those that were organised.",
    "export": "Write records, or the rules that made them, to a file.",
    "update": "Do all that is due: walk again, lift, tag, organise, publish.",
    "publish": "Write the portal as files, for any web server.",
    "serve": "Open the web app: teach by clicking, watch it walk.",
    "monitor": "Visit pages again: do the rules still work, and can they be mended?",
    "show": "Show what Trailmark sees in a page.",
    "status": "Say what the workspace holds, and what to do next.",
    "undo": "Take back something that was done.",
    "evaluate": "Measure a table of the papers on benchmark data.",
    "demo": "The whole flow on a generated web.",
}
"""In the order in which a person meets them; each is a module of this folder with a command `verb`.
The sentence stands here too, so that listing the verbs does not load them all."""
WITHOUT_WORKSPACE = frozenset(("init", "evaluate", "demo"))
"""Verbs that work on no workspace."""
