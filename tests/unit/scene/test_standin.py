from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from hive_gate.errors import TargetError
from hive_gate.scene.standin import StandIn

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


def post(url: str, body: bytes) -> tuple[str, list[dict[str, Any]]]:
    """Send a request as the server does; return the content type and the events of the answer."""
    request = urllib.request.Request(f"{url}/responses", body, {"content-type": "application/json"})
    with DIRECT.open(request, timeout=10) as answer:
        text = answer.read().decode("utf-8")
        blocks = [block.split("\n") for block in text.split("\n\n") if block]
        assert all(block[0].startswith("event: ") and block[1].startswith("data: ") for block in blocks)
        events = [json.loads(block[1].removeprefix("data: ")) for block in blocks]
        assert [event["type"] for event in events] == [block[0].removeprefix("event: ") for block in blocks]
        return answer.headers["content-type"], events


def answers(url: str, body: Any = None) -> list[str]:
    _, events = post(url, json.dumps(body or {}).encode())
    return [e["item"]["content"][0]["text"] for e in events if e["type"] == "response.output_item.done"]


def test_a_turn_is_answered_with_events_from_created_to_completed(stand_in: StandIn) -> None:
    stand_in.script("a", ("One", "Two \u2028 세\n"))
    kind, events = post(stand_in.base_url("a"), b"{}")
    assert kind == "text/event-stream"
    assert [event["type"] for event in events] == [
        "response.created", "response.output_item.done", "response.output_item.done", "response.completed",
    ]  # fmt: skip
    items = [event["item"] for event in events[1:3]]
    assert [(item["type"], item["role"]) for item in items] == [("message", "assistant")] * 2
    assert items[1]["content"] == [{"type": "output_text", "text": "Two \u2028 세\n"}]
    assert len({item["id"] for item in items}) == 2
    assert events[3]["response"]["usage"]["total_tokens"] == 2


def test_an_output_item_is_sent_as_it_is(stand_in: StandIn) -> None:
    call = {"type": "function_call", "call_id": "c", "name": "exec_command", "arguments": "{}"}
    stand_in.script("a", ("I look.", call))
    _, events = post(stand_in.base_url("a"), b"{}")
    assert [event["item"]["type"] for event in events[1:3]] == ["message", "function_call"]
    assert events[2]["item"] == call


def test_scripts_are_used_in_order_and_then_the_default_answer(stand_in: StandIn) -> None:
    for script in (("First",), (), ("Third", "and more")):
        stand_in.script("a", script)
    url = stand_in.base_url("a")
    assert [answers(url) for _ in range(4)] == [["First"], [], ["Third", "and more"], ["OK."]]


def test_a_turn_that_is_to_fail_gets_status_500_once(stand_in: StandIn) -> None:
    stand_in.script("a", None)
    with pytest.raises(urllib.error.HTTPError) as caught:
        answers(stand_in.base_url("a"))
    with caught.value as error:
        assert error.code == 500
        assert json.loads(error.read())["error"]["message"]
    assert answers(stand_in.base_url("a")) == ["OK."]


def test_homes_do_not_mix(stand_in: StandIn) -> None:
    stand_in.script("a", ("for a",))
    stand_in.script("b", ("for b",))
    assert answers(stand_in.base_url("b"), {"from": "b"}) == ["for b"]
    assert answers(stand_in.base_url("a"), {"from": "a"}) == ["for a"]
    assert (stand_in.requests("a"), stand_in.requests("b")) == ([{"from": "a"}], [{"from": "b"}])
    assert stand_in.requests("c") == []


def test_requests_are_kept_in_order_and_what_is_not_json_as_nothing(stand_in: StandIn) -> None:
    url = stand_in.base_url("a")
    for body in (b'{"n": 1}', b"\xff", b'{"n": 2}'):
        post(url, body)
    assert stand_in.requests("a") == [{"n": 1}, None, {"n": 2}]


def test_what_is_not_a_turn_is_not_found(stand_in: StandIn) -> None:
    with pytest.raises(urllib.error.HTTPError) as caught:
        DIRECT.open(f"{stand_in.base_url('a')}/models", timeout=10)
    with caught.value as error:
        assert error.code == 404
    assert stand_in.requests("a") == []


def test_it_listens_on_loopback_alone(stand_in: StandIn) -> None:
    url = urlsplit(stand_in.base_url("a"))
    assert url.hostname == "127.0.0.1"
    listening = [
        connection.laddr.ip
        for connection in psutil.Process().net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == url.port
    ]
    assert listening == ["127.0.0.1"]


def test_it_has_ended_after_its_block_and_says_so() -> None:
    with StandIn() as ended:
        url = ended.base_url("a")
    with pytest.raises(urllib.error.URLError, match="refused"):
        answers(url)
    with pytest.raises(RuntimeError, match="not running"):
        StandIn().base_url("a")


def test_a_server_that_hangs_up_in_the_middle_makes_no_noise(
    stand_in: StandIn, capfd: pytest.CaptureFixture[str]
) -> None:
    url = urlsplit(stand_in.base_url("a"))
    with socket.create_connection((str(url.hostname), int(url.port or 0)), timeout=10) as one:
        one.sendall(b"POST x HTTP/1.1\r\ncontent-length: none\r\n\r\n")  # breaks its handler for certain
        assert one.recv(1) == b""
    assert answers(stand_in.base_url("a")) == ["OK."]
    assert capfd.readouterr() == ("", "")


def test_loopback_that_is_down_is_said_to_be_that(monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: object, **__: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr("hive_gate.scene.standin.socket.create_connection", down)
    with pytest.raises(TargetError) as raised, StandIn():
        pass
    assert raised.value.message == "loopback cannot be used on this machine: Network is unreachable"
    assert raised.value.hint == "bring it up: ip link set lo up"
