"""Makes every picture of the documents: `make pictures` (all), `python docs/pictures/take.py run records` (only these are written),
`python docs/pictures/take.py --dark` (the same as those who work in the dark see them, in `dark/` beside these).

It walks the tour of `docs/tutorial.md` in a real Chromium, on a new workspace with the generated web, and takes a picture at each stop. So a picture
shows what the app shows, and a tour that can't be walked any more fails here. The web, what is taught and every click are always the same;
what a clock says is left out of the pictures. The two drawings are those that `trailmark demo` makes.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parents[2]))  # the tests of the app know how to visit it

from PIL import Image

from tests.serve import find_chromium
from tests.serve.app_visitor import running, way_in
from tests.serve.portal_world import portal_running
from trailmark.demo import DemoSite, DemoWeb
from trailmark.demo.site_map import site_map
from trailmark.workspace import Workspace

if TYPE_CHECKING:
    from playwright.sync_api import ViewportSize

FOLDER = Path(__file__).parent
WEB = DemoWeb(sites=12, seed=1)
"""The web that the first page of the app makes."""
GOAL = "publications"
SIZE: ViewportSize = {"width": 1280, "height": 800}
COLOURS = 96
PATIENCE = 1200
"""Seconds that a job may take."""
CHECKED = 6
"""Pages that are checked: five are enough for a measure."""
CLOCKS = "div:has(> dd[data-figure=pages_per_second])"
"""What is never twice the same."""
TIMES = """folder => {
  const told = [[/\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d/g, "2026-01-01 12:00"], [/\\d\\d:\\d\\d:\\d\\d/g, "12:00:00"]];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    text.data = told.reduce((so_far, [time, always]) => so_far.replace(time, always), text.data).replace(folder + "/", "");
  }
}"""
"""Times of day, and the folder that the tour made for itself, are written as always the same."""


@dataclass(frozen=True)
class Tour:
    """A walk through the app: its address, a tab, the workspace, and where pictures go."""

    address: str
    tab: Any
    folder: Path
    only: frozenset[str]
    target: Path = FOLDER

    def go(self, path: str) -> None:
        self.tab.goto(f"{self.address}{path}")

    def press(self, name: str) -> None:
        """A button, once it can be pressed."""
        button = self.tab.get_by_role("button", name=name, exact=True).and_(self.tab.locator(":enabled"))
        button.first.click()

    def rest(self) -> None:
        """Until no job is at work."""
        self.tab.wait_for_load_state("load")
        self.tab.locator("[data-job][data-live]").first.wait_for(state="detached")

    def take(self, name: str) -> None:
        if self.only and name not in self.only:
            return
        self.tab.wait_for_load_state("networkidle")
        self.tab.evaluate("clocks => document.querySelectorAll(clocks).forEach((each) => each.remove())", CLOCKS)
        self.tab.evaluate(TIMES, str(self.folder.parent))
        taken = self.tab.screenshot()
        # A page of an app has few colours; as many more bytes would only be carried around.
        Image.open(BytesIO(taken)).convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(
            self.target / f"{name}.png", optimize=True
        )


# --- the stops ---------------------------------------------------------------------------------------------------


def start(tour: Tour) -> None:
    tour.go("/")
    tour.press("Make me a web to try things on")
    tour.tab.get_by_text("12 sites are ready").wait_for()
    tour.take("start")


def teach(tour: Tour) -> None:
    site = WEB.site(0)
    trail = max((each for each in site.trails(GOAL, 8) if each.outcome == "goal"), key=lambda each: len(each.steps))
    tour.press("Click a trail yourself")
    for before, step in zip(trail.steps, trail.steps[1:], strict=False):
        _click(tour, site, before.url, step.url)
    tour.tab.locator("#goal").fill(GOAL)
    tour.take("teach")
    tour.press("This is what I want")
    tour.tab.get_by_role("status").wait_for()
    tour.go("/")
    tour.press("Take prepared trails on three sites")


def learnt(tour: Tour) -> None:
    tour.press("Learn")
    tour.tab.get_by_role("button", name="Walk", exact=True).and_(tour.tab.locator(":enabled")).wait_for()
    tour.go("/learnt")
    tour.take("learnt")


def learnt_page(tour: Tour) -> None:
    site = WEB.site(7)  # it was not taught
    staff = next(url for url, label in site.labels.items() if label == "faculty-list")
    tour.go(f"/learnt/page?url={quote(staff)}")
    tour.tab.locator("ol.scored a").first.click()
    tour.tab.get_by_text("Why the link").wait_for()
    tour.take("learnt-page")


def questions(tour: Tour) -> None:
    tour.go("/questions")
    tour.press("Let it choose questions")
    tour.tab.get_by_role("button", name="Yes").wait_for()
    tour.take("questions")


def run(tour: Tour) -> None:
    tour.go("/")
    tour.press("Walk")
    tour.tab.get_by_role("button", name="Walk again", exact=True).and_(tour.tab.locator(":enabled")).wait_for()
    tour.go("/runs/1")
    tour.take("run")
    tour.tab.locator("#console").scroll_into_view_if_needed()
    tour.tab.evaluate("document.querySelector('#console').closest('section').scrollIntoView()")
    tour.take("console")
    goals = tour.tab.request.get(f"{tour.address}/api/runs/1/goals").json()
    right = sum(bool(_entries(goal["url"])) for goal in goals)
    there = sum(label == GOAL for site in WEB if site.who.number > 2 for label in site.labels.values())
    print(f"{right} of the {len(goals)} pages it took for goals are; {there} exist on these sites")  # noqa: T201


def check(tour: Tour) -> None:
    """A few pages, answered by what the web knows of them; then the list of all, with its small pictures."""
    tour.go("/check")
    tour.take("check")
    for _ in range(CHECKED):
        url = tour.tab.locator(".address .url").inner_text()
        with tour.tab.expect_navigation():
            tour.press("Yes y" if _entries(url) else "No n")
    tour.tab.set_viewport_size({"width": SIZE["width"], "height": 1000})
    tour.tab.locator("#measure").evaluate("each => each.closest('section').scrollIntoView()")
    tour.tab.locator("[data-snapshot] iframe").nth(1).wait_for()
    tour.take("check-list")
    tour.tab.set_viewport_size(SIZE)


def annotate(tour: Tour) -> None:
    tour.go("/annotate")
    tour.press("Group the pages of the workspace")
    tour.tab.locator("tbody a").first.wait_for()
    group, page = _best_group(tour.folder)
    tour.go(f"/annotate/cluster?id={quote(group)}&url={quote(page)}")
    for entry in _entries(page)[:2]:
        _mark(tour, "paper", entry)
        _mark(tour, "year", entry.rstrip(".")[-4:])
    tour.take("annotate")


def records(tour: Tour) -> None:
    tour.press("Use these rules")
    tour.rest()
    tour.go("/records")
    tour.press("How many rows will it give?")
    tour.press("Lift them")
    tour.tab.locator("a.value").first.wait_for()
    tour.take("records")


def record_place(tour: Tour) -> None:
    tour.tab.locator("a.value").nth(6).click()
    tour.tab.frame_locator("iframe").locator("body").wait_for()
    tour.take("record-place")


def shape(tour: Tour) -> None:
    """A field is changed: tried on the first rows while it is written."""
    tour.go("/records")
    tour.tab.locator("#fields summary").click()
    tour.tab.locator("#step-field").select_option("paper")
    tour.tab.locator("#how").select_option("match")
    tour.tab.locator("#pattern").fill(r"pp\. ([0-9–]+)")
    tour.press("Try it on the first rows")
    tour.tab.locator("[data-trial] table").wait_for()
    tour.tab.locator("#fields").evaluate("each => each.scrollIntoView()")
    tour.take("shape")


def watch(tour: Tour) -> None:
    tour.go("/alarms")
    tour.press("Visit them now")
    tour.tab.get_by_role("heading", name="Visits so far").wait_for()
    tour.take("watch")
    tour.go("/")
    tour.take("home")
    tour.go("/settings")
    tour.take("settings")


def portal(tour: Tour) -> None:
    """The public site that the demo ends with, and the paper in it that cites most of what is there."""
    demo = tour.folder.parent / "library"
    # A process of its own: the browser's event loop runs in this one.
    subprocess.run([sys.executable, "-m", "trailmark.cli.main", "demo", "--out", str(demo)], check=True)  # noqa: S603 - our own words
    with portal_running(demo / "workspace") as address:
        tour.tab.goto(f"{address}/")
        tour.take("portal")
        tour.tab.goto(f"{address}/search?q=kind:paper&sort=cited")
        tour.tab.locator(".entry .what a").first.click()
        tour.take("portal-item")


def drawings(tour: Tour) -> None:
    """What it learnt, and a site as a map."""
    if not tour.only or "navigator" in tour.only:
        shutil.copyfile(tour.folder / "models" / f"navigator-{GOAL}.svg", tour.target / "navigator.svg")
    if not tour.only or "site-map" in tour.only:
        site = WEB.site(0)
        goals = [trail for trail in site.trails(GOAL, 8) if trail.outcome == "goal"]
        longest = max(goals, key=lambda trail: len(trail.steps))
        site_map(site, GOAL, longest).savefig(tour.target / "site-map.png", dpi=110)


STOPS: dict[Callable[[Tour], None], tuple[str, ...]] = {
    portal: ("portal.png", "portal-item.png"),
    start: ("start.png",),
    teach: ("teach.png",),
    learnt: ("learnt.png",),
    learnt_page: ("learnt-page.png",),
    run: ("run.png", "console.png"),
    check: ("check.png", "check-list.png"),
    questions: ("questions.png",),
    annotate: ("annotate.png",),
    records: ("records.png",),
    record_place: ("record-place.png",),
    shape: ("shape.png",),
    watch: ("watch.png", "home.png", "settings.png"),
    drawings: ("navigator.svg", "site-map.png"),
}
"""The stops in their order, and the pictures that each makes."""


def _click(tour: Tour, site: DemoSite, here: str, url: str) -> None:
    """Click the link of the framed page that leads to a URL."""
    page = site.page(here)
    assert page is not None
    anchor = next(each for each in page.anchors() if site.url(each.path) == url)
    tour.tab.frame_locator("iframe").get_by_role("link", name=anchor.text, exact=True).first.click()
    arrived = "path => document.querySelector('.address .url').textContent.endsWith(path)"
    tour.tab.wait_for_function(arrived, arg=site.path(url))


def _mark(tour: Tour, field: str, value: str) -> None:
    tour.tab.locator("#value").fill(value)
    tour.tab.locator("#field").fill(field)
    with tour.tab.expect_navigation():
        tour.press("Mark it")


def _best_group(folder: Path) -> tuple[str, str]:
    """The group with the most lists of publications, and the first of these."""
    with Workspace.open(folder) as workspace:
        lists = {
            group.id: [url for url in group.pages if _entries(url)]
            for group in (known.cluster for known in workspace.clusters())
        }
    best = max(lists, key=lambda group: len(lists[group]))
    return best, lists[best][0]


def _entries(url: str) -> list[str]:
    """What the entries of a list of publications say; none where the page is no such list."""
    site = WEB.find(url.partition("://")[2])
    page = site.page(url) if site else None
    if page is None or page.kind != GOAL:
        return []
    return [item for section in page.sections for item in section.items]


def stops(only: frozenset[str]) -> list[Callable[[Tour], None]]:
    """The stops up to the last one that makes a picture that is wanted."""
    wanted = [n for n, made in enumerate(STOPS.values()) if not only or only & {Path(name).stem for name in made}]
    return list(STOPS)[: max(wanted, default=-1) + 1]


def main(only: Iterable[str] = ()) -> None:
    """Walk the tour; write all pictures, or only those named; with `--dark` in dark colours, beside the others."""
    from playwright.sync_api import sync_playwright

    dark, named = "--dark" in only, frozenset(only) - {"--dark"}
    target = FOLDER / "dark" if dark else FOLDER
    target.mkdir(exist_ok=True)
    path = find_chromium.find()
    if path is None:
        sys.exit(f"No pictures: {find_chromium.MISSING}.")
    with TemporaryDirectory() as above, sync_playwright() as made:
        folder = Path(above) / "my-project"
        Workspace.create(folder).close()
        browser = made.chromium.launch(executable_path=path, args=list(find_chromium.FLAGS))
        scheme: Literal["dark", "light"] = "dark" if dark else "light"
        tab = browser.new_context(viewport=SIZE, color_scheme=scheme, locale="en-GB").new_page()
        tab.set_default_timeout(PATIENCE * 1000)
        with running(folder) as address:
            tab.goto(address + way_in(folder))
            tour = Tour(address, tab, folder, named, target)
            for stop in stops(named):
                print(stop.__name__, flush=True)  # noqa: T201 - it takes minutes
                stop(tour)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
