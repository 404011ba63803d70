"""The whole way: archives in, clusters out, kept, joined later, printed and measured."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.clusters import evaluate_clusters
from tests.cluster.cluster_pages import item_page, person_page
from trailmark.cli.main import run
from trailmark.cluster import KnownCluster, find_clusters
from trailmark.datatypes import Response
from trailmark.errors import InputError
from trailmark.settings import ClusterSettings
from trailmark.store.archive_writer import ArchiveWriter
from trailmark.verbs.status import status
from trailmark.workspace import Workspace

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def answers(numbers: Iterable[int], host: str = "shop.example") -> list[Response]:
    return [
        Response(f"http://{host}/{path}/{n}.html", 200, HTML, make(n).encode())
        for n in numbers
        for path, make in (("item", item_page), ("person", person_page))
    ]


def archive(path: Path, responses: Iterable[Response]) -> Path:
    with ArchiveWriter(path) as writer:
        for response in responses:
            writer.write(response)
    return path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run([*arguments, "--json"]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_the_report_has_its_shape(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    extra = [
        Response("http://shop.example/x.pdf", 200, (("Content-Type", "application/pdf"),), b"%PDF-1.4"),
        Response("http://shop.example/gone", 404, HTML, b"<p>gone</p>"),
        Response("http://shop.example/empty", 200, HTML, b""),
    ]
    pages = archive(tmp_path / "a.warc.gz", answers(range(8)) + extra)
    report = printed(capsys, "-w", str(tmp_path), "cluster", "--archive", str(pages))
    assert list(report) == ["clusters", "unclustered"]
    assert report["unclustered"] == []
    assert len(report["clusters"]) == 2
    for cluster in report["clusters"]:
        assert list(cluster) == ["id", "site", "signature", "size", "url_pattern", "pages", "sample"]
        assert cluster["site"] == "http://shop.example"
        assert cluster["size"] == len(cluster["pages"]) == 8
        assert len(cluster["signature"].split(".")) == 8
        assert set(cluster["sample"]) <= set(cluster["pages"])
        assert cluster["sample"]
        assert all(re.fullmatch(cluster["url_pattern"], url) for url in cluster["pages"])
    one, other = report["clusters"]
    assert not any(re.fullmatch(one["url_pattern"], url) for url in other["pages"])


@pytest.mark.slow
def test_clusters_are_kept_and_new_pages_join(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "work"
    Workspace.create(folder).close()
    first = archive(tmp_path / "a.warc.gz", answers(range(8)))
    before = printed(capsys, "-w", str(folder), "cluster", "--archive", str(first))
    assert printed(capsys, "-w", str(folder), "cluster", "--archive", str(first)) == before
    strange = Response("http://shop.example/odd", 200, HTML, b"<table><tr><td>odd<td>one</table>")
    second = archive(tmp_path / "b.warc.gz", [*answers(range(8, 12)), strange])
    after = printed(capsys, "-w", str(folder), "cluster", "--archive", str(second))
    sizes = {cluster["id"]: cluster["size"] for cluster in after["clusters"]}
    assert sizes == {"shop.example/1": 12, "shop.example/2": 12, "shop.example/3": 1}
    with Workspace.open(folder) as workspace:
        assert status(workspace).counts["clusters"] == 3


def test_clustering_again_leaves_other_sites_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "work"
    Workspace.create(folder).close()
    for name in ("one", "two"):
        pages = archive(tmp_path / f"{name}.warc.gz", answers(range(4), host=f"{name}.example"))
        report = printed(capsys, "-w", str(folder), "cluster", "--again", "--archive", str(pages))
        assert {cluster["site"] for cluster in report["clusters"]} == {f"http://{name}.example"}
    with Workspace.open(folder) as workspace:
        assert status(workspace).counts["clusters"] == 4


def test_it_speaks_to_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pages = archive(tmp_path / "a.warc.gz", answers(range(4)))
    assert run(["-w", str(tmp_path), "cluster", "--archive", str(pages)]) == 0
    told = capsys.readouterr()
    assert "8 pages of 1 site: 2 clusters of two and more pages" in told.out
    assert "not kept" in told.err


@pytest.mark.parametrize("arguments", [["cluster"], ["cluster", "--archive", "nowhere.warc"]])
def test_bad_input_is_one_sentence(tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-w", str(tmp_path), *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("trailmark: ")
    Workspace.create(tmp_path / "work").close()
    assert run(["-w", str(tmp_path / "work"), *arguments]) == 2
    assert "Traceback" not in capsys.readouterr().err


def walk_of(responses: list[Response]) -> tuple[Callable[[str], list[Response]], list[str]]:
    walks: list[str] = []

    def walk(purpose: str) -> list[Response]:
        walks.append(purpose)
        return responses

    return walk, walks


def test_a_large_site_is_sampled_and_the_rest_joins() -> None:
    walk, walks = walk_of(answers(range(60)))
    found, unclustered = find_clusters(walk, (), ClusterSettings(sample_least=20, sample_share=0.1))
    assert "placing the other pages" in walks
    assert sorted(len(each.cluster.pages) for each in found) == [60, 60]
    assert unclustered == []


def test_pages_left_over_are_tried_again_with_the_next_ones() -> None:
    options = ClusterSettings(smallest=2)
    first = [*answers(range(5)), Response("http://shop.example/odd", 200, HTML, b"<dl><dt>a<dd>b</dl><h3>x</h3>")]
    found, unclustered = find_clusters(walk_of(first)[0], (), options)
    assert unclustered == ["http://shop.example/odd"]
    more = [*first, Response("http://shop.example/odd2", 200, HTML, b"<dl><dt>c<dd>d</dl><h3>y</h3>")]
    known: list[KnownCluster] = found
    found, unclustered = find_clusters(walk_of(more)[0], known, options)
    assert unclustered == []
    assert [len(each.cluster.pages) for each in found] == [5, 5, 2]


def test_pages_that_come_twice_count_once() -> None:
    found, _ = find_clusters(walk_of(answers(range(3)) * 2)[0])
    assert sum(len(each.cluster.pages) for each in found) == 6


hostile_pages = st.lists(
    st.tuples(
        st.sampled_from(
            ["http://[::1", "http://a.example/" + "x" * 3000, "http://é.example/?\\d+(", "https://b.example"]
        ),
        st.one_of(st.binary(max_size=60), st.text(alphabet="<>/divtable='\" h1\x00&", max_size=120).map(str.encode)),
    ),
    max_size=8,
)


@pytest.mark.slow
@given(hostile_pages)
@settings(max_examples=60, deadline=None)
def test_no_page_and_no_url_is_too_strange(pages: list[tuple[str, bytes]]) -> None:
    responses = [Response(f"{url}/{n}", 200, HTML, body) for n, (url, body) in enumerate(pages)]
    found, unclustered = find_clusters(walk_of(responses)[0])
    placed = [url for each in found for url in each.cluster.pages] + unclustered
    assert len(placed) == len(set(placed))
    assert set(placed) <= {response.url for response in responses}
    for each in found:
        assert each.cluster.sample
        assert all(re.fullmatch(each.cluster.url_pattern, url) for url in each.cluster.pages)
        assert all(url.startswith(each.cluster.site) for url in each.cluster.pages)


def test_evaluation_counts(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", answers(range(6)))
    rows = [f"http://shop.example/{kind}/{n}.html,{kind}" for n in range(6) for kind in ("item", "person")]
    (tmp_path / "a.labels.csv").write_text("url,label\n" + "\n".join(rows) + "\n")
    report = evaluate_clusters(tmp_path)
    scores = report["sites"]["a"]
    assert (scores["purity"], scores["coverage"], scores["clusters"], scores["inverse_purity"]) == (1.0, 1.0, 2, 1.0)
    wrong = ["http://shop.example/item/0.html,person", *rows[1:]]
    (tmp_path / "a.labels.csv").write_text("url,label\n" + "\n".join(wrong) + "\n")
    assert evaluate_clusters(tmp_path)["mixed"]["purity"] == pytest.approx(11 / 12)


def test_evaluation_of_a_folder_without_labels_mixes_its_archives(tmp_path: Path) -> None:
    archive(tmp_path / "a.warc.gz", answers(range(6))[::2])
    archive(tmp_path / "b.warc.gz", answers(range(6))[1::2])
    mixed = evaluate_clusters(tmp_path)["mixed"]
    assert (mixed["labels"], mixed["clusters"], mixed["purity"]) == (2, 2, 1.0)


def test_evaluation_names_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no archive"):
        evaluate_clusters(tmp_path)
    with pytest.raises(InputError, match="is not a folder"):
        evaluate_clusters(tmp_path / "no")
    archive(tmp_path / "a.warc.gz", answers(range(2)))
    (tmp_path / "a.labels.csv").write_text("address,kind\n")
    with pytest.raises(InputError, match="header"):
        evaluate_clusters(tmp_path)
