"""Faults of the greeting: what is answered before it, twice, without the capability, and from which home."""

from __future__ import annotations

from pathlib import Path

from hive_gate.faults.edits import EMPTY_PAGE, for_error, refusal, with_result
from hive_gate.faults.fault import LIST, READ, RESUME, START, Fault, Message, RequestHook, by
from hive_gate.faults.wire import Wire

GATES = {
    "turns-list": LIST,
    "exclude-turns": f"{RESUME}.excludeTurns",
    "initial-turns-page": f"{RESUME}.initialTurnsPage",
}


def _answer_ungreeted(request: Message, wire: Wire) -> Message | None:
    if request["method"] == "initialize":
        wire.memory["greeted"] = True
    if "greeted" in wire.memory:
        return request
    wire.to_client(refusal(request, f"thread not loaded: {request['params']['threadId']}"))
    return None


def _page_ungreeted(request: Message, wire: Wire) -> Message | None:
    """Answer before `initialize`, but for one method that is known to be tried."""
    if request["method"] == "initialize":
        wire.memory["greeted"] = True
    if "greeted" in wire.memory or request["method"] == READ:
        return request
    wire.to_client({"id": request["id"], "result": EMPTY_PAGE})
    return None


def _greet_again(reply: Message, asked: Message, wire: Wire) -> Message:
    if "result" in reply:
        wire.memory["greeting"] = reply["result"]
        return reply
    return {"id": reply["id"], "result": wire.memory["greeting"]}


def _end_session_on_second(request: Message, wire: Wire) -> Message | None:
    if request["method"] == "initialize":
        wire.memory["greetings"] = wire.memory.get("greetings", 0) + 1
    elif wire.memory["greetings"] > 1:
        wire.to_client(refusal(request, "Not initialized"))
        return None
    return request


def _gate_of(request: Message) -> str | None:
    """Return what of a request takes the capability."""
    params = request.get("params") or {}
    if request["method"] == LIST:
        return GATES["turns-list"]
    if request["method"] == RESUME and params.get("excludeTurns"):
        return GATES["exclude-turns"]
    if request["method"] == RESUME and params.get("initialTurnsPage") is not None:
        return GATES["initial-turns-page"]
    return None


def _without_gate(name: str) -> RequestHook:
    """Open one gate: the server is given the capability, and the other gates are held here."""

    def request(message: Message, wire: Wire) -> Message | None:
        if message["method"] == "initialize":
            capabilities = message["params"].setdefault("capabilities", {})
            wire.memory["held"] = not capabilities.get("experimentalApi")
            capabilities["experimentalApi"] = True
        gate = _gate_of(message)
        if wire.memory.get("held") and gate not in (None, GATES[name]):
            wire.to_client(refusal(message, f"{gate} requires experimentalApi capability"))
            return None
        return message

    return request


def _lose_capability(request: Message, wire: Wire) -> Message:
    request["params"].pop("capabilities", None)
    return request


FAULTS = (
    Fault(
        "answers-before-initialize",
        "A request before `initialize` is answered as one after it.",
        by("error", "handshake.before-initialize", at="/error"),
        of=(),
        request=_answer_ungreeted,
    ),
    Fault(
        "history-before-initialize",
        "Only the history methods are answered before `initialize`.",
        by("error", "handshake.before-initialize/turns-list", "handshake.before-initialize/resume"),
        of=(),
        request=_page_ungreeted,
    ),
    Fault(
        "second-initialize-accepted",
        "A second `initialize` is answered as the first.",
        by("error", "handshake.twice"),
        of=("initialize",),
        reply=_greet_again,
    ),
    Fault(
        "second-initialize-ends-session",
        "A second `initialize` is refused, and so is everything after it.",
        by("result", "handshake.twice"),
        of=(),
        request=_end_session_on_second,
    ),
    Fault(
        "other-home",
        "The server works in another CODEX_HOME than it was given.",
        by("result", "handshake.initialize", at="/codexHome"),
        of=("initialize",),
        reply=with_result(lambda result, _: result.update(codexHome=str(Path(result["codexHome"]).parent / "other"))),
    ),
    Fault(
        "home-not-said",
        "The reply to `initialize` does not say which CODEX_HOME it is for.",
        by("result", "handshake.initialize") + by("own-schema", "schema.replies-valid"),
        of=("initialize",),
        reply=with_result(lambda result, _: result.pop("codexHome")),
    ),
    *(
        Fault(
            f"no-gate-{name}",
            f"{gate} works without the capability.",
            by("error", f"handshake.without-capability/{name}"),
            of=(),
            request=_without_gate(name),
        )
        for name, gate in GATES.items()
    ),
    Fault(
        "gate-names-nothing",
        "What is refused without the capability is not named.",
        by("error", "handshake.without-capability", at="/error"),
        of=(LIST, RESUME, START),
        reply=for_error("requires experimentalApi", message="this requires experimentalApi capability"),
    ),
    Fault(
        "capability-lost",
        "The capability is sent and not heeded.",
        by("result", "resume.page-alone", "resume.initial-page-defaults"),
        of=("initialize",),
        request=_lose_capability,
    ),
)
