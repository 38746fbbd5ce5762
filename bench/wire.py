"""How fast lines come out of the byte stream, against a reader that appends to one buffer and splits it.

Run: `.venv/bin/python bench/wire.py`. Each figure but the naive reader's is the best of several rounds in this one
run, so that the ratios hold on any machine even where the times do not.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable

from hive_gate.wire.framing import LineSplitter
from hive_gate.wire.message import parse

CHUNK = 65_536
"""Bytes of a chunk; what a pipe holds."""

LARGE = 60_000_000
"""Bytes of the large line: a full history of a long thread."""

SMALL_LINES = 100_000

ROUNDS = 3


class NaiveReader:
    """Appends each chunk to one buffer and splits what is there: copies an unfinished line once for every chunk."""

    def __init__(self) -> None:
        self._buffer = b""

    def feed(self, chunk: bytes) -> list[bytes]:
        """Take a chunk and return the lines that it completes."""
        self._buffer += chunk
        *lines, self._buffer = self._buffer.split(b"\n")
        return lines


def large() -> bytes:
    """Return one reply of `LARGE` bytes that is made of turns, as a full resume is."""
    item = {"type": "agentMessage", "id": "item-1", "text": "한 \N{ROCKET} text " * 500}
    turn = {"id": "turn-1", "items": [item], "status": "completed", "error": None}
    size = len(json.dumps(turn, ensure_ascii=False).encode()) + 2
    body = {"id": 1, "result": {"thread": {"id": "thread-1", "turns": [turn] * (LARGE // size)}}}
    return json.dumps(body, ensure_ascii=False).encode() + b"\n"


def small() -> bytes:
    """Return `SMALL_LINES` notifications as a server sends them while a turn runs."""
    bodies = (
        {
            "method": "item/agentMessage/delta",
            "params": {"threadId": "thread-1", "itemId": "item-1", "delta": f"word {n} "},
        }
        for n in range(SMALL_LINES)
    )
    return b"".join(json.dumps(body).encode() + b"\n" for body in bodies)


def chunks(stream: bytes) -> list[bytes]:
    """Return a stream as a pipe hands it out."""
    return [stream[start : start + CHUNK] for start in range(0, len(stream), CHUNK)]


def best(work: Callable[[], object]) -> float:
    """Return the seconds of the fastest of some rounds."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)


def split(reader: LineSplitter | NaiveReader, stream: Iterable[bytes]) -> list[bytes]:
    """Return all lines of a stream."""
    return [line for chunk in stream for line in reader.feed(chunk)]


def main() -> None:
    """Measure and print."""
    print(f"best of {ROUNDS} rounds (the naive reader: of one), chunks of {CHUNK // 1024} KiB")
    print(f"{'':32} {'seconds':>9} {'MB/s':>8}   ratio")
    for name, stream in (("one line of 60 MB", large()), (f"{SMALL_LINES:,} small lines", small())):
        pieces, size = chunks(stream), len(stream) / 1e6
        lines = split(LineSplitter(), pieces)
        ours = best(lambda pieces=pieces: split(LineSplitter(), pieces))  # type: ignore[misc]
        began = time.perf_counter()  # once: it takes seconds for the large line
        same = split(NaiveReader(), pieces) == lines
        naive = time.perf_counter() - began
        if not same:
            raise SystemExit(f"the readers disagree on {name}")
        parsed = best(lambda lines=lines: [parse(line) for line in lines])  # type: ignore[misc]
        plain = best(lambda lines=lines: [json.loads(line) for line in lines])  # type: ignore[misc]
        print(f"{name}, {size:.1f} MB")
        row("  LineSplitter", ours, size)
        row("  naive reader", naive, size, f"{naive / ours:.1f} times LineSplitter")
        row("  parse", parsed, size)
        row("  json.loads alone", plain, size, f"parse takes {parsed / plain:.1f} times as long")
        row("  LineSplitter + parse", ours + parsed, size, f"{ours / (ours + parsed):.0%} of it is splitting")


def row(name: str, seconds: float, size: float, ratio: str = "") -> None:
    """Print one line of the table."""
    print(f"{name:32} {seconds:9.4f} {size / seconds:8.0f}   {ratio}".rstrip())


if __name__ == "__main__":
    main()
