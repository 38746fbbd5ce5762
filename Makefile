# Two commands matter: `make probe` asks the real server, `make test` proves that the gate can be trusted.
# Both set themselves up in .venv; everything else here serves them.
# ARGS goes to the command behind a target: make probe ARGS="--codex 0.143.0"

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: digests evidence evidence-matrix help setup setup-dev probe test check docs docs-generated format lock clean preflight

# The Python that made .venv goes on being used; else the python3 on PATH. To change it: make setup PYTHON=python3.12
PYTHON ?= $(shell p=$$(sed -n 's/^executable = //p' .venv/pyvenv.cfg 2>/dev/null); if [ -x "$$p" ]; then echo "$$p"; else echo python3; fi)
UV ?= $(if $(wildcard .venv/bin/uv),.venv/bin/uv,uv)
ARGS ?=
BIN := .venv/bin
SAY := @printf '==> %s\n'

help: ## Say what each target does (this list)
	@printf 'usage: make TARGET [ARGS="..."]\n\n'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | awk -F'|' '{ printf "%-17s %s\n", $$1, $$2 }'

probe: setup ## Probe the pinned codex app-server; the note and the report go to reports/
	@$(BIN)/hive-gate probe $(ARGS)

# By module (loadscope), so that what a module measures or starts once is made once. Three at a time on two cores: tests
# wait a good part of their time for servers and clocks.
test: check ## Run every check and every test, live ones included
	$(SAY) 'tests: unit, live, terminal and proof'
	@$(BIN)/python -m pytest -q -n 3 --dist loadscope --durations 12 $(ARGS)

check: setup-dev ## Lint, types, layers, docs, README and hygiene, without tests
	$(SAY) 'ruff: lint and format'
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check .
	$(SAY) 'mypy: types'
	@$(BIN)/mypy
	$(SAY) 'import-linter: who may import whom'
	@$(BIN)/lint-imports --no-logo
	$(SAY) 'sphinx: docs, every warning an error'
	@$(BIN)/python -m sphinx -E -n -W --keep-going -q -b html docs docs/_build/html
	$(SAY) 'README: help texts as the program prints them'
	@$(BIN)/python -m tools.check_readme
	$(SAY) 'docs/selftest.md, docs/selftest-next.md: as the registries of faults say'
	@$(BIN)/python -m tools.make_selftest_page --check
	$(SAY) 'docs/clauses*: as the contracts, the faults and the matrix in evidence say'
	@$(BIN)/python -m tools.make_clauses_page --check
	$(SAY) 'docs/version-map.md: as the matrix in evidence says'
	@$(BIN)/python -m tools.make_version_map --check
	$(SAY) 'docs/adapter-contract.md: as the contract says'
	@$(BIN)/python -m tools.make_adapter_page --check
	$(SAY) 'docs/drift.md: the rules as the code has them'
	@$(BIN)/python -m tools.make_drift_rules --check
	$(SAY) 'hygiene: nothing of this machine, of a registry or of a vendor in the tree'
	@$(BIN)/python -m tools.check_hygiene

docs: setup-dev ## Build the docs into docs/_build/html
	$(SAY) 'sphinx: docs'
	@$(BIN)/python -m sphinx -n -W --keep-going -q -b html docs docs/_build/html
	@echo 'open docs/_build/html/index.html'

EVIDENCE := reports/evidence/0.142.5
evidence: setup ## Probe the pinned version and renew its committed evidence, redacted
	@$(BIN)/hive-gate probe --codex 0.142.5 --cost reports/evidence/cost-0.142.5/cost.json --out reports/0.142.5 >/dev/null
	@mkdir -p $(EVIDENCE)
	@for f in json:report.json textile:note.textile markdown:note.md junit:junit.xml transcript:transcript.jsonl text:report.txt; do \
		$(BIN)/hive-gate render reports/0.142.5/report.json --redact --format $${f%%:*} --out $(EVIDENCE)/$${f#*:} || exit 1; \
	done
	@echo 'renewed: $(EVIDENCE)'

# The versions that docs/ speaks of. 1 is a gate that is closed somewhere, which is what the map is there to show.
MATRIX_VERSIONS := 0.125.0 0.130.0 0.136.0 0.142.2 0.142.5 0.143.0 0.144.6 0.146.1 0.150.1 0.151.0 0.153.4 0.155.1 \
	0.156.0 0.157.1 0.163.0 0.171.0
evidence-matrix: setup-dev ## Ask every version in MATRIX_VERSIONS again where needed, and renew the matrix and its pages
	@$(BIN)/hive-gate matrix $(MATRIX_VERSIONS) --contract current --contract next --no-baseline \
		--out reports/evidence-matrix >/dev/null || [ $$? -eq 1 ]
	@$(BIN)/python -m tools.matrix_evidence reports/evidence-matrix/matrix.json
	@$(BIN)/python -m tools.make_clauses_page
	@$(BIN)/python -m tools.make_version_map

docs-generated: setup-dev ## Renew what docs/ has from the contract, the faults, the matrix and the rules of drift
	@$(BIN)/python -m tools.make_clauses_page
	@$(BIN)/python -m tools.make_version_map
	@$(BIN)/python -m tools.make_adapter_page
	@$(BIN)/python -m tools.make_selftest_page
	@$(BIN)/python -m tools.make_drift_rules

digests: setup-dev ## Renew the digests in fixtures/digests, or add versions: make digests ARGS=0.172.0
	@$(BIN)/python -m tools.make_digests $(ARGS)

format: setup-dev ## Let ruff fix and format the code, and renew the help texts in the README
	$(SAY) 'ruff: fix and format'
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .
	$(SAY) 'README: help texts'
	@$(BIN)/python -m tools.check_readme --fix

setup: preflight ## Make .venv with what a probe needs (a no-op when nothing changed)
	@"$(PYTHON)" tools/setup_venv.py run

setup-dev: preflight ## Make .venv with what the tests and checks need as well
	@"$(PYTHON)" tools/setup_venv.py dev

# Locks hold for Python 3.11 and later on every platform. Pins that still fit stay: make lock ARGS=--upgrade
LOCK = "$(UV)" pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--custom-compile-command 'make lock' --quiet

lock: ## Renew requirements/*.txt from pyproject.toml (needs uv)
	@command -v "$(UV)" >/dev/null || { echo 'make lock: uv is missing; install it into the venv: $(BIN)/pip install uv' >&2; exit 2; }
	$(SAY) 'uv: lock requirements/'
	@$(LOCK) --group dev --output-file requirements/dev.txt $(ARGS)
	@$(LOCK) --constraint requirements/dev.txt --output-file requirements/run.txt
	@$(LOCK:pyproject.toml=) --group build --constraint requirements/dev.txt --output-file requirements/build.txt

clean: ## Remove what these targets made (.venv, caches, built docs); reports/ stays
	$(SAY) 'clean'
	@rm -rf .venv .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist docs/_build
	@find ci hive_gate tests tools docs bench -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

preflight:
	@command -v "$(PYTHON)" >/dev/null || { echo 'make: $(PYTHON) is not on PATH; install Python 3.11 or later, or name one: make $(MAKECMDGOALS) PYTHON=/path/to/python3' >&2; exit 2; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11, 4))' || { echo 'make: $(PYTHON) is older than Python 3.11.4; name a newer one: make $(MAKECMDGOALS) PYTHON=python3.12' >&2; exit 2; }
	@"$(PYTHON)" -c 'import ensurepip, venv' 2>/dev/null || { echo 'make: $(PYTHON) cannot make virtual environments; install its venv module (on Debian and Ubuntu the package python3-venv)' >&2; exit 2; }
	@command -v npm >/dev/null || echo 'make: npm is not on PATH: codex versions that are not in the cache yet cannot be fetched; install Node.js with npm' >&2
