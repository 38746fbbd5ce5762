"""What was seen where everything held: a pass has to be as readable as a failure."""

from __future__ import annotations

from collections.abc import Sequence

from hive_gate.probe.record import ClauseRecord
from hive_gate.probe.seen import reply_phrase
from hive_gate.wire.transcript import Exchange, Message

_SHOWN = 4
"""Answers that are told."""


def summary(record: ClauseRecord, messages: Sequence[Message]) -> str:
    """Return what each step of a clause was answered, in order, as a phrase."""
    told = [phrase for step in record.steps if (phrase := _answered(step.exchanges, messages))]
    shown = told if len(told) <= _SHOWN else [*told[: _SHOWN - 1], "…", told[-1]]
    return "; then ".join(shown) if shown else "held"


def _answered(exchanges: Sequence[Exchange], messages: Sequence[Message]) -> str:
    bodies = [None if exchange.reply is None else messages[exchange.reply].body for exchange in exchanges]
    results = [(body or {}).get("result") for body in bodies]
    pages = [r["data"] for r in results if isinstance(r, dict) and isinstance(r.get("data"), list)]
    if len(bodies) > 1 and len(pages) == len(bodies):
        return f"{len(pages)} pages with {sum(map(len, pages))} entries"
    return "; ".join(dict.fromkeys(reply_phrase(body) for body in bodies))
