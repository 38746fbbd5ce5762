"""How much a tap adds to the time between a request and its reply.

Run: `.venv/bin/python bench/tap.py`. The server answers a short request at once with a reply of the size that was asked
for, so that all that is measured is the way. Round trips with and without a tap are taken in turns, in pairs, so that
what the machine does besides falls on both. Between two pairs there is a pause, as there is between the pages that
somebody scrolls to: the tap records meanwhile. The last figure is without pauses, where in the end the recorder is what
everything waits for: lines that a server sends back as they come.
"""

from __future__ import annotations

import inspect
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CASES = {
    "a reply of 200 bytes": (200, 1_000, 0.002),
    "a page of 56 kB": (56_000, 300, 0.01),
    "a page of 1 MB": (1_000_000, 50, 0.1),
}
"""By name: bytes, pairs, seconds between two pairs."""

FLOOD = 100_000
"""Messages of 200 bytes, back to back."""


SERVER = """
import os
replies = {}
while request := os.read(0, 65536):
    size = int(request)
    if size not in replies:
        replies[size] = MESSAGE(size)
    reply = memoryview(replies[size])
    while reply:
        reply = reply[os.write(1, reply):]
"""
"""Gets a number of bytes, and sends a line of so many."""


class Server:
    """A program between whose stdin and stdout there may be a tap."""

    def __init__(self, *argv: str) -> None:
        self._process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("no pipes")
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()

    def round_trip(self, request: bytes, size: int) -> float:
        """Return the seconds until a reply of `size` bytes has come whole."""
        began = time.perf_counter()
        sent = got = 0
        while got < size:
            if sent < len(request):  # no more at once than a pipe holds, or both sides would wait for each other
                sent += os.write(self._to, request[sent : sent + 32_768])
            got += len(os.read(self._from, 1 << 20))
        return time.perf_counter() - began

    def end(self) -> None:
        """End it."""
        self._process.communicate()


def message(size: int) -> bytes:
    """Return a line of so many bytes that is a page of turns."""
    item = '{"id":"item-1","type":"agentMessage","text":"' + "word " * 60 + '"}'
    count = max((size - 40) // (len(item) + 1), 0)
    head = '{"id":1,"result":{"data":[' + ",".join([item] * count)
    return (head + '],"pad":"' + "x" * max(size - len(head) - 13, 0) + '"}}\n').encode()


def main() -> None:
    """Measure and print."""
    own = f"{inspect.getsource(message)}\nMESSAGE = message\n{SERVER}"
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.jsonl"
        tap = [sys.executable, "-m", "hive_gate", "tap", "--quiet", "--record", str(record), "--"]
        direct, tapped = Server(sys.executable, "-c", own), Server(*tap, sys.executable, "-c", own)
        print(f"{'median of round trips':24} {'direct':>10} {'with tap':>10} {'added':>10} {'90 %':>10}   ratio")
        for name, (size, rounds, pause) in CASES.items():
            request, pairs = f"{size}\n".encode(), []
            for server in (direct, tapped):
                server.round_trip(request, size)
            for _ in range(rounds):
                time.sleep(pause)
                pairs.append((direct.round_trip(request, size), tapped.round_trip(request, size)))
            added = sorted(with_tap - without for without, with_tap in pairs)
            without, with_tap = (statistics.median(times) for times in zip(*pairs, strict=True))
            figures = (without, with_tap, statistics.median(added), added[len(added) * 9 // 10])
            print(f"{name:24}", *(f"{figure * 1000:7.3f} ms" for figure in figures), f"  {with_tap / without:.1f}")
        direct.end()
        tapped.end()
        direct, tapped = Server("cat"), Server(*tap, "cat")
        flood = message(200) * FLOOD
        seconds = [server.round_trip(flood, len(flood)) for server in (direct, tapped)]
        a_second = [f"{FLOOD / took:.0f}" for took in seconds]
        print(f"{FLOOD} messages back to back: {a_second[0]} a second direct, {a_second[1]} with tap")
        direct.end()
        tapped.end()


if __name__ == "__main__":
    main()
