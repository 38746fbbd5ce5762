"""What is kept of each line, and what is kept beside it."""

from __future__ import annotations

import json

import pytest

from hive_gate.wire.elide import elide_text
from hive_gate.wire.message import DEPTH, Anomaly
from hive_gate.wire.transcript import Oddity, Transcript


def test_messages_are_numbered_across_servers_and_keep_whom_they_are_for() -> None:
    transcript = Transcript()
    first = transcript.add(0, "sent", b'{"id":1,"method":"ask"}', "a.clause", 2)
    second = transcript.add(1, "received", b'{"id":1,"result":{}}', None, None)

    assert transcript.messages == [first, second]
    assert (first.n, first.server, first.direction, first.clause, first.step) == (0, 0, "sent", "a.clause", 2)
    assert (second.n, second.server, second.direction, second.clause, second.step) == (1, 1, "received", None, None)
    assert first.body == {"id": 1, "method": "ask"}
    assert (first.bytes, second.bytes) == (23, 20)
    assert 0 <= first.ms <= second.ms


def test_a_line_that_is_no_message_is_kept_as_text_with_what_is_odd_about_it() -> None:
    transcript = Transcript()
    message = transcript.add(0, "received", b"panic!", None, None)

    assert (message.body, message.text, message.bytes) == (None, "panic!", 6)
    assert [(oddity.kind, oddity.message) for oddity in transcript.oddities] == [("not-json", 0)]


def test_a_long_text_is_elided_and_the_size_on_the_wire_kept() -> None:
    text = "x" * 2_000_000
    line = json.dumps({"id": 1, "result": {"text": text}}).encode()
    message = Transcript().add(0, "received", line, None, None)

    assert message.body == {"id": 1, "result": {"text": elide_text(text)}}
    assert message.bytes == len(line)


def test_what_we_send_on_purpose_is_not_held_against_the_server() -> None:
    transcript = Transcript()
    transcript.add(0, "sent", b"not json at all", None, None)

    assert transcript.oddities == []


def test_a_banner_line_is_noted_as_such_only_if_it_is_no_message() -> None:
    transcript = Transcript()
    transcript.add(0, "received", b"Welcome!", None, None, banner=True)
    transcript.add(0, "received", b'{"method":"hello"}', None, None, banner=True)

    assert transcript.oddities == [Oddity("banner", "before the first message: Welcome!", 0)]


def test_several_oddities_of_one_line_are_all_kept() -> None:
    transcript = Transcript()
    transcript.add(0, "received", '{"a":NaN,"a":"\u2028"}'.encode(), None, None)
    transcript.note(Anomaly("unknown-message", "what is it"), transcript.messages[0])

    kinds = [oddity.kind for oddity in transcript.oddities]
    assert kinds == ["not-a-number", "duplicate-key", "line-separator", "unknown-message"]


@pytest.mark.parametrize("depth", [DEPTH - 1, DEPTH + 1, 600, 900, 100_000])
def test_nesting_of_any_depth_is_recorded(depth: int) -> None:
    line = b'{"a":' + b"[" * depth + b"]" * depth + b"}"
    message = Transcript().add(0, "received", line, None, None)

    assert (message.body is None) == (depth > DEPTH)
    assert message.bytes == len(line)
