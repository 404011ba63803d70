"""The generated web: many university-like sites with their truth, deterministic by seed.

`DemoWeb(sites=12, seed=1)` is all there is to hold; a site is made from (seed, number) when it is asked for, a page
when its URL is. `serve` answers for it on real sockets.

    web.py           DemoWeb, DemoSite: pages by URL, labels, goals, records, trails
    server.py        the web on 127.0.0.1, a host name for every site

    character.py     (seed, number) -> host, template, charset, structure
    site_plan.py     -> a whole site as data; plan.py has its types
    plan_people.py, plan_courses.py, plan_offices.py, catalogue.py, months.py    the parts of a site
    department.py, people.py, wording.py, prose.py                               who, what, and in which words
    page_bytes.py    a planned page -> Response; markup.py and template_*.py -> HTML, encoding.py -> bytes
    trails.py        the known graph -> demonstrations
"""

from trailmark.demo.server import DemoServer, serve
from trailmark.demo.web import GOALS, DemoSite, DemoWeb

__all__ = ["GOALS", "DemoServer", "DemoSite", "DemoWeb", "serve"]
