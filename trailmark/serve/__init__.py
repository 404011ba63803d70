"""The web app: `trailmark serve`. The only room where HTTP comes in, and one without logic of its own.

How to add a page
    1. One file `NOUN_pages.py` with `router = APIRouter(include_in_schema=False)`, named in `app.ROUTERS`; one template a page in
       `templates/`, beginning with {% extends "page.html" %}; its place in the menu in `rendering.NAVIGATION`.
    2. A handler is a plain `def` (it runs in a thread): `def name(request: Request, state: State) -> Response`. It opens the workspace with
       `with state.workspace() as workspace:`, calls verbs, and ends with `page(request, "noun.html", title=..., ...)`.
       What is wanted beyond that belongs into a verb or a room, where the command line has it too. It opens the workspace once.
    3. What changes something is a POST: `form: Sent` has its fields (`form["name"]`, `form.all("tick")`); the template puts
       {{ form_token() }} into the form (import it: {% from "parts.html" import form_token %}). End with `to(request, path, said="...")`.
       A script that posts sends the header X-Trailmark-Csrf with the value of <meta name="csrf">.
    4. Long work is `state.jobs.start("verb", *arguments, title="...", back="/here")`; {{ job_line(job) }} of parts.html shows it live. Other streams: `events` here, `Stream` of
       static/stream.js there (it rests in hidden tabs: a browser has six connections to a server, over all tabs).
    5. Errors of `trailmark.errors` become a page with their sentence by themselves; catch them where the person should stay on the page.
    6. No inline scripts, styles or handlers: the policy forbids them. Scripts are ES modules in `static/`, named in {% block scripts %};
       `static/app.css` has the look (.card .row .muted .button .primary .table-wrap .tag ...). Charts are inline SVG with classes.
    7. JSON: a router with prefix /api and a tag, models as pydantic classes; it shows up in /api and /api/openapi.json.
    8. A crawled page in a frame: `shown(request, response, link_href=..., live=...)` answers for a signed address (add its path to
       `guard.SIGNED_PATHS`) and is made `@by_view_crew`; `link_note` adds a class or a title to links, `number_nodes` numbers elements for clicking,
       `script="name.js"` writes one script of ours into it, which talks to the page around it with postMessage. Styles of ours go into
       `extra` as a style element: a frame without an origin can't load them from /static.
    9. Tests in `tests/serve/`: `visitor` and `demo_visitor` of conftest.py without a browser, `browser_page` with one
       (`with running(folder) as address` of app_visitor.py serves the app to it; `address + way_in(folder)` is where it comes in).
"""

from __future__ import annotations
