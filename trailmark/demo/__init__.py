"""The generated web: many university-like sites with their truth, deterministic by seed.

`DemoWeb(sites=12, seed=1)` is all there is to hold; a site is made from (seed, number) when it is asked for, a page
when its URL is. `serve` answers for it on real sockets.
"""

from trailmark.demo.server import DemoServer, serve
from trailmark.demo.web import GOALS, DemoSite, DemoWeb

__all__ = ["GOALS", "DemoServer", "DemoSite", "DemoWeb", "serve"]
