"""The portal: `trailmark serve --portal`, a public site on what was organised, for reading alone.

It is an app of its own: no route of teaching, jobs or annotating exists in it, and it opens all files for reading alone. A page is made in three steps that know
nothing of each other: a verb (`trailmark/verbs/portal_*.py`) makes a view, a typed value with all that the page shows; a builder (`page_html.py`, `atom_feed.py` and the like), a pure
function, makes text of the view and of the `Ways` that its links lead; a route asks for both, through the `Desk`, which keeps what was made and sheds what is too much.
"""

from __future__ import annotations
