"""Runs the app until Ctrl-C, and opens it in the browser once it listens."""

from __future__ import annotations

import importlib
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

import uvicorn

from trailmark.errors import InputError
from trailmark.serve.app import make_app
from trailmark.serve.options import Options

PATIENCE = 2
"""Seconds that open event streams get when the app is stopped."""


def run_server(folder: Path, options: Options, *, ready: Callable[[], None] | None = None) -> None:
    """Serve until Ctrl-C; `ready` is called once the app listens."""
    app = make_app(folder, options)
    listener = _listener(options)
    config = uvicorn.Config(
        app,
        log_config=None,  # no handlers of its own: it writes to the workspace's log, as all of us do
        log_level="info",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=PATIENCE,
    )
    threading.Thread(target=_at_hand, args=(ready,), daemon=True).start()
    uvicorn.Server(config).run(sockets=[listener])


def _at_hand(ready: Callable[[], None] | None) -> None:
    """Say that the app listens, then load what the first fetched page would otherwise wait for."""
    if ready is not None:
        ready()
    importlib.import_module("trailmark.forage.fetch")


def open_browser(address: str) -> None:
    """In the person's own browser, where there is one."""
    webbrowser.open(address)


def _listener(options: Options) -> socket.socket:
    """A socket that listens already, so that the address works the moment it is printed."""
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((options.host, options.port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise InputError(
            f"Port {options.port} on {options.host} can't be had ({error.strerror}); choose another one with --port."
        ) from error
    return listener
