# On a fresh machine `make demo` or `make test` is all that is needed: each does its own set-up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help setup demo browser model base-model bench-network test test-slow test-all lint format bench docs package lock clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' Makefile | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

setup: $(INSTALLED) ## the virtual environment, with everything in it

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "grammax needs Python 3.11 or newer; try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	@echo "Setting up $(VENV) ..."
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) torch==2.13.0
	@$(PIP) --editable '.[dev]'
	@$(PIP) --no-deps xgrammar apache-tvm-ffi
	@touch $(INSTALLED)

demo: $(INSTALLED) ## the paper's queries, parsed and answered
	@$(BIN)/python examples/equity_search.py

browser: ## Chromium for the tests of the page, where it can be installed
	@command -v chromium >/dev/null || { command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ] \
		&& apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null; } \
		|| echo "No Chromium: the tests of the page are skipped. As root: apt-get install chromium"

model: $(INSTALLED) ## train the equity model that comes with the package, in some minutes
	$(BIN)/grammax train eqs --output build/model --overwrite
	cp build/model/model.safetensors src/grammax/domains/eqs/model.safetensors

base-model: $(INSTALLED) ## train the model of all tables that comes with the package; DEVICE=cuda is quicker
	$(BIN)/python scripts/train_base_model.py --device $(or $(DEVICE),cpu)

bench-network: $(INSTALLED) ## train the network of the paper's table that comes with the package; DEVICE=cuda is quicker
	$(BIN)/grammax train eqs-paper --full-epochs 12 --device $(or $(DEVICE),cpu) --output build/bench-network --overwrite
	cp build/bench-network/model.safetensors src/grammax/domains/eqs/bench.safetensors

test: $(INSTALLED) browser lint ## lint, types, and the default tests: six minutes on two cores
	$(BIN)/python -m pytest -n 2

test-slow: $(INSTALLED) browser ## the slow tests: ten minutes on two cores
	$(BIN)/python -m pytest -n 2 -m slow --durations=25

test-all: test test-slow ## every test

lint: $(INSTALLED) ## style and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers 2

format: $(INSTALLED) ## put the style right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(INSTALLED) ## what the project claims, measured
	$(BIN)/python benchmarks/steps.py
	$(BIN)/python benchmarks/eqs.py
	$(BIN)/python benchmarks/market.py
	$(BIN)/python benchmarks/training.py
	$(BIN)/python benchmarks/names.py
	$(BIN)/python benchmarks/living.py
	$(BIN)/python benchmarks/latency.py
	$(BIN)/python benchmarks/page.py
	$(BIN)/python benchmarks/service.py
	$(BIN)/grammax bench

docs: build/site/venv/.installed ## the site, in build/site/html
	build/site/venv/bin/python scripts/build_site.py

build/site/venv/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -m venv build/site/venv
	@build/site/venv/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--editable '.[cli,docs]'
	@touch $@

package: build/package/tools/.installed ## a wheel and its bill of materials in dist, tried in empty environments
	rm -rf dist build/package/served
	build/package/tools/bin/python -m build --outdir dist .
	$(PYTHON) -m venv build/package/served
	build/package/served/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		"$$(echo dist/grammax-*.whl)[fast,service]"
	build/package/served/bin/python -m pip uninstall --quiet --yes pip setuptools
	build/package/tools/bin/cyclonedx-py environment build/package/served/bin/python --pyproject pyproject.toml \
		--output-reproducible --of JSON -o dist/grammax.cdx.json
	build/package/tools/bin/python scripts/try_package.py --wheel dist/grammax-*.whl \
		$(foreach python,$(PYTHONS),--python $(python))

build/package/tools/.installed: pyproject.toml constraints.txt
	@$(PYTHON) -m venv build/package/tools
	@build/package/tools/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--editable '.[package]'
	@touch $@

lock: ## pin the newest versions that fit pyproject.toml
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,docs,package,clickhouse,spark]'
	build/lock/bin/python -m pip freeze --exclude-editable --exclude pip --exclude setuptools > constraints.txt

clean: ## remove what was made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
