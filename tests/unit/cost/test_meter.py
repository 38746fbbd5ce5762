"""Times are those of arrival; memory does not grow with what was asked; usage is that of the process asked about."""

from __future__ import annotations

import json
import os
import time

import pytest

from hive_gate.cost.meter import Meter, control_ms
from hive_gate.cost.usage import Usage


@pytest.mark.parametrize("size", [10, 200_000])
def test_a_line_has_the_time_of_its_arrival_whatever_it_takes_to_parse(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    meter, now = Meter(), iter([5.0, 900.0, 901.0, 902.0])
    monkeypatch.setattr(Meter, "elapsed_ms", lambda _: next(now))
    message = meter.add(0, "received", json.dumps({"id": 1, "result": "x" * size}).encode(), None, None)
    assert message.ms == 5.0
    assert message.body == {"id": 1, "result": "x" * size} or size == 200_000
    assert meter.messages == [message]


def test_a_large_line_is_parsed_and_not_elided() -> None:
    line = json.dumps({"id": 1, "result": "x" * 200_000}).encode()
    assert Meter().add(0, "received", line, None, None).body["result"] == "x" * 200_000


def test_a_large_line_that_is_no_json_is_kept_as_any_transcript_does() -> None:
    meter = Meter()
    message = meter.add(0, "received", b"[" * 200_000, None, None)
    assert message.body is None
    assert meter.oddities


def test_bodies_are_forgotten_and_numbers_stay() -> None:
    meter = Meter()
    for number in range(3):
        meter.add(0, "received", b'{"id":%d,"result":{}}' % number, None, None)
    meter.forget()
    meter.add(0, "received", b'{"id":9,"result":{}}', None, None)
    assert [m.body is None for m in meter.messages] == [True, True, True, False]
    assert [m.n for m in meter.messages] == [0, 1, 2, 3]


def test_the_control_takes_some_time() -> None:
    assert 0 < control_ms() < 1000


def test_cpu_time_of_a_process_grows_while_it_computes() -> None:
    usage = Usage(os.getpid())
    before = usage.cpu_seconds()
    assert before is not None
    began = time.process_time()
    while time.process_time() - began < 0.02:
        pass
    after = usage.cpu_seconds()
    assert after is not None
    assert 0.01 < after - before < 10


def test_the_peak_is_that_since_it_was_forgotten() -> None:
    usage = Usage(os.getpid())
    block = bytearray(60_000_000)
    block[::4096] = b"x" * len(block[::4096])
    high = usage.peak_mb()
    del block
    usage.forget_peak()
    low = usage.peak_mb()
    assert high is not None
    assert low is not None
    assert low < high - 40


def test_of_a_process_that_is_gone_nothing_can_be_told() -> None:
    usage = Usage(2**22 + 1)
    assert usage.cpu_seconds() is None
    assert usage.peak_mb() is None
    usage.forget_peak()
