"""What `monitor`, its history and its way back report."""

from __future__ import annotations

from dataclasses import dataclass

from trailmark.monitor.cluster_finding import ClusterFinding
from trailmark.monitor.watched_cluster import PastVisit
from trailmark.report import Json, Report, as_json


@dataclass(frozen=True, slots=True)
class MonitorReport(Report):
    """What one run found in every cluster that has rules."""

    run: int
    at: str
    clusters: tuple[ClusterFinding, ...]

    @property
    def open(self) -> tuple[str, ...]:
        """Clusters that somebody must see to."""
        return tuple(finding.cluster for finding in self.clusters if finding.is_open)

    def to_json(self) -> dict[str, Json]:
        """What `monitor --json` prints: the clusters, and figures over all of them."""
        return {
            "run": self.run,
            "at": self.at,
            "clusters": as_json(self.clusters),
            "watched": len(self.clusters),
            "broken": sum(any(field.broken for field in finding.fields) for finding in self.clusters),
            "changed": sum(finding.template_changed for finding in self.clusters),
            "repaired": sum(bool(finding.repaired) for finding in self.clusters),
            "open": as_json(self.open),
        }


@dataclass(frozen=True, slots=True)
class HistoryReport(Report):
    """What every run found, from the first to the last."""

    visits: tuple[PastVisit, ...]

    def to_json(self) -> dict[str, Json]:
        """What `monitor --history --json` prints."""
        names = ("run", "at", "cluster", "status", "broken", "repaired")
        return {"visits": [{name: as_json(getattr(visit, name)) for name in names} for visit in self.visits]}


@dataclass(frozen=True, slots=True)
class RollbackReport(Report):
    """A cluster that has its earlier rules back."""

    cluster: str
    at: str
    replaced_at: str
    """When the rules that are back had been replaced."""
    fields: tuple[str, ...]

    def to_json(self) -> dict[str, Json]:
        """What `monitor --rollback --json` prints."""
        return {"cluster": self.cluster, "at": self.at, "from": self.replaced_at, "fields": as_json(self.fields)}
