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
from hive_gate.report.model import Baseline, Report
from hive_gate.report.redact import redact
from hive_gate.report.text import renderable


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("sample", ["closed_report", "open_report", "waived_report", "hostile_report"])
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
    assert (
        caught.value.hint == "choose one of text, textile, markdown, github, junit, transcript, html, annotations, json"
    )


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
    assert hostile_report.baseline
    problems = [f"the baseline is true ({number + 1})" for number in range(len(hostile_report.baseline.problems))]
    assert sorted(n or "" for n in names) == sorted([*(c.id for c in hostile_report.clauses), *problems])
    assert "␛[31mred" in text


def test_junit_tells_what_is_waived_and_fails_for_what_is_not_true_of_the_baseline(waived_report: Report) -> None:
    xml = JUnitXml.fromstring(get_format("junit").render(waived_report).encode())
    cases = {case.name: case for suite in xml for case in suite}
    waived, stale = cases["items-list.unsupported"], cases["items-list.refused/desc"]
    assert list(waived.result) == []
    assert "accepted: Hive 3.2 does without. (release team, until 2027-03-31, entry /waiver/0)" in waived.system_out
    assert "fingerprint: 0a1b2c3d4e5f" in waived.system_out
    (failure,) = stale.result
    assert failure.message == "The baseline's entry /waiver/1 accepts a failure, and the clause passes: take it out."
    (problem,) = cases["the baseline is true (1)"].result
    assert (type(problem).__name__, problem.message) == (
        "Failure",
        "The baseline's entry /waiver/2 (resume.ful) names no clause of the contract: take it out.",
    )
    properties = {p.name: p.value for p in next(iter(xml)).properties()}  # type: ignore[no-untyped-call]
    assert [properties[f"baseline.{name}"] for name in ("path", "sha256", "entries", "applied")] == [
        "…/baseline.toml", "ef" * 32, "4", "3",
    ]  # fmt: skip


def test_junit_says_nothing_of_a_baseline_that_was_not_applied(closed_report: Report) -> None:
    assert "baseline" not in get_format("junit").render(closed_report)


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
    assert "why          Hive scrolls back page by page." in text
    assert "fingerprint  0a1b2c3d4e5f" in text
    assert "turns-list.walk" not in text
    assert max(len(line) for line in text.splitlines()) <= 100


def test_the_terminal_text_shows_waived_failures_under_their_own_heading(waived_report: Report) -> None:
    lines = get_format("text").render(waived_report).splitlines()
    assert lines[lines.index("Waived by the baseline") :][:4] == [
        "Waived by the baseline",
        "  items-list.unsupported",
        "    reason       Hive 3.2 does without. (release team, until 2027-03-31, entry /waiver/0)",
        '    actual       a result: "my secret words" from /home/kim/secret-project/a.txt',
    ]
    assert "Baseline           /home/kim/hive/contracts/baseline.toml: 4 entries, 3 for this version" in lines
    assert any(line.startswith("Baseline problem   The baseline's entry /waiver/2 (resume.ful)") for line in lines)


def test_the_terminal_text_says_why_a_clause_is_stale(waived_report: Report) -> None:
    text = " ".join(get_format("text").render(waived_report).split())
    assert (
        "STALE items-list.refused/desc (required) expected an error -32601 that ends in `is not supported yet` "
        "actual a result baseline The baseline's entry /waiver/1 accepts a failure, and the clause passes: take it "
        "out. Accepted so far: See /home/kim/notes.txt. (@admin, until 2027-01-31, entry /waiver/1)"
    ) in text


def test_a_baseline_without_entries_says_so(open_report: Report) -> None:
    report = replace(open_report, baseline=Baseline("b.toml", "ef" * 32, 0, 0))
    assert "Baseline           b.toml: no entries\n" in get_format("text").render(report)
    report = replace(open_report, baseline=Baseline("b.toml", "ef" * 32, 1, 0))
    assert "Baseline           b.toml: 1 entry, none for this version\n" in get_format("text").render(report)


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


def test_annotations_say_the_answer_then_what_closes_the_gate_then_warnings(closed_report: Report) -> None:
    lines = get_format("annotations").render(closed_report).splitlines()
    assert lines[0].startswith("::error title=codex-cli")
    assert "Gate CLOSED" in lines[0]
    marks = [line.partition(" ")[0] for line in lines[1:]]
    assert marks == sorted(marks)
    told = {line.partition("title=")[2].partition("%3A")[0] for line in lines[1:]}
    wanted = {c.id for c in closed_report.clauses if c.verdict not in ("pass", "not-offered")}
    assert told == wanted


def test_an_open_gate_is_a_notice_and_more_than_ten_are_counted(open_report: Report, closed_report: Report) -> None:
    assert get_format("annotations").render(open_report).startswith("::notice title=")
    broken = next(c for c in closed_report.clauses if c.verdict == "fail")
    many = replace(closed_report, clauses=tuple(replace(broken, id=f"read.{n}") for n in range(30)))
    lines = get_format("annotations").render(many).splitlines()
    assert [line.partition(" ")[0] for line in lines] == ["::error"] * 10 + ["::notice"]
    assert lines[-1] == "::notice title=more::21 more errors are in report.json"


@pytest.mark.parametrize("name", ["text", "textile", "markdown", "github", "html"])
def test_a_decision_that_a_run_contradicts_says_so(name: str, open_report: Report) -> None:
    from hive_gate.report.model import Note

    note = Note("items-view", "Summary.", "#942", "decided", ("turns-list.*",), ("turns-list.view/full",))
    told = get_format(name).render(replace(open_report, decisions=(note,)))
    plain = get_format(name).render(replace(open_report, decisions=(replace(note, contradicted=()),)))
    assert "ontradicted by this run" in told
    assert "ontradicted by this run" not in plain
    assert "turns-list.view/full" in told


@pytest.mark.parametrize("name", ["text", "textile", "markdown", "github", "html"])
def test_a_decision_names_its_record_and_what_the_measurement_says_to_it(name: str, closed_report: Report) -> None:
    told = " ".join(get_format(name).render(closed_report).split())
    assert "docs/decisions/0002-items-view.md" in told
    assert "ontradicted by the measurement" in told
    assert "full takes hardly longer (full, ms.ratio: 1.52, at most 1.3)" in told
    assert "old pages are as quick (deep, ms.ratio: too noisy, at most 1.5)" in told
    assert "pages take longer (growth.plain, full: 0.98, at least 0.5)" in told
    assert (
        "hive-gate cost 20261130T170931Z-9d71e4, 2026-11-30T17:09:31+00:00, cost.json sha256 1212121212121212" in told
    )


@pytest.mark.parametrize("name", ["text", "textile", "markdown", "github", "html"])
def test_without_a_measurement_the_numbers_are_evidence_and_nothing_more(name: str, closed_report: Report) -> None:
    view = closed_report.decisions[0]
    plain = replace(view, measured=tuple(replace(c, support=None, found=None, why=None) for c in view.measured))
    report = replace(closed_report, constraints=(), decisions=(plain,), measurement=None)
    told = get_format(name).render(report)
    assert "the measurement" not in told
    assert "hive-gate cost" not in told
