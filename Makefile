# Two commands do everything on a fresh machine: `make run` and `make test`.
PYTHON ?= python3
VENV ?= .venv
PORT ?= 8501
BIN := $(VENV)/bin

# The folder with real transcripts and cases that tests and benchmarks may read; they skip and say so without it.
export TUTELAGE_CORPUS ?= $(shell [ -d ../shared/cases ] && cd ../shared && pwd)

.PHONY: run test check setup bench clean

run: setup  ## Serve the desk at http://localhost:8501
	@echo "The desk is at http://localhost:$(PORT)"
	@exec $(BIN)/python -m uvicorn app:app --host 127.0.0.1 --port $(PORT) --ws-per-message-deflate false --log-level warning --no-access-log

test: $(VENV)/dev  ## Run every test, in a real browser too
	@tests/browser/find-chromium
	$(BIN)/python -m pytest -n auto --dist loadfile

check: $(VENV)/dev  ## Format, lint, types, and which way imports go
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

setup: $(VENV)/run  ## Install what the desk needs

bench: $(VENV)/dev  ## Measure, side by side with others
	$(BIN)/python -m bench.evidence
	$(BIN)/python -m bench.checks
	$(BIN)/python -m bench.screening
	$(BIN)/python -m bench.relevance
	$(BIN)/python -m bench.queue
	$(BIN)/python -m bench.log
	$(BIN)/python -m bench.transcript_view
	$(BIN)/python -m bench.reviewer

clean:  ## Remove what was installed; the data stay
	rm -rf $(VENV)

$(VENV)/run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed; this is %s. Name another with PYTHON=…" % sys.version.split()[0])'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/dev: $(VENV)/run requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@
