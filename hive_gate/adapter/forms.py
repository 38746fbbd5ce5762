"""A judgment of a client for programs: JSON, JUnit XML for CI, annotations for a GitHub job."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate import __version__
from hive_gate.adapter.judge import RuleResult
from hive_gate.adapter.run import Judged
from hive_gate.adapter.words import breach_lines, broken, headline_text
from hive_gate.report.annotations import Mark, annotation
from hive_gate.report.codec import encode
from hive_gate.report.jsontext import dumps
from hive_gate.report.plain import cut, visible

SCHEMA_ID = "hive-gate/client-judgment/1"
"""The value of the document's `schema` member."""

_LINE = 2_000
"""Characters of one text; CI pages show them unfolded."""

_BREACHES = 10
"""Breaches of one rule that are told."""


def to_json(judged: Judged) -> dict[str, Any]:
    """Return the JSON document, as `contracts/client-judgment.schema.json` describes it."""
    whole, contract = judged.whole, judged.contract
    return {
        "schema": SCHEMA_ID,
        "outcome": judged.judgment.outcome,
        "hive_gate": __version__,
        "transcript": {"path": str(judged.path), **encode(whole)},
        "contract": {"name": contract.name, "version": contract.version, "sha256": contract.sha256},
        "counts": judged.judgment.counts,
        "rules": encode(judged.judgment.rules),
    }


def as_json(judged: Judged) -> str:
    """Return the JSON document as text."""
    return dumps(to_json(judged), indent=2) + "\n"


def as_annotations(judged: Judged) -> str:
    """Return a line for the outcome and one for each broken rule."""
    outcome = judged.judgment.outcome
    lines = [
        annotation(
            "notice" if outcome == "kept" else "error",
            "adapter contract",
            headline_text(judged.judgment, judged.contract, judged.whole.source),
        )
    ]
    if judged.whole.problem is not None:
        lines.append(annotation("warning", "transcript", f"It is not complete: {judged.whole.problem}."))
    for rule in broken(judged.judgment):
        mark: Mark = "error" if rule.verdict == "fail" else "warning"
        lines.append(annotation(mark, rule.id, f"{'; '.join(breach_lines(rule, 2))}. {rule.must}"))
    return "".join(lines)


def as_junit(judged: Judged) -> str:
    """Return JUnit XML: a case for each rule; what was not exercised is skipped."""
    from junitparser import Error, JUnitXml, TestCase, TestSuite

    xml = JUnitXml("hive-gate judge")
    suite = TestSuite("adapter")
    facts = {
        "outcome": judged.judgment.outcome,
        "transcript": judged.path.name,
        "transcript.complete": "true" if judged.whole.problem is None else "false",
        "contract.name": judged.contract.name,
        "contract.version": judged.contract.version,
        "contract.sha256": judged.contract.sha256,
    }
    for name, value in facts.items():
        suite.add_property(name, _text(value))
    for rule in judged.judgment.rules:
        suite.add_testcase(_case(rule))
    if judged.judgment.outcome == "nothing-seen":
        # Without it a client that did nothing would be a file without failures, which CI takes for green.
        case = TestCase("the client can be judged", classname="adapter")
        case.result = [
            Error(_text(headline_text(judged.judgment, judged.contract, judged.whole.source)), "nothing-seen")
        ]
        suite.add_testcase(case)
    xml.add_testsuite(suite)
    document: str = xml.tostring().decode()  # type: ignore[no-untyped-call]
    return document if document.endswith("\n") else document + "\n"


def _case(rule: RuleResult) -> Any:
    from junitparser import Failure, Skipped, TestCase

    case = TestCase(_text(rule.id), classname="adapter")
    lines = breach_lines(rule, _BREACHES)
    told = "\n".join(
        _text(line) for line in (*lines, f"must: {rule.must}", f"why: {rule.why}", f"source: {rule.source}")
    )
    if rule.verdict == "fail":
        failure = Failure(_text(lines[0]), "fail")
        failure.text = told
        case.result = [failure]
    elif rule.verdict == "warn":
        case.system_out = told
    elif rule.verdict == "not-exercised":
        case.result = [Skipped("the client was never in this situation")]
    return case


def _text(text: str) -> str:
    """Return text that XML can hold."""
    return cut(visible(text), _LINE)


FORMS: dict[str, tuple[str, Callable[[Judged], str]]] = {
    "json": (".json", as_json),
    "junit": (".xml", as_junit),
    "annotations": (".annotations.txt", as_annotations),
}
"""Format name to the ending of its file and what writes it."""
