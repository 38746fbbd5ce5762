"""One clause, what was asked and what came: the verdict.

A judge sees the clause, the scene's truth and the exchanges, and nothing else, so a recorded transcript can be judged
again without a server. It replays what the steps changed (stored turns, rollbacks, captured names) from the record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hive_gate.contract.model import Clause, Contract, Step
from hive_gate.contract.names import UnknownName, fill
from hive_gate.drift.bundle import Bundle
from hive_gate.drift.validate import Validator
from hive_gate.errors import ContractError
from hive_gate.probe.case import Case
from hive_gate.probe.invariants import INVARIANTS, OF_ERRORS
from hive_gate.probe.question import question
from hive_gate.probe.record import ClauseRecord, StepRecord, after_store, turn_recipe
from hive_gate.probe.refusal import error_findings, filled
from hive_gate.probe.seen import Seen, error_phrase, preview
from hive_gate.probe.steps import NOTHING, apply_changes, captured
from hive_gate.probe.summary import summary
from hive_gate.report.fingerprint import fingerprint
from hive_gate.report.model import CarriedOut, ClauseResult, Finding, Verdict
from hive_gate.scene.truth import ThreadTruth
from hive_gate.wire.message import kind_of
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
        return self.of_findings(clause, record, tuple(self._findings(clause, record)), summary(record, self.messages))

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

    def lacks(self, step: Step, record: StepRecord, names: Mapping[str, Any]) -> str | None:
        """Return what came instead where a capability's expectation does not hold; None if it holds."""
        seen = Seen(record.exchanges, self.messages)
        findings = list(self._answers(seen, 0, fill(dict(step.expect), names), {}, {}))
        return findings[0].actual if findings else None

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
            fingerprint=fingerprint(findings) if findings else None,
            steps=tuple(CarriedOut(s.step, s.awaited, _plain(s.facts), s.trouble) for s in record.steps),
            asked=question(self.contract, clause),
        )

    def _findings(self, clause: Clause, record: ClauseRecord) -> Iterator[Finding]:
        names = dict(record.names)
        truth = dict(record.truth)
        earlier: dict[str, Seen] = {}
        done = {step.step: step for step in record.steps}
        quiet = True
        for index, step in enumerate(clause.steps):
            asked = done.get(index)
            if asked is None:
                if quiet:  # what stopped the clause was nothing that is judged; still, nothing was shown
                    yield Finding("step", f"step {index + 1} to be carried out", "the clause stopped before it", index)
                return
            seen = Seen(asked.exchanges, self.messages)
            if step.name:
                earlier[step.name] = seen
            self._replay(step, asked, names, truth)
            try:
                for finding in self._step(clause.id, step, asked, seen, names, truth, earlier):
                    quiet = False
                    yield finding
            except UnknownName as error:
                quiet = False
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
        if step.kind == "call" and captured(self.messages, asked.exchanges, "") is not NOTHING:
            apply_changes(step, names, truth)

    def _step(
        self,
        clause: str,
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
        if step.kind in ("file", "database"):
            yield from self._facts(step, asked, names)
        if step.kind == "model-input":
            yield from _model_input(fill(step.value, names), asked)
        if step.kind == "together":
            for call, exchange in zip(step.value, asked.exchanges, strict=False):
                part = Seen((exchange,), self.messages)
                yield from self._answers(part, index, filled(call.get("expect", {}), names), truth, earlier)
            return
        if step.kind == "await" and asked.awaited is None:
            came = [str(m.body["method"]) for m in self.messages if m.clause == clause and _is_notification(m)]
            actual = f"it did not come; came: {', '.join(dict.fromkeys(came)) or 'nothing'}"
            yield Finding("await", f"{step.value}{_where(step, names)}", actual, index)
        if step.kind in ("call", "walk", "turn"):
            yield from self._answers(seen, index, filled(step.expect, names), truth, earlier)
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
        if expect.get("or-refused") and seen.error() is not None:
            return
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
        yield from self._exactly(seen, expect.get("exactly", ()), index)

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
            yield from error_findings(body, expect.get("error", {}), exchange, index)
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
        methods = [str(message.body["method"]) for message in came]
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

    def _exactly(self, seen: Seen, expected: Sequence[Mapping[str, Any]], index: int) -> Iterator[Finding]:
        came = [self.messages[n] for exchange in seen.exchanges for n in exchange.notifications]
        for wanted in expected:
            of_method = [message for message in came if message.body["method"] == wanted["method"]]
            schemas = [{"method": wanted["method"], "params": schema} for schema in wanted["params"]]
            fits = len(of_method) == len(schemas) and all(map(self._is, of_method, schemas))
            if not fits:
                shown = "; ".join(preview(message.body.get("params"), 90) for message in of_method) or "none"
                text = "; ".join(preview(schema, 90) for schema in wanted["params"]) or "none"
                yield Finding("exactly", f"{wanted['method']} exactly: {text}", shown, index)

    def _facts(self, step: Step, asked: StepRecord, names: Mapping[str, Any]) -> Iterator[Finding]:
        schema = fill(step.expect.get("facts", True), names)
        for error in self._compiled({"allOf": [schema]}, "expect/facts").errors(asked.facts, limit=_SHOWN_ERRORS):
            what = f"of the {step.kind} {preview(fill(step.value, names), 90)}: {preview(schema, 120)}"
            yield Finding("facts", what, f"{error.value_preview}: {error.message}", asked.step, error.pointer)

    def _is(self, message: Message, wanted: Mapping[str, Any]) -> bool:
        if message.body["method"] != wanted["method"]:
            return False
        schema = wanted.get("params")
        return schema is None or not self._compiled({"allOf": [schema]}, "expect/notifications").errors(
            message.body.get("params")
        )


def _model_input(wanted: Mapping[str, Any], asked: StepRecord) -> Iterator[Finding]:
    found = (asked.facts or {}).get("found", {})
    for text in wanted.get("has", ()):
        if not found.get(text):
            yield Finding("model-input", f"the model is sent {preview(text, 60)}", "it was not", asked.step)
    for text in wanted.get("lacks", ()):
        if found.get(text, True):
            yield Finding("model-input", f"the model is no longer sent {preview(text, 60)}", "it was", asked.step)


def _plain(facts: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a look's facts as the report writes them."""
    return None if facts is None else dict(facts)


def _is_notification(message: Message) -> bool:
    return message.direction == "received" and message.body is not None and kind_of(message.body) == "notification"


def _where(step: Step, names: Mapping[str, Any]) -> str:
    where = step.options.get("where")
    return "" if where is None else f" where {preview(fill(where, names))}"
