"""`trailmark serve`"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trailmark.cli.printing import FILE, Printer, json_option, replay_option
from trailmark.errors import InputError
from trailmark.report import Report
from trailmark.workspace import Workspace, settings_in

if TYPE_CHECKING:
    from trailmark.serve.options import Options

LONGEST_TOKEN_FILE = 4096
LISTENS = "listens"
"""File of `serve/` that says at which address the app was started last."""


@dataclass(frozen=True, slots=True)
class ServeReport(Report):
    """The link that opens the app once, and the workspace it opens."""

    url: str
    workspace: Path


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key in use, without its secret."""

    id: str
    kind: str
    name: str
    made: float
    expires: float


@dataclass(frozen=True, slots=True)
class KeysReport(Report):
    """The keys in use."""

    keys: tuple[KeyRow, ...]


@dataclass(frozen=True, slots=True)
class RevokeReport(Report):
    """How many keys were taken back."""

    revoked: int


def _refused(_context: click.Context, _option: click.Parameter, value: str | None) -> None:
    if value is not None:
        raise click.UsageError(
            "--token is no more: everybody on the machine can read the words of a command. Write the token to a file of mode 600 and say "
            "--token-file FILE, or put it into the variable TRAILMARK_TOKEN; without one, a link that works once is printed"
        )


@click.command("serve")
@click.option("--port", type=click.IntRange(1, 65535), help="Port to listen on (default: serve.port, 8765).")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--token-file",
    type=FILE,
    metavar="FILE",
    help="A file of mode 600 with a token that opens the app any number of times (or the variable TRAILMARK_TOKEN).",
)
@click.option("--token", hidden=True, expose_value=False, callback=_refused)
@click.option("--open/--no-open", "opens", default=True, help="Open the app in the browser (default: yes).")
@click.option("--link", "links", is_flag=True, help="Print another link into the app that runs, and end.")
@click.option("--keys", "lists", is_flag=True, help="List the keys in use, and end.")
@click.option("--revoke", metavar="KEY", help="Take back a key, or all of them, and end.")
@click.option(
    "--portal", "public", is_flag=True, help="Open the public site instead: what was organised, for reading alone."
)
@click.option(
    "--prefix",
    metavar="PATH",
    help="With --portal: the path below which a server in front has the site, such as /library.",
)
@replay_option
@json_option
@click.pass_obj
def verb(
    folder: Path,
    port: int | None,
    host: str,
    token_file: Path | None,
    opens: bool,
    links: bool,
    lists: bool,
    revoke: str | None,
    public: bool,
    prefix: str | None,
    archives: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Open the web app: teach by clicking, watch it walk, fix records.

    It listens on this machine alone, unless --host says otherwise, and lets in who has its key: the link that is printed
    works once and gives the browser one. With --replay, pages come from archives and nothing is fetched. Ctrl-C ends it; jobs
    that it started go on. On a folder that holds several workspaces, the app has all of them, and a page to go from one to the other.

    With --portal it is another site, for everyone: search, topics, items with their citations, feeds and OAI-PMH on what `organise` made, on a port of its
    own (portal.port, 8766). It has no key, changes nothing but the box of suggestions, and no page of the app can be reached through it; [portal] in trailmark.toml has its name and looks.

    \b
    trailmark -w my-project serve
    trailmark -w my-project serve --port 9000 --no-open
    trailmark -w my-project serve --replay site.warc.gz
    trailmark -w my-projects serve
    trailmark -w my-project serve --link
    trailmark -w my-project serve --revoke all
    trailmark -w my-project serve --portal
    trailmark -w my-project serve --portal --host 0.0.0.0 --port 80
    trailmark -w my-project serve --portal --prefix /library
    """
    if public:
        if token_file or links or lists or revoke or archives:
            raise click.UsageError(
                "--portal has no keys and replays nothing: it goes with --host, --port, --prefix and --no-open alone."
            )
        _open_portal(Printer(as_json), folder, host, port, prefix, opens=opens)
        return
    if prefix is not None:
        raise click.UsageError("--prefix belongs to --portal.")
    from trailmark.serve.options import Options
    from trailmark.serve.projects import workspaces_in

    if not workspaces_in(folder).names:
        Workspace.open(folder).close()
    settings = settings_in(folder).serve  # of a folder with several workspaces, the defaults
    printer = Printer(as_json)
    options = Options(
        host,
        port or settings.port,
        "" if links or lists or revoke else _token(token_file),
        archives,
        settings.names,
        settings.public_address,
        settings.key_days,
    )
    if revoke is not None:
        _revoke(printer, folder, revoke)
    elif lists:
        _list(printer, folder)
    elif links:
        _say_link(printer, folder, options if port else _as_it_runs(folder, options))
    else:
        _serve(printer, folder, options, opens=opens)


def _serve(printer: Printer, folder: Path, options: Options, *, opens: bool) -> None:
    from trailmark.serve.server import open_browser, run_server

    def ready() -> None:
        _keep_address(folder, options)
        printer.say(f"Trailmark is at {options.people_address}  (Ctrl-C ends it)")
        _say_link(printer, folder, options)
        if opens:
            open_browser(folder, _link(folder, options))

    with suppress(KeyboardInterrupt):  # how it is meant to end
        run_server(folder, options, ready=ready)


def _open_portal(
    printer: Printer, folder: Path, host: str, port: int | None, prefix: str | None, *, opens: bool
) -> None:
    import webbrowser

    from trailmark.serve.portal.options import portal_options
    from trailmark.serve.portal.server import run_portal

    options = portal_options(settings_in(folder).portal, host=host, port=port, prefix=prefix)

    def ready() -> None:
        printer.say(f"The public site is at {options.address}  (Ctrl-C ends it)")
        printer.report(ServeReport(options.address, folder))
        if opens:
            webbrowser.open(options.address)

    with suppress(KeyboardInterrupt):  # how it is meant to end
        run_portal(folder, options, ready=ready)


def _say_link(printer: Printer, folder: Path, options: Options) -> None:
    link = _link(folder, options)
    printer.say(f"Open it with this link, which works once within the hour: {link}")
    printer.report(ServeReport(link, folder))


def _keep_address(folder: Path, options: Options) -> None:
    """Where the app listens, for `--link` beside it."""
    from trailmark.serve.keys import private_folder, write_private

    write_private(private_folder(folder) / LISTENS, f"{options.host}\n{options.port}\n".encode())


def _as_it_runs(folder: Path, options: Options) -> Options:
    """The options with the address at which the app was started last: it may have been told another port."""
    try:
        host, port = (folder / "serve" / LISTENS).read_text(encoding="ascii").split()
        return replace(options, host=host, port=int(port))
    except (OSError, ValueError):
        return options


def _link(folder: Path, options: Options) -> str:
    from trailmark.serve.key_ring import new_link
    from trailmark.serve.keys import Keys

    return options.people_address.rstrip("/") + new_link(Keys.of(folder))


def _list(printer: Printer, folder: Path) -> None:
    from trailmark.serve.key_ring import KeyRing

    keys = KeyRing(folder).all()
    rows = [(key.id, key.kind, key.name, *map(_day, (key.used, key.expires))) for key in keys]
    printer.table("Keys in use", ("key", "for", "name", "used", "until"), rows)
    printer.report(KeysReport(tuple(KeyRow(key.id, key.kind, key.name, key.made, key.expires) for key in keys)))


def _day(at: float) -> str:
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d")


def _revoke(printer: Printer, folder: Path, name: str) -> None:
    from trailmark.serve.key_ring import KeyRing

    gone = KeyRing(folder).revoke(name)
    printer.say(f"Took back {gone} {'key' if gone == 1 else 'keys'}.")
    printer.report(RevokeReport(gone))


def _token(file: Path | None) -> str:
    """The token of the file or of the variable, which the jobs of the app do not get."""
    from trailmark.serve.options import TOKEN_VARIABLE

    named = os.environ.pop(TOKEN_VARIABLE, "").strip()
    if file is None:
        return named
    try:
        if file.stat().st_mode & 0o077:
            raise InputError(f"{file} can be read by others on this machine: chmod 600 {file}, and take a new token.")
        with file.open("rb") as opened:
            text = opened.read(LONGEST_TOKEN_FILE).decode("utf-8", "replace").strip()
    except OSError as error:
        raise InputError(f"{file} can't be read ({error.strerror}); name a file with the token.") from error
    if not text:
        raise InputError(f"{file} holds no token: write at least 16 letters and digits into it.")
    return text
