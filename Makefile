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
# What a browser shows hangs on moments that no test holds: a page is tried once more before it is called wrong.
ONCE_MORE := --reruns 1
ON_POSTGRES := -p tests.plugins.postgres -p tests.plugins.valkey
# A long proof may run for hours.
UNHURRIED := -o faulthandler_timeout=0
# Tests of the ground floors touch neither a database nor a page: other parts need not collect them.
PURE := $(addprefix tests/scoring/,facts money rules evening sheets)
# Tests that start, kill and restart processes wait more than they work: they run beside the others, and have a database
# server to themselves.
OF_PROCESSES := tests/rummy_site tests/resilience
AGAIN := (database or broker) and not (once or door or alike or browser or long or timed)
# What holds a clock to something would find the other parts' load.
TIMED = $(shell grep -rl --include='test_*.py' 'mark\.timed' tests)
# Only these files hold tests in a browser: collecting all the others takes longer than many of those tests.
IN_BROWSER = $(shell grep -rl --include='test_*.py' 'mark\.browser' tests)
WITHOUT_PURE := $(addprefix --ignore=,$(PURE))
WITHOUT_PROCESSES := $(addprefix --ignore=,$(OF_PROCESSES))

# What one process has compiled the next one need not compile again; it lies in the virtualenv, not in the tree.
export PYTHONPYCACHEPREFIX := $(CURDIR)/$(VENV)/compiled
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo serve package docs pictures test test-rules test-sqlite test-sqlite-processes test-browser test-postgres test-processes test-timed test-long test-long-sqlite test-long-postgres check lint types dead floors migrations deploy schema audit bench mutants lock clean

help:
	@echo "make demo [PORT=8123]  serve the example club; Ctrl-C stops everything"
	@echo "make test              the suite on SQLite and in Chromium, its database part on PostgreSQL and a real broker"
	@echo "make test-rules        one part of it alone, as are test-sqlite, test-sqlite-processes, test-browser,"
	@echo "                       test-postgres, test-processes and test-timed"
	@echo "make test-long [TIMES=10] the long proofs, on both databases; ten times as many generated cases"
	@echo "make check             style, types, dead code, floors, migrations, deployment settings, known vulnerabilities"
	@echo "make bench [ARGS=--json]  the benchmarks"
	@echo "make mutants ARGS=...  small faults planted by machine: which of them no test notices"
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
# once in each part.
$(READ): $(DEV)
	@$(PYTEST) --collect-only -qq tests/tournaments >/dev/null & \
	$(PYTEST) --collect-only -qq --ignore=tests/tournaments >/dev/null; wait
	@touch $@

# The parts share nothing but the machine, so they run side by side; what holds a clock to something runs after them.
# What needs servers of its own, and a browser, which keeps time, go first wherever there is not enough for all; the
# others fill what they leave.
test: $(READ)
	@logs=$$(mktemp -d); trap 'rm -rf $$logs' EXIT; failed=0; \
	for part in postgres processes sqlite-processes browser; do \
		$(MAKE) --no-print-directory test-$$part >$$logs/$$part 2>&1 & echo $$! >$$logs/$$part.pid; \
	done; \
	nice -n 8 $(MAKE) --no-print-directory test-rules >$$logs/rules 2>&1 & echo $$! >$$logs/rules.pid; \
	nice -n 8 $(MAKE) --no-print-directory test-sqlite ARGS="-n 2 $(ARGS)" || failed=1; \
	for part in rules browser sqlite-processes processes postgres; do \
		wait $$(cat $$logs/$$part.pid) || failed=1; \
		echo; echo "make test-$$part"; cat $$logs/$$part; \
	done; \
	$(MAKE) --no-print-directory test-timed || failed=1; \
	exit $$failed

test-rules: $(DEV)
	@$(PYTEST) $(SAME) $(PURE) -m "not (browser or long or timed)" $(ARGS)

test-sqlite: $(DEV)
	@$(PYTEST) $(SAME) $(WITHOUT_PURE) $(WITHOUT_PROCESSES) -m "not (browser or long or timed)" $(ARGS)

test-sqlite-processes: $(DEV)
	@$(PYTEST) $(SAME) $(OF_PROCESSES) -m "not (browser or long or timed)" $(ARGS)

test-browser: $(DEV)
	@$(PYTEST) $(SAME) $(ONCE_MORE) $(IN_BROWSER) -m "browser and not long" $(ARGS)

test-postgres: $(DEV)
	@$(PYTEST) $(SAME) $(ON_POSTGRES) $(WITHOUT_PURE) $(WITHOUT_PROCESSES) -m "$(AGAIN)" $(ARGS)

test-processes: $(DEV)
	@$(PYTEST) $(SAME) $(ON_POSTGRES) $(OF_PROCESSES) -m "$(AGAIN)" $(ARGS)

test-timed: $(DEV)
	@$(PYTEST) $(SAME) $(TIMED) -m "timed and not long" $(ARGS)
	@$(PYTEST) $(SAME) $(ON_POSTGRES) $(TIMED) -m "timed and (database or broker) and not (once or door or alike or long)" $(ARGS)

# Both halves wait more than they work: they run side by side.
test-long: $(READ)
	@log=$$(mktemp); trap 'rm -f $$log' EXIT; failed=0; \
	$(MAKE) --no-print-directory test-long-sqlite >$$log 2>&1 & half=$$!; \
	$(MAKE) --no-print-directory test-long-postgres || failed=1; \
	wait $$half || failed=1; \
	echo; echo "make test-long-sqlite"; cat $$log; \
	exit $$failed

test-long-sqlite: $(DEV)
	@HYPOTHESIS_PROFILE=long $(PYTEST) $(UNHURRIED) -m long $(ARGS)
	@$(PYTEST) -p tests.plugins.slow_pages $(WITHOUT_PURE) -m "browser and not long" $(ARGS)

test-long-postgres: $(DEV)
	@HYPOTHESIS_PROFILE=long $(PYTEST) $(UNHURRIED) $(ON_POSTGRES) -m "(database or broker) and long and not (browser or walk and once)" $(ARGS)
	@$(PYTEST) $(ON_POSTGRES) -m "(door or alike) and not (once or browser or long)" $(ARGS)
	@TEST_PARTS=8 $(PYTEST) $(ON_POSTGRES) $(WITHOUT_PURE) -m "(database or broker) and not (once or browser or long or timed)" $(ARGS)
	@TEST_PARTS=8 $(PYTEST) $(UNHURRIED) $(ON_POSTGRES) tests/resilience/test_parts.py -m long $(ARGS)

# make mutants ARGS="scoring/money --tests tests/scoring/money --report mutants.txt"
mutants: $(DEV)
	@HYPOTHESIS_PROFILE=mutants $(PYTHON) -m tests.mutation $(ARGS)

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
	@$(LOCK) pyproject.toml --output-file requirements/run.txt
	@$(LOCK) pyproject.toml requirements/dev.in --output-file requirements/dev.txt
	@! grep -n "://" requirements/*.txt || { echo "a lock file names a host"; exit 1; }

# The wheel, and the archive that it is made from.
package: $(DEV)
	@$(PYTHON) -m build --no-isolation --outdir dist .

clean:
	rm -rf $(VENV) dist staticfiles .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
