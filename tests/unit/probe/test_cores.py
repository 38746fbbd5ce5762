"""Cores are shared out between workers, and only where there are enough of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hive_gate.probe import cores


def with_cores(monkeypatch: pytest.MonkeyPatch, *numbers: int) -> None:
    monkeypatch.setattr(cores, "available", lambda: numbers)


def test_every_core_goes_to_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cores(monkeypatch, 0, 1, 2, 5, 7)
    shares = [cores.share(number, 2) for number in range(2)]
    assert shares == [(0, 2, 7), (1, 5)]


@pytest.mark.parametrize("numbers", [(), (3,)])
def test_too_few_cores_are_not_shared_out(monkeypatch: pytest.MonkeyPatch, numbers: tuple[int, ...]) -> None:
    with_cores(monkeypatch, *numbers)
    assert [cores.share(number, 2) for number in range(2)] == [(), ()]


def test_one_worker_uses_all_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    with_cores(monkeypatch, 0, 1)
    assert cores.share(0, 1) == ()


def test_a_process_keeps_to_its_cores_and_so_does_what_it_starts() -> None:
    told = "from hive_gate.probe import cores; print(cores.available())"
    script = (
        "import subprocess, sys; from hive_gate.probe import cores; cores.keep_to(0, map(int, sys.argv[1:]));"
        f"subprocess.run([sys.executable, '-c', {told!r}])"
    )
    mine = cores.available()
    one = mine[-1:]  # none where the system does not let a process choose
    argv = [sys.executable, "-c", script, *map(str, one)]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(one)
    assert cores.available() == mine


def test_a_process_that_is_gone_and_no_cores_are_nothing_to_fail_over() -> None:
    before = cores.available()
    cores.keep_to(0, ())
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    cores.keep_to(child.pid, before or (0,))
    assert cores.available() == before
