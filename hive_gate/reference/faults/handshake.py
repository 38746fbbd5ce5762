"""Faults of the handshake, and of what is said under the server's own schema."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import result, returning
from hive_gate.reference.faults.fault import Fault, Handler, Swap, answering, by, handling
from hive_gate.reference.server import dispatch, tokens, wire
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.lines import Outgoing


def _again(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        core.client = None
        handle(core, asked)

    return new


def _before(old: Any) -> Any:
    def new(core: Core, method: str, params: Any) -> None:
        if core.client is not None:
            old(core, method, params)

    return new


def _capable(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        handle(core, asked)
        core.experimental = True

    return new


def _fields_ignored(old: Any) -> Any:
    """Answer what the capability is needed for as if it had not been asked for, as old servers do."""

    def new(core: Core, asked: Asked) -> None:
        if not core.experimental:
            asked = replace(asked, params={**asked.params, "excludeTurns": False, "initialTurnsPage": None})
        old(core, asked)

    return new


def _twice(old: Any) -> Any:
    def new(self: Outgoing, request: int | str, answer: Any) -> None:
        old(self, request, answer)
        if isinstance(answer, dict) and "userAgent" in answer:
            old(self, request, answer)

    return new


def _in_words(counts: dict[str, Any]) -> dict[str, Any]:
    return {**counts, "modelContextWindow": "unknown"}


FAULTS = (
    Fault(
        "handshake-other-home",
        "The home that the server names is not the one that was given.",
        by("result", "handshake.initialize", at="/codexHome"),
        (answering("initialize", lambda answer: answer | {"codexHome": "/nowhere"}),),
    ),
    Fault(
        "handshake-not-needed",
        "Requests before `initialize` are answered.",
        by("error", "handshake.before-initialize"),
        (Swap(dispatch, "_admit", _before),),
    ),
    Fault(
        "handshake-again",
        "A second `initialize` begins anew.",
        by("error", "handshake.twice"),
        (handling("initialize", _again),),
    ),
    Fault(
        "handshake-answered-twice",
        "`initialize` is answered twice.",
        by("second-reply", "handshake.clean-wire"),
        (Swap(Outgoing, "result", _twice),),
        beside=("handshake.twice",),
    ),
    Fault(
        "capability-not-needed",
        "What needs the experimental capability works without it.",
        by("error", "handshake.without-capability"),
        (handling("initialize", _capable),),
    ),
    Fault(
        "capability-fields-ignored",
        "Without the capability the fields that need it are ignored, so that full history comes.",
        by("error", "handshake.without-capability/exclude-turns", "handshake.without-capability/initial-turns-page"),
        (
            Swap(dispatch, "experimental_use", returning(None)),
            handling("thread/resume", _fields_ignored),
        ),
    ),
    Fault(
        "schema-reply-breaks-it",
        "A time in every thread is a text, although the server's own schema says a number.",
        by("own-schema", "schema.replies-valid"),
        (Swap(wire, "thread", result(lambda thread: {**thread, "recencyAt": str(thread["recencyAt"])})),),
        beside=("read.without-turns",),
    ),
    Fault(
        "schema-notification-breaks-it",
        "A number in what is told of tokens is a text, although the server's own schema says a number.",
        by("own-schema", "schema.notifications-valid"),
        (Swap(tokens, "wire", result(_in_words)),),
        beside=("turns-list.added-live",),
    ),
)
