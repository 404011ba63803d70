"""Runs the portal until Ctrl-C."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from trailmark.serve.listening import listening_socket
from trailmark.serve.patient_protocol import MOST_CONNECTIONS, PatientProtocol
from trailmark.serve.portal.app import make_portal
from trailmark.serve.portal.options import PortalOptions

SWITCH = 0.001
"""Seconds after which a thread that makes a page lets others go on: who takes requests in is not to wait for it."""
PATIENCE = 3
"""Seconds that answers under way get when the portal is stopped."""


def run_portal(folder: Path, options: PortalOptions, *, ready: Callable[[], None] | None = None) -> None:
    """Serve until Ctrl-C; `ready` is called once the portal listens."""
    app = make_portal(folder, options)
    listener = listening_socket(options.host, options.port)
    sys.setswitchinterval(SWITCH)
    ended = threading.Event()
    threading.Thread(target=app.state.portal.desk.watch, args=(ended,), daemon=True, name="watch").start()
    if ready is not None:
        ready()
    try:
        uvicorn.Server(portal_config(app)).run(sockets=[listener])
    finally:
        ended.set()
        app.state.portal.desk.close()


def portal_config(app: FastAPI) -> uvicorn.Config:
    """How the portal is served: what a proxy says is looked at by the porch alone; nobody holds a connection without asking for something."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        log_config=None,
        log_level="info",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=MOST_CONNECTIONS + 50,
        h11_max_incomplete_event_size=16_384,
        timeout_graceful_shutdown=PATIENCE,
    )
