"""Every benchmark at its quick size: `python -m benchmarks --data DIR` (or `make bench`).

Each is a program of its own with more options; see the top of its file.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    here = Path(__file__).parent
    runs = {
        "reading.py": [str(data)],
        "navigating.py": [str(data / "webs")],
        "chain.py": ["--size", "small"],
        "signatures.py": [str(data)],
        "extracting.py": [],
        "frontier.py": [],
        "organise.py": [],
        "search.py": ["--items", "10000", "--queries", "70"],
        "publish.py": ["--items", "1000"],
        "crawl.py": [],
        "tagging.py": [str(data / "text")],
        "documents.py": [str(data / "papers"), "--files", "20"],
    }
    failed = []
    for name, arguments in runs.items():
        if (here / name).exists():
            print(f"\n== {name} {' '.join(arguments)}", flush=True)
            # One thread of linear algebra for everybody: ours and the peers'.
            environment = {**os.environ, "OMP_NUM_THREADS": "1"}
            if subprocess.run([sys.executable, str(here / name), *arguments], env=environment, check=False).returncode:
                failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
