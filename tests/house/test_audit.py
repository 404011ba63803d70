"""`make audit` never says that all is well where it looked at nothing."""

from __future__ import annotations

import json

import pytest

from audit.__main__ import NOTHING_AUDITED, PINS, SOUND, VULNERABLE, verdict

CLICK = {"name": "click", "version": "8.5.1", "vulns": []}
HOLE = {"id": "PYSEC-0", "fix_versions": ["9.9"]}


def said(*dependencies: object) -> str:
    return json.dumps({"dependencies": list(dependencies), "fixes": []})


@pytest.mark.parametrize(
    ("answer", "complaint", "code", "part"),
    [
        ("", "Traceback\nConnectionError: no route to host\n", NOTHING_AUDITED, "no route to host"),
        ("", "", NOTHING_AUDITED, "NOTHING WAS AUDITED"),
        ("[]", "", NOTHING_AUDITED, "NOTHING WAS AUDITED"),
        (said(), "", NOTHING_AUDITED, "NOTHING WAS AUDITED"),
        (said({"name": "click", "skip_reason": "not found"}), "", NOTHING_AUDITED, "not found"),
        (said(CLICK), "", SOUND, "1 pinned versions were audited"),
        (said(CLICK, {"name": "odd", "skip_reason": "?"}), "", SOUND, "Not audited: odd"),
        (
            said({**CLICK, "vulns": [HOLE]}),
            "Found 1 known vulnerability",
            VULNERABLE,
            "click 8.5.1: PYSEC-0; mended in 9.9",
        ),
    ],
)
def test_the_verdict_is_plain(answer: str, complaint: str, code: int, part: str) -> None:
    found, sentence = verdict(answer, complaint)
    assert found == code
    assert part in sentence
    assert ("NOTHING WAS AUDITED" in sentence) == (code == NOTHING_AUDITED)


def test_every_pin_is_exact() -> None:
    lines = [line.partition("#")[0].strip() for line in PINS.read_text(encoding="utf-8").splitlines()]
    assert all("==" in line and " " not in line for line in lines if line)
    assert any(line.startswith("pip-audit==") for line in lines) or any(
        line.startswith("pip_audit==") for line in lines
    )
