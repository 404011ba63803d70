"""What the app and the verbs read is there at once, whatever another process writes meanwhile."""

from __future__ import annotations

from pathlib import Path

from trailmark.cluster import KnownCluster, Template
from trailmark.datatypes import Annotation, Cluster
from trailmark.store.cluster_table import replace_clusters
from trailmark.store.record_view import RecordView
from trailmark.verbs.annotate import find_cluster, goal_urls
from trailmark.workspace import Workspace

URLS = ("http://a.example/1", "http://a.example/2")


def fill(workspace: Workspace, *, pages: tuple[str, ...]) -> None:
    known = KnownCluster(
        Cluster("a.example/1", "a.example", "", pages, "", pages[:1]), Template((), 1, frozenset(), ())
    )
    with workspace.database.transaction() as connection:
        replace_clusters(connection, [(known.cluster, known.template.to_json())], [])


def test_clusters_are_read_while_another_process_writes(tmp_path: Path) -> None:
    Workspace.create(tmp_path / "w").close()
    (tmp_path / "w" / "trailmark.toml").write_text("[store]\nbusy_timeout = 0.1\n", encoding="utf-8")
    with Workspace.open(tmp_path / "w") as writer:
        fill(writer, pages=URLS[:1])
        with writer.database.transaction():
            fill(writer, pages=URLS)
            writer.database.add_annotations([Annotation(URLS[0], "title", "A")], "x")
            with Workspace.open(tmp_path / "w") as reader:
                assert [known.cluster.pages for known in reader.clusters()] == [URLS[:1]]
                assert find_cluster(reader, "a.example/1").pages == URLS[:1]
                assert list(reader.database.annotations()) == []
                assert goal_urls(reader) == frozenset()
                assert reader.database.counts()["annotations"] == 0
                assert RecordView(reader.database).find(kind=None, containing="", by="", most=5, skip=0) == (0, [])
        with Workspace.open(tmp_path / "w") as reader:
            assert [known.cluster.pages for known in reader.clusters()] == [URLS]
