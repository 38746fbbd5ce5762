"""Whether Hive can take a version, for programs: JSON, JUnit XML for CI, annotations for a GitHub job."""

from __future__ import annotations

from collections.abc import Iterator

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from hive_gate.matrix.bump import Bump
from hive_gate.matrix.bump_excepted import Excepted
from hive_gate.matrix.bump_groups import Group
from hive_gate.report.annotations import Mark, annotation
from hive_gate.report.codec import encode
from hive_gate.report.jsontext import dumps
from hive_gate.report.plain import cut, visible

_LINE = 2_000
"""Characters of one text; CI pages show them unfolded."""


def as_json_text(bump: Bump) -> str:
    """Return the JSON document, as `contracts/bump.schema.json` describes it."""
    return dumps(encode(bump), indent=2) + "\n"


def as_annotations(bump: Bump) -> str:
    """Return a line for the answer, and for each thing that speaks against the version or has to be looked at."""
    mark: Mark = "notice" if bump.answer == "yes" else "error"
    return annotation(mark, f"codex {bump.candidate.version}", bump.sentence) + "".join(_marks(bump))


def _marks(bump: Bump) -> Iterator[str]:
    if bump.backward is not None:
        yield annotation("warning", "step back", bump.backward)
    for group in (*bump.blockers, *bump.unjudged):
        yield annotation("error", _title(group), _told(group))
    for one in bump.stale:
        yield annotation("error", f"{one.clause}: stale", one.problem or one.reason)
    for text in bump.baseline.problems if bump.baseline is not None else ():
        yield annotation("error", "baseline", text)
    for group in bump.warnings:
        yield annotation("warning", _title(group), _told(group))


def _title(group: Group) -> str:
    more = f" and {len(group.clauses) - 1} more" if len(group.clauses) > 1 else ""
    return f"{group.clauses[0]}{more}: {group.verdict}"


def _told(group: Group) -> str:
    came = "; ".join(dict.fromkeys(failure.actual for failure in group.failures))
    return f"Came: {came}. What Hive must do: {group.remedy}" if group.remedy else f"Came: {came}."


def as_junit(bump: Bump) -> str:
    """Return JUnit XML: a case for the answer, and one for each clause that has something to say for or against it."""
    xml = JUnitXml(_text(f"hive-gate can-i-bump {bump.candidate.version}"))
    suite = TestSuite("can-i-bump")
    for name, value in _properties(bump):
        suite.add_property(name, _text(value))
    suite.add_testcase(_answer(bump))
    named = {one.clause: one for one in (*bump.stale, *bump.waived)}
    for group in (*bump.blockers, *bump.unjudged, *bump.warnings, *bump.gone):
        actuals = [failure.actual for failure in group.failures for _ in failure.clauses]
        for clause, actual, why in zip(group.clauses, actuals, group.why, strict=True):
            suite.add_testcase(_clause(clause, group, actual, why, named.pop(clause, None)))
    for one in named.values():
        case = TestCase(_text(one.clause), classname="can-i-bump")
        if one.problem is not None:
            case.result = [Failure(_text(one.problem), "stale")]
        case.system_out = _text(_accepted(one))
        suite.add_testcase(case)
    xml.add_testsuite(suite)
    document: str = xml.tostring().decode()  # type: ignore[no-untyped-call]
    return document if document.endswith("\n") else document + "\n"


def _answer(bump: Bump) -> TestCase:
    name = f"codex {bump.candidate.version} can be taken"
    case = TestCase(_text(name), classname="can-i-bump", time=bump.candidate.seconds)
    if bump.answer == "no":
        case.result = [Failure(_text(bump.sentence), "no")]
    elif bump.answer == "not-judged":
        case.result = [Error(_text(bump.sentence), "not-judged")]
    if bump.backward is not None:
        case.system_out = _text(bump.backward)
    return case


def _accepted(one: Excepted) -> str:
    return f"accepted until {one.expires} by {one.owner}: {one.reason}"


def _clause(clause: str, group: Group, actual: str, why: str, entry: Excepted | None) -> TestCase:
    case = TestCase(_text(clause), classname="can-i-bump")
    told = "\n".join([
        f"verdict: {group.verdict} ({group.level})",
        f"before: {group.before}",
        f"why: {_text(why)}",
        *([f"what Hive must do: {_text(group.remedy)}"] if group.remedy else []),
        *([_text(_accepted(entry)), _text(entry.problem or "")] if entry is not None else []),
    ])  # fmt: skip
    if entry is not None and entry.problem is not None and group.verdict in ("warn", "not-offered"):
        case.result = [Failure(_text(entry.problem), "stale")]  # that alone closes the gate
        case.result[0].text = told
        return case
    match group.verdict:
        case "blocked" | "error":
            case.result = [Error(_text(actual), group.verdict)]
        case "not-offered":
            case.result = [Skipped(_text(actual))]
        case "warn":
            case.system_out = f"{_text(actual)}\n{told}"
            return case
        case _:
            case.result = [Failure(_text(actual), group.verdict)]
    case.result[0].text = told
    return case


def _properties(bump: Bump) -> Iterator[tuple[str, str]]:
    yield "answer", bump.answer
    yield "candidate.asked", bump.asked.candidate
    yield "candidate.version", bump.candidate.version
    yield "candidate.sha256", bump.candidate.sha256 or ""
    yield "candidate.from_cache", "true" if bump.candidate.from_cache else "false"
    yield "before.version", bump.before.version if bump.before is not None else ""
    if bump.asked.listed is not None:
        yield "published.asked", bump.asked.listed.asked
    if bump.contract is not None:
        yield "contract.name", bump.contract.name
        yield "contract.sha256", bump.contract.sha256
    if bump.baseline is not None:
        yield "baseline.sha256", bump.baseline.sha256


def _text(text: str) -> str:
    """Return text that XML can hold."""
    return cut(visible(text), _LINE)
