"""The small pieces that faults are put together from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hive_gate.faults.fault import READ, THREADS, Message, ReplyHook, RequestHook
from hive_gate.faults.wire import Wire

Turn = dict[str, Any]

EMPTY_PAGE: dict[str, Any] = {"data": [], "nextCursor": None, "backwardsCursor": None}


def with_params(change: Callable[[dict[str, Any]], None]) -> RequestHook:
    """Change the parameters of each request."""

    def request(message: Message, wire: Wire) -> Message:
        change(message["params"])
        return message

    return request


def setting(**params: Any) -> RequestHook:
    """Overwrite parameters."""
    return with_params(lambda sent: sent.update(params))


def forgetting(name: str) -> RequestHook:
    """Leave a parameter out, as a server does that does not know it."""
    return with_params(lambda sent: sent.pop(name, None))


def defaulting(name: str, value: Any) -> RequestHook:
    """Have another default for a parameter."""
    return with_params(lambda sent: sent.setdefault(name, value))


def with_result(change: Callable[[Any, dict[str, Any]], None]) -> ReplyHook:
    """Change each result in place; `change` gets it and the parameters as the client sent them. Errors pass."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        if "result" in message:
            change(message["result"], asked.get("params") or {})
        return message

    return reply


def with_turns(change: Callable[[list[Turn], dict[str, Any]], list[Turn]]) -> ReplyHook:
    """Replace the turns of each page."""
    return with_result(lambda page, params: page.update(data=change(page["data"], params)))


def with_each_turn(change: Callable[[Turn], None]) -> ReplyHook:
    """Change every turn of a result in place, wherever it stands."""

    def all_of_them(result: Any, params: dict[str, Any]) -> None:
        for turn in turns_of(result):
            change(turn)

    return with_result(all_of_them)


def for_error(text: str, *, code: int | None = None, message: str | None = None, result: Any = None) -> ReplyHook:
    """Answer otherwise where the server refuses with an error that has `text` in it.

    Args:
        text: part of the error's message.
        code: another code.
        message: another message; `{threadId}` and the like stand for the request's parameters.
        result: answered instead of the error.
    """

    def reply(body: Message, asked: Message, wire: Wire) -> Message:
        if text not in body.get("error", {}).get("message", ""):
            return body
        if result is not None:
            return {"id": body["id"], "result": result}
        if code is not None:
            body["error"]["code"] = code
        if message is not None:
            body["error"]["message"] = message.format(**(asked.get("params") or {}))
        return body

    return reply


def refusal(request: Message, message: str, code: int = -32600) -> Message:
    """Return an error as the reply to a request."""
    return {"id": request["id"], "error": {"code": code, "message": message}}


def turns_of(result: Any) -> list[Turn]:
    """Return every turn in a result: of a page, of a thread, of a thread's first page.

    An entry of a page of items is taken for a turn with that item.
    """
    data = [{"items": [entry["item"]]} if "item" in entry else entry for entry in result.get("data", ())]
    turns = [*data, *(result.get("thread") or {}).get("turns", ())]
    return [*turns, *(result.get("initialTurnsPage") or {}).get("data", ())]


def items_of(turn: Turn, kind: str) -> list[dict[str, Any]]:
    """Return a turn's items of one type."""
    return [item for item in turn["items"] if item["type"] == kind]


def cursor(turn: Turn, *, inclusive: bool) -> str:
    """Return a cursor at a turn, in the form that 0.142.5 gives."""
    return json.dumps({"turnId": turn["id"], "includeAnchor": inclusive}, separators=(",", ":"))


def threads_in(reply: Message, asked: Message) -> list[dict[str, Any]]:
    """Return every thread in a reply: the one it is about, or those of a list."""
    result = reply.get("result") or {}
    if asked["method"] == THREADS:
        return list(result.get("data", ()))
    return [result["thread"]] if "thread" in result else []


def with_thread(change: Callable[[dict[str, Any], Wire], object]) -> ReplyHook:
    """Change every thread of a reply in place, whichever method it answers."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        for thread in threads_in(message, asked):
            change(thread, wire)
        return message

    return reply


def only_for(method: str, hook: ReplyHook) -> ReplyHook:
    """Apply a hook to the replies of one method; a fault may have to look at others as well."""
    return lambda message, asked, wire: hook(message, asked, wire) if asked["method"] == method else message


def read_instead(text: str, *, of: str | None = None) -> ReplyHook:
    """Answer with the whole thread, as read, where the server refuses with an error that has `text` in it."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message | None:
        if text not in message.get("error", {}).get("message", "") or of not in (None, asked["method"]):
            return message
        thread = asked["params"]["threadId"]
        params = {"threadId": thread, "includeTurns": True}
        wire.to_server({"id": message["id"], "method": READ, "params": params})
        return None

    return reply


def rollouts(codex_home: Path, thread: str = "") -> list[Path]:
    """Return the stored files of a thread, or of all."""
    return sorted(codex_home.glob(f"sessions/**/rollout-*{thread}.jsonl"))
