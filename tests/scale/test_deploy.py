"""What is in deploy/ can be used as it is: checked as far as that goes without a cluster, and without building an image."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from trailmark.cli.main import cli

yaml: Any = pytest.importorskip("yaml")
DEPLOY = Path(__file__).parents[2] / "deploy"
HOST = re.compile(r"^[\w.-]+(\.[a-z]{2,}|:\d+)/")
"""How the name of an image begins that names its registry."""


def manifests() -> dict[str, Any]:
    return {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "kuberay.yaml").read_text(encoding="utf-8"))}


def instructions() -> list[tuple[str, str]]:
    """The Containerfile as (instruction, words), continued lines in one."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in lines)]


def must_parse(words: list[str]) -> None:
    """`-w DIR VERB ...` is a command that there is."""
    assert words[0] == "-w"
    context = click.Context(
        cli, **cli.context_settings
    )  # with its names for help, which a verb keeps once it was asked
    verb = cli.get_command(context, words[2])
    assert verb is not None
    verb.make_context(words[2], list(words[3:]), parent=context)


def pods() -> Iterator[dict[str, Any]]:
    found = manifests()
    yield found["RayCluster"]["spec"]["headGroupSpec"]["template"]["spec"]
    for group in found["RayCluster"]["spec"]["workerGroupSpecs"]:
        yield group["template"]["spec"]
    yield found["Job"]["spec"]["template"]["spec"]


def test_ray_takes_the_cluster_file() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: make test-cluster")
    pytest.importorskip("jsonschema")
    from ray.autoscaler._private.util import prepare_config, validate_config

    asked = yaml.safe_load((DEPLOY / "ray-cluster.yaml").read_text(encoding="utf-8"))
    ready = prepare_config(asked)
    validate_config(ready)
    assert ready["max_workers"] == len(asked["provider"]["worker_ips"]) == 2
    for name in ("head_start_ray_commands", "worker_start_ray_commands"):
        assert asked[name][-1].count("ray start") == 1


def test_the_options_of_ray_start_are_its_own() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: make test-cluster")
    # In a process of its own: Ray's commands change what `--help` is called for every command of a process.
    program = "from ray.scripts.scripts import start; print(*(each for one in start.params for each in one.opts))"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    known = set(told.stdout.split())
    text = (DEPLOY / "ray-cluster.yaml").read_text(encoding="utf-8")
    used = {option for line in text.splitlines() if "ray start" in line for option in re.findall(r"--[\w-]+", line)}
    groups = manifests()["RayCluster"]["spec"]
    for group in (groups["headGroupSpec"], *groups["workerGroupSpecs"]):
        used |= {f"--{name}" for name in group["rayStartParams"]}
    assert used <= known
    assert len(used) >= 6


def test_every_pod_is_a_plain_user_with_the_workspace() -> None:
    found = list(pods())
    assert len(found) == 3
    for pod in found:
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"]["runAsUser"] == 1000
        assert pod["automountServiceAccountToken"] is False
        (volume,) = pod["volumes"]
        assert volume["persistentVolumeClaim"]["claimName"] == manifests()["PersistentVolumeClaim"]["metadata"]["name"]
        (container,) = pod["containers"]
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["volumeMounts"] == [{"name": volume["name"], "mountPath": "/data"}]
        assert container["resources"]["limits"].keys() == {"cpu", "memory"}
        assert not HOST.match(container["image"])


def test_the_job_runs_a_command_that_there_is() -> None:
    found = manifests()
    (container,) = found["Job"]["spec"]["template"]["spec"]["containers"]
    words = container["args"]
    must_parse(words)
    service = f"ray://{found['RayCluster']['metadata']['name']}-head-svc:10001"
    assert words[words.index("--on") + 1] == service, "as KubeRay calls the service of a cluster's head"


def test_the_version_of_ray_is_the_pinned_one() -> None:
    pins = (DEPLOY.parent / "constraints.txt").read_text(encoding="utf-8")
    assert f"\nray=={manifests()['RayCluster']['spec']['rayVersion']}\n" in pins


def test_the_image_is_of_a_plain_user_and_says_whether_it_lives() -> None:
    words = instructions()
    names = [name for name, _ in words]
    assert names.count("FROM") == 2
    for image in (rest.split()[0] for name, rest in words if name == "FROM"):
        assert not HOST.match(image)
        assert ":" in image, "a version is named"
        assert not image.endswith(":latest")
    user = names.index("USER")
    assert words[user][1] == "1000:1000"
    assert not [name for name in names[user:] if name in ("RUN", "COPY", "ADD")], "what is written is not the user's"
    assert "ADD" not in names
    for name in ("HEALTHCHECK", "ENTRYPOINT", "CMD"):
        assert names.count(name) == 1
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert set(names) <= known


def test_what_is_copied_is_there_and_what_is_started_is_a_verb() -> None:
    for name, rest in instructions():
        if name == "COPY" and not rest.startswith("--from"):
            assert (DEPLOY.parent / rest.split()[0]).exists(), rest
    words = json.loads(dict(instructions())["CMD"])
    must_parse(words)


def test_nothing_in_here_is_secret_or_of_one_machine() -> None:
    for file in DEPLOY.iterdir():
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"(?i)\b(password|secret_?key|access_?key|token)\s*[:=]\s*\S", text), file.name
        assert "/home/" not in text


def test_hadolint_has_nothing_to_say() -> None:
    program = shutil.which("hadolint")
    if program is None:
        pytest.skip("hadolint is not installed")
    ended = subprocess.run([program, str(DEPLOY / "Containerfile")], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
