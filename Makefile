# Two commands matter: `make demo` and `make test`. Both set themselves up in .venv and need Python 3.11 or newer, nothing else.
VENV := .venv
BIN := $(VENV)/bin
DATA ?= ../shared/data
# Our matrices are small: a second thread of the linear algebra only gets in the way.
export OMP_NUM_THREADS := 1
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

TIMES ?= 20
MODELS ?= models

.PHONY: demo test test-quick test-cluster fuzz check audit evals bench models ready docs package pictures format clean

demo: $(VENV)/.ready  ## the whole flow on the generated web, ending with a table and pictures
	$(BIN)/trailmark demo --out demo-out

test: $(VENV)/.ready-test $(VENV)/.browser $(VENV)/.proxy  ## every test, on all cores
	$(BIN)/python -m pytest -n auto

test-quick: $(VENV)/.ready-test  ## all but the slow tests and those in a browser: under a minute
	$(BIN)/python -m pytest -n auto -m "not slow and not browser and not fuzz and not cluster"

test-cluster: $(VENV)/.ready-test  ## what needs Ray: a cluster of several nodes on this machine, whose workers and nodes are killed; some minutes
	$(PIP) -e '.[scale]'
	$(BIN)/python -m pytest -m cluster

fuzz: $(VENV)/.ready-test  ## property tests with new cases, TIMES as many as in `make test`, and what presses for long
	HYPOTHESIS_PROFILE=search HYPOTHESIS_TIMES=$(TIMES) $(BIN)/python -m pytest -n auto -m "hypothesis or fuzz"

check: $(VENV)/.ready-test  ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

audit: $(VENV)/.made  ## whether a pinned version has known vulnerabilities; code 3 and a sentence where nothing could be audited
	$(BIN)/python -m audit

evals: $(VENV)/.ready-test  ## the papers' tables on benchmark data, and the floors they must hold
	$(BIN)/python -m evals --data $(DATA)

bench: $(VENV)/.ready-test  ## ratios against peers, each in one run
	$(BIN)/python -m benchmarks --data $(DATA)

models: $(VENV)/.ready-test  ## taggers from tagged text in DATA/text, a typer of course items from DATA/courses; see docs/how-to/tag.md, docs/how-to/course.md
	$(BIN)/python -m evals.models --data $(DATA)/text --courses $(DATA)/courses --out $(MODELS)

ready: $(VENV)/.ready  ## learn the taggers and the typer that come with Trailmark again, where what they look at has changed
	$(BIN)/python -m trailmark.verbs.ready_taggers
	$(BIN)/python -m trailmark.verbs.ready_typer

docs: $(VENV)/.ready-docs  ## rewrite the generated parts of docs/, and make the site of it in site/; a link that leads nowhere fails
	$(BIN)/python -m trailmark.cli.reference docs/reference
	$(BIN)/python -m docs.written_pages
	$(BIN)/python -m mkdocs build --strict

package: $(VENV)/.ready-package  ## the wheel and the sdist in dist/, and the demo run from the wheel in a bare environment
	rm -rf dist
	PIP_CONSTRAINT=$(CURDIR)/constraints.txt $(BIN)/python -m build --outdir dist .
	$(BIN)/python tests/house/check_package.py dist

pictures: $(VENV)/.ready-test $(VENV)/.browser  ## take the pictures of the documents anew, in a browser
	$(BIN)/python docs/pictures/take.py

format: $(VENV)/.ready-test
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) $(VENV)-audit build dist site demo-out *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(VENV)/.made:
	@python=$$(for p in python3.11 python3.12 python3.13 python3; do \
	    $$p -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done); \
	if [ -z "$$python" ]; then echo "make: no Python 3.11 or newer with the venv module was found; install one first." >&2; exit 1; fi; \
	echo "Setting up $(VENV) with $$python (once, about a minute) ..."; $$python -m venv $(VENV)
	@touch $@

$(VENV)/.ready: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) --editable .
	@touch $@

$(VENV)/.ready-test: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) --editable '.[test,check]'
	@touch $@ $(VENV)/.ready

$(VENV)/.ready-docs: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) --editable '.[docs]'
	@touch $@ $(VENV)/.ready

$(VENV)/.ready-package: $(VENV)/.made pyproject.toml constraints.txt
	@$(PIP) --editable '.[package]'
	@touch $@ $(VENV)/.ready

# A Chromium for the browser tests: the system's, else one that is installed now. Without any, these tests are skipped and say so.
$(VENV)/.browser: $(VENV)/.ready-test tests/serve/find_chromium.py
	@$(BIN)/python tests/serve/find_chromium.py
	@touch $@

# An nginx for the test behind a proxy, in the same way.
$(VENV)/.proxy: $(VENV)/.ready-test tests/serve/find_nginx.py
	@$(BIN)/python tests/serve/find_nginx.py
	@touch $@
