"""Checks of what a client does after an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent, key_of
from hive_gate.contract.names import resolve

_TIMER_MS = 2.0
"""Some timers end a wait a moment early."""

_QUIET = 10
"""How many of the longest waits have to pass until what was refused is forgotten."""


@dataclass(frozen=True, slots=True)
class _Bar:
    """A refusal after which some requests are not to be sent."""

    refusal: int
    error: str
    thread: str | None
    until: tuple[str, ...]


class NotAgain(Check):
    """After a refusal that is final the same request is not sent again."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._bars: Recent[_Bar] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        asked = event.answers()
        if asked is not None and event.error is not None:
            self._bar(event, asked, event.error)
        elif asked is not None and event.succeeded:
            for key, bar in self._bars.items():
                if asked.method in bar.until and event.about == bar.thread:
                    self._bars.pop(key)
        if event.is_request():
            for number, case in enumerate(self.params["after"]):
                found = self._bars.get(_key(number, case, event, event.method))
                if found is not None:
                    text = f"{quoted(event.method)} is sent after {quoted(found.error)}"
                    yield Breach(event.n, text, (found.refusal,))

    def _bar(self, event: Event, asked: Event, error: Mapping[str, Any]) -> None:
        message = str(error.get("message"))
        for number, case in enumerate(self.params["after"]):
            of = asked.method in case.get("of", (asked.method,))
            if of and error.get("code") == case["code"] and re.search(case.get("message", ""), message):
                self.seen += 1
                bar = _Bar(event.n, message, asked.thread, tuple(case.get("until", ())))
                for method in case.get("bars", (asked.method,)):
                    self._bars.put(_key(number, case, asked, method), bar)
                return


def _key(number: int, case: Mapping[str, Any], request: Event, method: str) -> str:
    return key_of(number, method, [_at(request.params, pointer) for pointer in case["same"]])


def _at(params: Any, pointer: str) -> Any:
    try:
        return resolve(params, pointer)
    except LookupError:
        return None


@dataclass(frozen=True, slots=True)
class _Refused:
    """A request that was refused, and not answered otherwise since."""

    times: int
    ms: float
    refusal: int


class Waits(Check):
    """After an error the same request is sent again only after a wait that grows."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._refused: Recent[_Refused] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        asked = event.answers()
        if asked is not None:
            key = key_of(asked.method, asked.params)
            if event.error is None:
                self._refused.pop(key)
            elif self._concerns(event.error.get("code")):
                self.seen += 1
                before = self._refused.get(key)
                self._refused.put(key, _Refused(1 if before is None else before.times + 1, event.ms, event.n))
        if event.is_request():
            key = key_of(event.method, event.params)
            refused = self._refused.get(key)
            if refused is not None and event.ms - refused.ms >= _QUIET * self.params["most-ms"]:
                self._refused.pop(key)
            elif refused is not None:
                yield from self._again(event, refused)

    def _again(self, event: Event, refused: _Refused) -> Iterator[Breach]:
        least = min(self.params["first-ms"] * self.params["factor"] ** (refused.times - 1), self.params["most-ms"])
        waited = event.ms - refused.ms
        if refused.times > self.params["retries"]:
            text = f"{quoted(event.method)} is sent again after {refused.times} refusals"
            yield Breach(event.n, text, (refused.refusal,))
        elif waited + _TIMER_MS < least:
            text = (
                f"{quoted(event.method)} is sent again {waited:.0f} ms after refusal {refused.times}, not {least:g} ms"
            )
            yield Breach(event.n, text, (refused.refusal,))

    def _concerns(self, code: Any) -> bool:
        codes = self.params.get("codes")
        return code in codes if codes is not None else code not in self.params["except"]
