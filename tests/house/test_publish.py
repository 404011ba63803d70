"""What is published: one version, every file that is no Python said in pyproject.toml, every licence and document in the sdist."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import trailmark

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "trailmark"


@pytest.fixture(scope="module")
def project() -> Any:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_version_stands_in_one_place(project: Any) -> None:
    assert "version" not in project["project"]
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "trailmark.__version__"}
    assert re.fullmatch(r"\d+\.\d+\.\d+\S*", trailmark.__version__)
    holders = [path for path in PACKAGE.rglob("*.py") if f'"{trailmark.__version__}"' in path.read_text("utf-8")]
    assert [path.name for path in holders] == ["__init__.py"]


def test_every_file_of_the_package_goes_into_the_wheel(project: Any) -> None:
    told = project["tool"]["setuptools"]["package-data"]
    packed = {
        file for name, globs in told.items() for glob in globs for file in (ROOT / name.replace(".", "/")).glob(glob)
    }
    others = {
        path
        for path in PACKAGE.rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc") and not path.name.startswith(".")
    }
    assert PACKAGE / "serve/extension/manifest.json" in others
    assert others - packed == set()


def test_every_folder_with_modules_is_a_package() -> None:
    """Else its modules would be left out of the wheel, though a checkout finds them."""
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    assert {folder for folder in folders if not (folder / "__init__.py").exists()} == set()


def test_the_sdist_is_told_of_every_part_of_the_repository() -> None:
    lines = [line.split() for line in (ROOT / "MANIFEST.in").read_text(encoding="utf-8").splitlines()]
    told = {word for command, *words in filter(None, lines) if command in ("include", "graft") for word in words}
    for word in told:
        assert (ROOT / word).exists(), f"MANIFEST.in names {word}, which does not exist"
    documents = {path.name for path in ROOT.glob("*.md")}
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"trailmark", "build"}
    assert {"CHANGELOG.md", "SECURITY.md"} <= documents
    assert {"tests", "evals", "audit"} <= packages
    assert (documents | packages | {"LICENSE", "docs", "benchmarks", "mkdocs.yml"}) - told == set()


def test_what_builds_it_and_its_documents_is_pinned(project: Any) -> None:
    pins = {
        line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    }
    extras = project["project"]["optional-dependencies"]
    wanted = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(each for extra in extras.values() for each in extra),
    ]
    names = {re.split(r"[<>=\[ ]", each)[0].lower() for each in wanted}
    assert {"setuptools", "build", "mkdocs"} <= names
    assert names - pins == set()


def test_the_metadata_invent_no_address(project: Any) -> None:
    for url in project["project"].get("urls", {}).values():
        assert "example" not in url
    assert {"Typing :: Typed", "Programming Language :: Python :: 3.11"} <= set(project["project"]["classifiers"])


def test_hooks_run_what_make_check_runs_and_download_nothing() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"repo: (\S+)", text) == ["local"]
    assert set(re.findall(r"language: (\S+)", text)) == {"system"}
    checks = re.search(r"^check:.*?\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert checks
    for line in checks[1].replace("$(BIN)", ".venv/bin").split("\n"):
        words = line.split()[:2]
        assert " ".join(words).removesuffix(" .") in text


@pytest.fixture(scope="module")
def site_pages() -> Any:
    """The hook that makes the site of the documents."""
    from docs import site_pages

    return site_pages


@pytest.mark.parametrize(
    ("page", "link", "in_site"),
    [
        ("index.md", "docs/how-to/teach.md", "how-to/teach.md"),
        ("index.md", "CONTRIBUTING.md", "contributing.md"),
        ("contributing.md", "docs/why/house.md#names", "why/house.md#names"),
        ("how-to/serve.md", "../../trailmark/serve/extension/README.md", "recorder.md"),
        ("how-to/serve.md", "../pictures/run.png", "../pictures/run.png"),
        ("why/house.md", "../../README.md", "../index.md"),
        ("why/house.md", "../../Makefile", "../../Makefile"),
        ("why/house.md", "https://example.org/README.md", "https://example.org/README.md"),
    ],
)
def test_links_lead_to_the_same_page_in_the_site(site_pages: Any, page: str, link: str, in_site: str) -> None:
    assert site_pages.turned(f"See [it]({link}), or not.", page) == f"See [it]({in_site}), or not."


def test_the_site_holds_every_document(site_pages: Any) -> None:
    listed = set(re.findall(r"(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE))
    documents = {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    assert listed == documents | set(site_pages.ADOPTED.values())


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ('<script src="https://cdn.example/a.js">', True),
        ("@font-face { src: url(//fonts.example/f) }", True),
        ('<a href="https://example.org/">', False),
        ('<script src="js/a.js">', False),
    ],
)
def test_what_asks_another_host_is_seen(site_pages: Any, text: str, asks: bool) -> None:
    assert bool(site_pages._ASKED.search(text)) is asks


def test_a_broken_link_fails_make_docs() -> None:
    """`--quiet` would silence the very warnings that the strict build counts."""
    (line,) = re.findall(r"mkdocs build.*", (ROOT / "Makefile").read_text(encoding="utf-8"))
    assert line == "mkdocs build --strict"
