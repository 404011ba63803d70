"""Finds an nginx for the test behind a real proxy, or installs one: `python tests/serve/find_nginx.py` (a step of `make test`)."""

from __future__ import annotations

import os
import shutil
import subprocess

MISSING = "no nginx and openssl were found, and they can be installed only as root with apt-get: install both to run the app behind a proxy"
PATIENCE = 300
PACKAGES = ("nginx-light", "openssl")


def find() -> str | None:
    """Path of an nginx, or None; Debian puts it where only root looks."""
    if shutil.which("openssl") is None:
        return None
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")


def install() -> None:
    """Debian's package, without a server being started by it."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    package = ["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES]
    for way in (package, ["apt-get", "update", "-q"], package):
        print(f"No nginx for the test behind a proxy yet: {' '.join(way[:2])} ...", flush=True)
        # In runlevel 1 no package starts its server.
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
        try:
            subprocess.run(way, check=False, timeout=PATIENCE, capture_output=True, env=environment)
        except (OSError, subprocess.TimeoutExpired) as error:
            print(f"  {error}", flush=True)
        if find():
            return


if __name__ == "__main__":
    if not find():
        install()
    path = find()
    print(f"The proxy test uses {path}." if path else f"The proxy test is skipped: {MISSING}.")
