# Adamas. `make` lists what there is to do. Every target sets up what it needs by itself, once:
# stamp files remember what has been installed, generated and compiled, and for which inputs.
#
#   make demo PYTHON=python3.12      another interpreter (only when .venv is created)
#   make test ARGS="-k diamonds"     further arguments: demo, serve, token, test, fuzz, load, ...

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules

PYTHON ?=
ARGS ?=
# Parallel test processes.
WORKERS ?= auto

export PYTHON
export PYTHONUTF8 := 1
export BUF_CACHE_DIR := $(CURDIR)/build/buf

PY := .venv/bin/python
GENERATED := clients/python/src/adamas/v1/py.typed
BASELINE := protos/baseline.binpb
DISTRIBUTIONS := pyproject.toml clients/python/pyproject.toml clients/python/setup.py \
  clients/tournament/pyproject.toml

PROTO_FILES := $(shell find protos/adamas -name '*.proto' -o -type d 2>/dev/null)
KERNEL_FILES := $(shell find engines search -name '*.py' -o -name '*.json' 2>/dev/null)
FOLDERS := engines search environments server clients/python/src clients/tournament/src demo web benchmarks tools tests
SOURCES := $(foreach folder,$(FOLDERS),$(if $(wildcard $(folder)/*.py $(folder)/*/*.py),$(folder)))

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# ------------------------------------------------------------------------------------- to run

.PHONY: demo picture serve web token
demo: .venv/ready build/warm ## Play: the server and a demonstration client in this terminal
	@$(PY) -m demo $(ARGS)

picture: .venv/ready build/warm ## Draw docs/demo.svg anew, from what the demonstration shows
	@$(PY) -m demo --game diamonds --no-game --picture docs/demo.svg

serve: .venv/ready build/warm ## Start the server, for browsers too (ADAMAS_WEB_PORT=8080)
	@ADAMAS_WEB_PORT=$${ADAMAS_WEB_PORT-8080} $(PY) -m server $(ARGS)

# With a server of its own, unless ADAMAS_SERVER names one that runs already.
web: .venv/ready-web $(if $(ADAMAS_SERVER),,build/warm) ## Sit down at a table in the browser
	@$(PY) -m web $(ARGS)

token: .venv/ready ## Make a token for a client (ARGS="NAME --calls-per-minute 600")
	@$(PY) -m server.access $(ARGS)

# The journal of a configuration is kept in build/tournaments; a second call goes on with it.
.PHONY: tournament
CONFIG ?= clients/tournament/examples/dao.toml
JOURNAL = build/tournaments/$(basename $(notdir $(CONFIG))).journal
tournament: .venv/ready-tournament build/warm ## Play a tournament, write its report (CONFIG=...)
	@mkdir -p $(dir $(JOURNAL))
	@if [ -f $(JOURNAL) ]; then echo "going on with $(JOURNAL); remove it to begin anew"; \
	    $(PY) -m adamas tournament resume $(JOURNAL) $(ARGS); \
	  else $(PY) -m adamas tournament run $(CONFIG) --journal $(JOURNAL) $(ARGS); fi
	@$(PY) -m adamas tournament report --positions $(JOURNAL)

# --------------------------------------------------------------------------------- to develop

.PHONY: setup protos warm
setup: .venv/ready-dev ## Install everything that development needs into .venv
protos: .venv/ready ## Generate the message code from protos/
warm: build/warm ## Compile the engines and the search into the kernel cache

.PHONY: check
GAME ?= dao
check: .venv/ready-dev ## After an edited rule: compile and test one game (GAME=dao)
	@$(PY) -m search.warmup
	@$(PY) -m pytest -n $(WORKERS) tests/engines/$(GAME) tests/contract -k $(GAME) $(ARGS)

.PHONY: test test-clients test-web conformance lint typecheck deploy-lint format
test: .venv/ready-dev build/warm ## Run the tests (ARGS="-m slow" for the slow ones)
	@$(PY) -m pytest -n $(WORKERS) $(ARGS)

test-clients: .venv/ready-dev build/warm ## Build and test the clients in other languages (slow)
	@$(PY) -m pytest -m "" tests/languages $(ARGS)

test-web: .venv/ready-dev build/warm ## Play the web table's page in Chromium (slow)
	@$(PY) -m pytest -m "" tests/web/page $(ARGS)

conformance: .venv/ready-dev ## Run Connect's own suite on the port for browsers (needs Go)
	@$(PY) -m pytest -m slow tests/server/web/test_conformance.py $(ARGS)

lint: .venv/ready-dev typecheck deploy-lint ## Check style, types, import rules, protos, deploy/
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@.venv/bin/lint-imports --no-logo --cache-dir build/import-linter
	@.venv/bin/buf lint protos
	@.venv/bin/buf format protos --diff --exit-code
	@if [ -f $(BASELINE) ]; then .venv/bin/buf breaking protos --against $(BASELINE); \
	  else echo "$(BASELINE) does not exist yet: no release to stay compatible with"; fi

typecheck: .venv/ready-dev ## Check the types (part of lint)
	@$(PY) -m mypy $(SOURCES)

DEPLOY_TO_CHECK := $(wildcard deploy/kubernetes/*.yaml)
deploy-lint: .venv/ready-dev ## Check the container, Compose and Kubernetes files (part of lint)
	@.venv/bin/hadolint deploy/Dockerfile
	@.venv/bin/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml
	@.venv/bin/kubernetes-validate --strict --quiet --no-warn \
	  $(filter-out %/kustomization.yaml,$(DEPLOY_TO_CHECK))

format: .venv/ready-dev ## Rewrite the sources in the project's style
	@$(PY) -m ruff check --fix-only --quiet
	@$(PY) -m ruff format
	@.venv/bin/buf format protos --write

.PHONY: searched-games
searched-games: .venv/ready-dev build/warm ## Check every move of games that the search plays (slow)
	@$(PY) -m tests.contract.searched_games $(ARGS)

.PHONY: fuzz fuzz-coverage
fuzz: .venv/ready-dev build/warm ## Send very many requests, most of them wrong (ARGS="--help")
	@$(PY) -m tests.fuzz $(ARGS)

fuzz-coverage: .venv/ready-fuzz build/warm ## Fuzz the decoders, led by coverage (slow)
	@$(PY) -m tests.fuzz.coverage $(or $(ARGS),-max_total_time=120)

.PHONY: bench bench-tournament bench-web isolation strength calibrate learn
bench: .venv/ready-bench build/warm ## Measure speed
	@$(PY) -m benchmarks $(ARGS)

bench-tournament: .venv/ready-bench build/warm ## Measure tournaments on one and two Ray workers
	@$(PY) -m benchmarks.tournament $(ARGS)

bench-web: .venv/ready-dev build/warm ## Measure how soon the web table's page is there and answers
	@$(PY) -m benchmarks.page

isolation: .venv/ready-bench build/warm ## Measure what searching in processes costs, beside threads
	@$(PY) -m benchmarks.isolation

strength: .venv/ready-bench build/warm ## Measure quality of play (slow)
	@$(PY) -m benchmarks.strength $(ARGS)

learn: .venv/ready-dev build/warm ## Learn anew what a round of Diam's will bring (slow)
	@$(PY) -m tools.learn_diams $(ARGS)

calibrate: .venv/ready-dev build/warm ## Measure the strength levels anew (slow)
	@$(PY) -m benchmarks.calibrate $(ARGS)

.PHONY: load soak
load: .venv/ready-dev build/warm ## Measure the service under load (ARGS="--short", ARGS=overload)
	@$(PY) -m benchmarks.load $(ARGS)

soak: .venv/ready-dev build/warm ## A month of games in an hour (ARGS="--short" for fewer)
	@$(PY) -m benchmarks.load month $(ARGS)

# ---------------------------------------------------------------------------------- to release

# `make lint` compares the protos with protos/baseline.binpb, the compiled protos of the last
# release, so the comparison is the same in a shallow clone, in CI and before the first commit.
# Renew the baseline in the commit that makes a release, never to get past a failing check.
.PHONY: baseline lock
baseline: .venv/ready-dev ## Take the protos as they are now as the released ones
	@.venv/bin/buf build protos --exclude-source-info --output $(BASELINE)
	@echo "$(BASELINE) renewed"

# One resolution of everything comes first, so that all lock files agree on every version.
# UPGRADE=1 moves to the newest versions that the bounds allow.
COMPILE := build/lock/venv/bin/uv pip compile --quiet --universal --python-version 3.11 \
	--fork-strategy fewest --generate-hashes --no-annotate \
	--no-emit-package adamas --no-emit-package adamas-tournament \
	--custom-compile-command "make lock"
COMPILE_PART := $(COMPILE) --constraints build/lock/all.txt
lock: build/lock/ready ## Renew the lock files in requirements/ (UPGRADE=1 for newer versions)
	@cat requirements/{dev,bench,fuzz,lock}.txt > build/lock/all.txt
	@$(COMPILE) $(if $(UPGRADE),--upgrade) pyproject.toml --group build --group dev \
	  --group bench --group fuzz --group lock -o build/lock/all.txt
	@$(COMPILE_PART) pyproject.toml -o requirements/runtime.txt
	@$(COMPILE_PART) --group build -o requirements/build.txt
	@$(COMPILE_PART) pyproject.toml --group build --group dev -o requirements/dev.txt
	@$(COMPILE_PART) --group tournament -o requirements/tournament.txt
	@$(COMPILE_PART) --group web -o requirements/web.txt
	@$(COMPILE_PART) --group bench -o requirements/bench.txt
	@$(COMPILE_PART) --group fuzz -o requirements/fuzz.txt
	@$(COMPILE_PART) --group lock -o requirements/lock.txt
	@echo "requirements/ renewed"

.PHONY: vectors dist dist-clients
vectors: .venv/ready-dev build/warm ## Write down the answers that clients are compared with
	@$(PY) -m tools.record_vectors

dist: .venv/ready-dev ## Build wheels and source archives of the client, tournaments and server
	@rm -rf dist
	@$(PY) tools/build_distributions.py

# For those of the languages whose tools are there.
dist-clients: .venv/ready-dev ## Pack the clients in other languages into dist/
	@tools/pack_clients.sh

.PHONY: clean
clean: ## Remove everything that make has made
	rm -rf .venv build dist *.egg-info clients/*/build clients/*/src/*.egg-info
	rm -rf clients/python/src/adamas/v1 .pytest_cache .ruff_cache .hypothesis
	find $(SOURCES) -name __pycache__ -prune -exec rm -rf {} +

# --------------------------------------------------------------------------------- the stamps

# An environment that was moved, or whose interpreter has gone, is made anew.
ifneq ($(shell [ -x $(PY) ] && cat .venv/created 2>/dev/null),$(CURDIR))
.PHONY: .venv/created
endif

.venv/created:
	@tools/bootstrap.sh venv
	@echo "$(CURDIR)" > $@

.venv/runtime: .venv/created requirements/runtime.txt requirements/build.txt
	@tools/bootstrap.sh install requirements/runtime.txt requirements/build.txt
	@touch $@

# The folders are listed too: their times change when a .proto file is removed.
$(GENERATED): .venv/runtime tools/generate_protos.py $(PROTO_FILES)
	@$(PY) tools/generate_protos.py

.venv/ready: .venv/runtime $(DISTRIBUTIONS) | $(GENERATED)
	@tools/bootstrap.sh link
	@touch $@

.venv/ready-dev: .venv/ready requirements/dev.txt
	@tools/bootstrap.sh install requirements/dev.txt
	@touch $@

.venv/ready-tournament: .venv/ready requirements/tournament.txt
	@tools/bootstrap.sh install requirements/tournament.txt
	@touch $@

.venv/ready-web: .venv/ready requirements/web.txt
	@tools/bootstrap.sh install requirements/web.txt
	@touch $@

.venv/ready-bench: .venv/ready requirements/bench.txt
	@tools/bootstrap.sh install requirements/bench.txt
	@touch $@

.venv/ready-fuzz: .venv/ready requirements/fuzz.txt
	@tools/bootstrap.sh install requirements/fuzz.txt
	@touch $@

build/warm: .venv/ready $(KERNEL_FILES)
	@$(PY) -m search.warmup
	@mkdir -p build && touch $@

build/lock/ready: .venv/created requirements/lock.txt
	@$(PY) -m venv --clear build/lock/venv
	@build/lock/venv/bin/python -m pip install --quiet --disable-pip-version-check \
	  --require-hashes -r requirements/lock.txt
	@touch $@
