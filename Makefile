# `make run` opens the dashboard, `make test` runs the tests, `make quick` those without broker, browser, Spark and JVM; each sets up what is missing first.
PYTHON ?= python3
BIN := .venv/bin
STREAMLIT_ARGS ?=
# pyspark alone comes as source: it is built with the setuptools of requirements.txt, not in an environment that pip fills without hashes.
PINNED := --quiet --no-compile --disable-pip-version-check --require-hashes
# More than two cores: half of the tests wait for brokers, Spark and a browser; with five, nine brokers start at once. Of the quick ones, one in five waits for a lease or a process.
TEST_PROCESSES ?= 3
QUICK_PROCESSES ?= 3

# Python compiles what it loads once, and keeps it: pip would compile everything first, and each process of the tests all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run setup form check types test all-tests quick quick-tests bench conformance kafka broker-jar dist sbom audit requirements clean chromium postgresql prometheus oidc-provider oauth2-proxy
.DEFAULT_GOAL := run

run: setup
	$(BIN)/python -m streamlit run dashboard/app.py $(STREAMLIT_ARGS)

setup: .venv/ready

.venv/ready: requirements.txt pyproject.toml
	@.ci/need venv $(PYTHON)
	$(PYTHON) -m venv .venv
	@echo "make: installing the packages into .venv takes a minute or two, once"
	sed -n '/^setuptools==/,/[^\\]$$/p' requirements.txt > .venv/setuptools.txt
	$(BIN)/pip install $(PINNED) --only-binary :all: --requirement .venv/setuptools.txt
	$(BIN)/pip install $(PINNED) --only-binary :all: --no-binary pyspark --no-build-isolation --requirement requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

chromium:
	@.ci/need chromium

postgresql:
	@.ci/need postgresql

# The tests of it are skipped without it.
prometheus:
	-@.ci/need prometheus

oidc-provider: .venv/oidc-provider/node_modules

.venv/oidc-provider/node_modules: tests/services/oidc/package-lock.json | setup
	@.ci/need node
	mkdir -p .venv/oidc-provider
	cp tests/services/oidc/package.json tests/services/oidc/package-lock.json .venv/oidc-provider
	npm ci --silent --prefix .venv/oidc-provider
	@touch $@

# Takes minutes: its tests are skipped without it. Its own go.sum has the hashes of every module that it needs, and this is the hash of all of it.
OAUTH2_PROXY := github.com/oauth2-proxy/oauth2-proxy/v7@v7.15.6
OAUTH2_PROXY_SUM := h1:4xZOFvyGysSUxdrEVyLjo+NduqGHbGV9bLE8XD49IJM=

oauth2-proxy: | setup
	@.ci/need go
	go mod download -json $(OAUTH2_PROXY) > .venv/oauth2-proxy.json
	@grep -qF '"Sum": "$(OAUTH2_PROXY_SUM)"' .venv/oauth2-proxy.json || { echo "make: $(OAUTH2_PROXY) has another hash than $(OAUTH2_PROXY_SUM)" >&2; exit 1; }
	cd "$$(sed -n 's/^.*"Dir": "\(.*\)".*$$/\1/p' .venv/oauth2-proxy.json)" && go build -mod=readonly -o $(CURDIR)/.venv/oauth2-proxy/oauth2-proxy .

form: setup
	$(BIN)/ruff format --quiet --check .
	$(BIN)/ruff check --quiet .

# The form of the code, and its types: a new type error fails, and so does a known one that no longer occurs (make types).
check: form
	@$(BIN)/mypy > .venv/types; test $$? -le 1 || (cat .venv/types; exit 1)
	$(BIN)/mypy-baseline filter < .venv/types

# The known type errors, after some were mended.
types: setup
	@$(BIN)/mypy > .venv/types; test $$? -le 1 || (cat .venv/types; exit 1)
	@test $$(grep -c ': error: ' .venv/types) -le $$(wc -l < mypy-baseline.txt) || (echo 'make: more type errors than are known: mend the new ones'; exit 1)
	$(BIN)/mypy-baseline sync < .venv/types

# Types are checked while the first tests run: that takes one core for a minute or two. What tests make gets no jobs of this make.
test: form chromium postgresql prometheus oidc-provider
	@.ci/need java
	@$(MAKE) --no-print-directory --jobs 2 check all-tests

# A busy machine can make a real broker or browser too late: what failed beside other tests is run again without them. The first run has named it.
all-tests:
	MAKEFLAGS= $(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --no-loadscope-reorder $(PYTEST_ARGS) || \
		{ test $$? -eq 1 && MAKEFLAGS= $(BIN)/python -m pytest --last-failed --maxfail 3 $(PYTEST_ARGS); }

quick: form postgresql
	@$(MAKE) --no-print-directory --jobs 2 check quick-tests

quick-tests:
	MAKEFLAGS= $(BIN)/python -m pytest --quick --numprocesses $(QUICK_PROCESSES) --no-loadscope-reorder $(PYTEST_ARGS)

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
sbom: .venv/tools/ready
	mkdir -p dist
	PYTHONPATH=.venv/tools $(BIN)/python -m cyclonedx_py requirements --pyproject pyproject.toml --output-reproducible --of JSON -o dist/sbom.cdx.json
	@echo dist/sbom.cdx.json

# Known faults of the pinned packages; a sentence and no failure if the index of packages cannot be reached or lists no faults.
audit: .venv/tools/ready
	@PYTHONPATH=.venv/tools $(BIN)/python -m pip_audit --strict --disable-pip --requirement requirements.txt > .venv/audit 2>&1; code=$$?; \
		if grep -qE 'could not be audited|Could not connect|Max retries exceeded' .venv/audit; \
		then echo "make: not audited: the index of packages does not answer with known faults; .venv/audit has its answer"; \
		else cat .venv/audit; exit $$code; fi

.venv/tools/ready: requirements-tools.txt | setup
	$(BIN)/pip install $(PINNED) --only-binary :all: --no-deps --no-warn-conflicts --target .venv/tools --upgrade --requirement requirements-tools.txt
	@touch $@

# Not pip's own freeze: it knows the files of this machine alone, and no hashes.
COMPILE = .venv/tools/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header
requirements: .venv/tools/ready
	(head -1 requirements.txt; echo 'setuptools>=80' | $(COMPILE) pyproject.toml - --extra test --fork-strategy fewest) > .venv/requirements && mv .venv/requirements requirements.txt
	(head -1 requirements-tools.txt; printf '%s\n' cyclonedx-bom==7.5.0 pip-audit uv | $(COMPILE) -) > .venv/requirements && mv .venv/requirements requirements-tools.txt

clean:
	rm -rf .venv .pytest_cache .hypothesis *.egg-info build dist deploy/python/*.egg-info deploy/python/build
