"""Requests and their replies over a wire in memory, where the test is the server."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from hive_gate.wire.connection import BANNER_BYTES, BANNER_LINES, UNSUPPORTED
from hive_gate.wire.message import PREVIEW
from hive_gate.wire.transcript import Exchange, Message

from .conftest import Peer, Wire

pytestmark = pytest.mark.anyio

HOUR = 3600.0
"""A deadline that no test reaches: whatever ends before it did not wait for it."""


async def test_a_request_gets_its_reply(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask", {"a": 1})
        assert await peer.heard() == {"id": 1, "method": "ask", "params": {"a": 1}}
        await peer.says({"id": 1, "result": {"b": 2}})
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None
    assert body(peer, exchange) == {"id": 1, "result": {"b": 2}}
    assert exchange.request == 0
    assert exchange.reply == 1
    assert exchange.bytes_out == len('{"id":1,"method":"ask","params":{"a":1}}')
    assert exchange.bytes_in == len('{"id": 1, "result": {"b": 2}}')
    assert exchange.took_ms is not None
    assert peer.oddities == []


async def test_requests_together_go_out_in_one_write(wire: Wire) -> None:
    async with wire() as peer:
        await peer.client.start_together([("ask", {"n": 1}), ("ask", {"n": 2})])
        lines = (await peer.stdin.receive()).splitlines()
    assert [json.loads(line)["params"] for line in lines] == [{"n": 1}, {"n": 2}]


async def test_a_reply_with_both_a_result_and_an_error_is_odd(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.says({"id": 1, "result": {}, "error": {"code": -1, "message": "no"}})
        await peer.client.finish(pending, HOUR)
    assert peer.oddities == ["result-and-error"]


async def test_params_are_left_out_unless_given_and_null_is_given(wire: Wire) -> None:
    async with wire() as peer:
        await peer.client.start("ask")
        await peer.client.start("ask", None)
        await peer.client.notify("tell")
        await peer.client.notify("tell", {})

        assert [await peer.heard() for _ in range(4)] == [
            {"id": 1, "method": "ask"},
            {"id": 2, "method": "ask", "params": None},
            {"method": "tell"},
            {"method": "tell", "params": {}},
        ]


async def test_text_goes_out_as_utf_8_and_a_raw_line_as_it_is(wire: Wire) -> None:
    async with wire() as peer:
        await peer.client.notify("tell", "한\u2028")
        await peer.client.send_line(b'{"broken":\xff')

        assert await peer.stdin.receive() == '{"method":"tell","params":"한\u2028"}\n'.encode()
        assert await peer.stdin.receive() == b'{"broken":\xff\n'
    assert peer.oddities == []


async def test_replies_find_their_requests_in_any_order(wire: Wire) -> None:
    async with wire() as peer:
        pending = [await peer.client.start("ask", n) for n in range(3)]
        await peer.says({"id": 3, "result": "c"}, {"id": 1, "result": "a"}, {"id": 2, "result": "b"})
        exchanges = [await peer.client.finish(each, HOUR) for each in pending]

    assert [body(peer, exchange)["result"] for exchange in exchanges] == ["a", "b", "c"]
    assert peer.oddities == []


async def test_a_message_of_ten_megabytes_is_followed_by_a_normal_one(wire: Wire) -> None:
    text = "x" * 10 * 1024 * 1024
    async with wire() as peer:
        first, second = await peer.client.start("ask"), await peer.client.start("ask")
        stream = json.dumps({"id": 1, "result": text}).encode() + b'\n{"id":2,"result":"small"}\n'
        for start in range(0, len(stream), 65_536):
            await peer.stdout.send(stream[start : start + 65_536])
        large, small = await peer.client.finish(first, HOUR), await peer.client.finish(second, HOUR)

    assert large.bytes_in == len(text) + len('{"id": 1, "result": ""}')
    assert body(peer, small)["result"] == "small"
    assert peer.oddities == []


async def test_carriage_returns_before_newlines_are_tolerated(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.stdout.send(b'{"method":"tell"}\r\n{"id":1,"result":{}}\r\n')
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None
    assert peer.oddities == []


async def test_notifications_between_request_and_reply_belong_to_the_exchange(wire: Wire) -> None:
    async with wire() as peer:
        await peer.says({"method": "before"})
        await peer.settle()
        pending = await peer.client.start("ask")
        await peer.says({"method": "first"}, {"method": "second"}, {"id": 1, "result": {}})
        await peer.settle()
        exchange = await peer.client.finish(pending, HOUR)

    assert [peer.transcript.messages[n].body["method"] for n in exchange.notifications] == ["first", "second"]
    assert [message.body["method"] for message in peer.client.notifications] == ["before", "first", "second"]


# -- the server's own requests ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("ident", [1, 0, -1, "1", "abc", None])
async def test_a_request_of_the_server_is_refused_at_once_whatever_its_id(wire: Wire, ident: Any) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.heard()
        await peer.says({"id": ident, "method": "approve", "params": {}})

        refusal = await peer.heard()

        assert refusal["id"] == ident
        assert type(refusal["id"]) is type(ident)
        assert refusal["error"]["code"] == UNSUPPORTED == -32601
        assert not pending.done.is_set()
        await peer.says({"id": 1, "result": "mine"})
        assert body(peer, await peer.client.finish(pending, HOUR))["result"] == "mine"
    assert peer.oddities == ["server-request"]
    assert "approve" in peer.transcript.oddities[0].text


async def test_a_request_of_the_server_does_not_wait_for_ours_to_be_sent(wire: Wire) -> None:
    async with wire() as peer:
        await peer.says({"id": 7, "method": "approve"})

        assert (await peer.heard())["id"] == 7
    assert [message.direction for message in peer.transcript.messages] == ["received", "sent"]


async def test_a_server_that_does_not_read_its_refusals_is_still_read(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        peer.stdin.blocked = True
        await peer.says({"id": 7, "method": "approve"}, {"id": 8, "method": "approve"}, {"id": 1, "result": {}})
        exchange = await peer.client.finish(pending, 5)

    assert exchange.failure is None


# -- ids -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ident", [True, "1", 1.0, 2, 0, -1, None, [1], {"id": 1}])
async def test_a_reply_with_another_id_is_not_taken_for_ours(wire: Wire, ident: Any) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.says({"id": ident, "result": "another's"})
        await peer.settle()
        assert not pending.done.is_set()
        await peer.says({"id": 1, "result": "ours"})
        exchange = await peer.client.finish(pending, HOUR)

    assert body(peer, exchange)["result"] == "ours"
    assert peer.oddities == ["unasked-reply"]


async def test_a_second_reply_is_noticed_and_changes_nothing(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.says({"id": 1, "result": "first"}, {"id": 1, "result": "second"})
        await peer.settle()
        exchange = await peer.client.finish(pending, HOUR)

    assert body(peer, exchange)["result"] == "first"
    assert peer.oddities == ["second-reply"]
    assert peer.transcript.oddities[0].message == 2


async def test_a_reply_before_any_request_is_noticed(wire: Wire) -> None:
    async with wire() as peer:
        await peer.says({"id": 1, "result": {}})
        await peer.settle()

    assert peer.oddities == ["unasked-reply"]


async def test_a_message_that_is_nothing_known_is_noticed(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.says({"id": 1}, {"id": 1, "result": {}})
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None
    assert peer.oddities == ["unknown-message"]


# -- deadlines and the end -------------------------------------------------------------------------------------------


async def test_no_answer_is_told_with_the_deadline(wire: Wire) -> None:
    async with wire() as peer:
        exchange = await peer.client.call("ask", timeout=0.01)

    assert exchange.reply is None
    assert exchange.took_ms is None
    assert exchange.failure == "no answer within 0.01 s, though the server is alive"


async def test_a_server_that_does_not_read_is_given_up_at_the_deadline(wire: Wire) -> None:
    async with wire() as peer:
        peer.stdin.blocked = True
        exchange = await peer.client.call("ask", timeout=0.01)

    assert exchange.reply is None
    assert exchange.failure == "no answer within 0.01 s, though the server is alive"


async def test_a_reply_after_the_deadline_is_recorded_and_given_to_nobody_else(wire: Wire) -> None:
    async with wire() as peer:
        late = await peer.client.call("ask", timeout=0.01)
        pending = await peer.client.start("ask")
        await peer.says({"id": 1, "result": "late"})
        await peer.settle()
        assert not pending.done.is_set()
        await peer.says({"id": 2, "result": "in time"})
        exchange = await peer.client.finish(pending, HOUR)

    assert late.reply is None
    assert body(peer, exchange)["result"] == "in time"
    assert [m.body.get("result") for m in peer.transcript.messages if m.direction == "received"] == ["late", "in time"]
    assert peer.oddities == []


async def test_all_waiters_are_told_at_once_when_the_server_ends(wire: Wire) -> None:
    failures: list[str | None] = []
    came: list[Message | None] = []

    async def ask(peer: Peer) -> None:
        failures.append((await peer.client.call("ask", timeout=HOUR)).failure)

    async def wait(peer: Peer) -> None:
        came.append(await peer.client.wait_for(lambda message: True, 0, HOUR))

    async with wire() as peer, anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(ask, peer)
        group.start_soon(wait, peer)
        await peer.settle()
        peer.dies()

    assert failures == ["the server ended"] * 3
    assert came == [None]
    assert peer.client.ended == "the server ended"


async def test_a_request_to_a_server_that_has_ended_fails_at_once(wire: Wire) -> None:
    async with wire() as peer:
        peer.dies()
        await peer.settle()
        exchange = await peer.client.call("ask", timeout=HOUR)

    assert exchange.failure == "the server ended"


async def test_nobody_waits_for_a_server_that_closed_only_its_stdout(wire: Wire) -> None:
    async with wire() as peer:
        peer.stdout.end()
        await peer.settle()
        exchange = await peer.client.call("ask", timeout=HOUR)
        pending = await peer.client.start("ask")
        started = await peer.client.finish(pending, HOUR)

    assert exchange.failure == started.failure == "the server ended"


async def test_writing_to_a_dead_server_does_not_raise_and_fails_those_who_wait(wire: Wire) -> None:
    async with wire() as peer:
        waiting = await peer.client.start("ask")
        peer.stdin.broken = True
        exchange = await peer.client.call("ask", timeout=HOUR)
        await peer.client.notify("tell")
        sent = await peer.client.send_line(b"raw")
        waited = await peer.client.finish(waiting, HOUR)

    assert sent is None
    assert exchange.failure == waited.failure == "its stdin is closed"


async def test_a_reply_before_the_end_counts(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.says({"id": 1, "result": {}})
        peer.dies()
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None


async def test_an_unfinished_last_line_is_reported_and_is_no_message(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.says({"method": "tell"})
        await peer.stdout.send(b'{"id":1,"result":{}}')
        peer.dies()
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure == "the server ended"
    assert peer.oddities == ["unfinished-line"]


# -- waiting for notifications ---------------------------------------------------------------------------------------


async def test_a_notification_that_came_before_is_found_from_where_the_search_begins(wire: Wire) -> None:
    async with wire() as peer:
        await peer.says({"method": "done", "params": 1}, {"method": "other"}, {"method": "done", "params": 2})
        await peer.settle()

        first = await peer.client.wait_for(is_done, 0, HOUR)
        second = await peer.client.wait_for(is_done, 1, HOUR)

    assert first is not None
    assert second is not None
    assert (first.body["params"], second.body["params"]) == (1, 2)


async def test_a_notification_that_is_still_to_come_is_waited_for(wire: Wire) -> None:
    found: list[Message | None] = []

    async def wait(peer: Peer) -> None:
        found.append(await peer.client.wait_for(is_done, 0, HOUR))

    async with wire() as peer, anyio.create_task_group() as group:
        group.start_soon(wait, peer)
        await peer.says({"method": "other"})
        await peer.settle()
        assert found == []
        await peer.says({"method": "done"})
        await peer.settle()

    assert [message is not None for message in found] == [True]


async def test_a_notification_that_never_comes_is_given_up(wire: Wire) -> None:
    async with wire() as peer:
        await peer.says({"method": "other"})
        assert await peer.client.wait_for(is_done, 0, 0.01) is None


# -- lines that are no messages --------------------------------------------------------------------------------------


async def test_a_banner_before_the_first_message_is_tolerated_and_reported(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.stdout.send(b"wrapper 1.0\n\nstarting\n")
        await peer.says({"id": 1, "result": {}})
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None
    assert [oddity.text for oddity in peer.transcript.oddities] == [
        "before the first message: wrapper 1.0",
        "before the first message: ",
        "before the first message: starting",
    ]
    assert peer.oddities == ["banner"] * 3


async def test_a_line_after_the_first_message_is_a_fault(wire: Wire) -> None:
    async with wire() as peer:
        await peer.says({"method": "hello"})
        await peer.stdout.send(b"debug: here\n\n")
        await peer.settle()

    assert peer.oddities == ["not-json", "blank-line"]


async def test_a_banner_of_too_many_lines_is_a_fault_from_there_on(wire: Wire) -> None:
    async with wire() as peer:
        await peer.stdout.send(b"line\n" * (BANNER_LINES + 2))
        await peer.settle()

    assert peer.oddities == ["banner"] * BANNER_LINES + ["not-json"] * 2


async def test_a_banner_of_too_many_bytes_is_a_fault_and_is_not_kept_whole(wire: Wire) -> None:
    async with wire() as peer:
        await peer.stdout.send(b"x" * (BANNER_BYTES + 1) + b"\n")
        await peer.settle()

    assert peer.oddities == ["not-json"]
    assert len(peer.transcript.messages[0].text or "") <= PREVIEW + 1


async def test_a_first_message_that_is_broken_is_no_banner(wire: Wire) -> None:
    async with wire() as peer:
        await peer.stdout.send(b'{"id":1,"result":\nstray\n')
        await peer.settle()

    assert peer.oddities == ["not-json", "not-json"]


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        (b'{"id":1,"result":{"a":1,"a":2}}', ["duplicate-key"]),
        (b'{"id":1,"result":NaN}', ["not-a-number"]),
        ('{"id":1,"result":"\u2028"}'.encode(), ["line-separator"]),
        (b'{"id":1,"result":"\\ud800"}', []),
        (b'{"id":1,"result":%s}' % (b"9" * 100), []),
    ],
)
async def test_an_odd_reply_still_answers_and_what_is_odd_is_kept(wire: Wire, line: bytes, kinds: list[str]) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.stdout.send(line + b"\n")
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None
    assert peer.oddities == kinds


async def test_no_depth_of_nesting_stops_the_reader(wire: Wire) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        for depth in (100, 600, 900, 100_000):
            await peer.stdout.send(b'{"method":"tell","params":' + b"[" * depth + b"]" * depth + b"}\n")
        await peer.says({"id": 1, "result": {}})
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None
    assert peer.oddities == ["not-json"] * 3


@pytest.mark.parametrize("method", [5, None, [], {"a": 1}, "\ud800"])
async def test_a_method_that_is_no_text_does_not_stop_the_reader(wire: Wire, method: Any) -> None:
    async with wire() as peer:
        pending = await peer.client.start("ask")
        await peer.says({"method": method}, {"id": 5, "method": method}, {"id": 1, "result": {}})
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.failure is None
    assert peer.oddities == ["server-request"]


async def test_messages_are_recorded_for_the_clause_and_step_that_are_set(wire: Wire) -> None:
    async with wire() as peer:
        peer.client.clause, peer.client.step = "some.clause", 3
        pending = await peer.client.start("ask")
        await peer.says({"id": 1, "result": {}})
        exchange = await peer.client.finish(pending, HOUR)

    assert exchange.step == 3
    assert {(message.clause, message.step) for message in peer.transcript.messages} == {("some.clause", 3)}


def body(peer: Peer, exchange: Exchange) -> Any:
    """Return the body of an exchange's reply."""
    assert exchange.reply is not None
    return peer.transcript.messages[exchange.reply].body


def is_done(message: Message) -> bool:
    return bool(message.body["method"] == "done")
