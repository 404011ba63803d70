"""What a workspace holds and how its last run stands, as Prometheus reads it (text format 0.0.4): for the app's /api/metrics, and for a file.

Names say their unit. A value that is not known is left out: no number is shown that was not measured.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from trailmark.verbs.watch import WatchReport, watch
from trailmark.workspace import Workspace

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class _Metric(NamedTuple):
    name: str
    kind: str
    help: str
    samples: tuple[tuple[str, float], ...]
    """(labels as they are written, value)."""


def metrics(workspace: Workspace) -> str:
    """A workspace -> the text, with its last run as it stands now."""
    return metrics_at(workspace, watch(workspace))


def metrics_at(workspace: Workspace, run: WatchReport | None) -> str:
    """A workspace, and a look at its last run -> the text."""
    counts = tuple((_labels(what=name), float(count)) for name, count in sorted(workspace.database.counts().items()))
    held = _Metric("trailmark_workspace_items", "gauge", "What the workspace holds, by kind.", counts)
    return metrics_text([held, *(_run_metrics(run) if run is not None else ())])


def metrics_text(every: list[_Metric]) -> str:
    """Metrics -> the text, a family after the other."""
    lines: list[str] = []
    for metric in every:
        if metric.samples:
            lines += [f"# HELP {metric.name} {metric.help}", f"# TYPE {metric.name} {metric.kind}"]
            lines += [
                f"{metric.name}{labels} {value:g}" if value % 1 else f"{metric.name}{labels} {int(value)}"
                for labels, value in metric.samples
            ]
    return "\n".join(lines) + "\n"


def _run_metrics(run: WatchReport) -> Iterator[_Metric]:
    labels = _labels(run=str(run.run), strategy=run.strategy)
    values: list[tuple[str, str, str, float | None]] = [
        ("walking", "gauge", "1 while the last run is walked, 0 when it has ended or stopped.", run.state == "walking"),
        ("sites", "gauge", "Sites of the last run.", run.sites),
        ("sites_done", "gauge", "Sites of the last run that have ended.", run.sites_done),
        ("pages_total", "counter", "Pages that the last run asked for.", run.pages),
        ("goals", "gauge", "Goals that the last run found.", run.goals),
        ("errors_total", "counter", "Pages that did not come, or came with a status of 400 and above.", run.errors),
        ("pages_per_second", "gauge", "Pages that the last run asks for in a second.", run.pages_per_second),
        ("parts", "gauge", "Parts that the last run was dealt in; 0 where it was not dealt.", run.parts),
        ("parts_done", "gauge", "Parts of the last run that are done.", run.parts_done),
        ("machines", "gauge", "Machines that walk the last run now.", run.machines),
        ("workers", "gauge", "Processes that walk the last run now.", run.workers),
        ("stragglers", "gauge", "Sites or parts that take much longer than the others.", len(run.stragglers)),
    ]
    for name, kind, words, value in values:
        if value is not None:
            yield _Metric(f"trailmark_run_{name}", kind, words, ((labels, float(value)),))


def _labels(**values: str) -> str:
    written = ",".join(f'{name}="{_escaped(value)}"' for name, value in values.items())
    return f"{{{written}}}"


def _escaped(value: str) -> str:
    """A strategy of one's own may be called anything."""
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
