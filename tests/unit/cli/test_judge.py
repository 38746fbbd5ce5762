"""`hive-gate judge`: what is printed, what is written, and the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from hive_gate.cli.judge import judge
from hive_gate.errors import UsageError
from tests.support.talk import Talk, good

APP = typer.Typer()
APP.command()(judge)

Run = Callable[..., Result]


def run(*arguments: str | Path) -> Result:
    """Run the command; errors for people come through, as the app's main wants them."""
    result = CliRunner().invoke(APP, [str(one) for one in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return good().write(tmp_path / "kept.jsonl")


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    talk = good()
    talk.pages("c2", None)
    return talk.write(tmp_path / "broken.jsonl")


def test_the_exit_code_says_whether_a_required_rule_is_broken(kept: Path, broken: Path, tmp_path: Path) -> None:
    nothing = Talk().write(tmp_path / "nothing.jsonl")
    assert [run(path).exit_code for path in (kept, broken, nothing)] == [0, 1, 1]


def test_the_terminal_is_told_every_rule_and_stderr_nothing(kept: Path, broken: Path) -> None:
    result = run(kept)
    assert result.stdout.startswith("Client KEEPS the adapter contract of hive-app-server")
    assert result.stderr == ""
    told = run(broken)
    assert "adapter.stop-at-null - fail (required)" in told.stdout
    assert "a page is asked for after the last one" in told.stdout


def test_a_format_for_programs_is_alone_on_stdout(broken: Path) -> None:
    result = run(broken, "--format", "json")
    assert run(broken, "--json").stdout == result.stdout
    assert json.loads(result.stdout)["outcome"] == "broken"
    assert result.stderr.startswith("hive-gate: Client BREAKS")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("name", ["textile", "markdown", "github", "html", "json", "junit", "annotations", "text"])
def test_each_format_goes_into_a_file(name: str, broken: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "made"
    result = run(broken, "-f", name, "-o", target)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "adapter.stop-at-null" in target.read_text(encoding="utf-8")


def test_a_transcript_that_was_cut_off_is_judged_and_called_so(broken: Path) -> None:
    broken.write_bytes(broken.read_bytes()[:-100])
    result = run(broken)
    assert result.exit_code == 1
    assert result.stderr == (
        "hive-gate: the transcript is not complete: "
        "it ends without a footer: it was cut off, or is still being written\n"
    )


def test_what_is_no_transcript_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Kim,\n", encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        run(path)
    assert caught.value.where == f"{path}, line 1"
    assert caught.value.exit_code == 2


def test_a_wrong_format_is_told_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no format 'pdf'"):
        run(tmp_path / "none.jsonl", "--format", "pdf")


def test_clauses_cannot_be_judged_from_a_transcript_and_that_is_said(kept: Path) -> None:
    with pytest.raises(UsageError, match="Clauses are judged from the report") as caught:
        run(kept, "--by", "clauses")
    assert caught.value.where == str(kept)
    assert caught.value.hint is not None
    assert "--by" in caught.value.hint
