"""`trailmark serve`"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from trailmark.cli.printing import Printer, json_option, replay_option
from trailmark.workspace import Workspace


@click.command("serve")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on (default: serve.port, 8765).")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on; another one wants a token.")
@click.option("--token", default="", metavar="SECRET", help="Let in only who knows this.")
@click.option("--open/--no-open", "opens", default=True, help="Open the app in the browser (default: yes).")
@replay_option
@json_option
@click.pass_obj
def verb(
    folder: Path, port: int | None, host: str, token: str, opens: bool, archives: tuple[Path, ...], as_json: bool
) -> None:
    """Open the web app: teach by clicking, watch it walk, fix records.

    It listens on this machine alone, unless --host says otherwise. With --replay, pages come from archives and nothing is
    fetched. Ctrl-C ends it; jobs that it started go on.

    \b
    trailmark -w my-project serve
    trailmark -w my-project serve --port 9000 --no-open
    trailmark -w my-project serve --replay site.warc.gz
    """
    from trailmark.serve.options import Options
    from trailmark.serve.server import open_browser, run_server

    with Workspace.open(folder) as workspace:
        settings = workspace.settings.serve
    options = Options(host, port or settings.port, token, archives, settings.names)
    address = options.address + (f"?token={token}" if token else "")
    printer = Printer(as_json)

    def ready() -> None:
        printer.say(f"Trailmark is at {address}  (Ctrl-C ends it)")
        printer.report({"url": address, "workspace": str(folder)})
        if opens:
            open_browser(address)

    with suppress(KeyboardInterrupt):  # how it is meant to end
        run_server(folder, options, ready=ready)
