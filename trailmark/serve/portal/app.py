"""The portal as an app: its routes, what it says when something goes wrong, the porch in front."""

from __future__ import annotations

import secrets
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

import trailmark
from trailmark.errors import NotAWorkspace
from trailmark.serve.portal import api_routes, copy_routes, machine_routes, page_routes, suggest_routes
from trailmark.serve.portal.answering import PortalState, frame_of
from trailmark.serve.portal.desk import Desk, TooBusy
from trailmark.serve.portal.look import LOGOS, owners_logo, portal_frame, theme_css
from trailmark.serve.portal.options import PortalOptions, portal_options
from trailmark.serve.portal.page_html import FOLDER, error_page
from trailmark.serve.portal.porch import Porch
from trailmark.serve.portal.rate import Rate
from trailmark.serve.portal.ways import Ways
from trailmark.settings import Settings
from trailmark.workspace import SETTINGS_FILE, settings_in

ROUTERS = (
    page_routes.router,
    copy_routes.router,
    suggest_routes.router,
    machine_routes.router,
    api_routes.router,
    api_routes.pages,
)
RETRY = 2
"""Seconds after which a reader who came at a busy time may try again."""


def make_portal(folder: Path, options: PortalOptions | None = None) -> FastAPI:
    """The portal of a workspace; InputError where nothing was organised in it, or its settings can't be meant."""
    if not (folder / SETTINGS_FILE).is_file():
        raise NotAWorkspace(
            f"{folder} is not a Trailmark workspace; name one with -w DIR, or make one with: trailmark init DIR"
        )
    settings = settings_in(folder)
    options = options or portal_options(settings.portal)
    app = FastAPI(
        title=settings.portal.name or folder.resolve().name,
        version=trailmark.__version__,
        description="What this site shows, for programs, without a key.",
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        redirect_slashes=False,  # it would lead out of the prefix
    )
    app.state.portal = portal_state(folder, settings)
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    app.add_exception_handler(TooBusy, _busy)
    app.add_exception_handler(HTTPException, _no_page)
    app.add_exception_handler(RequestValidationError, _wrong_words)
    app.add_middleware(Porch, options=options, rate=Rate(settings.portal.rate, settings.portal.burst))
    return app


def portal_state(folder: Path, settings: Settings) -> PortalState:
    """All that is made once when the portal starts."""
    portal, logo = settings.portal, owners_logo(folder, settings.portal)
    picture = (logo.read_bytes(), LOGOS[logo.suffix.lower()]) if logo is not None else None
    frame = portal_frame(folder, portal, Ways(), suggest=portal.suggestions)
    return PortalState(
        Desk(folder, settings),
        frame,
        theme_css(portal),
        picture,
        portal.contact or settings.forage.contact,
        secrets.token_bytes(16),
    )


def _busy(request: Request, error: Exception) -> Response:
    del error
    answer = _sentence(request, 503, "Very many people are reading at this moment. Try again in a few seconds.")
    answer.headers["retry-after"] = str(RETRY)
    return answer


def _no_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _sentence(request, status, "There is no such page." if status == 404 else "That can't be done here.")


def _wrong_words(request: Request, error: Exception) -> Response:
    reasons = error.errors() if isinstance(error, RequestValidationError) else []
    reason = "; ".join(f"{'.'.join(map(str, fault['loc'][1:]))}: {fault['msg']}" for fault in reasons[:3])
    return _sentence(request, 422, f"The request can't be read: {reason or 'it is not as documented'}.")


def _sentence(request: Request, status: int, sentence: str) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": sentence}, status_code=status)
    body = error_page(frame_of(request), status, sentence)
    return Response(body.encode(), status, media_type="text/html")
