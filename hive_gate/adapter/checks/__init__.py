"""The vocabulary of the contract's adapter rules: each check follows one connection."""

from __future__ import annotations

from hive_gate.adapter.checks.answering import Answers, AskedFor
from hive_gate.adapter.checks.check import Breach, Check
from hive_gate.adapter.checks.greeting import GreetingConfirmed, GreetingFirst
from hive_gate.adapter.checks.once import Once
from hive_gate.adapter.checks.paging import CursorGiven, CursorOnce, StopsAtEnd
from hive_gate.adapter.checks.refusals import NotAgain, Waits
from hive_gate.adapter.checks.restoring import RestoredOnce
from hive_gate.adapter.checks.sending import Messages, Never, OneInFlight, Pace, Params, UniqueIds
from hive_gate.adapter.checks.viewing import PageSize, View

__all__ = ["CHECKS", "Breach", "Check"]

CHECKS: dict[str, type[Check]] = {
    "params": Params,
    "never": Never,
    "greeting-first": GreetingFirst,
    "greeting-confirmed": GreetingConfirmed,
    "page-size": PageSize,
    "view": View,
    "restored-once": RestoredOnce,
    "once": Once,
    "one-in-flight": OneInFlight,
    "pace": Pace,
    "cursor-given": CursorGiven,
    "cursor-once": CursorOnce,
    "stops-at-end": StopsAtEnd,
    "not-again": NotAgain,
    "waits": Waits,
    "answers": Answers,
    "asked-for": AskedFor,
    "unique-ids": UniqueIds,
    "messages": Messages,
}
"""Name in the contract to the check; the schema of contracts names the same."""
