"""What a server's processes use: CPU time to the microsecond where the kernel tells it, and peak memory."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

import anyio
import psutil

_LINUX = sys.platform.startswith("linux")

_MB = 1_000_000

_QUIET = 20e-6
"""Seconds of CPU time between two looks below which a server is at rest."""

_PATIENCE = 0.25
"""Seconds after which a server that never rests is measured all the same."""


class Usage:
    """Looks at one running server and what it has started.

    Args:
        pid: of the server.
    """

    def __init__(self, pid: int) -> None:
        self._pids = [pid]
        with suppress(psutil.Error):
            self._pids += [child.pid for child in psutil.Process(pid).children(recursive=True)]

    def cpu_seconds(self) -> float | None:
        """Return the CPU time so far; None if it cannot be told."""
        times = [seconds for pid in self._pids if (seconds := _cpu_seconds(pid)) is not None]
        return sum(times) if times else None

    def peak_mb(self) -> float | None:
        """Return the most resident memory since `forget_peak`; elsewhere than on Linux what is resident now."""
        peaks = [peak for pid in self._pids if (peak := _peak_bytes(pid)) is not None]
        return round(sum(peaks) / _MB, 1) if peaks else None

    def forget_peak(self) -> None:
        """Let the peak begin anew at what is resident now."""
        for pid in self._pids:
            with suppress(OSError):
                Path(f"/proc/{pid}/clear_refs").write_text("5", encoding="ascii")

    async def rested(self) -> float | None:
        """Wait until the server is at rest and return its CPU time then: work after a reply belongs to that reply."""
        before = self.cpu_seconds()
        with anyio.move_on_after(_PATIENCE):
            while before is not None:
                await anyio.sleep(0.001)
                now = self.cpu_seconds()
                if now is None or now - before < _QUIET:
                    return now
                before = now
        return before


def _cpu_seconds(pid: int) -> float | None:
    if _LINUX:
        # The clock of another process, as clock_getcpuclockid(3) makes its id: nanoseconds, where /proc and psutil
        # count hundredths of a second, which is what a whole page takes.
        with suppress(OSError):
            return time.clock_gettime(((~pid) << 3) | 2)
    with suppress(psutil.Error):
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system)
    return None


def _peak_bytes(pid: int) -> int | None:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    with suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return None
