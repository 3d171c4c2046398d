# `make run` opens the dashboard, `make test` runs the tests; both set up what is missing first.
PYTHON ?= python3
BIN := .venv/bin
STREAMLIT_ARGS ?=
TEST_PROCESSES ?= 3

# Each of the hundreds of processes of the tests would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run setup test bench conformance kafka requirements clean java chromium postgresql
.DEFAULT_GOAL := run

run: setup java
	$(BIN)/python -m streamlit run dashboard/app.py $(STREAMLIT_ARGS)

setup: .venv/ready

.venv/ready: requirements.txt pyproject.toml setup.py
	@.ci/need venv $(PYTHON)
	$(PYTHON) -m venv .venv
	@echo "make: installing the packages into .venv takes a minute or two, once"
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

java:
	@.ci/need java || echo "make: without it, samples and stored results work; reading a new listing does not" >&2

chromium:
	@.ci/need chromium

postgresql:
	@.ci/need postgresql

test: setup chromium postgresql
	@.ci/need java
	$(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --no-loadscope-reorder $(PYTEST_ARGS)

bench: setup
	@.ci/need java
	$(BIN)/python -m tests.benchmarks

conformance: setup
	@.ci/need java
	$(BIN)/python -m tests.judge.conformance --groups 20000 $(CONFORMANCE_ARGS)
	$(BIN)/python -m tests.judge.streams_conformance $(STREAMS_ARGS)
	$(BIN)/python -m tests.judge.clients_conformance --groups 10000 --chained 4000 $(CLIENTS_ARGS)
	$(BIN)/python -m tests.judge.librdkafka_conformance --groups 10000 --links 4000 $(LIBRDKAFKA_ARGS)
	$(BIN)/python -m tests.judge.librdkafka_crash

kafka: setup
	@.ci/need java
	@$(BIN)/python -m tests.brokers.demo

# Not pip's own freeze: it knows the files of this machine alone, and no hashes.
requirements: setup
	$(BIN)/pip install --quiet --target .venv/uv uv
	(head -1 requirements.txt; echo 'setuptools>=80' | .venv/uv/bin/uv pip compile --quiet pyproject.toml - --extra test --universal --python-version 3.11 \
		--fork-strategy fewest --generate-hashes --no-annotate --no-header) > .venv/requirements && mv .venv/requirements requirements.txt

clean:
	rm -rf .venv .pytest_cache .hypothesis *.egg-info
