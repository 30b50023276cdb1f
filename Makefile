# Every target is explained by `make help`. Stamps in .venv and node_modules make each step run once:
# a step runs again when what it was made from changes.

HOST ?= 127.0.0.1
PORT ?= 8000
DEALS ?= 1000
SEED ?= 7
SEEDS ?= 10000
KILLS ?= 300
WINDOWS ?= 10000
# Arguments for pytest, e.g. make test ARGS="-k flowers -x"
ARGS ?=

BIN := .venv/bin
CLIENT := web-client
export PYTHON CHROMIUM

RUNTIME := .venv/.stamp-runtime
DEV := .venv/.stamp-dev
BENCH := .venv-bench/.stamp
MUTATE := .venv-mutate/.stamp
MODULES := $(CLIENT)/node_modules/.stamp
PAGE := $(CLIENT)/dist/index.html
TYPES := $(CLIENT)/src/generated/protocol.ts

# All that the client is built from; what the build and npm write is left out.
CLIENT_SOURCES := $(shell find $(CLIENT) -type d \( -name node_modules -o -name dist \) -prune -o -type f -print)

# The client's types follow these; the build fails where they have drifted apart.
MESSAGES := $(wildcard server/parlour_server/protocol/*.py server/parlour_server/table/settings.py server/parlour_server/people/passwords.py)

.DEFAULT_GOAL := help
.PHONY: help setup play test quick e2e cover cover-engine long check check-python check-client format types lock simulate bench mutate wheel clean simulate-server kill-loop load storm slow frames leaks

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(RUNTIME) $(PAGE) ## make .venv with the command parlour in it and build the client

# What is played here is kept in the checkout, apart from a server that this user may run for others.
play: setup ## set up and serve the tables at http://127.0.0.1:8000 (HOST=, PORT=)
	PARLOUR_STORAGE_URL=$${PARLOUR_STORAGE_URL:-var/parlour.db} $(BIN)/parlour serve --host $(HOST) --port $(PORT)

# Without ARGS the engine's own quick tests run first, and must reach every branch of it; then all the others.
test: setup check $(if $(ARGS),,cover-engine) ## run every check and every test, the browser's included (ARGS= for pytest)
	@browser=$$($(BIN)/python tools/chromium.py) && CHROMIUM="$$browser" $(BIN)/pytest $(or $(ARGS),-m "slow or not engine")

quick: $(DEV) ## run the tests that need no browser and take no time
	$(BIN)/pytest -m "not e2e and not slow" $(ARGS)

e2e: setup $(DEV) ## run the tests that drive a browser
	@browser=$$($(BIN)/python tools/chromium.py) && CHROMIUM="$$browser" $(BIN)/pytest -m e2e $(ARGS)

cover-engine: $(DEV) ## run the engine's tests and fail where they leave a branch of the engine out
	$(BIN)/pytest tests/engine -m "not slow" --cov --cov-config=tests/engine/coverage.toml --cov-report=term $(ARGS)

long: $(DEV) ## look at forty times as many random examples, and at whole families of hands (an hour)
	HYPOTHESIS_PROFILE=long $(BIN)/pytest tests/engine tests/server/fairness tests/leaks tests/load $(ARGS)

cover: setup $(DEV) ## run every test and print which lines none of them reached
	@browser=$$($(BIN)/python tools/chromium.py) && CHROMIUM="$$browser" $(BIN)/pytest --cov --cov-report=term $(ARGS)

check: check-python check-client ## check types, style and import contracts, Python's and the client's

check-python: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

check-client: $(MODULES)
	tools/npm.sh run check
	tools/npm.sh test

format: $(DEV) ## put the Python sources into the project's format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

types: $(RUNTIME) ## write the client's TypeScript types from the protocol's messages
	$(BIN)/python -m parlour_server.protocol.typescript $(TYPES)

simulate: $(RUNTIME) ## let bots play (DEALS=, SEED=) and print what happened
	$(BIN)/parlour simulate --ruleset lrc --deals $(DEALS) --seed $(SEED) --bots steady,random,random,random

simulate-server: $(DEV) ## run the whole server on virtual time out of SEEDS= seeds, with every fault there is (SEED= for one)
	$(BIN)/python -m tools.simulate_server $(if $(filter-out file,$(origin SEED)),--seed $(SEED),--seeds $(SEEDS))

kill-loop: setup $(DEV) ## kill a real server KILLS= times at random points under 50 live tables, and look for anything lost
	$(BIN)/python -m tools.kill_loop --rounds $(KILLS)

load: setup $(DEV) ## measure a server with 500 tables, 2,000 seats, 500 watchers and 5,000 idle lines on one core
	$(BIN)/python -m bench.server.load

storm: setup $(DEV) ## kill a server under 2,000 people at 400 tables, and see when they are back
	$(BIN)/python -m bench.server.storm

slow: setup $(DEV) ## let fifty watchers of one table read nothing, or an octet at a time, and see what it costs the others
	$(BIN)/python -m bench.server.slow

frames: $(DEV) ## send a million bad frames to the decoder and 100,000 to a real server
	$(BIN)/python -m tools.hostile_frames --decoder 1000000 --sockets 100000

leaks: $(DEV) ## watch 10,000 claim windows of each kind of table as an eavesdropper would (WINDOWS=, SEED=)
	$(BIN)/python -m tools.leaks $(WINDOWS) $(SEED)

bench: $(RUNTIME) $(BENCH) ## measure the engine beside other libraries
	.venv-bench/bin/python bench/run.py

mutate: $(MUTATE) ## change the scorer in thousands of small ways and see which of them the tests notice
	.venv-mutate/bin/python tools/mutate.py

wheel: $(DEV) $(PAGE) ## build the wheel, client included, into dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .

lock: $(DEV) ## write requirements/*.lock anew from pyproject.toml (asks PyPI)
	tools/lock.sh

clean: ## remove all that setup, tests and builds made
	rm -rf .venv .venv-bench .venv-mutate $(CLIENT)/node_modules $(CLIENT)/dist dist build test-results htmlcov .coverage .coverage.*
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find bench bots engine server tests tools -name __pycache__ -type d -prune -exec rm -rf {} +

$(RUNTIME): pyproject.toml requirements/runtime.lock tools/venv.sh
	tools/venv.sh requirements/runtime.lock
	@touch $@

# The development lock holds the runtime's versions too, so it may follow but never changes them.
$(DEV): requirements/dev.lock $(RUNTIME)
	tools/venv.sh requirements/dev.lock
	@touch $@

$(BENCH): bench/requirements.txt | $(RUNTIME)
	$(BIN)/python -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet --disable-pip-version-check -r bench/requirements.txt
	@touch $@

$(MUTATE): tools/mutation/requirements.txt | $(RUNTIME)
	$(BIN)/python -m venv .venv-mutate
	.venv-mutate/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(MODULES): $(CLIENT)/package.json $(CLIENT)/package-lock.json | $(RUNTIME)
	tools/npm.sh ci --no-audit --no-fund
	@touch $@

$(PAGE): $(MODULES) $(CLIENT_SOURCES) $(MESSAGES)
	$(BIN)/python -m parlour_server.protocol.typescript --check $(TYPES)
	tools/npm.sh run build
	@touch $@
