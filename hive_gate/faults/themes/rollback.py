"""Faults of `thread/rollback`: what it drops, what it answers, and what agrees with it afterwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import refusal, with_params, with_result
from hive_gate.faults.fault import LIST, READ, RESUME, ROLLBACK, Fault, Message, ReplyHook, RequestHook, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.views import ITEMS_MATCH
from hive_gate.faults.wire import Wire

_LAST, _THREE, _RESTART, _MORE = "rollback.last", "rollback.last/3", "rollback.restart", "rollback.more-than-exist"
_APPENDS, _FILES, _MODEL = "rollback.appends", "rollback.files", "rollback.model"
_REFUSED = ("rollback.zero", "rollback.in-flight", "rollback.active-turn", "rollback.not-loaded")
_EVERYWHERE = (ROLLBACK, READ, RESUME, LIST)


def _unknown_method(request: Message, wire: Wire) -> None:
    wire.to_client(refusal(request, f"Invalid request: unknown variant `{ROLLBACK}`, expected one of `thread/read`"))


def _asking(change: Callable[[int], int]) -> RequestHook:
    """Roll another number of turns back; one that has to be refused stays as it is."""
    return with_params(lambda params: params.update(numTurns=change(params["numTurns"]) if params["numTurns"] else 0))


def _answering(change: Callable[[list[Any]], object]) -> ReplyHook:
    def result_change(result: Any, params: dict[str, Any]) -> None:
        change(result["thread"]["turns"])

    return with_result(result_change)


def _without_items(turns: list[Any]) -> None:
    for turn in turns:
        turn["items"] = []


def _unheard(request: Message, wire: Wire) -> Message:
    """Let the rollback of the request not happen: the server is asked to read the thread instead."""
    if request["method"] != ROLLBACK or not request["params"]["numTurns"]:
        return request
    thread = request["params"]["threadId"]
    wire.memory[thread] = wire.memory.get(thread, 0) + request["params"]["numTurns"]
    return {"id": request["id"], "method": READ, "params": {"threadId": thread, "includeTurns": True}}


def _without_dropped(*methods: str) -> ReplyHook:
    """Hide the turns of rollbacks that did not happen from the replies to some methods."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        dropped = wire.memory.get((asked.get("params") or {}).get("threadId"), 0)
        if not dropped or asked["method"] not in methods or "result" not in message:
            return message
        if asked["method"] == LIST:
            del message["result"]["data"][:dropped]
        else:
            turns = message["result"]["thread"]["turns"]
            del turns[max(0, len(turns) - dropped) :]
        return message

    return reply


def _still_shown(word: str, method: str, at: str) -> Fault:
    return Fault(
        f"rollback-not-seen-by-{word}",
        f"After a rollback `{method}` still shows the old turns.",
        by(TURNS, _LAST, at=at),
        of=_EVERYWHERE,
        request=_unheard,
        reply=_without_dropped(*(other for other in _EVERYWHERE if other != method)),
    )


def _refused_at_most(request: Message, wire: Wire) -> Message | None:
    if request["params"]["numTurns"] < 99:
        return request
    wire.to_client(refusal(request, "numTurns exceeds the number of turns"))
    return None


def _wrong(name: str, breaks: str, change: Callable[[int], int], *noticed: str) -> Fault:
    return Fault(
        name,
        breaks,
        by(TURNS, *noticed) + by("model-input", _MODEL),
        of=(ROLLBACK,),
        request=_asking(change),
    )


def _answer(name: str, breaks: str, check: str, change: Callable[[list[Any]], object]) -> Fault:
    return Fault(name, breaks, by(check, _LAST, at="/thread/turns*"), of=(ROLLBACK,), reply=_answering(change))


FAULTS = (
    Fault(
        "rollback-unknown",
        "The method is in the schema and answered as an unknown one.",
        by("result", _LAST, _RESTART, _MORE, _APPENDS, _FILES, _MODEL, "thread-name.rollback")
        + by("error", *_REFUSED, at="/error"),
        of=(ROLLBACK,),
        request=_unknown_method,
    ),
    _wrong("rollback-one-too-many", "One turn more is dropped.", lambda n: n + 1, _LAST, _RESTART),
    _wrong("rollback-one-too-few", "One turn less is dropped.", lambda n: max(1, n - 1), _THREE, _RESTART),
    _wrong("rollback-everything", "All turns are dropped.", lambda n: 99, _LAST, _RESTART),
    Fault(
        "rollback-number-of-marker",
        "The marker that is stored has another number than was asked for.",
        by("facts", _APPENDS, at="/added"),
        of=(ROLLBACK,),
        request=_asking(lambda n: n + 1),
    ),
    _answer("rollback-answers-no-turns", "The answer has no turns.", TURNS, list.clear),
    _answer("rollback-answers-one-less", "The answer lacks the newest turn.", TURNS, lambda turns: turns.pop()),
    Fault(
        "rollback-answers-newest-first",
        "The turns of the answer are in another order.",
        by(TURNS, "rollback.last/1", at="/thread/turns*"),
        of=(ROLLBACK,),
        reply=_answering(list.reverse),
    ),
    _answer("rollback-answers-without-items", "The turns of the answer are empty.", ITEMS_MATCH, _without_items),
    Fault(
        "rollback-answers-old-turns",
        "The answer has the turns that were dropped.",
        by(TURNS, _LAST, at="/thread/turns*") + by("result", _MORE, at="/thread/turns"),
        of=_EVERYWHERE,
        request=_unheard,
        reply=_without_dropped(READ, RESUME, LIST),
    ),
    _still_shown("pages", LIST, "/data*"),
    _still_shown("read", READ, "/thread/turns*"),
    _still_shown("resume", RESUME, "/thread/turns*"),
    Fault(
        "rollback-not-stored",
        "A rollback is forgotten by the next server, and by the model.",
        by(TURNS, _RESTART) + by("facts", _APPENDS) + by("model-input", _MODEL),
        of=_EVERYWHERE,
        request=_unheard,
        reply=_without_dropped(*_EVERYWHERE),
    ),
    Fault(
        "rollback-not-seen-by-pages-when-empty",
        "The pages of a thread that was cleared still have turns.",
        by("result", _MORE, at="/data"),
        of=_EVERYWHERE,
        request=_unheard,
        reply=_without_dropped(ROLLBACK, READ, RESUME),
    ),
    Fault(
        "rollback-more-refused",
        "More turns than there are is refused.",
        by("result", _MORE),
        of=(ROLLBACK,),
        request=_refused_at_most,
    ),
    Fault(
        "rollback-more-keeps-one",
        "More turns than there are leaves the first.",
        by("result", _MORE, at="/thread/turns") + by("result", _MORE, at="/data"),
        of=(ROLLBACK,),
        request=_asking(lambda n: min(n, 3)),
    ),
)
