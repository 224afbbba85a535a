# Two commands matter: `make demo` and `make test`. They need Python 3.11 or newer and make, nothing else.

PY ?= python3
PORT ?= 8000
HOST ?=
VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(BIN)/python
RUN := $(VENV)/run.stamp
DEV := $(VENV)/dev.stamp
READ := $(VENV)/read.stamp
PYTEST := $(PYTHON) -m pytest
# Two runs of one commit try the same in the same order; what nobody thought of is looked for in the long ones.
SAME := --randomly-seed=1
# Two processes, each with a database, a browser and a queue of its own; the one that is done takes from the other.
PARALLEL ?= --numprocesses 2 --dist worksteal
ON_POSTGRES := -p tests.plugins.postgres -p tests.plugins.valkey
# Only these files hold tests of what a database does: collecting all the others takes longer than they do.
OF_POSTGRES = $(shell grep -rl --include='test_*.py' 'mark\.postgres' tests)
# A long proof may run for hours.
UNHURRIED := -o faulthandler_timeout=0
NOT_LONG := not slow(long=True)

# What one process has compiled the next one need not compile again; it lies in the virtualenv, not in the tree.
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/compiled
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo serve package docs pictures test test-all test-long check lint types dead floors migrations deploy schema audit bench mutants lock clean

help:
	@echo "make demo [PORT=8123]  serve the example club; Ctrl-C stops everything"
	@echo "make test [ARGS=path]  the core of each promise: on SQLite, on PostgreSQL with a real broker, in Chromium; 8 minutes"
	@echo "make test-all          every test but the long ones: all games, pages and journeys, on both databases"
	@echo "make test-long [TIMES=10] the long proofs, on both databases; ten times as many generated cases"
	@echo "make check             style, types, dead code, floors, migrations, deployment settings, known vulnerabilities"
	@echo "make bench [ARGS=--json]  the benchmarks"
	@echo "make mutants           small faults planted by machine: which of them no test notices"
	@echo "make package           the wheel, in dist/"
	@echo "make docs              the documents as a site with search, in dist/docs"
	@echo "make pictures          the pictures of the README, of the example club"
	@echo "make lock              resolve pyproject.toml and requirements/*.in again"

# --- One virtualenv, filled from the lock files ---------------------------------------------------------

$(PYTHON):
	@$(PY) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "This needs Python 3.11 or newer; name one with PY=, e.g. make PY=python3.11 demo"; exit 1; }
	@echo "Making a virtualenv in $(VENV)"
	@$(PY) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "No virtualenv could be made. On Debian: apt install python3-venv, then run make again."; exit 1; }

# uv installs in seconds what takes pip minutes; where uv cannot be had or cannot reach an index, pip does it.
define install
	@$(BIN)/uv --version >/dev/null 2>&1 \
		|| $(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt \
			2>/dev/null \
		|| echo "uv cannot be had here; pip will do, slower."
	@echo "Installing $(1)"
	@test -x $(BIN)/uv \
		&& $(BIN)/uv pip install --quiet --system-certs --python $(PYTHON) --require-hashes -r $(1) \
		|| $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r $(1)
	@touch $@
endef

$(RUN): requirements/run.txt requirements/uv.txt | $(PYTHON)
	$(call install,requirements/run.txt)

$(DEV): requirements/dev.txt requirements/uv.txt | $(PYTHON)
	$(call install,requirements/dev.txt)

# --- Serve ----------------------------------------------------------------------------------------------

demo: $(RUN)
	@exec $(PYTHON) manage.py serve --demo $(if $(HOST),--host $(HOST)) --port $(PORT) --while-parent-lives $(ARGS)

serve: $(RUN)
	@exec $(PYTHON) manage.py serve $(if $(HOST),--host $(HOST)) --port $(PORT) --while-parent-lives $(ARGS)

# --- Prove ----------------------------------------------------------------------------------------------

# What a fresh checkout has to compile, and the asserts that pytest rewrites, take 34 s of a processor: once here, and not
# once in each process.
$(READ): $(DEV)
	@$(PYTEST) --collect-only -qq tests/tournaments >/dev/null & \
	$(PYTEST) --collect-only -qq --ignore=tests/tournaments >/dev/null; wait
	@touch $@

# Two sessions: everything on SQLite, and on PostgreSQL with a real broker what is about a database. `ARGS=path` takes one
# file or folder, in one process.
ifdef ARGS
test: $(DEV)
	@$(PYTEST) $(SAME) $(ARGS)
else
test: $(READ)
	@$(call both,quick,not slow,postgres and not slow,$(OF_POSTGRES))
endif

test-all: $(READ)
	@$(call both,all,$(NOT_LONG),$(NOT_LONG) and not browser,tests)

# The session on PostgreSQL waits more than it works: it runs beside the other, a quick one in one process. Of a green one
# only the last line is shown, so that what failed stands at the end. A quick run leaves out tests that have snapshots
# (and `-m` does not tell syrupy so): there an unused one is a warning, and a failure in the whole run.
define both
	log=$$(mktemp); trap 'kill $$other 2>/dev/null; rm -f $$log' EXIT; failed=0; export TESTS=$(1); \
	$(PYTEST) $(SAME) $(if $(filter all,$(1)),$(PARALLEL)) $(ON_POSTGRES) -m "$(3)" $(4) >$$log 2>&1 & other=$$!; \
	$(PYTEST) $(SAME) $(PARALLEL) -m "$(2)" $(if $(filter quick,$(1)),--snapshot-warn-unused) || failed=1; \
	echo; echo "On PostgreSQL"; if wait $$other; then tail -n 1 $$log; else failed=1; cat $$log; fi; \
	exit $$failed
endef

# Both halves wait more than they work: they run side by side. Then the browser, with late scripts and a busy processor.
test-long: $(READ)
	@log=$$(mktemp); trap 'kill $$half 2>/dev/null; rm -f $$log' EXIT; failed=0; \
	TESTS=long $(PYTEST) $(UNHURRIED) -m "slow(long=True) or (hypothesis and not django_db)" $(ARGS) >$$log 2>&1 & half=$$!; \
	TESTS=long $(PYTEST) $(UNHURRIED) $(ON_POSTGRES) -m "slow(long=True) and not browser" $(ARGS) || failed=1; \
	TEST_PARTS=8 $(PYTEST) $(ON_POSTGRES) -m "$(NOT_LONG) and not browser" $(ARGS) || failed=1; \
	TEST_PARTS=8 $(PYTEST) $(UNHURRIED) $(ON_POSTGRES) -m "slow(long=True)" tests/resilience/test_parts.py || failed=1; \
	wait $$half || failed=1; \
	echo; echo "On SQLite"; cat $$log; \
	$(PYTEST) -p tests.plugins.slow_pages -m "browser and $(NOT_LONG)" $(ARGS) || failed=1; \
	exit $$failed

# make mutants ARGS="scoring.money.payouts.*"; which files and tests: tool.mutmut in pyproject.toml.
mutants: $(DEV)
	@HYPOTHESIS_PROFILE=mutants $(BIN)/mutmut run $(if $(ARGS),"$(ARGS)")
	@$(BIN)/mutmut results | sed "/not checked/d"

bench: $(DEV)
	@$(PYTHON) -m benchmarks $(ARGS)

# --- Check ----------------------------------------------------------------------------------------------

check: lint types dead floors migrations deploy schema docs audit

lint: $(DEV)
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/djangofmt --check .
	@$(BIN)/djangofmt check .

types: $(DEV)
	@$(BIN)/mypy

dead: $(DEV)
	@$(PYTHON) .ci/dead_code.py

floors: $(DEV)
	@$(BIN)/lint-imports

migrations: $(DEV)
	@$(PYTHON) manage.py makemigrations --check --dry-run

deploy: $(DEV)
	@.ci/check-deploy $(PYTHON)

schema: $(DEV)
	@$(PYTHON) manage.py spectacular --validate --fail-on-warn --file $(VENV)/openapi.yaml && echo "OpenAPI: valid"

# A site with search. A warning, or a link to what is not there, is a failure.
docs: $(DEV)
	@$(PYTHON) -m sphinx --quiet --fresh-env --fail-on-warning --keep-going docs dist/docs && echo "docs: dist/docs/index.html"

# The README's, of the example club in a browser; the machine needs Chromium.
pictures: $(DEV)
	@$(PYTHON) docs/pictures/take.py

audit: $(DEV)
	@$(PYTHON) .ci/audit.py

# --- Keep house -----------------------------------------------------------------------------------------

LOCK := $(BIN)/uv pip compile --quiet --system-certs --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock" $(UPGRADE)

lock: $(DEV)
	@$(LOCK) requirements/uv.in --output-file requirements/uv.txt
	@$(LOCK) requirements/build.in --output-file requirements/build.txt
	@$(LOCK) pyproject.toml --output-file requirements/run.txt
	@$(LOCK) pyproject.toml requirements/dev.in --output-file requirements/dev.txt
	@! grep -n "://" requirements/*.txt || { echo "a lock file names a host"; exit 1; }

# The wheel, and the archive that it is made from.
package: $(DEV)
	@$(PYTHON) manage.py messages --check
	@$(PYTHON) -m build --no-isolation --outdir dist .

clean:
	rm -rf $(VENV) dist mutants staticfiles .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
