"""A judgment of a client in words: one line, and short forms of the messages that break a rule."""

from __future__ import annotations

from typing import Any

from hive_gate.adapter.judge import Judgment, RuleResult
from hive_gate.adapter.reading import Source
from hive_gate.contract.model import Contract
from hive_gate.report.note import Line, Toned
from hive_gate.report.plain import cut

NAMED = 3
"""Broken rules that the one line names."""

_EXCUSE = "This is a probe, which asks wrong things on purpose, and no client of Hive. "

_SAID = frozenset({
    "capabilities", "code", "cursor", "error", "excludeTurns", "experimentalApi", "id", "includeTurns",
    "initialTurnsPage", "itemsView", "limit", "method", "nextCursor", "params", "requestId", "result",
    "sortDirection", "threadId",
})  # fmt: skip
"""Members that tell what went wrong; none of them holds what a user wrote."""


def headline(judgment: Judgment, contract: Contract, source: Source = "tap") -> Line:
    """Return a judgment by a contract in one line; of a probe it begins with why that is no client of Hive's."""
    said = _headline(judgment, contract)
    return said if source == "tap" else (_EXCUSE, *said)


def _headline(judgment: Judgment, contract: Contract) -> Line:
    total, counts = len(judgment.rules), judgment.counts
    against = f"the adapter contract of {cut(contract.name, 60)} {cut(contract.version, 30)}"
    if judgment.outcome == "nothing-seen":
        return (Toned("Client NOT JUDGED", "warn"), f": nothing that {against} speaks of was seen.")
    idle = f", {counts['not-exercised']} not exercised" if counts["not-exercised"] else ""
    if judgment.outcome == "broken":
        names = [cut(rule.id, 60) for rule in judgment.rules if rule.verdict == "fail"]
        few = ", ".join([*names[:NAMED], "…"] if len(names) > NAMED else names)
        return (Toned("Client BREAKS", "bad"), f" {against}: {len(names)} of {_rules(total)} ({few}){idle}.")
    advised = f", {counts['warn']} advisory broken" if counts["warn"] else ""
    return (Toned("Client KEEPS", "good"), f" {against}: {counts['pass']} of {_rules(total)}{advised}{idle}.")


def headline_text(judgment: Judgment, contract: Contract, source: Source = "tap") -> str:
    """Return `headline` as plain text."""
    return "".join(str(part) for part in headline(judgment, contract, source))


def broken(judgment: Judgment) -> list[RuleResult]:
    """Return the rules that are broken, required ones first."""
    found = [rule for rule in judgment.rules if rule.verdict in ("fail", "warn")]
    return sorted(found, key=lambda rule: rule.verdict != "fail")


def breach_lines(rule: RuleResult, shown: int) -> list[str]:
    """Return a sentence for each of the first breaches of a rule, and one for the others."""
    lines = [f"{_messages(breach.message, breach.beside)}: {breach.text}" for breach in rule.breaches[:shown]]
    more = rule.broken - len(lines)
    return [*lines, f"and {more} more times"] if more > 0 else lines


def brief(body: Any, of: str = "") -> Any:
    """Return what of a message tells what it does, without anything that a user wrote; `of` is the member it is."""
    if isinstance(body, dict):
        said = _SAID | {"message"} if of == "error" else _SAID
        kept = {name: brief(value, name) for name, value in body.items() if name in said}
        return {**kept, "…": "…"} if len(kept) < len(body) else kept
    return ["…"] if isinstance(body, list) and body else body


def _messages(n: int, beside: tuple[int, ...]) -> str:
    others = ", ".join(map(str, beside[:NAMED])) + (", …" if len(beside) > NAMED else "")
    return f"message {n} (see {others})" if beside else f"message {n}"


def _rules(count: int) -> str:
    return f"{count} rule{'' if count == 1 else 's'}"
