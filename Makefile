# `make run` opens the dashboard, `make test` runs the tests; both set up what is missing first.
PYTHON ?= python3
BIN := .venv/bin
STREAMLIT_ARGS ?=
TEST_PROCESSES ?= 3

# Python compiles what it loads once, and keeps it: pip would compile everything first, and each process of the tests all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run setup test bench conformance kafka broker-jar dist sbom requirements clean chromium postgresql oidc-provider oauth2-proxy
.DEFAULT_GOAL := run

run: setup
	$(BIN)/python -m streamlit run dashboard/app.py $(STREAMLIT_ARGS)

setup: .venv/ready

.venv/ready: requirements.txt pyproject.toml
	@.ci/need venv $(PYTHON)
	$(PYTHON) -m venv .venv
	@echo "make: installing the packages into .venv takes a minute or two, once"
	$(BIN)/pip install --quiet --no-compile --disable-pip-version-check --require-hashes --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

chromium:
	@.ci/need chromium

postgresql:
	@.ci/need postgresql

oidc-provider: .venv/oidc-provider/node_modules

.venv/oidc-provider/node_modules: tests/services/oidc/package-lock.json | setup
	@.ci/need node
	mkdir -p .venv/oidc-provider
	cp tests/services/oidc/package.json tests/services/oidc/package-lock.json .venv/oidc-provider
	npm ci --silent --prefix .venv/oidc-provider
	@touch $@

# Takes minutes: its tests are skipped without it.
oauth2-proxy: | setup
	@.ci/need go
	GOBIN=$(CURDIR)/.venv/oauth2-proxy go install github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.6

test: setup chromium postgresql oidc-provider
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
	$(BIN)/python -m tests.judge.best_conformance $(BEST_ARGS)
	$(BIN)/python -m tests.deploy.broker_conformance $(BROKER_ARGS)

kafka: setup
	@.ci/need java
	@$(BIN)/python -m tests.brokers.demo

# The assignor that runs on brokers; docs/deploy-broker.md says how.
broker-jar: setup
	@.ci/need java
	@$(BIN)/python -c "from tests.judge.building import broker_jar; print(broker_jar('dist'))"

# The wheel of the source archive: what the archive lacks, the wheel would lack too.
dist: setup
	rm -rf dist && mkdir dist
	$(BIN)/python -P -c "from setuptools.build_meta import build_sdist; build_sdist('dist')" > dist/build.log 2>&1 || (cat dist/build.log; exit 1)
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist dist/evenkeel-*.tar.gz
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist ./deploy/python
	@rm dist/build.log; ls -1 dist/*

# CycloneDX: every pinned package with its version and hashes, those of the tests too.
sbom: setup
	$(BIN)/pip install --quiet --disable-pip-version-check --no-warn-conflicts --target .venv/sbom --upgrade cyclonedx-bom==7.5.0
	mkdir -p dist
	PYTHONPATH=.venv/sbom $(BIN)/python -m cyclonedx_py requirements --pyproject pyproject.toml --output-reproducible --of JSON -o dist/sbom.cdx.json
	@echo dist/sbom.cdx.json

# Not pip's own freeze: it knows the files of this machine alone, and no hashes.
requirements: setup
	$(BIN)/pip install --quiet --target .venv/uv uv
	(head -1 requirements.txt; echo 'setuptools>=80' | .venv/uv/bin/uv pip compile --quiet pyproject.toml - --extra test --universal --python-version 3.11 \
		--fork-strategy fewest --generate-hashes --no-annotate --no-header) > .venv/requirements && mv .venv/requirements requirements.txt

clean:
	rm -rf .venv .pytest_cache .hypothesis *.egg-info build dist deploy/python/*.egg-info deploy/python/build
