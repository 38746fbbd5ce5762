"""Checks of the other way round: the server asks, the client answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.dialogue import Event
from hive_gate.adapter.recent import Recent, key_of


class Answers(Check):
    """Every request of the server is answered, unless the server withdraws it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._open: Recent[Event] = Recent()

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        if event.direction == "received" and event.kind == "request":
            self._open.put(key_of(event.body["id"]), event)
        elif event.direction == "received" and event.method and event.method == self.params.get("withdrawn"):
            params = event.params
            self._close(params.get("requestId") if isinstance(params, dict) else None)
        elif event.direction == "sent" and event.asked is not None:
            self._close(event.body["id"])
        yield from ()

    def _close(self, ident: Any) -> None:
        # A request alone shows nothing of who is asked: it counts once it is answered, withdrawn, or left open.
        self.seen += self._open.pop(key_of(ident)) is not None

    def end(self, ms: float) -> Iterator[Breach]:
        """See :class:`Check`."""
        for request in self._open.values():
            if request.ms < ms - self.params["grace-ms"]:
                self.seen += 1
                yield Breach(request.n, f"the server's request {quoted(request.method)} was never answered")


class AskedFor(Check):
    """The client sends no reply but to an open request of the server."""

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        if event.direction == "sent":
            self.seen += 1
            if event.kind == "reply" and event.asked is None:
                text = f"a reply with the id {quoted(event.body['id'])}, which no open request of the server has"
                yield Breach(event.n, text)
