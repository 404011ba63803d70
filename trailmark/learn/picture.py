"""A navigator as a picture (SVG): states, the steps between them, and how near to the goal each is worth (eqs. 3-5)."""

from __future__ import annotations

from trailmark.learn.label_space import FAIL, GOAL, PREFIX
from trailmark.learn.navigator import Navigator
from trailmark.learn.picture_layout import Box, Layout, Line, picture_layout
from trailmark.quoting import xml_text

LOW, HIGH = (238, 243, 247), (17, 94, 89)
INK, MUTED, LINE, OFF = "#1f2933", "#5b6770", "#6b8299", "#b08968"
LETTERS = 21
"""Letters that fit on a box; a longer label is cut, and whole in its tooltip."""

_STYLE = (
    "text{font-family:'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif}"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}"
    # Where it is looked at in the dark, the ground is dark, and what is written on it light; boxes keep their own colours.
    "@media(prefers-color-scheme:dark){.ground{fill:#1f2427}.out{fill:#e6e4de}.halo{fill:#e6e4de;stroke:#1f2427}}"
)


def navigator_svg(navigator: Navigator) -> str:
    """The picture as the text of an SVG file; labels are a person's words, so all are escaped."""
    layout = picture_layout(navigator)
    rewards = dict(zip(navigator.labels, map(float, navigator.rewards), strict=True))
    top = max(rewards.values()) or 1.0
    about = (
        f"{len(navigator.labels)} kinds of page that were learnt, the likeliest steps between them, and the reward of each. "
        "The goal is on the right; what lies off the way is below."
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{layout.width:.0f}" height="{layout.height:.0f}" '
        f'viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" role="img" aria-labelledby="title about">',
        f'<title id="title">{xml_text(f"The way to {navigator.goal_name}")}</title><desc id="about">{xml_text(about)}</desc>',
        f"<style>{_STYLE}</style><defs>{_arrow('arrow', LINE)}{_arrow('off', OFF)}</defs>",
        '<rect class="ground" width="100%" height="100%" fill="#fff"/>',
        f'<text class="out" x="48" y="44" font-size="20" font-weight="bold" fill="{INK}">{xml_text(f"The way to {navigator.goal_name}")}</text>',
        f'<text class="out" x="48" y="66" font-size="12" fill="{MUTED}">Steps before a link is read; small boxes are pages on the way to the '
        "label above them.</text>",
        *(_line(step, layout) for step in layout.steps),
        *(
            _box(box, rewards[box.label], rewards[box.label] / top, navigator.goal_name)
            for box in layout.boxes.values()
        ),
        *_shares(layout),
        _legend(layout, top),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _box(box: Box, reward: float, share: float, goal_name: str) -> str:
    red, green, blue = _colour(share)
    ink = INK if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#fff"
    fill = f"rgb({red},{green},{blue})"
    middle = box.x + box.width / 2
    tip = f"<title>{xml_text(f'{box.label}: reward {reward:.3f}')}</title>"
    frame = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}"'
    if box.small:
        words = f'<text x="{middle:.1f}" y="{box.y + 15:.1f}" font-size="10.5" text-anchor="middle" fill="{ink}">on the way · {reward:.2f}</text>'
        return f'<g>{tip}<rect {frame} rx="11" fill="{fill}" stroke="{MUTED}" stroke-width="0.8"/>{words}</g>'
    name = {GOAL: f"\N{BLACK STAR} {goal_name}", FAIL: "\N{MULTIPLICATION X} fail"}.get(box.label, box.label)
    border = {
        GOAL: f'stroke="{INK}" stroke-width="3"',
        FAIL: f'stroke="{OFF}" stroke-width="2" stroke-dasharray="6 4"',
    }.get(box.label, f'stroke="{MUTED}" stroke-width="1.2"')
    words = (
        f'<text x="{middle:.1f}" y="{box.y + 21:.1f}" font-size="13" font-weight="bold" text-anchor="middle" fill="{ink}">{xml_text(_cut(name))}</text>'
        f'<text x="{middle:.1f}" y="{box.y + 38:.1f}" font-size="11" text-anchor="middle" fill="{ink}">{_kind(box.label)}reward {reward:.2f}</text>'
    )
    return f'<g>{tip}<rect {frame} rx="9" fill="{fill}" {border}/>{words}</g>'


def _kind(label: str) -> str:
    return {GOAL: "goal · ", FAIL: "off the way · "}.get(label, "")


def _line(step: Line, layout: Layout) -> str:
    off = step.target == FAIL or step.target == PREFIX + FAIL
    ends = _ends(layout.boxes[step.source], layout.boxes[step.target])
    path = "M{:.1f},{:.1f} C{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}".format(*(n for point in ends for n in point))
    look = f'stroke="{OFF if off else LINE}" stroke-opacity="{0.35 if off else 0.25 + 0.6 * step.share:.2f}"'
    tip = xml_text(f"{step.source} \N{RIGHTWARDS ARROW} {step.target}: {step.share:.0%}")
    return (
        f'<path d="{path}" fill="none" {look} stroke-width="{0.8 + 9 * step.share:.2f}" '
        f'marker-end="url(#{"off" if off else "arrow"})"><title>{tip}</title></path>'
    )


Point = tuple[float, float]


def _ends(source: Box, target: Box) -> tuple[Point, Point, Point, Point]:
    """A curve from box to box: rightwards from side to side, otherwise around."""
    right, y1 = source.x + source.width, source.y + source.height / 2
    y2 = target.y + target.height / 2
    if target.label == FAIL:
        x1, bottom, x2 = source.x + source.width / 2, source.y + source.height, target.x + target.width / 2
        return (x1, bottom), (x1, bottom + 60), (x2, target.y - 60), (x2, target.y - 9)
    if target.x >= right:
        bend = (target.x - right) / 2
        return (right, y1), (right + bend, y1), (target.x - 9 - bend, y2), (target.x - 9, y2)
    if target.x + target.width <= source.x:
        dip = 46.0
        start, end = (source.x + 12, source.y), (target.x + target.width - 12, target.y - 9)
        return start, (start[0], start[1] - dip), (end[0], end[1] - dip), end
    side, far = max(right, target.x + target.width), 46.0
    return (right, y1), (side + far, y1), (side + far, y2), (target.x + target.width + 9, y2)


def _shares(layout: Layout) -> list[str]:
    """Percentages on the stronger lines, where nothing else stands."""
    taken = [(box.x - 4, box.y - 4, box.x + box.width + 4, box.y + box.height + 4) for box in layout.boxes.values()]
    written = []
    for step in sorted(layout.steps, key=lambda step: -step.share):
        spot = _free_spot(_ends(layout.boxes[step.source], layout.boxes[step.target]), taken)
        if spot is not None:
            x, y = spot
            taken.append(_room(spot))
            written.append(
                f'<text class="halo" x="{x:.1f}" y="{y + 4:.1f}" font-size="10.5" text-anchor="middle" fill="{INK}">{step.share:.0%}</text>'
            )
    return written


def _free_spot(ends: tuple[Point, Point, Point, Point], taken: list[tuple[float, float, float, float]]) -> Point | None:
    for t in (0.5, 0.35, 0.65, 0.25, 0.75):
        spot = _along(ends, t)
        left, upper, right, lower = _room(spot)
        if not any(left < x2 and x1 < right and upper < y2 and y1 < lower for x1, y1, x2, y2 in taken):
            return spot
    return None


def _room(spot: Point) -> tuple[float, float, float, float]:
    return spot[0] - 16, spot[1] - 8, spot[0] + 16, spot[1] + 8


def _along(ends: tuple[Point, Point, Point, Point], t: float) -> Point:
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return sum(w * p[0] for w, p in zip(weights, ends, strict=True)), sum(
        w * p[1] for w, p in zip(weights, ends, strict=True)
    )


def _legend(layout: Layout, top: float) -> str:
    y = layout.height - 34
    stops = "".join(
        f'<rect x="{112 + 22 * n}" y="{y - 11:.1f}" width="22" height="14" fill="rgb{_colour(n / 5)}"/>'
        for n in range(6)
    )
    lines = "".join(
        f'<path d="M{x},{y - 4:.1f} h34" stroke="{LINE}" stroke-opacity="0.7" stroke-width="{0.8 + 9 * share:.2f}"/>'
        f'<text x="{x + 42}" y="{y:.1f}">{share:.0%}</text>'
        for x, share in ((368, 0.1), (448, 0.5))
    )
    return (
        f'<g class="out" font-size="11" fill="{MUTED}"><text x="48" y="{y:.1f}">reward 0</text>{stops}'
        f'<text x="252" y="{y:.1f}">{top:.2f}</text><text x="312" y="{y:.1f}">step of</text>{lines}</g>'
    )


def _arrow(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="1" refY="5" markerWidth="10" markerHeight="10" orient="auto" '
        f'markerUnits="userSpaceOnUse"><path d="M0,0 L10,5 L0,10 z" fill="{colour}"/></marker>'
    )


def _colour(share: float) -> tuple[int, int, int]:
    share = min(max(share, 0.0), 1.0)
    red, green, blue = (round(low + (high - low) * share) for low, high in zip(LOW, HIGH, strict=True))
    return red, green, blue


def _cut(label: str) -> str:
    return label if len(label) <= LETTERS else label[: LETTERS - 1] + "\N{HORIZONTAL ELLIPSIS}"
