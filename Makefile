# Everything runs from a virtual environment that these rules make themselves.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
# The plugin has a link to pyproject.toml, which would get a cache of its own beside it.
export RUFF_CACHE_DIR = $(CURDIR)/.ruff_cache

.PHONY: run test quick lint types unit shells browser javascript e2e stress stress-short coverage fmt bench bench-check bench-client \
	bench-watch eval train eval-prove schema docs picture clean

run: $(VENV)/.run-ready
	$(BIN)/lessons demo

test: lint types unit

lint: $(VENV)/.dev-ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo

types: $(VENV)/.dev-ready
	$(BIN)/mypy

# What is left over goes to the worker that is idle: the last tests do not wait behind a long one.
# Many tests wait for a process or a terminal: one worker more than there are processors.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# Continuous integration tries a failed test once more and lists it: a loaded machine must not hide all other results.
RERUNS = $(if $(CI),--reruns 1 -raR)
PYTEST = $(BIN)/pytest -q -n $(WORKERS) --dist worksteal $(RERUNS)

# Every line of a hook is tried in each shell that may be `sh`: as root on Debian those that are missing are installed.
shells: $(VENV)/.dev-ready
	$(BIN)/python -m tests.shells

# Pages are tried in the real Chromium: as root on Debian it is installed where it is missing.
browser: $(VENV)/.dev-ready
	$(BIN)/python -m tests.browser.chromium

# The regexes of a manifest are tried in JavaScript: as root on Debian nodejs is installed where it is missing.
javascript: $(VENV)/.dev-ready
	$(BIN)/python -m tests.javascript

# The inner loop, in a minute or two: ruff, and the tests of the parts that start no process.
QUICK = $(addprefix tests/,match shell failure inject mistakes redact rules scan promote replay builders test_budget.py test_tables.py \
	test_config.py test_model.py test_json_document.py test_state_document.py test_plain.py)
quick: lint
	$(PYTEST) $(addprefix --ignore=,$(ATTACKS) $(SCANS_UNDER_ATTACK)) $(QUICK)

# Which lines the tests reach, in the processes that they start too.
coverage: shells javascript
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -n auto --dist worksteal --ignore tests/e2e
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --skip-covered --sort=cover

# The real clients with a scripted model, without a network: installed once into the user's cache folder.
# AGENT=codex runs the suite of that client alone; `.ci/run` has AGENT=claude-code.
SUITE = $(if $(AGENT),$(if $(filter claude-code,$(AGENT)),$(wildcard tests/e2e/test_*.py),tests/e2e/$(subst -,_,$(AGENT))),tests/e2e)
ifeq ($(LESSONS_E2E),off)
e2e:
	@echo "e2e: NOT RUN, because LESSONS_E2E=off: nothing was tried with the real client" >&2
else
e2e: $(VENV)/.dev-ready
	$(BIN)/python -m tests.e2e.rig.prepare $(AGENT)
	$(BIN)/python -m tests.e2e.rig.isolate $(BIN)/pytest -n 2 $(RERUNS) $(SUITE)
endif

# The attacks on the installed hook and on the scan at their full sizes, with their figures, and every property with
# all its examples; takes half an hour. `make stress-short` has the attacks in a few minutes, for continuous integration.
FULL_SIZES = ROUNDS=200 PROCESSES=64 MUTATIONS=10000 \
	HOSTILE_RUNS=25 HOSTILE_MILLISECONDS=250 KILLS=200 \
	RESIDENT_CALLS=100000 MUTATED_EPISODES=10500 \
	ORDERS=6 HOSTILE_LENGTH=1000000 HANDOFF_KILL_EVERY=4 EXAMPLES=100 \
	EVERY_SHELL=1 WATCH_KILLS=100 INTERRUPTED_QUESTIONS=200 SCANNED_SECRETS=1000
SHORT_SIZES = ROUNDS=3 PROCESSES=64 MUTATIONS=400 KILLS=12 \
	RESIDENT_CALLS=10000 MUTATED_EPISODES=600 \
	ORDERS=6 HOSTILE_LENGTH=1000000 HANDOFF_KILL_EVERY=4 EXAMPLES=100
ATTACKS = $(addprefix tests/hook/test_,parallel.py mutated_payloads.py hostile_pattern.py damaged_files.py \
	no_space.py payload.py killed.py interpreter_gone.py) \
	$(addprefix tests/agents/claude_code/test_,server.py beside_server.py)
SCANS_UNDER_ATTACK = $(addprefix tests/flows/test_,same_tables.py any_order.py any_candidate.py \
	killed_promotion.py watch.py other_agents.py) $(addprefix tests/,agents/claude_code/test_transcript.py \
	continuity/test_handoff.py scan/test_reading.py redact/test_texts.py \
	shell/test_bash_oracle.py cli/verbs/test_scan_secrets.py)
# `make test` runs these too, in dash or `/bin/sh` alone, with one hostile path.
IN_EVERY_SHELL = $(addprefix tests/,agents/test_hook_command.py agents/test_hook_command_limits.py \
	plugin/test_hook_script.py plugin/test_programs_of_the_project.py)
# The attacks have a rule of their own: `make stress-short`.
unit: shells browser javascript
	$(PYTEST) --ignore tests/e2e $(addprefix --ignore=,$(ATTACKS) $(SCANS_UNDER_ATTACK))

stress: shells
	$(FULL_SIZES) $(BIN)/pytest -s --durations=5 $(ATTACKS)
	$(FULL_SIZES) $(BIN)/pytest -s --durations=5 $(SCANS_UNDER_ATTACK)
	$(FULL_SIZES) $(PYTEST) $(IN_EVERY_SHELL)
	$(FULL_SIZES) $(PYTEST) -m hypothesis --ignore tests/e2e

stress-short: shells
	$(SHORT_SIZES) $(PYTEST) --durations=5 $(ATTACKS) $(SCANS_UNDER_ATTACK)

fmt: $(VENV)/.dev-ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.dev-ready
	$(BIN)/python -m bench

# A regression of the hook's cost, without the noise of exact budgets: for continuous integration.
bench-check: $(VENV)/.dev-ready
	$(BIN)/python -m bench.check

# What a hook costs at a tool call of the real client; SESSIONS of 20 calls for each kind of hook.
bench-client: $(VENV)/.dev-ready
	$(BIN)/python -m tests.e2e.rig.prepare
	$(BIN)/python -m tests.e2e.rig.isolate $(BIN)/python -m bench.client

# A watcher over 10,000 files for ten minutes while 20 of them grow; MINUTES and FILES make it another size.
bench-watch: $(VENV)/.dev-ready
	$(BIN)/python -m bench.watch

# How good mining is, and how many repeated mistakes would have met a lesson: CORPUS names a folder of labelled
# transcripts (evals/corpus.py), KEEP=1 keeps the totals.
eval: $(VENV)/.dev-ready
	$(BIN)/python -m evals $(or $(CORPUS),$(error CORPUS is empty: name a folder of labelled transcripts)) $(if $(KEEP),--keep)

# The weights of failed calls, from labelled transcripts (evals/corpus.py). HELD_OUT names a folder for those that were
# made without each repository.
train: $(VENV)/.train-ready
	$(BIN)/python -m evals.train $(or $(CORPUS),$(error CORPUS is empty: name a folder of labelled transcripts)) \
		$(if $(HELD_OUT),--held-out $(HELD_OUT))

# How often the intervals of what a lesson changed hold the truth, over simulated histories with fixed seeds.
eval-prove: $(VENV)/.dev-ready
	$(BIN)/python -m evals.prove

schema: $(VENV)/.dev-ready
	$(BIN)/python -m lessons.schema > docs/lesson.schema.json

# The pages that are generated from the code, and from what the last `make e2e` saw the clients do.
docs: schema
	$(BIN)/python docs/history_tables.py > docs/HISTORY.md
	$(BIN)/python -m docs.agents_seen > docs/AGENTS.md

picture: $(VENV)/.dev-ready
	$(BIN)/python docs/picture.py

# The report of a made history in the real Chromium, for docs/: look at them after a change of the page.
report-pictures: browser
	$(BIN)/python -m docs.report_pictures

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-ready: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	touch $@

$(VENV)/.dev-ready: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	touch $(VENV)/.run-ready $@

$(VENV)/.train-ready: $(VENV)/.dev-ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[train]'
	touch $@

clean:
	rm -rf $(VENV) build dist .import_linter_cache .mypy_cache .ruff_cache plugin/.ruff_cache .hypothesis .coverage .coverage.*
