"""Trails from the person's own browser: the extension's address and key, and files that browsers record."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from trailmark.serve.rendering import State, Text, page
from trailmark.serve.sent_body import MOST_BODY
from trailmark.serve.state import AppState

router = APIRouter(include_in_schema=False)
api = APIRouter(prefix="/api", tags=["teach"])


EXTENSION = Path(__file__).parent / "extension"
"""The recorder itself, which a browser loads from here or from the downloaded copy."""


class RecordingIn(BaseModel):
    """A file that a browser recorded, or a trails file, as text."""

    name: Text = Field("recording.json", max_length=200)
    text: Text
    label: Text | None = Field(None, max_length=80)
    """What the last page of a recording is called."""


@router.get("/recorder")
def recorder_page(request: Request, state: State) -> Response:
    """How to record in one's own browser."""
    return _shown(request, state)


@router.post("/recorder/key")
def recorder_key(request: Request, state: State) -> Response:
    """A key for the recorder, shown this once."""
    return _shown(request, state, key=state.ring.make("recorder", "the recorder", state.options.key_days)[1])


def _shown(request: Request, state: AppState, key: str = "") -> Response:
    return page(
        request,
        "recorder.html",
        title="Your own browser",
        address=f"{request.url.scheme}://{request.headers['host']}",
        folder=EXTENSION,
        key=key,
        days=state.options.key_days,
        contact=state.settings.forage.contact,
        most_bytes=MOST_BODY,
    )


@router.get("/recorder/trailmark-recorder.zip")
def recorder_files() -> Response:
    """The recorder's files, for a browser on another machine than the app."""
    headers = {"Content-Disposition": 'attachment; filename="trailmark-recorder.zip"'}
    return Response(zipped(EXTENSION, "trailmark-recorder"), media_type="application/zip", headers=headers)


def zipped(folder: Path, name: str) -> bytes:
    """A zip archive that unpacks into one folder of a name, with every file of a folder in it."""
    written = io.BytesIO()
    with ZipFile(written, "w", ZIP_DEFLATED) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(file, Path(name, file.relative_to(folder)))
    return written.getvalue()


@api.post("/recordings")
def recording(state: State, sent: RecordingIn) -> Mapping[str, object]:
    """Teach from a DevTools Recorder file, a HAR file or a trails file (`trailmark teach FILE`)."""
    name = Path(sent.name).name or "recording.json"
    return state.demonstrations.teach_recording(sent.text, name, sent.label or None).to_json()
