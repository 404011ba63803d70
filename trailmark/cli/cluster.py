"""`trailmark cluster`"""

from __future__ import annotations

from pathlib import Path

import click

from trailmark.cli.complaint import complain
from trailmark.cli.printing import Printer, all_named, archive_option, json_option, on_option
from trailmark.datatypes import Cluster
from trailmark.errors import NotAWorkspace
from trailmark.quoting import count_of
from trailmark.scale.places import pages_on
from trailmark.verbs.cluster import ClusterReport, cluster
from trailmark.workspace import Workspace

ROWS_SHOWN = 40
SITES_SHOWN = 20


@click.command("cluster")
@click.argument("more", nargs=-1, metavar="")
@archive_option("Cluster the pages of this web archive (repeatable; default: the workspace's own archives).")
@click.option(
    "--again", is_flag=True, help="Cluster anew instead of letting new pages join the clusters that are there."
)
@on_option
@json_option
@click.pass_obj
def verb(
    folder: Path, more: tuple[str, ...], archives: tuple[Path, ...], again: bool, place: str, as_json: bool
) -> None:
    """Group pages by template, and choose the pages worth annotating.

    Each site is clustered by itself. Run again, new pages join the clusters that are there; those that fit none form new
    ones. With --archive it works outside a workspace too; nothing is kept then.

    \b
    trailmark -w my-project cluster
    trailmark -w my-project cluster --archive shop.warc.gz --json
    trailmark -w my-project cluster --archive *.warc.xz
    trailmark -w my-project cluster --on ray
    """
    archives = all_named(archives, more)
    printer = Printer(as_json)
    try:
        workspace = Workspace.open(folder)
    except NotAWorkspace:
        if not archives:
            raise
        with pages_on(place) as each:
            report = cluster(None, archives, progress=printer.progress, each=each)
        complain(f"{folder} is not a workspace, so the clusters are not kept.")
    else:
        with workspace, pages_on(place) as each:
            report = cluster(workspace, archives, again=again, progress=printer.progress, each=each)
    print_clusters(printer, report)
    printer.report(report)


def print_clusters(printer: Printer, report: ClusterReport) -> None:
    """A table a site of the clusters with two and more pages, the rest in a sentence."""
    clusters = [one for one in report.clusters if len(one.pages) > 1]
    alone = len(report.clusters) - len(clusters)
    pages = sum(len(one.pages) for one in report.clusters)
    by_site: dict[str, list[Cluster]] = {one.site: [] for one in report.clusters}
    for one in clusters:
        by_site[one.site].append(one)
    shown = list(by_site.items())[:SITES_SHOWN]
    for site, members in shown:
        rows = [(one.id.rpartition("/")[2], len(one.pages), one.signature, _first(one)) for one in members]
        if rows:
            printer.table(site, ["cluster", "pages", "signature", "annotate first"], rows[:ROWS_SHOWN])
    if len(by_site) > SITES_SHOWN or any(len(members) > ROWS_SHOWN for _, members in shown):
        printer.say("Not all are shown; --json lists every cluster with its pages and its URL pattern.")
    printer.say(
        f"{count_of(pages, 'page')} of {count_of(len(by_site), 'site')}: {count_of(len(clusters), 'cluster')} of two and more pages, "
        f"{count_of(alone, 'page of a kind of its own', 'pages of a kind of their own')}, {len(report.unclustered)} in no cluster."
    )


def _first(cluster: Cluster) -> str:
    """The first page to annotate, without the site that stands above the table."""
    return (cluster.sample or ("",))[0].removeprefix(cluster.site)
