"""Clauses that ask nothing: they judge the target's own schema, or everything that was seen in the run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from hive_gate.contract.model import Clause, Contract, Step
from hive_gate.drift.bundle import Bundle, Unchecked
from hive_gate.drift.compat import check_method
from hive_gate.report.model import Finding
from hive_gate.wire.transcript import Exchange, Message, Oddity

_SHOWN = 12
"""Findings of one kind shown; a fault that is in every reply would fill the report otherwise."""

TOLERATED = frozenset({"banner", "line-separator", "server-request"})
"""Oddities that are news, not faults: a wrapper's greeting, a character that is allowed, a request that was refused."""


def answered(messages: Sequence[Message]) -> list[Exchange]:
    """Return every request of a transcript that was answered, those of greetings and of scenes in the making too."""
    asked: dict[tuple[int, str], Message] = {}
    found: list[Exchange] = []
    for message in messages:
        body = message.body
        if body is None or "id" not in body:
            continue
        key = (message.server, json.dumps(body["id"]))
        if message.direction == "sent" and "method" in body:
            asked[key] = message
        elif message.direction == "received" and "method" not in body and key in asked:
            request = asked.pop(key)
            took = round(message.ms - request.ms, 3)
            method = str(request.body["method"])
            found.append(Exchange(method, request.n, message.n, took, request.bytes, message.bytes, request.step))
    return found


def judge_whole(
    clause: Clause,
    contract: Contract,
    bundle: Bundle | None,
    exchanges: Sequence[Exchange],
    messages: Sequence[Message],
    oddities: Sequence[Oddity],
) -> tuple[list[Finding], str]:
    """Return what does not hold, and a phrase for what was looked at."""
    findings: list[Finding] = []
    looked: list[str] = []
    for index, step in enumerate(clause.steps):
        if bundle is None and step.value != "lines":
            findings.append(Finding("schema", "the target's own schema", "there is none here", index))
        elif step.kind == "schema" and bundle is not None:
            findings += _schema(step, index, contract, bundle)
            looked.append(f"{step.value} in the target's schema")
        elif step.kind == "traffic" and step.value == "lines":
            received = sum(1 for message in messages if message.direction == "received")
            findings += _lines(index, oddities) if received else [_nothing(step, index)]
            looked.append(f"{received} lines")
        elif step.kind == "traffic" and bundle is not None:
            if step.value == "replies":
                checked, found = _replies(index, bundle, exchanges, messages)
            else:
                checked, found = _notifications(index, bundle, messages)
            if not checked and not found:
                found = [_nothing(step, index)]
            findings += found
            looked.append(f"{checked} {step.value}")
    return findings, ", ".join(looked)


def _nothing(step: Step, index: int) -> Finding:
    return Finding("traffic", f"{step.value} to check", "none came: nothing was shown", index)


def _schema(step: Step, index: int, contract: Contract, bundle: Bundle) -> Iterator[Finding]:
    method = step.value
    offered = method in bundle.methods
    wanted = step.expect.get("offered", True)
    if offered != wanted:
        expected = f"{method} {'in' if wanted else 'not in'} the target's schema"
        near = ", ".join(get_close_matches(method, bundle.methods, n=2, cutoff=0.8))
        absent = "it is not there" + (f"; nearest: {near}" if near else "")
        yield Finding("offered", expected, "it is there" if offered else absent, index)
        return
    if step.expect.get("compatible") and offered:
        known = contract.methods[method]
        for mismatch in check_method(method, known.params, known.result, bundle, contract.defs):
            yield Finding(
                mismatch.rule, mismatch.expected, mismatch.explain(), index, f"{mismatch.direction}{mismatch.pointer}"
            )


def _lines(index: int, oddities: Sequence[Oddity]) -> Iterator[Finding]:
    faults = [oddity for oddity in oddities if oddity.kind not in TOLERATED]
    for oddity in faults[:_SHOWN]:
        yield Finding(oddity.kind, "one well-formed message a line", oddity.text, index, None, oddity.message)


def _replies(
    index: int, bundle: Bundle, exchanges: Sequence[Exchange], messages: Sequence[Message]
) -> tuple[int, list[Finding]]:
    findings: list[Finding] = []
    said: set[tuple[str, str]] = set()
    checked = 0
    for exchange in exchanges:
        body = None if exchange.reply is None else messages[exchange.reply].body
        if body is None or "result" not in body:
            continue
        errors = bundle.reply_errors(exchange.method, body["result"])
        if isinstance(errors, Unchecked):
            why = "has no such method" if errors.why == "method-unknown" else "does not say what its result is"
            _add(findings, said, Finding("traffic", f"a schema for {exchange.method}", f"the target's schema {why}",
                                         index, None, exchange.reply), exchange.method)  # fmt: skip
            continue
        checked += 1
        for error in errors:
            finding = Finding(
                "own-schema",
                f"a result of {exchange.method} as the target's schema says",
                f"{error.value_preview}: {error.message}",
                index,
                error.pointer,
                exchange.reply,
            )
            _add(findings, said, finding, exchange.method)
    return checked, findings


def _notifications(index: int, bundle: Bundle, messages: Sequence[Message]) -> tuple[int, list[Finding]]:
    findings: list[Finding] = []
    said: set[tuple[str, str]] = set()
    checked = 0
    for message in messages:
        body = message.body
        if message.direction == "sent" or body is None or "method" not in body or "id" in body:
            continue
        method = str(body["method"])
        errors = bundle.notification_errors(method, body.get("params"))
        if isinstance(errors, Unchecked):
            if errors.why == "method-unknown":
                actual = "the target's schema does not know it"
                _add(findings, said, Finding("own-schema", f"{method} in the target's schema", actual, index, None,
                                             message.n), method)  # fmt: skip
            continue
        checked += 1
        for error in errors:
            finding = Finding(
                "own-schema",
                f"{method} as the target's schema says",
                f"{error.value_preview}: {error.message}",
                index,
                error.pointer,
                message.n,
            )
            _add(findings, said, finding, method)
    return checked, findings


def _add(findings: list[Finding], said: set[tuple[str, str]], finding: Finding, method: str) -> None:
    """Keep one finding of a kind for each method: the same fault comes with every reply."""
    key = (method, finding.actual)
    if key not in said and len(findings) < _SHOWN:
        said.add(key)
        findings.append(finding)
