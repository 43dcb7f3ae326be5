# `make build` and `make test` are all the set-up there is. uv is used where it is installed, venv and pip otherwise.
SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# A driver of the oldest version that must open the published file, apart from the environment.
OLD_DUCKDB := $(VENV)/duckdb-1.2.2

export UV_PYTHON_DOWNLOADS := never
export DO_NOT_TRACK := 1
export PYTHONPATH := python

.PHONY: help build report cards docs doc-blocks test test-slow lint bench clean constraints

help:
	@echo "make build   environment, dbt build, published file, the ledger as a table"
	@echo "make report  one HTML page of the published ledger, published/report.html"
	@echo "make cards   reuse cards, Croissant metadata and a datasheet beside the published file"
	@echo "make docs    the documentation of every model and column as one page, target/static_index.html"
	@echo "make test    lint, YAML keys, pytest, dbt build with its tests, Great Expectations"
	@echo "make test-slow   exact tests that take a minute and gigabytes of memory"
	@echo "make bench   a million simulated debates against DuckDB's scan and a Python loop (docs/performance.md)"

$(VENV)/ready: constraints.txt pyproject.toml
	@echo "Creating the environment in $(VENV) (once)"
	@if command -v uv >/dev/null 2>&1; then \
		uv venv --quiet --allow-existing --python "$$($(PYTHON) -c 'import sys; print(sys.executable)')" $(VENV); \
		uv pip install --quiet --python $(BIN)/python -r constraints.txt; \
		uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	else \
		$(PYTHON) -m venv $(VENV); \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check -r constraints.txt; \
		$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .; \
	fi
	@touch $@

$(OLD_DUCKDB): | $(VENV)/ready
	@$(BIN)/python -m ensurepip >/dev/null 2>&1 || true
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $@ duckdb==1.2.2 \
		|| echo "duckdb 1.2.2 has no wheel for this Python: the test that opens the published file with it says so"

build: $(VENV)/ready
	$(BIN)/dbt --warn-error build --exclude-resource-type unit_test
	@echo
	@$(BIN)/ledger show

# What is published stays as it is; without it, it is built first.
report cards: $(VENV)/ready
	@test -e "$${LEDGER_PUBLISHED:-published/ledger.duckdb}" || $(MAKE) build
	$(if $(filter report,$@),$(BIN)/ledger report,$(BIN)/ledger card && $(BIN)/ledger metadata)

docs: $(VENV)/ready
	$(BIN)/dbt --warn-error docs generate --static
	@# The page names the folder that it was made in; it works as well without.
	@$(BIN)/python -c "import pathlib; p = pathlib.Path('target/static_index.html'); p.write_text(p.read_text().replace('$(CURDIR)', '.'))"
	@echo target/static_index.html

# SQL of the documentation with what it prints, after a change of the shipped data.
doc-blocks: $(VENV)/ready
	$(BIN)/python tests/doc_blocks.py --write

# dbt, which builds the warehouses of the tests, spends most of its time in Python: two processes keep two cores busy where two threads do not.
test: $(VENV)/ready $(OLD_DUCKDB) lint
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-slow: $(VENV)/ready
	$(BIN)/python -m pytest -m slow

lint: $(VENV)/ready
	$(BIN)/ruff check python models tests dev setup.py
	$(BIN)/ruff format --check python models tests dev setup.py
	LEDGER_WORK=:memory: $(BIN)/sqlfluff lint --processes 2 models tests/data analysis
	$(BIN)/python tests/check_yaml_keys.py

bench: $(VENV)/ready
	$(BIN)/python -m debate_ledger.bench

constraints:
	uv pip compile requirements.in --universal --python-version 3.11 --no-emit-index-url --no-header --no-annotate -o constraints.txt

clean:
	rm -rf target logs work/*.duckdb* published
