# The one list of commands, for people and for the gate alike. `make` prints it.

BIN   := .venv/bin
STAMP := .venv/installed
IMAGE := build/proto.binpb
FAST  := build/fast

# The same versions everywhere, for the packages and for the environment in which a package is built.
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_BUILD_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup fast run test check fix generate lock bench scaling pictures slow soak dist clean

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Make .venv with everything that the other commands need

# A command that is found may still not run (a version manager's stand-in), or come without venv (Debian), so each is tried.
$(BIN)/python:
	@for python in $(PYTHON) python3.13 python3.12 python3.11 python3 python; do \
	  if $$python -c 'import sys, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "Making .venv with $$($$python --version)"; \
	    exec $$python -m venv --clear .venv; \
	  fi; \
	done; \
	echo "Whitehall needs Python 3.11 or newer with venv (Debian: apt-get install python3-venv)." >&2; \
	echo "If yours is in an unusual place: make setup PYTHON=/path/to/python3" >&2; \
	exit 1

$(STAMP): pyproject.toml constraints.txt clients/python/pyproject.toml clients/load/pyproject.toml tools/protoc_for_clients.txt | $(BIN)/python
	$(BIN)/pip install --quiet --editable '.[dev]' --editable clients/python --editable clients/load
	@PIP_CONSTRAINT= $(BIN)/pip install --quiet --no-deps --upgrade --target .venv/protoc-for-clients -r tools/protoc_for_clients.txt
	@touch $@

# What people run is compiled, in a copy that is made again when any source says something else. Nothing is ever
# compiled into service/, from which the tests and all other commands import.
fast: setup
	@$(BIN)/python tools/compile.py $(FAST)

# The service takes the place of the shell, so that whoever ends make ends it too.
run: fast ## Start the service with a store of its own, and print where it listens
	PYTHONPATH=$(FAST) exec $(BIN)/whitehall serve

# Many tests kill processes, cut lines and wait for what follows. One that fails is tried once more, and named at the end:
# what fails by chance is to be mended, but does not keep everybody else's work back.
test: check ## Run everything that the gate runs
	$(BIN)/pytest --numprocesses=auto --dist=worksteal --reruns=1 -r R --durations=15

check: setup ## Find faults without running the code: style, types, direction of imports, protos, generated code
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache --no-logo
	$(BIN)/buf format proto --diff --exit-code
	$(BIN)/python tools/generate.py --image $(IMAGE)
	$(BIN)/buf lint $(IMAGE) --config proto/buf.yaml --path whitehall
	$(BIN)/python -m tools.contract --check
	$(BIN)/python tools/generate.py --check
	$(BIN)/python -m tools.describe --check
	$(BIN)/python tools/documentation.py --check
	$(BIN)/python -m tools.chart --check
	$(BIN)/python -m tools.dashboards --check
	$(BIN)/python -m tools.clients --check
	$(BIN)/python -m tools.capacity --check

fix: setup ## Mend what the formatters and the linter can mend by themselves
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(BIN)/buf format proto --write

generate: setup ## Make again what is made from other things: code, clients, pages of docs/, dashboards
	$(BIN)/python tools/generate.py
	$(BIN)/python -m tools.clients
	$(BIN)/python -m tools.describe
	$(BIN)/python tools/documentation.py
	$(BIN)/python -m tools.chart
	$(BIN)/python -m tools.dashboards
	$(BIN)/python -m tools.capacity

# Does not need `setup`, which fails while constraints.txt and pyproject.toml contradict each other.
lock: $(BIN)/python ## Renew constraints.txt from pyproject.toml, then install what it says
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --all-extras --no-annotate \
	  --no-emit-index-url --no-emit-package whitehall-client --no-emit-package whitehall-load --custom-compile-command 'make lock' --output-file constraints.txt pyproject.toml
	@$(MAKE) --no-print-directory setup

bench: fast ## Measure the speed of the service and of the engine
	PYTHONPATH=$(FAST) $(BIN)/python -m tests.bench

scaling: fast ## Play hot games on a cluster for a minute, and tell of it in docs/scaling.md
	PYTHONPATH=$(FAST) $(BIN)/python -m tests.operations.hot_games_page

pictures: setup ## Draw the pictures of docs/pictures anew, from a run of a minute
	PICTURES=docs/pictures $(BIN)/pytest -n0 -m slow tests/operations/test_pictures.py

slow: setup ## Run the tests that take too long for the gate
	$(BIN)/pytest -m slow --durations=15

# Half an hour of faults for each kind of site, connections that are idle for eleven minutes.
soak: setup ## Run what shows only after a long time: some hours
	FAULTS_SECONDS=1800 $(BIN)/pytest -m soak --durations=15

dist: setup ## Build all packages into dist/
	$(BIN)/python -m tools.distribution dist

clean: ## Remove everything that these commands made
	rm -rf clients/typescript/node_modules clients/typescript/build clients/typescript/dist clients/java/target
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find clients service tests tools -name __pycache__ -prune -exec rm -rf {} +
