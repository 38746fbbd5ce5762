"""JUnit, transcript, JSON and terminal text, and the list of formats."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from junitparser import JUnitXml
from rich.console import Console

from hive_gate.errors import UsageError
from hive_gate.report.interface import FORMATS, Options, get_format
from hive_gate.report.jsonfile import from_json, to_json
from hive_gate.report.model import Report
from hive_gate.report.redact import redact
from hive_gate.report.text import renderable


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("sample", ["closed_report", "open_report", "hostile_report"])
def test_every_format_is_utf_8_ends_its_last_line_and_has_its_name(
    name: str, sample: str, request: pytest.FixtureRequest
) -> None:
    made = get_format(name)
    text = made.render(request.getfixturevalue(sample))
    assert text.encode().decode() == text
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    assert made.name == name
    assert made.suffix.startswith(".")


def test_no_two_formats_write_files_of_one_name() -> None:
    suffixes = [get_format(name).suffix for name in FORMATS]
    assert len(set(suffixes)) == len(suffixes)


def test_a_format_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(UsageError) as caught:
        get_format("pdf")
    assert caught.value.hint == "choose one of text, textile, markdown, github, junit, transcript, json"


def test_json_is_the_report_again_and_redacted_only_if_asked(closed_report: Report) -> None:
    assert from_json(json.loads(get_format("json").render(closed_report))) == closed_report
    redacted = get_format("json", Options(redacted=True)).render(closed_report)
    assert from_json(json.loads(redacted)) == redact(closed_report)


def test_the_transcript_has_a_header_a_line_for_each_message_and_a_footer(closed_report: Report) -> None:
    lines = [
        json.loads(line)
        for line in get_format("transcript", Options(redacted=False)).render(closed_report).splitlines()
    ]
    assert [line["type"] for line in lines] == ["header", *["message"] * 5, "footer"]
    assert lines[0]["target"] == to_json(closed_report)["target"]
    assert lines[0]["contract"]["version"] == "1.0.0"
    assert lines[0]["run"]["id"] == "20261130-120000-ab12"
    assert lines[3] == {
        "type": "message", "n": 2, "server": 0, "ms": 43.0, "direction": "sent", "bytes": 110,
        "clause": "items-list.unsupported", "step": 0, "body": closed_report.messages[2].body,
    }  # fmt: skip
    assert lines[5]["text"] == "not json: warning"
    assert "body" not in lines[5]
    assert lines[-1] == {"type": "footer", "messages": 5, "complete": True}


def test_the_transcript_is_redacted_by_default(closed_report: Report) -> None:
    assert "my secret words" not in get_format("transcript").render(closed_report)


@pytest.mark.parametrize("name", ["transcript", "json"])
def test_no_line_of_hostile_data_breaks_a_line(name: str, hostile_report: Report) -> None:
    text = get_format(name).render(hostile_report)
    assert text.splitlines() == text.removesuffix("\n").split("\n")


def test_junit_has_a_suite_for_each_suite_and_a_case_for_each_clause(closed_report: Report) -> None:
    xml = JUnitXml.fromstring(get_format("junit").render(closed_report).encode())
    suites = {suite.name: suite for suite in xml}
    assert list(suites) == ["handshake", "turns-list", "items-list", "thread-name", "schema"]
    assert {name: (s.tests, s.failures, s.errors, s.skipped) for name, s in suites.items()} == {
        "handshake": (1, 0, 0, 0),
        "turns-list": (1, 0, 0, 0),
        "items-list": (2, 2, 0, 0),
        "thread-name": (1, 0, 0, 0),
        "schema": (1, 0, 0, 1),
    }
    properties = {p.name: p.value for p in suites["handshake"].properties()}  # type: ignore[no-untyped-call]
    assert properties["gate"] == "closed"
    assert properties["target.version"] == "0.143.0"
    assert properties["target.sha256"] == "ab" * 32
    assert properties["contract.sha256"] == "cd" * 32
    (skipped,) = next(iter(suites["schema"])).result
    assert skipped.message == "no schema here"
    assert "verdict: warn" in (next(iter(suites["thread-name"])).system_out or "")


def test_junit_tells_failures_errors_and_skips_apart(closed_report: Report) -> None:
    verdicts = ("pass", "fail", "stale", "blocked", "error", "warn", "waived", "not-offered")
    clauses = tuple(replace(closed_report.clauses[0], id=f"a.{v}", suite="a", verdict=v) for v in verdicts)  # type: ignore[arg-type]
    xml = JUnitXml.fromstring(get_format("junit").render(replace(closed_report, clauses=clauses)).encode())
    kinds = {case.name: [type(r).__name__ for r in case.result] for suite in xml for case in suite}
    assert kinds == {
        "a.pass": [], "a.fail": ["Failure"], "a.stale": ["Failure"], "a.blocked": ["Error"], "a.error": ["Error"],
        "a.warn": [], "a.waived": [], "a.not-offered": ["Skipped"],
    }  # fmt: skip


def test_junit_survives_hostile_data_with_every_case_in_it(hostile_report: Report) -> None:
    text = get_format("junit").render(hostile_report)
    names = [case.get("name") for case in ElementTree.fromstring(text.encode()).iter("testcase")]
    assert sorted(n or "" for n in names) == sorted(c.id for c in hostile_report.clauses)
    assert "␛[31mred" in text


def test_junit_of_a_run_without_a_verdict_is_not_green(open_report: Report) -> None:
    report = replace(open_report, gate="closed", clauses=(), run=replace(open_report.run, problem="It did not start."))
    xml = JUnitXml.fromstring(get_format("junit").render(report).encode())
    assert [(suite.name, suite.errors) for suite in xml] == [("run", 1)]


def test_the_terminal_text_shows_verdict_facts_suites_and_each_clause_that_is_not_a_pass(closed_report: Report) -> None:
    text = get_format("text").render(closed_report)
    assert "Gate CLOSED: codex-cli 0.143.0 breaks 2 of 4 required clauses" in text
    assert "Program            /home/kim/.cache/hive-gate/codex/0.143.0/bin/codex" in text
    assert "Warning            another codex is on PATH: /usr/local/bin/codex 0.142.0" in text
    assert "Item pages      0/2   items-list.unsupported (fail), items-list.refused/desc (fail)" in text
    for part in (
        "FAIL items-list.unsupported (required)",
        "WARN thread-name.kept (advisory)",
        "NOT-OFFERED schema.items",
    ):
        assert part in text
    assert "why       Hive scrolls back page by page." in text
    assert "turns-list.walk" not in text
    assert max(len(line) for line in text.splitlines()) <= 100


def test_the_terminal_text_takes_no_escape_or_markup_from_data(hostile_report: Report) -> None:
    clause = replace(hostile_report.clauses[0], actual="[red]x[/red] [/] \x1b[2J \u202e")
    text = get_format("text").render(replace(hostile_report, clauses=(clause,)))
    assert "[red]x[/red] [/] ␛[2J ‹U+202E›" in text
    assert "\x1b" not in text


def test_a_terminal_gets_color_and_the_plain_text_none(closed_report: Report) -> None:
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="truecolor", width=100, no_color=False).print(
        renderable(closed_report)
    )
    assert "\x1b[" in out.getvalue()
    assert "\x1b" not in get_format("text").render(closed_report)
