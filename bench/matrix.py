"""How long a matrix takes against single probes of the same versions, as a ratio.

Run: `.venv/bin/python bench/matrix.py [VERSION...]`, on a machine that does nothing else. Every program is in the cache
first. The single runs and the matrix take turns, so that a machine that changes its speed does so for both; the ratio
is that of the matrix's time to half the sum of the single runs, which is what two at a time could reach if each run
left the other a core to itself.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VERSIONS = (
    "0.125.0", "0.130.0", "0.136.0", "0.142.2", "0.142.5", "0.143.0", "0.146.1", "0.153.4", "0.157.1", "0.163.0",
    "0.171.0",
)  # fmt: skip

ROUNDS = 2


def timed(*arguments: str) -> tuple[float, float]:
    """Run hive-gate and return seconds, and seconds of CPU of everything that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    subprocess.run([sys.executable, "-m", "hive_gate", *arguments], capture_output=True, check=False)
    took = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Time both and print them."""
    versions = sys.argv[1:] or list(VERSIONS)
    subprocess.run([sys.executable, "-m", "hive_gate", "codex", "install", *versions], check=True)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(ROUNDS):
            print(f"round {number + 1}, load {os.getloadavg()[0]:.1f}")
            singles = {v: timed("probe", "--codex", v, "--out", str(Path(folder) / v)) for v in versions}
            whole, cpu = timed("matrix", *versions, "--fresh", "--out", str(Path(folder) / "matrix"))
            total, busy = (sum(each) for each in zip(*singles.values(), strict=True))
            for version, (seconds, used) in singles.items():
                print(f"  {version:<9} {seconds:5.1f} s, {used / seconds:.2f} cores busy")
            print(f"  single runs {total:6.1f} s, {busy:6.1f} s of CPU")
            print(f"  matrix      {whole:6.1f} s, {cpu:6.1f} s of CPU, {cpu / whole:.2f} cores busy")
            print(f"  ratio to half the sum: {whole / (total / 2):.2f}")


if __name__ == "__main__":
    main()
