"""The portal as an app: its routes, what it says when something goes wrong, the porch in front."""

from __future__ import annotations

import secrets
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

import trailmark
from trailmark.errors import InputError, NotAWorkspace
from trailmark.serve.portal import api_routes, machine_routes, page_routes, suggest_routes
from trailmark.serve.portal.answering import PortalState, frame_of
from trailmark.serve.portal.desk import Desk, TooBusy
from trailmark.serve.portal.options import (
    LARGEST_LOGO,
    LOGOS,
    LONGEST_ABOUT,
    PortalOptions,
    contrast,
    portal_options,
    workspace_file,
)
from trailmark.serve.portal.page_html import FOLDER, Frame, error_page
from trailmark.serve.portal.porch import Porch
from trailmark.serve.portal.rate import Rate
from trailmark.serve.portal.ways import Ways
from trailmark.settings import PortalSettings, Settings
from trailmark.workspace import SETTINGS_FILE, settings_in

ROUTERS = (page_routes.router, suggest_routes.router, machine_routes.router, api_routes.router, api_routes.pages)
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
    portal = settings.portal
    logo = workspace_file(folder, portal.logo, "portal.logo")
    if logo is not None and (logo.suffix.lower() not in LOGOS or logo.stat().st_size > LARGEST_LOGO):
        raise InputError(
            f"portal.logo names {portal.logo!r}: take a picture that ends in {', '.join(LOGOS)}, of 1 MB at most."
        )
    frame = Frame(
        name=portal.name or folder.resolve().name,
        ways=Ways(),
        tagline=portal.tagline,
        contact=portal.contact,
        logo=logo is not None,
        about=about_html(folder, portal),
        suggest=portal.suggestions,
    )
    picture = (logo.read_bytes(), LOGOS[logo.suffix.lower()]) if logo is not None else None
    return PortalState(
        Desk(folder, settings),
        frame,
        theme_css(portal),
        picture,
        portal.contact or settings.forage.contact,
        secrets.token_bytes(16),
    )


def about_html(folder: Path, portal: PortalSettings) -> str:
    """The owner's page in Markdown -> HTML; what is HTML in it is shown as text."""
    file = workspace_file(folder, portal.about, "portal.about")
    if file is None:
        return ""
    text = file.read_text(encoding="utf-8-sig", errors="replace")[:LONGEST_ABOUT]
    made = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    return made if "<h1>" in made else f"<h1>About</h1>\n{made}"


def theme_css(portal: PortalSettings) -> str:
    """The owner's colours."""
    light, dark = (f"--accent: {colour}; --on-accent: {_on(colour)}" for colour in (portal.colour, portal.colour_dark))
    return f"@media screen {{ :root {{ {light} }} }}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"


def _on(colour: str) -> str:
    return max(("#ffffff", "#0d1b27"), key=lambda ink: contrast(colour, ink))


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
