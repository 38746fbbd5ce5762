"""Check of restores: a thread that is loaded is paged, and not restored again and again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hive_gate.adapter.checks.check import Breach, Check, quoted
from hive_gate.adapter.dialogue import Event


class RestoredOnce(Check):
    """A thread that was restored with a page is not restored again while it is only paged and nothing happens to it."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._restored: tuple[str, int] | None = None
        """The thread that was restored last, and the message that said so; None once something came between."""

    def on(self, event: Event) -> Iterator[Breach]:
        """See :class:`Check`."""
        restored = self._restored
        if event.is_request():
            # Whoever goes to another thread comes back by a restore of its own; to page this one is no reason.
            if restored is not None and event.thread is not None and not self._again(event, restored[0]):
                self.seen += 1
                if event.thread != restored[0] or event.method != self.params["pages"]:
                    self._restored = None
        elif event.direction == "received":
            yield from self._received(event, restored)

    def _received(self, event: Event, restored: tuple[str, int] | None) -> Iterator[Breach]:
        if event.error is not None:
            self._restored = None
        elif event.succeeded and event.asked is not None and self._restores(event.asked) and event.about is not None:
            if restored is not None and restored[0] == event.about and event.asked.n > restored[1]:
                self.seen += 1
                text = f"{quoted(event.asked.method)} is sent again for the thread that was restored last"
                yield Breach(event.asked.n, text, (restored[1],))
            self._restored = (event.about, event.n)
        elif restored is not None and event.succeeded and _thread_in(event) not in (None, restored[0]):
            self._restored = None  # it began another thread
        elif restored is not None and event.method in self.params["until"] and event.thread in (None, restored[0]):
            self._restored = None

    def _again(self, event: Event, thread: str) -> bool:
        return event.thread == thread and self._restores(event)

    def _restores(self, event: Event) -> bool:
        params = event.params if isinstance(event.params, dict) else {}
        return event.method == self.params["method"] and isinstance(params.get("initialTurnsPage"), dict)


def _thread_in(event: Event) -> str | None:
    """Return the id of the thread that a reply is about."""
    result = event.body.get("result")
    thread = result.get("thread") if isinstance(result, dict) else None
    name = thread.get("id") if isinstance(thread, dict) else None
    return name if isinstance(name, str) else None
