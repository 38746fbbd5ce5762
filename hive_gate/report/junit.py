"""JUnit XML for CI: a testsuite a suite, a testcase a clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from junitparser.junitparser import FinalResult

from hive_gate.report import verdict
from hive_gate.report.facts import accepted
from hive_gate.report.model import Baseline, ClauseResult, Finding, Report
from hive_gate.report.plain import cut, visible
from hive_gate.report.redact import redact

_LINE = 2_000
"""Characters of one sentence; CI pages show them unfolded."""


@dataclass(frozen=True, slots=True)
class JUnitFormat:
    """Renders JUnit XML; see `hive_gate.report.interface.Format`."""

    name: str = "junit"
    suffix: str = ".xml"
    redacted: bool = True

    def render(self, report: Report) -> str:
        """Return the XML document as text."""
        shown = redact(report) if self.redacted else report
        xml = JUnitXml(_text(f"hive-gate {shown.contract.name} {shown.contract.version}"))
        for summary in verdict.suites(shown):
            xml.add_testsuite(_suite(shown, summary.id, [c for c in shown.clauses if c.suite == summary.id]))
        if shown.baseline is not None and shown.baseline.problems:
            xml.add_testsuite(_baseline(shown, shown.baseline))
        if verdict.outcome(shown) == "not-judged":
            # Without it a run that judged nothing would be a file without failures, which CI takes for green.
            xml.add_testsuite(_unjudged(shown))
        return written(xml)


def written(xml: JUnitXml) -> str:
    """Return an XML document as text."""
    document: str = xml.tostring().decode()  # type: ignore[no-untyped-call]
    return document if document.endswith("\n") else document + "\n"


def test_case(clause: ClauseResult, classname: str) -> TestCase:
    """Return a clause as a test case: failed, in error, skipped, or passed."""
    case = TestCase(_text(clause.id), classname=_text(classname), time=round(clause.seconds, 6))
    if result := _result(clause):
        case.result = [result]
    if clause.verdict in ("warn", "waived"):
        case.system_out = _told(clause)
    return case


def _suite(report: Report, name: str, clauses: list[ClauseResult]) -> TestSuite:
    suite = TestSuite(_text(name))
    for key, value in _properties(report):
        suite.add_property(key, _text(value))
    for clause in clauses:
        suite.add_testcase(test_case(clause, f"{report.contract.name}.{name}"))
    return suite


def _result(clause: ClauseResult) -> FinalResult | None:
    match clause.verdict:
        case "fail" | "stale":
            problem = clause.waiver.problem if clause.waiver else None
            result: FinalResult = Failure(_text(problem or clause.actual), _text(clause.verdict))
        case "blocked" | "error":
            result = Error(_text(clause.actual), _text(clause.verdict))
        case "not-offered":
            result = Skipped(_text(clause.actual))
        case _:
            return None
    result.text = _told(clause)
    return result


def _baseline(report: Report, baseline: Baseline) -> TestSuite:
    """What is wrong with the list of accepted failures: no clause fails for it, and the gate is closed all the same."""
    suite = TestSuite("baseline")
    for key, value in _properties(report):
        suite.add_property(key, _text(value))
    for number, problem in enumerate(baseline.problems):
        case = TestCase(f"the baseline is true ({number + 1})", classname=_text(f"{report.contract.name}.baseline"))
        case.result = [Failure(_text(problem), "stale")]
        suite.add_testcase(case)
    return suite


def _unjudged(report: Report) -> TestSuite:
    suite = TestSuite("run")
    for key, value in _properties(report):
        suite.add_property(key, _text(value))
    case = TestCase("the target can be judged", classname=_text(f"{report.contract.name}.run"), time=report.run.seconds)
    case.result = [Error(_text(verdict.headline_text(report)), "not-judged")]
    suite.add_testcase(case)
    return suite


def _properties(report: Report) -> Iterator[tuple[str, str]]:
    yield "gate", report.gate
    yield "outcome", verdict.outcome(report)
    yield "target.version", report.target.version or ""
    yield "target.handshake_version", report.target.handshake_version or ""
    yield "target.sha256", report.target.sha256 or ""
    yield "contract.name", report.contract.name
    yield "contract.version", report.contract.version
    yield "contract.sha256", report.contract.sha256
    if report.baseline is not None:
        yield "baseline.path", report.baseline.path
        yield "baseline.sha256", report.baseline.sha256
        yield "baseline.entries", str(report.baseline.entries)
        yield "baseline.applied", str(report.baseline.applied)
    yield "run.id", report.run.id
    yield "run.partial", "true" if report.run.partial else "false"


def _told(clause: ClauseResult) -> str:
    lines = [
        f"verdict: {clause.verdict} ({clause.level})",
        f"expected: {_text(clause.expected)}",
        f"actual: {_text(clause.actual)}",
        f"why: {_text(clause.why)}",
        f"source: {_text(clause.source)}",
    ]
    if clause.fingerprint is not None:
        lines.append(f"fingerprint: {clause.fingerprint}")
    if clause.waiver is not None:
        lines += [f"baseline: {_text(clause.waiver.problem)}"] if clause.waiver.problem else []
        lines.append(f"accepted: {_text(accepted(clause.waiver))}")
    return "\n".join([*lines, *(_finding(finding) for finding in clause.findings)])


def _finding(finding: Finding) -> str:
    where = f"{_text(finding.check)} {_text(finding.pointer or '')}".rstrip()
    return f"{where}: expected {_text(finding.expected)}; came {_text(finding.actual)}"


def _text(text: str) -> str:
    """Return text that XML can hold: control characters cannot be in it, not even escaped."""
    return cut(visible(text), _LINE)
