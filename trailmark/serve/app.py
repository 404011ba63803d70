"""The app: routers gathered, errors turned into pages, the guard in front."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.staticfiles import StaticFiles

import trailmark
from trailmark.errors import FetchError, TrailmarkError
from trailmark.serve import (
    alarm_pages,
    annotate_pages,
    annotate_view,
    api,
    check_pages,
    citation_pages,
    console_pages,
    course_file_pages,
    course_pages,
    curate_pages,
    data_set_pages,
    document_pages,
    draft_pages,
    history_pages,
    job_pages,
    key_pages,
    learnt_pages,
    project_pages,
    proposal_pages,
    question_pages,
    record_change_pages,
    record_pages,
    recorder_pages,
    review_pages,
    run_pages,
    settings_pages,
    start_pages,
    suggestion_pages,
    teach_pages,
    topic_pages,
    update_pages,
    view_pages,
)
from trailmark.serve.guard import Guard, wants_json
from trailmark.serve.key_ring import KeyRing
from trailmark.serve.keys import Keys
from trailmark.serve.options import Options
from trailmark.serve.projects import Projects, workspaces_in
from trailmark.serve.rendering import FOLDER, page

ROUTERS = (
    start_pages.router,
    start_pages.api,
    project_pages.router,
    teach_pages.router,
    view_pages.router,
    job_pages.router,
    key_pages.router,
    learnt_pages.router,
    learnt_pages.api,
    question_pages.router,
    question_pages.api,
    check_pages.router,
    check_pages.api,
    review_pages.router,
    review_pages.api,
    console_pages.router,
    console_pages.api,
    settings_pages.router,
    run_pages.router,
    run_pages.api,
    annotate_pages.router,
    annotate_view.router,
    proposal_pages.router,
    annotate_pages.api,
    record_change_pages.router,
    data_set_pages.router,
    data_set_pages.api,
    record_pages.router,
    record_pages.api,
    document_pages.router,
    document_pages.api,
    course_file_pages.router,
    course_pages.router,
    course_pages.api,
    draft_pages.router,
    topic_pages.router,
    topic_pages.api,
    suggestion_pages.router,
    suggestion_pages.api,
    update_pages.router,
    update_pages.api,
    curate_pages.router,
    curate_pages.api,
    citation_pages.router,
    citation_pages.api,
    alarm_pages.router,
    alarm_pages.api,
    history_pages.router,
    history_pages.api,
    recorder_pages.router,
    recorder_pages.api,
    api.router,
)
"""Every page and every topic of the JSON API; a new one is named here."""


def make_app(folder: Path, options: Options) -> FastAPI:
    """The app on a workspace, or on all those that a folder holds; raises where it is none and holds none."""
    keys, ring = Keys.of(workspaces_in(folder).folder), KeyRing(folder)
    projects = Projects(folder, options, keys, ring)
    app = FastAPI(
        title="Trailmark",
        version=trailmark.__version__,
        description="What the web app does, for programs. Send a key that the page /keys made as `Authorization: Bearer KEY`.",
        docs_url=None,  # it would load scripts from elsewhere
        redoc_url=None,
        openapi_url="/api/openapi.json",
    )
    app.state.projects, app.state.trailmark = projects, projects.state("")
    for router in ROUTERS:
        app.include_router(router)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    app.add_exception_handler(TrailmarkError, _trouble)
    app.add_exception_handler(HTTPException, _no_page)
    app.add_exception_handler(RequestValidationError, _wrong_words)
    app.add_exception_handler(Exception, _fault)
    app.add_middleware(Guard, options=options, keys=keys, ring=ring, projects=projects)
    return app


def _trouble(request: Request, error: Exception) -> Response:
    """An expected error is a sentence, here as on the command line."""
    status = 502 if isinstance(error, FetchError) else 400
    return _sentence(request, status, str(error))


def _no_page(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentence = "There is no such page." if status == 404 else str(getattr(error, "detail", "It can't be done."))
    return _sentence(request, status, sentence)


def _wrong_words(request: Request, error: Exception) -> Response:
    reasons = error.errors() if isinstance(error, RequestValidationError) else []
    reason = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in reasons[:3])
    return _sentence(request, 422, f"The request can't be read: {reason or 'it is not as documented'}.")


def _fault(request: Request, error: Exception) -> Response:
    """An unexpected error is raised on, and so logged, by the server. Plain text: this answer is made outside of the guard."""
    del request, error
    sentence = "Something went wrong in Trailmark itself; logs/trailmark.log in the workspace tells what."
    return PlainTextResponse(sentence, status_code=500)


def _sentence(request: Request, status: int, sentence: str) -> Response:
    sentence = sentence.encode("utf-8", "replace").decode("utf-8")  # what was sent may be quoted, and need not be text
    if wants_json(request.url.path, request.headers):
        return JSONResponse({"error": sentence}, status_code=status)
    return page(request, "error.html", title="That did not work", code=status, sentence=sentence)
