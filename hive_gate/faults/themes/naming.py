"""Faults of a thread's name: which one it is, which are taken, and how they are kept."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable
from typing import Any

from hive_gate.faults.edits import for_error, refusal, threads_in, with_params
from hive_gate.faults.fault import (
    ARCHIVE,
    NAME,
    READ,
    RESUME,
    ROLLBACK,
    THREADS,
    UNARCHIVE,
    Fault,
    Message,
    ReplyHook,
    RequestHook,
    by,
)
from hive_gate.faults.wire import Wire

_LOADED, _RESTART = "thread-name.loaded", "thread-name.restart"
_ARCHIVED, _ROLLBACK, _TRIMMED = "thread-name.archive", "thread-name.rollback", "thread-name.trimmed"
_EMPTY, _LAST, _SHARED = "thread-name.empty", "thread-name.last-wins", "thread-name.shared"
_REFUSAL = "thread name must not be empty"


def _remembering(change: Callable[[dict[str, Any], list[str]], object]) -> ReplyHook:
    """Change each named thread with the names that it was given on this wire, oldest first, as they were sent."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        given: dict[str, list[str]] = wire.memory.setdefault("given", {})
        if asked["method"] == NAME:
            given.setdefault(asked["params"]["threadId"], []).append(asked["params"]["name"])
        for thread in threads_in(message, asked):
            change(thread, given.get(thread["id"], []))
        return message

    return reply


def _last_given_to_any(reply: Message, asked: Message, wire: Wire) -> Message:
    """Let threads that were given the same name share what one of them is given later."""
    groups: list[set[str]] = wire.memory.setdefault("groups", [])
    names: dict[str, str] = wire.memory.setdefault("names", {})
    if asked["method"] == NAME:
        thread, name = asked["params"]["threadId"], asked["params"]["name"]
        group = next((group for group in groups if thread in group), {thread})
        group |= {other for other, known in names.items() if known == name}
        groups[:] = [*(g for g in groups if not g & group), group]
        names.update(dict.fromkeys(group, name))
    for shown in threads_in(reply, asked):
        if any(shown["id"] in group and len(group) > 1 for group in groups):
            shown["name"] = names[shown["id"]]
    return reply


def _refuse_taken(request: Message, wire: Wire) -> Message | None:
    thread, name = request["params"]["threadId"], request["params"]["name"]
    if wire.memory.setdefault(name, thread) != thread:
        wire.to_client(refusal(request, "another thread has this name"))
        return None
    return request


def _taken_away(thread: dict[str, Any], given: list[str]) -> None:
    if thread["name"] == "A shared name":
        thread["name"] = None


def _gone_after(method: str) -> ReplyHook:
    """Show no name of a thread that the method was called for."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        gone = wire.memory.setdefault("gone", set())
        if asked["method"] == method:
            gone.add(asked["params"]["threadId"])
        for thread in threads_in(message, asked):
            if thread["id"] in gone:
                thread["name"] = None
        return message

    return reply


def _cleared_by_empty(reply: Message, asked: Message, wire: Wire) -> Message:
    cleared = wire.memory.setdefault("cleared", set())
    if asked["method"] == NAME and _REFUSAL in reply.get("error", {}).get("message", ""):
        cleared.add(asked["params"]["threadId"])
    for thread in threads_in(reply, asked):
        if thread["id"] in cleared:
            thread["name"] = None
    return reply


def _blank_accepted(reply: Message, asked: Message, wire: Wire) -> Message:
    return {"id": reply["id"], "result": {}} if asked["params"]["name"].isspace() else reply


def _naming(change: Callable[[str], str]) -> RequestHook:
    return with_params(lambda params: params.update(name=change(params["name"]) or "?"))


def _in_index(change: Callable[[list[str]], list[str]]) -> ReplyHook:
    """Change the lines of the index of names after each name that was set."""

    def reply(message: Message, asked: Message, wire: Wire) -> Message:
        path = wire.codex_home / "session_index.jsonl"
        if "result" in message and path.exists():
            path.write_text("".join(change(path.read_text("utf-8").splitlines(keepends=True))), "utf-8")
        return message

    return reply


def _last_of_each(lines: list[str]) -> list[str]:
    return list({json.loads(line)["id"]: line for line in lines}.values())


def _without_time(lines: list[str]) -> list[str]:
    last = json.loads(lines[-1])
    last.pop("updated_at", None)
    return [*lines[:-1], json.dumps(last) + "\n"]


def _indexed(name: str, breaks: str, change: Callable[[list[str]], list[str]], at: str) -> Fault:
    return Fault(name, breaks, by("facts", _LAST, at=at), of=(NAME,), reply=_in_index(change))


_EVERYWHERE = (NAME, THREADS, READ, RESUME, UNARCHIVE, ROLLBACK, ARCHIVE)

FAULTS = (
    Fault(
        "first-name-wins",
        "A thread keeps the first name that it was given.",
        by("result", _LAST, at="/thread/name"),
        of=_EVERYWHERE,
        reply=_remembering(lambda thread, given: thread.update(name=given[0].strip()) if given else None),
    ),
    Fault(
        "name-lost-on-restart",
        "A name is known only to the server that set it.",
        by("result", _RESTART, "thread-name.paged") + by("result", _LAST, at="/thread/name"),
        of=_EVERYWHERE,
        reply=_remembering(lambda thread, given: None if given else thread.update(name=None)),
    ),
    Fault(
        "name-lost-on-archive",
        "An archived thread has no name any more.",
        by("result", _ARCHIVED),
        of=_EVERYWHERE,
        reply=_gone_after(ARCHIVE),
    ),
    Fault(
        "name-lost-on-unarchive",
        "A thread that is taken out of the archive has no name any more.",
        by("result", _ARCHIVED),
        of=_EVERYWHERE,
        reply=_gone_after(UNARCHIVE),
    ),
    Fault(
        "name-lost-on-load",
        "A thread that was loaded has no name any more.",
        by("result", _LOADED, _ROLLBACK),
        of=_EVERYWHERE,
        reply=_gone_after(RESUME),
    ),
    Fault(
        "name-not-trimmed",
        "A name keeps the white space around it.",
        by("result", _TRIMMED, at="/thread/name"),
        of=_EVERYWHERE,
        reply=_remembering(lambda thread, given: thread.update(name=given[-1]) if given else None),
    ),
    Fault(
        "name-trimmed-in-front-only",
        "White space after a name stays.",
        by("result", _TRIMMED, at="/thread/name"),
        of=_EVERYWHERE,
        reply=_remembering(lambda thread, given: thread.update(name=given[-1].lstrip()) if given else None),
    ),
    Fault(
        "empty-name-accepted",
        "An empty name is answered like any other.",
        by("error", _EMPTY),
        of=(NAME,),
        reply=for_error(_REFUSAL, result={}),
    ),
    Fault(
        "blank-name-accepted",
        "A name of white space is answered like any other.",
        by("error", "thread-name.empty/blank"),
        of=(NAME,),
        reply=_blank_accepted,
    ),
    Fault(
        "empty-name-other-code",
        "An empty name is refused with another code.",
        by("error", _EMPTY, at="/error"),
        of=(NAME,),
        reply=for_error(_REFUSAL, code=-32602),
    ),
    Fault(
        "empty-name-other-text",
        "The refusal of an empty name does not say what is wrong with it.",
        by("error", _EMPTY, at="/error"),
        of=(NAME,),
        reply=for_error(_REFUSAL, message="invalid name"),
    ),
    Fault(
        "empty-name-clears",
        "An empty name is refused, and the name before it is gone all the same.",
        by("result", _EMPTY, at="/thread/name"),
        of=_EVERYWHERE,
        reply=_cleared_by_empty,
    ),
    Fault(
        "name-cut",
        "Of a name 255 characters are kept.",
        by("result", "thread-name.texts/ten-thousand"),
        of=(NAME,),
        request=_naming(lambda name: name[:255]),
    ),
    Fault(
        "name-without-foreign-script",
        "Of a name only the ASCII characters are kept.",
        by("result", "thread-name.texts/cjk"),
        of=(NAME,),
        request=_naming(lambda name: name.encode("ascii", "ignore").decode()),
    ),
    Fault(
        "name-decomposed",
        "A name comes back in another Unicode form than it was set in.",
        by("result", "thread-name.texts/cjk"),
        of=(NAME,),
        request=_naming(lambda name: unicodedata.normalize("NFD", name)),
    ),
    Fault(
        "shared-name-refused",
        "A name that another thread has is refused.",
        by("result", _SHARED),
        of=(NAME,),
        request=_refuse_taken,
    ),
    Fault(
        "shared-name-renamed-together",
        "Threads of the same name are renamed together.",
        by("result", _SHARED, at="/thread/name"),
        of=_EVERYWHERE,
        reply=_last_given_to_any,
    ),
    Fault(
        "shared-name-taken-away",
        "Of two threads with the same name the first has none any more.",
        by("result", _SHARED, at="/thread/name"),
        of=_EVERYWHERE,
        reply=_remembering(_taken_away),
    ),
    _indexed("index-rewritten", "The index of names keeps one record a thread.", _last_of_each, "/grew"),
    _indexed("index-not-appended", "A second name is not added to the index.", lambda lines: lines[:1], "/*"),
    _indexed("index-appended-twice", "A name is added twice to the index.", lambda ls: [*ls, *ls[-1:]], "/added"),
    _indexed("index-without-time", "A record of the index does not say when.", _without_time, "/added*"),
)
