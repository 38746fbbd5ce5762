"""Checks of single messages: what is sent, in which form, and under which id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent, key_of
from hive_gate.contract.names import escape

_SHOWN = 3
"""Faults of one message that are told."""

_SLACK = 0.75
"""Part of a pace that has to be kept to: what lies between client and record delays some messages more than others."""

_ODD = {
    "blank-line": "it is empty",
    "duplicate-key": "a key stands twice in one object",
    "not-a-number": "it holds NaN or Infinity",
    "not-json": "it is not JSON",
    "not-object": "it is no object",
    "not-utf-8": "it is not UTF-8",
    "unfinished-line": "it has no newline at its end",
}
"""What is wrong with a line, by the names of `hive_gate.wire.message.Anomaly`; others leave it valid."""


class Params(Check):
    """The params of requests are valid under a schema."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._validators = {
            method: Draft202012Validator({"$defs": dict(self.defs), "allOf": [schema]})
            for method, schema in self.params.items()
        }

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        if not event.is_request(*self._validators):
            return
        self.seen += 1
        if not isinstance(event.params, dict):
            yield Breach(event.n, f"{quoted(event.method)} has no params")
            return
        errors = list(self._validators[event.method].iter_errors(event.params))
        if errors:
            told = list(dict.fromkeys(text for error in errors for text in _told(error)))
            more = f" and {len(told) - _SHOWN} more" if len(told) > _SHOWN else ""
            yield Breach(event.n, f"{quoted(event.method)}: {'; '.join(told[:_SHOWN])}{more}")


def _told(error: ValidationError) -> Iterator[str]:
    """Yield what is wrong, in words that name the place."""
    at = "".join(f"/{escape(str(part))}" for part in error.absolute_path)
    needed, given = error.validator_value, error.instance
    if error.validator == "required" and isinstance(needed, list) and isinstance(given, dict):
        yield from (f"{quoted(f'{at}/{name}')} is missing" for name in needed if name not in given)
    elif error.validator == "const":
        yield f"{quoted(at)} is {json.dumps(given)[:60]}, not {json.dumps(needed)}"
    else:
        yield f"{quoted(at)}: {error.message[:160]}"


class Never(Check):
    """Methods that are not sent."""

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        if event.direction == "sent":
            self.seen += 1
            if event.method in self.params["methods"]:
                yield Breach(event.n, f"{quoted(event.method)} is sent")


class OneInFlight(Check):
    """Of some methods, one request at a time for each thread."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._known: Recent[None] = Recent()
        self._open: Recent[dict[int, None]] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        methods = self.params["methods"]
        asked = event.answers(*methods)
        if asked is not None and asked.thread is not None:
            (self._open.get(asked.thread) or {}).pop(asked.n, None)
        if not event.is_request(*methods) or event.thread is None:
            return
        flying = self._open.get(event.thread) or {}
        if event.thread in self._known:
            self.seen += 1  # one request alone shows nothing
        if flying:
            yield Breach(event.n, f"{quoted(event.method)} is sent while another page is not there yet", tuple(flying))
        self._known.put(event.thread, None)
        self._open.put(event.thread, {**flying, event.n: None})


@dataclass(frozen=True, slots=True)
class _Took:
    """A request and its result; a refusal is what other rules speak of."""

    start: float
    end: float
    n: int


class Pace(Check):
    """From one request to the next for the same thread passes what the last one took, several times."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._last: Recent[_Took] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        methods, about = self.params["methods"], event.about
        asked = event.answers(*methods)
        if asked is not None and about is not None and event.succeeded:
            self._last.put(about, _Took(asked.ms, event.ms, event.n))
        if not event.is_request(*methods) or event.thread is None:
            return
        last = self._last.pop(event.thread)
        if last is None:
            return
        self.seen += 1
        took, waited = last.end - last.start, event.ms - last.start
        least = max(self.params["factor"] * took, self.params["least-ms"])
        if waited < _SLACK * least:
            text = (
                f"{quoted(event.method)} is sent {waited:.0f} ms after the start of the last one, which took "
                f"{took:.0f} ms, not after {least:.0f} ms"
            )
            yield Breach(event.n, text, (last.n,))


class UniqueIds(Check):
    """Every request has an id of its own; what has none is a notification that the server knows."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._requests = 0
        self._had: Recent[int] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        if event.direction == "sent" and event.method and event.kind == "notification":
            if event.method not in self.params["notifications"]:
                yield Breach(event.n, f"{quoted(event.method)} is sent without an id, so nothing answers it")
            return
        if not event.is_request():
            return
        ident = event.body["id"]
        self._requests += 1
        self.seen = self._requests - 1  # the first alone shows nothing
        if isinstance(ident, bool) or not isinstance(ident, (int, str)):
            yield Breach(event.n, f"the id {quoted(ident)} is neither a string nor an integer")
            return
        before = self._had.get(key_of(ident))
        if before is not None:
            yield Breach(event.n, f"the id {quoted(ident)} was used before", (before,))
        self._had.put(key_of(ident), event.n)


class Messages(Check):
    """Every line is one message."""

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        if event.direction != "sent":
            return
        self.seen += 1
        odd = [_ODD[kind] for kind in event.odd if kind in _ODD]
        if odd:
            yield Breach(event.n, f"the line is no message: {', '.join(odd)}")
        elif event.kind is None:
            yield Breach(event.n, "the line is no message: it is not one JSON object")
        elif event.kind == "unknown":
            yield Breach(event.n, "the object is neither request, notification nor reply")
        elif event.kind != "reply" and not event.method:
            yield Breach(event.n, "the method is no text")
