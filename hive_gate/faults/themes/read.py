"""Faults of `thread/read`, the fallback."""

from __future__ import annotations

from typing import Any

from hive_gate.faults.edits import defaulting, for_error, setting, with_result
from hive_gate.faults.fault import READ, RESUME, Fault, by
from hive_gate.faults.themes.pages import TURNS
from hive_gate.faults.themes.views import ITEMS_MATCH
from hive_gate.faults.wire import Wire

_BOTH = ("read.with-turns", "read.real-turns")
_OTHER = "01970000-0000-7000-8000-000000000000"
_EMPTY_THREAD = {
    "thread": {
        "id": "01970000-dead-7000-8000-00000000beef",
        "sessionId": "01970000-dead-7000-8000-00000000beef",
        "preview": "",
        "ephemeral": False,
        "modelProvider": "stand-in",
        "createdAt": 0,
        "updatedAt": 0,
        "status": {"type": "notLoaded"},
        "cwd": "/",
        "cliVersion": "0.0.0",
        "source": "vscode",
        "turns": [],
    }
}


def _without_last(result: Any, params: dict[str, Any]) -> None:
    del result["thread"]["turns"][-1:]


def _last_answer_only(result: Any, params: dict[str, Any]) -> None:
    for turn in result["thread"]["turns"]:
        answers = [item for item in turn["items"] if item["type"] == "agentMessage"][:-1]
        turn["items"] = [item for item in turn["items"] if item not in answers]


def _completed(result: Any, params: dict[str, Any]) -> None:
    for turn in result["thread"]["turns"]:
        turn["status"] = "completed"


def _remember_resumed(message: dict[str, Any], wire: Wire) -> dict[str, Any]:
    if message["method"] == RESUME:
        wire.memory.setdefault("resumed", set()).add(message["params"]["threadId"])
    return message


def _empty_if_resumed(reply: dict[str, Any], asked: dict[str, Any], wire: Wire) -> dict[str, Any]:
    loaded = asked["params"]["threadId"] in wire.memory.get("resumed", ())
    if asked["method"] == READ and loaded and "result" in reply:
        reply["result"]["thread"]["turns"] = []
    return reply


FAULTS = (
    Fault(
        "read-of-loaded-empty",
        "A thread that is loaded is read without its turns.",
        by(TURNS, "read.loaded"),
        of=(READ, RESUME),
        request=_remember_resumed,
        reply=_empty_if_resumed,
    ),
    Fault(
        "read-without-turns",
        "`includeTurns: true` gives no turns.",
        by(TURNS, *_BOTH, at="/thread/turns") + by("same-turns-as", "read.with-turns"),
        of=(READ,),
        request=setting(includeTurns=False),
    ),
    Fault(
        "read-loses-newest",
        "`includeTurns: true` lacks the newest turn.",
        by(TURNS, *_BOTH) + by("same-turns-as", "read.with-turns"),
        of=(READ,),
        reply=with_result(_without_last),
    ),
    Fault(
        "read-newest-first",
        "`includeTurns: true` gives the newest turn first.",
        by(TURNS, *_BOTH, at="/thread/turns/*") + by("same-turns-as", "read.with-turns"),
        of=(READ,),
        reply=with_result(lambda result, _: result["thread"]["turns"].reverse()),
    ),
    Fault(
        "read-loses-answers",
        "`includeTurns: true` has only the last answer of each turn.",
        by(ITEMS_MATCH, *_BOTH, at="/thread/turns/*/items/*") + by("same-turns-as", "read.with-turns"),
        of=(READ,),
        reply=with_result(_last_answer_only),
    ),
    Fault(
        "read-loses-statuses",
        "`includeTurns: true` says of every turn that it is completed.",
        by(TURNS, "read.with-turns", at="/thread/turns/*/status") + by("same-turns-as", "read.with-turns"),
        of=(READ,),
        reply=with_result(_completed),
    ),
    Fault(
        "read-of-another-thread",
        "The thread that is read is not the one that was asked for.",
        by("result", "read.with-turns", "read.without-turns", at="/thread/id"),
        of=(READ,),
        reply=with_result(lambda result, _: result["thread"].update(id=_OTHER)),
    ),
    Fault(
        "read-always-with-turns",
        "`includeTurns: false` gives the turns all the same.",
        by("result", "read.without-turns", at="/thread/turns"),
        of=(READ,),
        request=setting(includeTurns=True),
    ),
    Fault(
        "read-default-with-turns",
        "Without `includeTurns` the turns are given.",
        by("result", "read.without-turns/nothing", at="/thread/turns"),
        of=(READ,),
        request=defaulting("includeTurns", True),
    ),
    Fault(
        "read-of-unknown-as-empty",
        "An unknown thread is read as an empty one.",
        by("error", "read.unknown-thread"),
        of=(READ,),
        reply=for_error("thread not loaded: ", result=_EMPTY_THREAD),
    ),
    Fault(
        "read-of-unknown-other-code",
        "An unknown thread is refused with another code.",
        by("error", "read.unknown-thread", at="/error"),
        of=(READ,),
        reply=for_error("thread not loaded: ", code=-32001),
    ),
)
