"""A client judged: the contract's adapter rules over the messages of its connections, one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from hive_gate.adapter.checks import CHECKS, Breach, Check
from hive_gate.adapter.dialogue import Dialogue
from hive_gate.contract.model import Contract, Level, Rule
from hive_gate.errors import UsageError
from hive_gate.wire.transcript import Message

RuleVerdict = Literal["pass", "fail", "warn", "not-exercised"]

RULE_VERDICTS: tuple[RuleVerdict, ...] = ("pass", "fail", "warn", "not-exercised")
"""All verdicts, in the order in which tables count them."""

Outcome = Literal["kept", "broken", "nothing-seen"]

SHOWN = 20
"""Breaches of a rule that are kept; the others are counted."""


@dataclass(frozen=True, slots=True)
class RuleResult:
    """One rule and what the transcript shows of it."""

    id: str
    level: Level
    verdict: RuleVerdict
    """`warn`: an advisory rule is broken. `not-exercised`: the client was never in the situation."""
    must: str
    why: str
    source: str
    seen: int
    """How often the client was in the situation that the rule is about."""
    broken: int
    """How often it broke the rule."""
    breaches: tuple[Breach, ...] = ()
    """The first ones."""


@dataclass(frozen=True, slots=True)
class Judgment:
    """What a transcript says of its client."""

    outcome: Outcome
    """`kept`: no required rule is broken, and at least one was seen to be kept."""
    rules: tuple[RuleResult, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Number of rules by verdict, every verdict named, and `total`."""
        found: dict[str, int] = {verdict: sum(r.verdict == verdict for r in self.rules) for verdict in RULE_VERDICTS}
        return {**found, "total": len(self.rules)}


@dataclass(slots=True)
class _Kept:
    """What one rule has come to, over all connections."""

    broken: int = 0
    breaches: list[Breach] = field(default_factory=list)


class Judge:
    """Follows a client; memory does not grow with what it is fed.

    Args:
        contract: whose adapter rules are applied.

    Raises:
        UsageError: if the contract has none.
    """

    def __init__(self, contract: Contract) -> None:
        if not contract.adapter:
            raise UsageError(
                "The contract has no rules for adapters.",
                where=f"{contract.path}#/adapter",
                hint="add an `adapter` section, or leave --contract out to use the one that ships with hive-gate",
            )
        self._contract = contract
        self._kept = {rule.id: _Kept() for rule in contract.adapter}
        self._connections: dict[int, _Connection] = {}
        self._ms = 0.0

    def feed(self, message: Message, odd: Sequence[str] = ()) -> list[tuple[Rule, Breach]]:
        """Take the next message and return what it breaks.

        Args:
            message: of any connection; `server` tells them apart.
            odd: what was odd about its line, by the names of `hive_gate.wire.message.Anomaly`.
        """
        connection = self._connections.get(message.server)
        if connection is None:
            connection = self._connections[message.server] = _Connection(self._contract)
        self._ms = max(self._ms, message.ms)
        event = connection.dialogue.event(message, odd)
        return [self._note(rule, breach) for rule, check in connection.checks for breach in check.on(event)]

    def end(self, ms: float | None = None) -> list[tuple[Rule, Breach]]:
        """Take the end of the transcript and return what was left undone; after it comes no message.

        Args:
            ms: milliseconds from the start to the end; None: it is not known, and the last message stands for it.
        """
        self._ms = max(self._ms, ms or 0.0)
        return [
            self._note(rule, breach)
            for connection in self._connections.values()
            for rule, check in connection.checks
            for breach in check.end(self._ms)
        ]

    def verdict(self, rule: Rule) -> RuleVerdict:
        """Return a rule's verdict as it stands."""
        if self._kept[rule.id].broken:
            return "fail" if rule.level == "required" else "warn"
        return "pass" if self._seen(rule) else "not-exercised"

    def judgment(self) -> Judgment:
        """Return everything as it stands."""
        rules = tuple(self._result(rule) for rule in self._contract.adapter)
        verdicts = {rule.verdict for rule in rules if rule.level == "required"}
        outcome: Outcome = "broken" if "fail" in verdicts else "kept" if "pass" in verdicts else "nothing-seen"
        return Judgment(outcome, rules)

    def _result(self, rule: Rule) -> RuleResult:
        kept = self._kept[rule.id]
        verdict, seen, breaches = self.verdict(rule), self._seen(rule), tuple(kept.breaches)
        return RuleResult(rule.id, rule.level, verdict, rule.must, rule.why, rule.source, seen, kept.broken, breaches)

    def _seen(self, rule: Rule) -> int:
        return sum(check.seen for c in self._connections.values() for of, check in c.checks if of is rule)

    def _note(self, rule: Rule, breach: Breach) -> tuple[Rule, Breach]:
        kept = self._kept[rule.id]
        kept.broken += 1
        if len(kept.breaches) < SHOWN:
            kept.breaches.append(breach)
        return rule, breach


class _Connection:
    """One connection and the checks that follow it."""

    def __init__(self, contract: Contract) -> None:
        self.dialogue = Dialogue()
        self.checks: list[tuple[Rule, Check]] = [
            (rule, CHECKS[rule.check](rule.params, contract.defs)) for rule in contract.adapter
        ]


def judge(contract: Contract, messages: Iterable[Message]) -> Judgment:
    """Judge a whole transcript.

    Raises:
        UsageError: if the contract has no adapter rules.
    """
    judging = Judge(contract)
    for message in messages:
        judging.feed(message)
    judging.end()
    return judging.judgment()
