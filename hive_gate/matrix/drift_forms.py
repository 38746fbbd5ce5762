"""What differs between two targets, for programs: JSON, JUnit XML for CI, annotations for a GitHub job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from junitparser import Failure, JUnitXml, TestCase, TestSuite

from hive_gate.drift.changes import Change, count
from hive_gate.drift.kinds import LEVELS, Level
from hive_gate.drift.sentence import concern
from hive_gate.matrix.drift import Drift
from hive_gate.matrix.drift_document import headline, not_compared
from hive_gate.report.annotations import Mark, annotation
from hive_gate.report.codec import encode
from hive_gate.report.jsontext import dumps
from hive_gate.report.plain import cut, visible

SCHEMA_ID = "hive-gate/drift/1"
"""The value of the member `schema`; it changes when a reader would have to."""

SHOWN = 10
"""Annotations of one kind that a step of a GitHub job shows."""

_LINE = 2_000
"""Characters of one text; CI pages show them unfolded."""

_MARKS: dict[Level, Mark] = {"breaking": "error", "risky": "warning", "news": "notice"}


def as_json(drift: Drift, *, everything: bool = False) -> str:
    """Return the JSON document, as `contracts/drift.schema.json` describes it.

    Args:
        drift: the comparison.
        everything: whether `changes` has all changes, or those that concern Hive.
    """
    document = {
        "schema": SCHEMA_ID,
        "breaks": drift.changes.breaks,
        "sentence": sentence(drift),
        "from": encode(drift.old),
        "to": encode(drift.new),
        "contract": encode(drift.contract),
        "counts": {"used": encode(count(drift.changes.used)), "others": encode(count(drift.changes.others))},
        "uncompared": list(drift.left_out(everything)),
        "everything": everything,
        "changes": [_change(change) for change in drift.shown(everything)],
    }
    return dumps(document, indent=2) + "\n"


def as_annotations(drift: Drift, *, everything: bool = False) -> str:
    """Return a line for the answer and one for each change; where a step cannot show all, the last says how many."""
    marks: dict[Mark, list[tuple[str, str]]] = {"error": [], "warning": [], "notice": []}
    marks["error" if drift.changes.breaks else "notice"].append(("hive-gate drift", sentence(drift)))
    if missed := not_compared(drift, everything):
        marks["notice"].append(("hive-gate drift", missed))
    for change in drift.shown(everything):
        # What does not concern Hive is no error of a bump, however bad it is to others.
        mark = _MARKS[change.level] if change.used else "notice"
        marks[mark].append((f"{change.rule}: {place(change)}", told(change)))
    return "".join(annotation(mark, *each) for mark, found in marks.items() for each in _capped(found))


def as_junit(drift: Drift, *, everything: bool = False) -> str:
    """Return JUnit XML: a case for each change, which fails if it can stop Hive; one that passes if there is none."""
    xml = JUnitXml(_text(f"hive-gate drift from {drift.old.name} to {drift.new.name}"))
    suite = TestSuite("drift")
    for name, value in _properties(drift, everything):
        suite.add_property(name, _text(value))
    shown = drift.shown(everything)
    for change in shown:
        suite.add_testcase(_case(change))
    if not shown:
        case = TestCase("nothing that Hive uses differs", classname="drift")
        suite.add_testcase(case)
    xml.add_testsuite(suite)
    document: str = xml.tostring().decode()  # type: ignore[no-untyped-call]
    return document if document.endswith("\n") else document + "\n"


def sentence(drift: Drift) -> str:
    """Return the answer as plain text."""
    return "".join(map(str, headline(drift)))


def told(change: Change) -> str:
    """Return a change and why it concerns Hive, as plain text."""
    return f"{change.explanation} {concern(change.uses)}".rstrip()


def place(change: Change) -> str:
    """Return where a change is: the message or definition, and the path in it."""
    return f"{change.subject} {change.path}".rstrip()


def _change(change: Change) -> dict[str, Any]:
    members = encode(change)
    renamed = {"old": "from", "new": "to"}
    return {
        **{renamed.get(name, name): value for name, value in members.items() if name != "uses"},
        "used": change.used,
        "concern": concern(change.uses),
        "uses": members["uses"],
    }


def _capped(found: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    if len(found) <= SHOWN:
        return found
    more = len(found) - SHOWN + 1
    return [*found[: SHOWN - 1], ("hive-gate drift", f"{more} more like these; --format text tells them all.")]


def _case(change: Change) -> TestCase:
    case = TestCase(
        _text(f"{place(change)}: {change.rule} {change.fingerprint}"), classname=f"drift.{change.direction}"
    )
    if change.used and change.level == "breaking":
        failure = Failure(_text(told(change)), change.rule)
        failure.text = _details(change)
        case.result = [failure]
    else:
        case.system_out = f"{change.level}: {_text(told(change))}\n{_details(change)}"
    return case


def _details(change: Change) -> str:
    lines = [
        f"level: {change.level}{'' if change.used else ' (not used by Hive)'}",
        f"direction: {change.direction}",
        *([f"from: {change.old}"] if change.old else []),
        *([f"to: {change.new}"] if change.new else []),
        f"methods: {', '.join(change.methods)}",
    ]
    return "\n".join(_text(each) for each in lines)


def _properties(drift: Drift, everything: bool) -> Iterator[tuple[str, str]]:
    used, others = count(drift.changes.used), count(drift.changes.others)
    yield "breaks", "true" if drift.changes.breaks else "false"
    yield "from", drift.old.name
    yield "to", drift.new.name
    yield "contract.name", drift.contract.name
    yield "contract.version", drift.contract.version
    yield "contract.sha256", drift.contract.sha256
    for level in LEVELS:
        yield f"used.{level}", str(getattr(used, level))
        yield f"others.{level}", str(getattr(others, level))
    yield "uncompared", ", ".join(drift.left_out(everything))


def _text(text: str) -> str:
    """Return text that XML can hold: control characters cannot be in it, not even escaped."""
    return cut(visible(text), _LINE)
