# Works with GNU make 3.81 (macOS) and later. `make` alone lists the targets.

PYTHON ?= python3
VENV ?= .venv
# More arguments for `dbt build`, e.g. DBT_ARGS='--select +scores'.
DBT_ARGS ?=
# More arguments for pytest, e.g. PYTEST_ARGS='-k torch'.
PYTEST_ARGS ?=
# Where the reference files lie that `make references` compares with.
REFERENCES ?= ../shared/reference
# 1 accepts a GPU build of torch (several gigabytes).
TORCH_GPU ?=

BIN := $(VENV)/bin
PY := $(BIN)/python
STAMP := $(VENV)/.setup-done
SQL_PATHS = $(wildcard models tests snapshots analyses)

# The parts of `make test`, in order.
CHECKS := lint-python lint-sql pytest dbt-checks package-test references

# dbt and the libraries below it send no usage statistics.
export DO_NOT_TRACK := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help setup build dbt-checks test lint lint-python lint-sql pytest package-test references score \
	faults memo replay sweep elements benchmarks lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

setup: $(STAMP) ## Make the virtual environment .venv with everything in it

# torch comes first and on its own, as a CPU build: see tools/install_torch.py. The lock
# file is complete, so pip need not resolve it (--no-deps); Python compiles what it imports
# (--no-compile), which halves the time.
$(STAMP): requirements.lock pyproject.toml tools/install_torch.py
	@command -v $(PYTHON) >/dev/null || { \
		echo "There is no command '$(PYTHON)': name a Python of 3.11 or later with make setup PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(None if v >= (3, 11) else \
		"$(PYTHON) is Python %d.%d, and this project needs 3.11 or later: name one with make setup PYTHON=..." % v[:2])'
	@test -x $(PY) || { echo "Making the virtual environment $(VENV)"; $(PYTHON) -m venv $(VENV); }
	$(PY) tools/install_torch.py requirements.lock $(if $(filter 1,$(TORCH_GPU)),--allow-gpu)
	$(PY) -m pip install --quiet --no-compile --no-deps -r requirements.lock
	$(PY) -m pip install --quiet --no-compile --no-deps --no-build-isolation --editable .
	$(PY) -m compileall -q -j 0 $(VENV)/lib >/dev/null || true
	@touch $@

# Unit tests check the SQL, not the data: they belong to `make test`.
build: $(STAMP) ## Build the bundled corpus with dbt: models and data tests (DBT_ARGS=...)
	$(BIN)/dbt build --exclude-resource-type unit_test --project-dir . --profiles-dir . $(DBT_ARGS)

dbt-checks: $(STAMP)
	$(BIN)/dbt build --project-dir . --profiles-dir .

# Every check runs, also after one that failed; the last line counts them.
test: $(STAMP) ## Run every check: linters, pytest, dbt build, install as a package, references
	@passed=0; failed=0; failures=; \
	for check in $(CHECKS); do \
		printf '\n===== %s =====\n' "$$check"; \
		if $(MAKE) --no-print-directory "$$check"; \
		then passed=$$((passed + 1)); \
		else failed=$$((failed + 1)); failures="$$failures $$check"; \
		fi; \
	done; \
	printf '\n===== all checks =====\n'; \
	if [ -n "$$failures" ]; then echo "These failed:$$failures"; fi; \
	echo "$$passed passed, $$failed failed"; \
	[ "$$failed" -eq 0 ]

lint: lint-python lint-sql ## Run the linters: ruff and sqlfluff

lint-python: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lint-sql: $(STAMP)
	$(BIN)/sqlfluff lint --disable-progress-bar $(SQL_PATHS)

pytest: $(STAMP) ## Run the Python tests (PYTEST_ARGS=...)
	$(PY) -m pytest --numprocesses auto --dist loadfile $(PYTEST_ARGS)

package-test: $(STAMP) ## Install the project as a dbt package into a scratch project, and build that
	PATH="$(abspath $(BIN)):$$PATH" bash tests/run_package_test.sh

references: $(STAMP) ## Compare with the reference files in REFERENCES, where they exist
	@if [ -d "$(REFERENCES)" ]; \
	then echo '$(PY) -m chunk_bakeoff.references $(REFERENCES)'; \
		$(PY) -m chunk_bakeoff.references "$(REFERENCES)"; \
	else echo "The references were NOT run: there is no folder $(REFERENCES) (name it with REFERENCES=...)."; \
	fi

# A variable given to `make score` becomes an option; make hands its value to the shell as
# it is, spaces and patterns included.
option = $(if $(filter command,$(origin $(1))),--$(2) "$$$(1)")

score: $(STAMP) ## Score your own files: DOCUMENTS='path/*.md' QUESTIONS=path.jsonl [NAME= STRATEGIES= CLEANING=]
	@if [ -z "$$DOCUMENTS" ] || [ -z "$$QUESTIONS" ]; then \
		echo "make score needs your documents and your questions:" >&2; \
		echo "  make score DOCUMENTS='path/*.md' QUESTIONS=path.jsonl [NAME=trial] [STRATEGIES='fixed structure'] [CLEANING='drop_link_definitions']" >&2; \
		exit 2; \
	fi
	@$(PY) -m chunk_bakeoff.score --documents "$$DOCUMENTS" --questions "$$QUESTIONS" \
		$(call option,NAME,name) $(call option,STRATEGIES,strategies) $(call option,CLEANING,cleaning)

memo: $(STAMP) ## Write the decision memo of the last build, in Markdown (DATABASE= OUTPUT=)
	@$(PY) -m chunk_bakeoff.memo $(call option,DATABASE,database) $(call option,OUTPUT,output)

replay: $(STAMP) ## Replay typical edits of the corpus and count what must be embedded again (DATABASE= VARS=)
	@$(PY) -m chunk_bakeoff.replay $(call option,DATABASE,database) $(call option,VARS,vars)

sweep: $(STAMP) ## Compare settings of one strategy: NAME=overlap_tokens [VARS=]; without NAME the list
	@$(PY) -m chunk_bakeoff.sweep $(call option,NAME,name) $(call option,VARS,vars)

elements: $(STAMP) ## Compare structured chunks with fixed windows on documents given as elements
	@$(PY) -m chunk_bakeoff.element_experiment

faults: $(STAMP) ## Kill embedding runs at twenty random points and run two builds at once (FAULTS='--seed 1')
	$(PY) tests/python/faults.py $(FAULTS)

benchmarks: $(STAMP) ## Measure times and sizes
	$(PY) benchmarks/run.py

# The GPU libraries that the index's torch asks for are left out: see tools/install_torch.py.
lock: $(STAMP) ## Resolve requirements.lock anew from pyproject.toml (keeps the pins that still fit)
	$(PY) -m pip install --quiet uv
	$(PY) -m uv pip compile --quiet --universal --python-version 3.11 --extra dev --no-header \
		--no-annotate --no-emit-index-url --no-emit-find-links --no-emit-package chunk-bakeoff \
		--output-file requirements.lock pyproject.toml
	@{ \
		echo "# Everything that make setup installs, for Python 3.11 to 3.13 on Linux and macOS; made by"; \
		echo "# make lock. torch goes in first, as a CPU build (tools/install_torch.py): a plain"; \
		echo "# pip install -r requirements.lock may bring a GPU build of several gigabytes."; \
		grep -E -v '^(#|nvidia-|cuda-|triton==)' requirements.lock \
			| sed -E "s/ ; sys_platform == 'darwin' or sys_platform == 'linux'\$$//"; \
	} > requirements.lock.new && mv requirements.lock.new requirements.lock

clean: ## Remove what builds and tests leave behind (the virtual environment stays)
	rm -rf target logs dbt_packages build dist .pytest_cache .ruff_cache .hypothesis .user.yml
	rm -f warehouse/*.duckdb warehouse/*.duckdb.wal
	rm -rf integration_tests/target integration_tests/logs integration_tests/dbt_packages
	find . -name '__pycache__' -type d -not -path './$(VENV)/*' -prune -exec rm -rf {} +
