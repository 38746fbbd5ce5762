"""One clause, what was asked and what came: the verdict.

A judge sees the clause, the scene's truth and the exchanges, and nothing else, so a recorded transcript can be judged
again without a server. It replays what the steps changed (stored turns, rollbacks, captured names) from the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hive_gate.contract.model import Clause, Contract, Step
from hive_gate.contract.names import UnknownName, fill
from hive_gate.drift.bundle import Bundle
from hive_gate.drift.validate import Validator
from hive_gate.errors import ContractError
from hive_gate.probe.invariants import INVARIANTS, OF_ERRORS, Case
from hive_gate.probe.record import ClauseRecord, StepRecord, after_store, turn_recipe
from hive_gate.probe.seen import Seen, error_phrase, preview, reply_phrase
from hive_gate.probe.steps import NOTHING, captured
from hive_gate.report.model import ClauseResult, Finding, Verdict
from hive_gate.scene.truth import ThreadTruth
from hive_gate.wire.transcript import Exchange, Message

_SHOWN_ERRORS = 3
"""Schema errors shown for one value."""


@dataclass(slots=True)
class Judge:
    """Judges the clauses of one contract over one transcript.

    Args:
        contract: the contract.
        messages: the transcript; it may still grow.
        bundle: the target's own schemas; None if it has none here.
    """

    contract: Contract
    messages: Sequence[Message]
    bundle: Bundle | None
    _validators: dict[str, Validator] = field(default_factory=dict)

    def judge(self, clause: Clause, record: ClauseRecord) -> ClauseResult:
        """Return a clause's result."""
        if record.blocked is not None:
            return self.result(clause, record, "blocked", (), record.blocked)
        return self.of_findings(clause, record, tuple(self._findings(clause, record)), self._summary(record))

    def of_findings(
        self, clause: Clause, record: ClauseRecord, findings: tuple[Finding, ...], held: str
    ) -> ClauseResult:
        """Return a clause's result from what does not hold; `held` says what was seen where all does."""
        if findings:
            first = findings[0]
            verdict: Verdict = "fail" if clause.level == "required" else "warn"
            more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
            return self.result(clause, record, verdict, findings, first.actual + more)
        return self.result(clause, record, "pass", (), held)

    def result(
        self, clause: Clause, record: ClauseRecord, verdict: Verdict, findings: tuple[Finding, ...], actual: str
    ) -> ClauseResult:
        """Return a result with what the contract says of the clause."""
        return ClauseResult(
            id=clause.id,
            suite=clause.suite,
            level=clause.level,
            verdict=verdict,
            why=clause.why,
            source=clause.source,
            expected=clause.promise,
            actual=actual,
            seconds=round(record.seconds, 3),
            scene=clause.scene if record.names else None,
            findings=findings,
            exchanges=tuple(exchange for step in record.steps for exchange in step.exchanges),
        )

    def _findings(self, clause: Clause, record: ClauseRecord) -> Iterator[Finding]:
        names = dict(record.names)
        truth = dict(record.truth)
        earlier: dict[str, Seen] = {}
        done = {step.step: step for step in record.steps}
        for index, step in enumerate(clause.steps):
            asked = done.get(index)
            if asked is None:
                return  # the clause stopped before; what stopped it has been said
            seen = Seen(asked.exchanges, self.messages)
            if step.name:
                earlier[step.name] = seen
            self._replay(step, asked, names, truth)
            try:
                yield from self._step(step, asked, seen, names, truth, earlier)
            except UnknownName as error:
                yield Finding("capture", f"a value for ${{{error.args[0]}}}", "none was captured", index)

    def _replay(self, step: Step, asked: StepRecord, names: dict[str, Any], truth: dict[str, ThreadTruth]) -> None:
        """Bring names and truth to where they were once the step had been carried out."""
        if step.kind == "store":
            name = step.value["thread"]
            truth[name] = after_store(truth[name], step.value)
        if step.kind == "turn" and "thread" in step.value:
            turn_id = captured(self.messages, asked.exchanges, "/turn/id")
            if isinstance(turn_id, str):
                turn = turn_recipe(fill(step.value, names)).truth(turn_id)
                truth[step.value["thread"]] = truth[step.value["thread"]].with_turns([turn])
        for name, pointer in step.capture.items():
            value = captured(self.messages, asked.exchanges, pointer)
            if value is not NOTHING:
                names[name] = value

    def _step(
        self,
        step: Step,
        asked: StepRecord,
        seen: Seen,
        names: Mapping[str, Any],
        truth: Mapping[str, ThreadTruth],
        earlier: Mapping[str, Seen],
    ) -> Iterator[Finding]:
        index = asked.step
        if asked.trouble:
            yield Finding("step", f"step {index + 1} to be carried out", asked.trouble, index)
            return
        if step.kind == "together":
            for call, exchange in zip(step.value, asked.exchanges, strict=False):
                part = Seen((exchange,), self.messages)
                yield from self._answers(part, index, fill(call.get("expect", {}), names), truth, earlier)
            return
        if step.kind in ("call", "walk", "turn"):
            yield from self._answers(seen, index, fill(dict(step.expect), names), truth, earlier)
            for name, pointer in step.capture.items():
                if seen.result() is not None and captured(self.messages, asked.exchanges, pointer) is NOTHING:
                    actual = f"nothing at {pointer}"
                    yield Finding("capture", f"a value for ${{{name}}} at {pointer}", actual, index, pointer)

    def _answers(
        self,
        seen: Seen,
        index: int,
        expect: dict[str, Any],
        truth: Mapping[str, ThreadTruth],
        earlier: Mapping[str, Seen],
    ) -> Iterator[Finding]:
        invariants = expect.get("invariants", ())
        of_error = "error" in expect or any(name in OF_ERRORS for entry in invariants for name in entry)
        broken = False
        for exchange in seen.exchanges:
            for finding in self._answer(exchange, seen.body(exchange), expect, of_error, index):
                broken = broken or finding.check in ("answer", "result", "error")
                yield finding
        if (
            broken
            and not of_error
            and any(seen.body(e) is None or "error" in (seen.body(e) or {}) for e in seen.exchanges)
        ):
            return  # there is no result to hold the invariants against
        for entry in invariants:
            ((name, value),) = entry.items()
            for found in INVARIANTS[name](value, Case(seen, truth, earlier)):
                yield Finding(name, found.expected, found.actual, index, found.pointer, found.message)
        yield from self._notifications(seen, expect.get("notifications", ()), index)

    def _answer(
        self, exchange: Exchange, body: dict[str, Any] | None, expect: dict[str, Any], of_error: bool, index: int
    ) -> Iterator[Finding]:
        what = f"an answer to {exchange.method}"
        if exchange.failure is not None or body is None:
            yield Finding(
                "answer", what, exchange.failure or "no reply", index, None, exchange.reply or exchange.request
            )
        elif expect.get("any-answer"):
            return
        elif of_error:
            yield from _error(body, expect.get("error", {}), exchange, index)
        elif "error" in body:
            yield Finding("result", "a result", error_phrase(body["error"]), index, None, exchange.reply)
        else:
            yield from self._result(exchange, body.get("result"), expect, index)

    def _result(self, exchange: Exchange, result: Any, expect: dict[str, Any], index: int) -> Iterator[Finding]:
        schemas = [("what Hive reads from " + exchange.method, self._validator(exchange.method))]
        if "result" in expect:
            schemas.append(("what the clause expects", self._compiled({"allOf": [expect["result"]]}, "expect/result")))
        for what, validator in schemas:
            for error in validator.errors(result, limit=_SHOWN_ERRORS) if validator else ():
                actual = f"{error.value_preview}: {error.message}"
                yield Finding("result", what, actual, index, error.pointer, exchange.reply)

    def _validator(self, method: str) -> Validator | None:
        known = self.contract.methods.get(method)
        if known is None:
            return None
        if method not in self._validators:
            self._validators[method] = self._compiled(dict(known.result), f"methods/{method}/result")
        return self._validators[method]

    def _compiled(self, schema: dict[str, Any], where: str) -> Validator:
        document = {**schema, "$defs": dict(self.contract.defs)}
        return Validator(document, f"{self.contract.path}#/{where}", dialect="2020-12", error=ContractError)

    def _notifications(self, seen: Seen, expected: Sequence[Mapping[str, Any]], index: int) -> Iterator[Finding]:
        came = [self.messages[n] for exchange in seen.exchanges for n in exchange.notifications]
        methods = [message.body["method"] for message in came]
        position = 0
        for wanted in expected:
            while position < len(came) and not self._is(came[position], wanted):
                position += 1
            if position == len(came):
                yield Finding(
                    "notifications", f"then {wanted['method']}", f"came: {', '.join(methods) or 'none'}", index
                )
                return
            position += 1

    def _is(self, message: Message, wanted: Mapping[str, Any]) -> bool:
        if message.body["method"] != wanted["method"]:
            return False
        schema = wanted.get("params")
        return schema is None or not self._compiled({"allOf": [schema]}, "expect/notifications").errors(
            message.body.get("params")
        )

    def _summary(self, record: ClauseRecord) -> str:
        """Return what was seen where all held: the last answer, and how many there were."""
        exchanges = [exchange for step in record.steps for exchange in step.exchanges]
        if not exchanges:
            return "held"
        last = exchanges[-1]
        body = None if last.reply is None else self.messages[last.reply].body
        count = f" (last of {len(exchanges)} exchanges)" if len(exchanges) > 1 else ""
        return reply_phrase(body) + count


def _error(body: dict[str, Any], expected: Mapping[str, Any], exchange: Exchange, index: int) -> Iterator[Finding]:
    wanted = _wanted_error(expected)
    error = body.get("error")
    if not isinstance(error, dict):
        yield Finding("error", wanted, f"no error: {reply_phrase(body)}", index, None, exchange.reply)
        return
    code_differs = "code" in expected and error.get("code") != expected["code"]
    message = error.get("message")
    text_differs = "message" in expected and (
        not isinstance(message, str) or re.search(expected["message"], message) is None
    )
    if code_differs or text_differs or not isinstance(error.get("code"), int) or not isinstance(message, str):
        yield Finding("error", wanted, error_phrase(error), index, "/error", exchange.reply)


def _wanted_error(expected: Mapping[str, Any]) -> str:
    code = f"error {expected['code']}" if "code" in expected else "an error"
    return f"{code} matching {preview(expected['message'])}" if "message" in expected else code
