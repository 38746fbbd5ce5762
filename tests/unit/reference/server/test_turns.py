from __future__ import annotations

import threading
from typing import Any

from hive_gate.reference.model import ModelFailed

from .conftest import Server


def _methods(messages: list[Any]) -> list[str]:
    return [message.get("method", "<reply>") for message in messages]


def _statuses(messages: list[Any]) -> list[str]:
    changes = [message for message in messages if message.get("method") == "thread/status/changed"]
    return [message["params"]["status"]["type"] for message in changes]


def test_a_turn_is_told_in_the_real_servers_order(server: Server) -> None:
    heard = server.turn(server.start(), "hello")
    assert _methods(heard) == [
        "<reply>", "thread/status/changed", "turn/started", "item/started", "item/completed", "item/started",
        "item/completed", "thread/tokenUsage/updated", "thread/status/changed", "turn/completed",
    ]  # fmt: skip
    assert _statuses(heard) == ["active", "idle"]
    assert heard[-1]["params"]["turn"]["status"] == "completed"


def test_the_model_gets_the_conversation_so_far(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "one")
    server.turn(thread, "two")
    said = [(item["role"], item["content"][0]["text"]) for item in server.model.asked[-1]]
    assert said == [("user", "one"), ("assistant", "answer 1"), ("user", "two")]


def test_a_failed_turn_leaves_the_thread_in_error_until_the_next_turn(server: Server) -> None:
    thread = server.start()
    server.model.failure = ModelFailed("no answer", "internalServerError")
    heard = server.turn(thread, "one")
    assert _statuses(heard) == ["active", "systemError"]
    assert _methods(heard)[-2:] == ["error", "turn/completed"]
    error = {"message": "no answer", "codexErrorInfo": "internalServerError", "additionalDetails": None}
    assert heard[-1]["params"]["turn"]["error"] == error
    assert server.result("thread/read", {"threadId": thread})["thread"]["status"] == {"type": "systemError"}
    server.model.failure = None
    assert _statuses(server.turn(thread, "two")) == ["active", "idle"]


def _held(server: Server, thread: str) -> str:
    server.model.gate = threading.Event()
    server.send("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "held"}]})
    reply = server.until("item/completed")[0]
    turn: str = reply["result"]["turn"]["id"]
    return turn


def _release(server: Server) -> None:
    assert server.model.gate is not None
    server.model.gate.set()
    server.model.gate = None


def test_an_interrupted_turn_ends_as_interrupted_and_what_the_model_says_later_is_dropped(server: Server) -> None:
    thread = server.start()
    turn = _held(server, thread)
    wrong = server.refusal("turn/interrupt", {"threadId": thread, "turnId": "wrong"})
    assert wrong == (-32600, f"expected active turn id wrong but found {turn}")
    server.send("turn/interrupt", {"threadId": thread, "turnId": turn})
    heard = server.until("turn/completed")
    assert _methods(heard) == ["<reply>", "thread/status/changed", "turn/completed"]
    assert heard[-1]["params"]["turn"]["status"] == "interrupted"
    _release(server)
    server.turn(thread, "next")
    assert server.texts(thread)[0] == ["held"]


def test_interrupting_the_interrupted_turn_again_is_answered_when_the_next_turn_ends(server: Server) -> None:
    thread = server.start()
    turn = _held(server, thread)
    server.ask("turn/interrupt", {"threadId": thread, "turnId": turn})
    server.until("turn/completed")
    _release(server)
    again = server.send("turn/interrupt", {"threadId": thread, "turnId": turn})
    assert server.rest() == []
    heard = server.turn(thread, "next")
    assert [message for message in heard if message.get("id") == again] == [{"id": again, "result": {}}]


def test_input_during_a_turn_joins_it(server: Server) -> None:
    thread = server.start()
    turn = _held(server, thread)
    more = {"threadId": thread, "input": [{"type": "text", "text": "steered"}]}
    assert server.result("turn/steer", {**more, "expectedTurnId": turn}) == {"turnId": turn}
    server.result("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "joined"}]})
    _release(server)
    server.until("turn/completed")
    assert server.texts(thread) == [["held", "answer 1", "steered", "joined", "answer 2"]]


def test_a_client_that_unsubscribed_hears_of_status_only(server: Server) -> None:
    thread = server.start()
    assert server.result("thread/unsubscribe", {"threadId": thread}) == {"status": "unsubscribed"}
    assert server.result("thread/unsubscribe", {"threadId": thread}) == {"status": "notSubscribed"}
    server.send("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "x"}]})
    heard = server.until(lambda message: message.get("params", {}).get("status") == {"type": "idle"})
    assert _methods(heard) == ["<reply>", "thread/status/changed", "thread/status/changed"]


def test_too_much_text_is_refused_with_the_numbers(server: Server) -> None:
    thread = server.start()
    reply = server.ask("turn/start", {"threadId": thread, "input": [{"type": "text", "text": "a" * ((1 << 20) + 1)}]})
    assert reply["error"]["code"] == -32602
    assert reply["error"]["data"]["actual_chars"] == (1 << 20) + 1
