"""`make audit`: pip-audit, in an environment of its own, over every pinned version.

Exit code 0: none is known to be vulnerable. 1: some are. 3: nothing was audited, and why.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PINS = ROOT / "constraints.txt"
ENVIRONMENT = ROOT / ".venv-audit"
SOUND, VULNERABLE, NOTHING_AUDITED = 0, 1, 3
PATIENCE = 600


def main() -> int:
    """Install, ask, say."""
    failure = _installed()
    if failure:
        code, sentence = NOTHING_AUDITED, f"NOTHING WAS AUDITED: pip-audit can't be installed here ({failure})."
    else:
        code, sentence = verdict(*_asked())
    print(sentence)
    return code


def verdict(said: str, complaint: str) -> tuple[int, str]:
    """(exit code, what to tell) for what pip-audit wrote as JSON, and what it complained of."""
    found = _dependencies(said)
    audited = [each for each in found if "skip_reason" not in each]
    if not audited:
        return (
            NOTHING_AUDITED,
            f"NOTHING WAS AUDITED: {_reason(found, complaint)}. Try again where the network allows it.",
        )
    skipped = ", ".join(str(each.get("name")) for each in found if "skip_reason" in each)
    passed = f" Not audited: {skipped}." if skipped else ""
    lines = [_line(each, hole) for each in audited for hole in each.get("vulns", ())]
    if lines:
        head = f"{len(lines)} known vulnerabilities in {len(audited)} pinned versions:"
        return VULNERABLE, "\n".join([head, *lines]) + passed
    return SOUND, f"{len(audited)} pinned versions were audited: no vulnerability is known.{passed}"


def _dependencies(said: str) -> list[dict[str, Any]]:
    try:
        kept = json.loads(said)
    except ValueError:
        return []
    listed = kept.get("dependencies", []) if isinstance(kept, dict) else []
    return [each for each in listed if isinstance(each, dict)]


def _reason(found: Sequence[dict[str, Any]], complaint: str) -> str:
    if found:
        return f"all {len(found)} versions were skipped ({found[0]['skip_reason']})"
    return f"pip-audit got no answer ({_last_line(complaint)})"


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it did not say why"


def _line(dependency: dict[str, Any], hole: dict[str, Any]) -> str:
    mended = ", ".join(map(str, hole.get("fix_versions", ()))) or "none yet"
    return f"  {dependency.get('name')} {dependency.get('version')}: {hole.get('id')}; mended in {mended}"


def _installed() -> str:
    """Nothing where pip-audit is at hand in its environment, else why it is not."""
    python = ENVIRONMENT / "bin" / "python"
    steps = [] if python.exists() else [[sys.executable, "-m", "venv", str(ENVIRONMENT)]]
    pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for step in [*steps, [*pip, "-c", str(PINS), "pip-audit"]]:
        code, _, complaint = _run(step)
        if code:
            return _last_line(complaint)
    return ""


def _asked() -> tuple[str, str]:
    """What pip-audit says of the pins, and what it complains of. It needs no installation: every pin is exact."""
    command = [str(ENVIRONMENT / "bin" / "python"), "-m", "pip_audit", "--requirement", str(PINS), "--no-deps"]
    _, said, complaint = _run([*command, "--disable-pip", "--format", "json", "--progress-spinner", "off"])
    return said, complaint


def _run(command: Sequence[str]) -> tuple[int, str, str]:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return 1, "", f"no answer within {PATIENCE} seconds"
    return done.returncode, done.stdout, done.stderr


if __name__ == "__main__":
    sys.exit(main())
