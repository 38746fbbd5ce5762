from __future__ import annotations

import io
import json

import pytest

from hive_gate.reference.server.lines import Outgoing, Request, parse


@pytest.mark.parametrize(
    "line",
    [
        b"", b"{", b"[]", b"5",
        b'{"id":1}', b'{"method":"x"}', b'{"id":null,"method":"x"}', b'{"id":true,"method":"x"}',
        b'{"id":1.5,"method":"x"}', b'{"id":9223372036854775808,"method":"x"}', b'{"id":1,"method":5}',
        b'{"id":1,"result":{}}', b'{"id":1,"method":"a","method":"b"}', b'{"id":1,"method":"x","trace":5}',
        b'{"id":1,"method":"x","params":NaN}', b'{"id":1,"method":"\\ud800"}', b'{"id":1,"method":"x"}{}',
        b'{"id":1,"method":"x","params":' + b"[" * 127 + b"]" * 127 + b"}",
        b'{"id":1,"method":"x","params":' + b"[" * 100_000 + b"}",
    ],
)  # fmt: skip
def test_what_is_no_request_gets_no_reply(line: bytes) -> None:
    assert parse(line) is None


def test_requests_are_read() -> None:
    assert parse(b'{"jsonrpc":"1.0","id":-7,"method":"x","params":{"a":1},"other":2}\r\n') == Request(-7, "x", {"a": 1})
    assert parse('{"id":"é","method":"x"}'.encode()) == Request("é", "x", None)
    deep = b'{"id":1,"method":"x","params":' + b"[" * 126 + b"]" * 126 + b"}"
    assert parse(deep) is not None


def test_a_member_given_twice_inside_the_params_counts_the_last_time() -> None:
    assert parse(b'{"id":1,"method":"x","params":{"a":1,"a":2}}') == Request(1, "x", {"a": 2})


def test_messages_go_out_one_a_line_in_utf_8() -> None:
    stream = io.BytesIO()
    out = Outgoing(stream)
    out.notify("n", {"text": "이름\n"})
    out.result(1, {})
    out.error("a", {"code": -32600, "message": "m"})
    lines = stream.getvalue().splitlines()
    assert [json.loads(line) for line in lines] == [
        {"method": "n", "params": {"text": "이름\n"}},
        {"id": 1, "result": {}},
        {"error": {"code": -32600, "message": "m"}, "id": "a"},
    ]
    assert "이름".encode() in lines[0]


def test_a_client_that_has_gone_is_no_error() -> None:
    stream = io.BytesIO()
    stream.close()
    Outgoing(stream).result(1, {})
