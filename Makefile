# Everything runs from a virtual environment that these rules make themselves.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: run test lint types unit fmt bench schema picture clean

run: $(VENV)/.run-ready
	$(BIN)/lessons demo

test: lint types unit

lint: $(VENV)/.dev-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev-ready
	$(BIN)/mypy

unit: $(VENV)/.dev-ready
	$(BIN)/pytest -n auto

fmt: $(VENV)/.dev-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev-ready
	$(BIN)/python -m bench

schema: $(VENV)/.dev-ready
	$(BIN)/python -m lessons.schema > docs/lesson.schema.json

picture: $(VENV)/.dev-ready
	$(BIN)/python docs/picture.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-ready: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev-ready: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(VENV)/.run-ready $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .hypothesis
