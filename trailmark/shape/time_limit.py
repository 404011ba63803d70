"""Whether a person's own regular expression gets through the values in time.

Some expressions take longer than the universe lasts on a text of thirty letters, and Python can't stop them. So one is first run on all
values by a process of its own, which can be ended.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from trailmark.errors import InputError
from trailmark.shape.field_step import FieldStep
from trailmark.shape.normal_form import LONGEST

SECONDS = 5.0
_SCRIPT = "import json, re, sys\npattern, texts = json.load(sys.stdin)\nfound = re.compile(pattern)\n[found.sub('', text) for text in texts]\n"


def check_time(step: FieldStep, texts: Sequence[str], *, seconds: float = SECONDS) -> None:
    """InputError where the pattern of a step does not get through these texts in time."""
    if step.how not in ("match", "replace"):
        return
    given = json.dumps([step.pattern, [text[:LONGEST] for text in texts]])
    try:
        command = [sys.executable, "-I", "-c", _SCRIPT]
        subprocess.run(command, input=given.encode(), timeout=seconds, check=True, capture_output=True)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise InputError(
            f"{step.pattern} takes too long on these values (more than {seconds:.0f} seconds): make it simpler, with fewer * and + within one another."
        ) from error
    except subprocess.CalledProcessError as error:
        raise InputError(f"{step.pattern} can't be used on these values.") from error
