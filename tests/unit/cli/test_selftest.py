"""`hive-gate selftest`: what it prints, how it exits, what it leaves."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
import typer
from typer.testing import CliRunner

from hive_gate.cli.selftest import selftest
from hive_gate.data import CONTRACTS, NEXT_CONTRACT
from hive_gate.errors import UsageError
from hive_gate.exits import Exit

DOCS = CONTRACTS.parent / "docs"

app = typer.Typer()
app.command()(selftest)


def test_a_few_faults_are_tried_on_the_reference_server() -> None:
    done = CliRunner().invoke(app, ["--fault", "name-cut", "--fault", "rollback-renamed"])
    assert done.exit_code == Exit.OPEN
    lines = done.stdout.splitlines()
    assert "    noticed by thread-name.texts/ten-thousand (result)" in lines
    assert "  rollback.offered: rollback-renamed" in lines
    assert lines[-1] == "all 2 faults that fit reference were noticed, by 2 clauses; the others were not asked for"
    assert "hive-gate: 2 of 2 faults tried" in done.stderr


def test_what_no_chosen_fault_is_about_is_not_asked() -> None:
    done = CliRunner().invoke(app, ["--fault", "name-cut", "--json"])
    judged = {clause["id"] for clause in json.loads(done.stdout)["clauses"] if clause["clean"] != "not judged"}
    assert judged == {"thread-name.texts/ten-thousand"}


def test_the_json_is_all_that_is_on_stdout() -> None:
    done = CliRunner().invoke(app, ["--fault", "name-cut", "--json"])
    told = json.loads(done.stdout)
    assert (told["good"], told["partial"], told["counts"]["noticed"]) == (True, True, 1)


def test_a_fault_that_nothing_fits_is_refused_before_anything_starts() -> None:
    done = CliRunner().invoke(app, ["--fault", "no-such-fault"])
    assert isinstance(done.exception, UsageError)


@pytest.mark.parametrize("fault", ["paginated-pages-false-empty", "items-list-renamed", "mode-paginated-by-default"])
def test_a_fault_is_tried_although_no_required_clause_that_it_is_about_applies_without_it(fault: str) -> None:
    done = CliRunner().invoke(app, ["--fault", fault])
    assert (done.exit_code, " noticed, by " in done.stdout) == (Exit.OPEN, True)


def test_a_fault_that_says_nothing_on_the_target_proves_nothing() -> None:
    done = CliRunner().invoke(app, ["--fault", "rollback-is-back"])
    assert done.exit_code == Exit.CLOSED
    assert done.stdout == (
        "Faults that say nothing on reference: rollback-is-back\n\n"
        "nothing was tried: no fault that was asked for says anything on reference\n"
    )


def test_faults_are_listed_without_being_tried() -> None:
    done = CliRunner().invoke(app, ["--list", "--fault", "name-cut"])
    assert done.stdout == "name-cut: Of a name 255 characters are kept.\n"


def test_the_page_of_the_next_contract_is_of_its_own_clauses() -> None:
    done = CliRunner().invoke(app, ["--own", "--contract", str(NEXT_CONTRACT), "--markdown"])
    assert done.stdout == (DOCS / "selftest-next.md").read_text("utf-8")


def test_an_interruption_leaves_nothing_behind(tmp_path: Path) -> None:
    argv = (sys.executable, "-m", "hive_gate", "selftest", "--fault", "rollback-*")
    with subprocess.Popen(
        argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as process:
        assert process.stderr is not None
        said = [process.stderr.readline().decode() for _ in range(2)]
        assert "faults to try" in said[1], said
        below = psutil.Process(process.pid).children(recursive=True)
        assert below
        for _ in range(3):  # an impatient user
            process.send_signal(signal.SIGINT)
        told = process.stderr.read().decode()
        process.wait(60)
    assert process.returncode == Exit.INTERRUPTED
    assert told.splitlines()[-1] == "hive-gate: interrupted before it was done; start it again"
    assert [child for child in below if child.is_running()] == []
    assert list(tmp_path.iterdir()) == []
