# Everything runs from a virtual environment that these rules make themselves.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin

.PHONY: run test lint types unit stress fmt bench eval schema picture clean

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

# The attacks on the installed hook and on the scan at their full sizes, with their figures; takes half an hour.
# TRANSCRIPTS and GROWTH_TRANSCRIPTS name folders of real transcripts to use instead of made ones.
FULL_SIZES = ROUNDS=200 PROCESSES=64 MUTATIONS=10000 GIANTS=6 INDEX_FLIPS=2000 EVERY_KIND=1 \
	HOSTILE_RUNS=25 HOSTILE_MILLISECONDS=250 KILLS=200 SCANS=16 FILE_RUNS=1000 INTERRUPT_EVERY=3
stress: $(VENV)/.dev-ready
	$(FULL_SIZES) $(BIN)/pytest -s --durations=5 $(addprefix tests/hook/test_,parallel.py mutated_payloads.py \
		hostile_pattern.py damaged_files.py damaged_sources.py no_space.py interpreter_gone.py)
	$(FULL_SIZES) $(BIN)/pytest -s --durations=5 $(addprefix tests/flows/test_,same_tables.py any_order.py interrupted.py)

fmt: $(VENV)/.dev-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev-ready
	$(BIN)/python -m bench

# How good mining is: CORPUS names a folder of labelled transcripts (evals/corpus.py), KEEP=1 keeps the totals.
eval: $(VENV)/.dev-ready
	$(BIN)/python -m evals $(or $(CORPUS),$(error CORPUS is empty: name a folder of labelled transcripts)) $(if $(KEEP),--keep)

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
