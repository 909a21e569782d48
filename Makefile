# `make demo` and `make test` need Python 3.11, git and make; everything else goes into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
CORPUS ?=
QUESTIONS ?=
SCORER ?=

.PHONY: help setup demo demo-stop test check format soak score bench clean

help:
	@echo "make demo        set up, start the daemon, index real repositories, answer questions with citations"
	@echo "make demo-stop   stop the demo's daemon"
	@echo "make test        set up and run every check and test"
	@echo "make check       format, lint, types, layers"
	@echo "make soak        the long tests"
	@echo "make bench       ratios measured side by side"
	@echo "make score CORPUS=… QUESTIONS=… SCORER=…   measure accuracy and write the table into docs/routing.md"

setup: $(VENV)/.ready

$(VENV)/.ready: pyproject.toml loci_client/launcher loci_client/__init__.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "loci needs Python 3.11 or newer: make PYTHON=python3.11 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: setup
	@$(BIN)/python -m benchmarks.demo start

demo-stop: setup
	@$(BIN)/python -m benchmarks.demo stop

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

test: check
	$(BIN)/pytest

soak: setup
	$(BIN)/pytest -m soak --timeout 7200

score: setup
	$(BIN)/python -m benchmarks.score --corpus '$(CORPUS)' --questions '$(QUESTIONS)' --scorer '$(SCORER)'

bench: setup
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache
