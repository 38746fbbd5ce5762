"""`hive-gate render`: every format again, from a report.json alone."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from hive_gate.cli.render import render
from hive_gate.errors import UsageError
from hive_gate.report.interface import FORMATS, Options, get_format
from hive_gate.report.jsonfile import write_report
from hive_gate.report.model import Report

APP = typer.Typer()
APP.command()(render)


@pytest.fixture
def saved(closed_report: Report, tmp_path: Path) -> Path:
    path = tmp_path / "report.json"
    write_report(closed_report, path)
    return path


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_each_format_goes_to_the_standard_output(name: str, saved: Path, closed_report: Report) -> None:
    result = CliRunner().invoke(APP, [str(saved), "--format", name])
    assert result.exit_code == 0
    assert result.stdout_bytes.decode() == get_format(name).render(closed_report)


def test_a_file_is_written_and_nothing_is_printed(saved: Path, closed_report: Report) -> None:
    target = saved.parent / "notes" / "note.md"
    result = CliRunner().invoke(APP, [str(saved), "-f", "markdown", "--out", str(target)])
    assert (result.exit_code, result.output) == (0, "")
    assert target.read_bytes().decode() == get_format("markdown").render(closed_report)


def test_text_is_shown_or_redacted_as_asked(saved: Path, closed_report: Report) -> None:
    shown = CliRunner().invoke(APP, [str(saved), "-f", "textile", "--show-text"])
    assert shown.stdout_bytes.decode() == get_format("textile", Options(redacted=False)).render(closed_report)
    redacted = CliRunner().invoke(APP, [str(saved), "-f", "json", "--redact"])
    assert redacted.stdout_bytes.decode() == get_format("json", Options(redacted=True)).render(closed_report)


def test_a_note_keeps_to_the_bytes_given(saved: Path, closed_report: Report) -> None:
    result = CliRunner().invoke(APP, [str(saved), "-f", "markdown", "--max-bytes", "8000"])
    assert len(result.stdout_bytes) <= 8000
    assert CliRunner().invoke(APP, [str(saved), "-f", "markdown", "--max-bytes", "10"]).exit_code == 2


def test_a_wrong_format_is_told_before_the_report_is_read(tmp_path: Path) -> None:
    result = CliRunner().invoke(APP, [str(tmp_path / "none.json"), "--format", "pdf"])
    assert isinstance(result.exception, UsageError)
    assert "no format 'pdf'" in result.exception.message
