"""Runs the app until Ctrl-C, and opens it in the browser once it listens."""

from __future__ import annotations

import html
import importlib
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from trailmark.serve.app import make_app
from trailmark.serve.keys import private_folder, write_private
from trailmark.serve.listening import listening_socket
from trailmark.serve.options import Options
from trailmark.serve.patient_protocol import MOST_CONNECTIONS, PatientProtocol
from trailmark.serve.timer import Timer

PATIENCE = 2
"""Seconds that open event streams get when the app is stopped."""


def run_server(folder: Path, options: Options, *, ready: Callable[[], None] | None = None) -> None:
    """Serve until Ctrl-C; `ready` is called once the app listens."""
    app = make_app(folder, options)
    listener = listening_socket(options.host, options.port)
    config = server_config(app)
    threading.Thread(target=_at_hand, args=(ready,), daemon=True).start()
    timer = Timer(app.state.projects)
    threading.Thread(target=timer.run, daemon=True, name="timer").start()
    uvicorn.Server(config).run(sockets=[listener])


def server_config(app: FastAPI) -> uvicorn.Config:
    """How the app is served: nothing is believed that a proxy says, and nobody holds a connection without asking for something."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        log_config=None,  # no handlers of its own: it writes to the workspace's log, as all of us do
        log_level="info",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS + 50,  # all of them at work; idle ones give way before
        h11_max_incomplete_event_size=65_536,
        timeout_graceful_shutdown=PATIENCE,
    )


def _at_hand(ready: Callable[[], None] | None) -> None:
    """Say that the app listens, then load what the first fetched page would otherwise wait for."""
    if ready is not None:
        ready()
    importlib.import_module("trailmark.forage.fetch")


def open_browser(folder: Path, address: str) -> None:
    """In the person's own browser, where there is one.

    The address opens the app, and what a program is started with can be read by everybody on the machine: the browser
    is told of a file instead, which its owner alone can read and which leads on.
    """
    file = private_folder(folder) / "open.html"
    led = html.escape(address, quote=True)
    text = f'<!DOCTYPE html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={led}"><title>Trailmark</title><a href="{led}">Open Trailmark</a>\n'
    write_private(file, text.encode())
    webbrowser.open(file.resolve().as_uri())
