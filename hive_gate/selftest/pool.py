"""A few worker processes that do runs side by side, and none of which outlives the pool."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any

from hive_gate.selftest.outcome import Outcome, failed_run, from_json
from hive_gate.selftest.task import Setting, Task

_PATIENCE = 15.0
"""Seconds for a worker to end its servers and remove its homes; a server takes up to 4 to be killed."""

_TAIL = 600
"""Characters of a dead worker's stderr that are told."""


class Pool:
    """A context manager; workers start when there is something to do.

    Args:
        setting: what all runs have in common.
        jobs: how many workers.
        folder: where workers put everything; its owner removes it after the pool has ended.
    """

    def __init__(self, setting: Setting, jobs: int, folder: Path) -> None:
        self._setting = setting
        self._jobs = jobs
        self._folder = folder
        self._todo: queue.SimpleQueue[Task | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[Task, Outcome]] = queue.SimpleQueue()
        self._workers: list[_Worker] = []
        self._threads: list[threading.Thread] = []
        self._ended = threading.Event()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        for _ in self._threads:
            self._todo.put(None)
        with _undisturbed():
            for worker in self._workers:
                worker.end(gently=kind is None)
            for worker in self._workers:
                worker.wait()
            for thread in self._threads:
                thread.join(_PATIENCE)

    def outcomes(self, tasks: Sequence[Task]) -> Iterator[tuple[Task, Outcome]]:
        """Do the tasks and yield each with its outcome, in the order in which they are done."""
        for task in tasks:
            self._todo.put(task)
        while len(self._threads) < min(self._jobs, len(tasks)):
            worker = _Worker(self._setting, self._folder / f"worker-{len(self._threads)}")
            thread = threading.Thread(target=self._work, args=(worker,), daemon=True)
            self._workers.append(worker)
            self._threads.append(thread)
            thread.start()
        for _ in tasks:
            yield self._done.get()

    def _work(self, worker: _Worker) -> None:
        while (task := self._todo.get()) is not None and not self._ended.is_set():
            try:
                outcome = worker.outcome(task)
            except Exception as error:  # whoever waits for an outcome gets one
                outcome = failed_run(f"{type(error).__name__}: {error}")
            self._done.put((task, outcome))


class _Worker:
    """One process, started again if it dies."""

    def __init__(self, setting: Setting, folder: Path) -> None:
        self._setting = setting
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._ending: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._over = False
        folder.mkdir()

    def outcome(self, task: Task) -> Outcome:
        """Have one task done."""
        try:
            process = self._started()
            if process is None:
                return failed_run("it was cut off")
            _tell(process, asdict(task))
            line = b"" if process.stdout is None else process.stdout.readline()
        except OSError:
            line = b""
        return from_json(json.loads(line)) if line else failed_run(self._epitaph())

    def _epitaph(self) -> str:
        """Say how the process ended; the next task gets a new one."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return "it was cut off"
        code = process.wait()
        _close(process)
        said = (self._folder / "stderr").read_text("utf-8", "replace").strip()
        return f"its process ended with {code}: {said[-_TAIL:] or 'nothing on its stderr'}"

    def _started(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._over:
                return None
            return self._process or self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        with (self._folder / "stderr").open("wb") as stderr:
            self._process = subprocess.Popen(
                (sys.executable, "-P", "-m", "hive_gate.selftest.worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, "TMPDIR": str(self._folder)},
                # Ctrl-C goes to the terminal's whole group; the worker is told by its pool, once.
                start_new_session=True,
            )
        _tell(self._process, asdict(self._setting))
        return self._process

    def end(self, *, gently: bool) -> None:
        """Have the process end: by the end of its input where it is idle, else by a signal."""
        with self._lock:
            self._over = True
            self._ending, self._process = self._process, None
        if self._ending is None:
            return
        if gently and self._ending.stdin is not None:
            with contextlib.suppress(OSError):
                self._ending.stdin.close()
        else:
            self._ending.send_signal(signal.SIGTERM)

    def wait(self) -> None:
        """Wait for its end; the last resort is SIGKILL."""
        if self._ending is None:
            return
        try:
            self._ending.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._ending.kill()
            self._ending.wait()
        _close(self._ending)


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Let no impatient second Ctrl-C leave a worker behind; what it waits for is bounded."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, signal.SIG_IGN) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _tell(process: subprocess.Popen[bytes], told: dict[str, Any]) -> None:
    if process.stdin is not None:
        process.stdin.write(json.dumps(told).encode() + b"\n")
        process.stdin.flush()


def _close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what could not be written any more
                stream.close()
