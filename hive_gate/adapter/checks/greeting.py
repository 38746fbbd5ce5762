"""Checks of the handshake."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.dialogue import Event


class GreetingFirst(Check):
    """The greeting comes before everything else and is not sent again once it was answered."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._answered: int | None = None
        self._open: int | None = None

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        method = self.params["method"]
        if event.answers(method):
            self._open = None
            if event.succeeded and self._answered is None:
                self._answered = event.n
        if event.direction != "sent":
            return
        first, self.seen = self.seen == 0, 1
        if not event.is_request(method):
            if first:
                yield Breach(event.n, f"{quoted(event.method or 'a line')} is sent before {quoted(method)}")
        elif self._answered is not None:
            yield Breach(event.n, f"{quoted(method)} is sent again after it was answered", (self._answered,))
        elif self._open is not None:
            yield Breach(event.n, f"{quoted(method)} is sent again before it was answered", (self._open,))
        else:
            self._open = event.n


class GreetingConfirmed(Check):
    """Right after the answer to the greeting comes the notification that ends the handshake."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._greeted = False
        self._answered = False
        self._confirmed: int | None = None
        self._told = False

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        request, notification = self.params["request"], self.params["notification"]
        if event.answers(request) and event.succeeded:
            self._answered = True
        if event.direction != "sent" or event.kind not in ("request", "notification"):
            return
        if event.is_request(request):
            self._greeted = True
        elif event.method == notification and event.kind == "request":
            self.seen += 1
            self._told = True
            yield Breach(event.n, f"{quoted(notification)} is sent as a request, with an id, and ends no handshake")
        elif event.method == notification:
            self.seen += 1
            if self._confirmed is not None:
                yield Breach(event.n, f"{quoted(notification)} is sent a second time", (self._confirmed,))
            elif not self._answered:
                yield Breach(event.n, f"{quoted(notification)} is sent before {quoted(request)} was answered")
            self._confirmed = event.n
        elif self._greeted and self._confirmed is None and not self._told:
            self.seen += 1
            self._told = True
            yield Breach(event.n, f"{quoted(event.method)} is sent without {quoted(notification)} before it")
