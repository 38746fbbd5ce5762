"""The recorder: a line for each message, whole or by its outline, and an end that tells how it ended."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import threading
import time
from pathlib import Path

import pytest

from hive_gate import __version__
from hive_gate.tap import recorder as module
from hive_gate.tap.record_file import open_record
from hive_gate.tap.recorder import LONG, Recorder
from hive_gate.wire.message import Parsed, parse
from hive_gate.wire.transcript import Direction
from tests.unit.tap.conftest import Lines


def record(path: Path, *chunks: tuple[Direction, bytes], code: int = 0) -> Recorder:
    recorder = Recorder(open_record(path), ["codex", "app-server"])
    for direction, chunk in chunks:
        recorder.take(direction, time.monotonic(), chunk)
    recorder.close(code)
    return recorder


def test_a_record_has_a_header_a_line_for_each_message_and_a_footer(tmp_path: Path, lines: Lines) -> None:
    path = tmp_path / "record.jsonl"
    sent, got = b'{"id":1,"method":"initialize"}', '{"id":1,"result":"한"}'.encode()
    record(path, ("sent", sent + b"\n"), ("received", got + b"\n"), code=7)
    header, first, second, footer = lines(path)
    assert (header["type"], header["schema"], header["hive_gate"]) == ("header", "hive-gate/tap/1", __version__)
    assert (header["command"], header["pid"]) == (["codex", "app-server"], os.getpid())
    assert (first["n"], first["direction"], first["bytes"], first["body"]) == (0, "sent", 30, json.loads(sent))
    assert (second["n"], second["direction"], second["bytes"], second["body"]) == (1, "received", 23, json.loads(got))
    assert 0 <= first["ms"] <= second["ms"] <= footer["ms"]
    assert footer == {
        "type": "footer", "messages": 2, "complete": True, "ms": footer["ms"], "exit_code": 7,
        "sent": {"messages": 1, "bytes": 31}, "received": {"messages": 1, "bytes": 24},
    }  # fmt: skip


def test_chunks_need_not_be_lines(tmp_path: Path, lines: Lines) -> None:
    path = tmp_path / "record.jsonl"
    record(
        path, ("sent", b'{"id"'), ("received", b'{"a":1}\n{"b'), ("sent", b':1}\n{"id":2}\n'), ("received", b'":2}\n')
    )
    found = [(line["direction"], line["body"]) for line in lines(path)[1:-1]]
    assert found == [("received", {"a": 1}), ("sent", {"id": 1}), ("sent", {"id": 2}), ("received", {"b": 2})]


def test_what_is_odd_about_a_line_is_kept_beside_it(tmp_path: Path, lines: Lines) -> None:
    path = tmp_path / "record.jsonl"
    record(path, ("sent", b'{"id":1,"id":2}\nnope\n\n{"a":NaN}\n'), ("sent", b'{"id":3}'))
    double, text, blank, number, unfinished = lines(path)[1:-1]
    assert (double["odd"], double["body"]) == (["duplicate-key"], {"id": 2})
    assert (text["odd"], text["text"]) == (["not-json"], "nope")
    assert (blank["odd"], blank["text"]) == (["blank-line"], "")
    assert number["odd"] == ["not-a-number"]
    assert (unfinished["odd"], unfinished["body"]) == (["unfinished-line"], {"id": 3})


def test_a_long_string_is_elided_and_a_long_line_is_kept_by_its_outline(tmp_path: Path, lines: Lines) -> None:
    path = tmp_path / "record.jsonl"
    short = json.dumps({"id": 1, "text": "x" * 20_000}).encode()
    long = json.dumps({"id": 2, "result": {"data": ["y" * 1_000] * 2_000, "nextCursor": None}}).encode()
    assert len(long) > LONG
    record(path, ("received", short + b"\n" + long[: LONG + 5]), ("received", long[LONG + 5 :] + b"\n"))
    first, second = lines(path)[1:-1]
    assert first["body"]["text"].startswith("x" * 80 + "…‹20000 characters, sha256 ")
    assert "outline" not in first
    assert (second["bytes"], second["outline"]) == (len(long), hashlib.sha256(long).hexdigest())
    assert second["body"]["id"] == 2
    assert second["body"]["result"]["nextCursor"] is None
    assert path.stat().st_size < 3_000


def test_the_file_is_for_its_owner_alone_also_where_it_was_there_before(tmp_path: Path, lines: Lines) -> None:
    path = tmp_path / "new" / "record.jsonl"
    record(path, ("sent", b'{"id":1}\n'))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    record(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [line["type"] for line in lines(path)] == ["header", "footer"]


def test_a_full_disk_ends_the_record_and_not_what_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = open_record(tmp_path / "record.jsonl")
    recorder = Recorder(file, ["x"])
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        if descriptor == file:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    monkeypatch.setattr(module, "WAITING", 100)
    for _ in range(50):  # far more than may wait
        recorder.take("received", 0.0, b'{"id":1,"text":"some of it"}\n' * 10)
    recorder.close(0)
    assert recorder.problem == "it could not be written: No space left on device"


def test_a_recorder_that_fails_goes_on_taking(tmp_path: Path, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: bytes) -> None:
        raise ZeroDivisionError("a fault of ours")

    path = tmp_path / "record.jsonl"
    monkeypatch.setattr(module, "parse", broken)
    recorder = record(path, ("sent", b'{"id":1}\n'), ("sent", b'{"id":2}\n'), ("sent", b'{"id":3}\n'))
    assert recorder.problem == "the recorder failed: ZeroDivisionError: a fault of ours"
    assert lines(path)[0]["type"] == "header"


class Watched(threading.Condition):
    """Tells when somebody else than the recorder waits."""

    others: threading.Event

    def wait(self, timeout: float | None = None) -> bool:
        if threading.current_thread().name == "feeding":
            self.others.set()
        return super().wait(timeout)


def test_whoever_is_far_too_fast_waits_for_the_recorder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go, taken, Watched.others = threading.Event(), threading.Event(), threading.Event()

    def slow(line: bytes) -> Parsed:
        go.wait(30)
        return parse(line)

    monkeypatch.setattr(module, "parse", slow)
    monkeypatch.setattr(module, "WAITING", 100)
    monkeypatch.setattr(threading, "Condition", Watched)
    recorder = Recorder(open_record(tmp_path / "record.jsonl"), ["x"])

    def feed() -> None:
        for _ in range(4):
            recorder.take("received", 0.0, b'{"id":1,"text":"' + b"x" * 100 + b'"}\n')
        taken.set()

    feeding = threading.Thread(target=feed, name="feeding")
    feeding.start()
    assert Watched.others.wait(30)
    assert not taken.is_set()
    go.set()
    feeding.join(30)
    recorder.close(0)
    assert recorder.messages == 4
