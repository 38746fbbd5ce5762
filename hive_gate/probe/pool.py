"""A few worker processes that do one task after the other side by side, and none of which outlives the pool.

A run listens to signals and opens servers, so it has a process of its own. A worker is a module whose `main` calls
`hive_gate.probe.worker.work`: it reads a line of JSON with what all its tasks have in common, then one for each task,
and says on its standard output how far a task is (`{"event": ...}`) and what came of it (`{"answer": ...}`).
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from hive_gate.probe.cores import keep_to, share

_PATIENCE = 15.0
"""Seconds for a worker to end its servers and remove its homes; a server takes up to 4 to be killed."""

_TAIL = 600
"""Characters of a dead worker's stderr that are told."""

_CUT_OFF = "it was cut off"

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

Told: TypeAlias = Mapping[str, Any]
"""What can be a line of JSON."""

OnEvent: TypeAlias = Callable[[int, Any], None]
"""Called from the threads of the pool with the number of a task and what its worker says of it."""


@dataclass(frozen=True, slots=True)
class Died:
    """What comes of a task whose worker ended in the middle, or said what nobody understands."""

    why: str


def unheard(number: int, event: Any) -> None:
    """Take an event and do nothing."""


class Pool:
    """A context manager, to be used within :func:`interrupted_once`; workers start when there is something to do.

    Args:
        module: the worker, such as `hive_gate.selftest.worker`.
        setting: what all tasks have in common.
        jobs: how many workers.
        folder: where workers put everything; its owner removes it after the pool has ended.
        on_event: told how far tasks are.
    """

    def __init__(self, module: str, setting: Told, jobs: int, folder: Path, on_event: OnEvent = unheard) -> None:
        self._module = module
        self._setting = setting
        self._folder = folder
        self._jobs = jobs
        self._on_event = on_event
        self._todo: queue.SimpleQueue[tuple[int, Told] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Any]] = queue.SimpleQueue()
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
        for worker in self._workers:
            worker.end(gently=kind is None)
        for worker in self._workers:
            worker.wait()
        for thread in self._threads:
            thread.join(_PATIENCE)

    def answers(self, tasks: Sequence[Told]) -> Iterator[tuple[int, Any | Died]]:
        """Do the tasks and yield each one's number (its place in `tasks`) and answer, in the order they are done."""
        for each in enumerate(tasks):
            self._todo.put(each)
        jobs = min(self._jobs, len(tasks))
        while (number := len(self._threads)) < jobs:
            worker = _Worker(self._module, self._setting, self._folder / f"worker-{number}", share(number, jobs))
            thread = threading.Thread(target=self._work, args=(worker,), daemon=True)
            self._workers.append(worker)
            self._threads.append(thread)
            thread.start()
        for _ in tasks:
            yield self._done.get()

    def _work(self, worker: _Worker) -> None:
        while (each := self._todo.get()) is not None and not self._ended.is_set():
            number, task = each
            try:
                answer = worker.answer(task, partial(self._on_event, number))
            except Exception as error:  # whoever waits for an answer gets one
                answer = Died(f"{type(error).__name__}: {error}")
            self._done.put((number, answer))


class _Worker:
    """One process, started again if it dies."""

    def __init__(self, module: str, setting: Told, folder: Path, cores: tuple[int, ...]) -> None:
        self._cores = cores
        self._module = module
        self._setting = setting
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._ending: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._over = False
        folder.mkdir()

    def answer(self, task: Told, on_event: Callable[[Any], None]) -> Any | Died:
        """Have one task done."""
        try:
            process = self._started()
            if process is None or process.stdout is None:
                return Died(_CUT_OFF)
            _tell(process, task)
            for line in process.stdout:
                said = json.loads(line)
                if "answer" in said:
                    return said["answer"]
                on_event(said["event"])
        except OSError:
            pass  # it is gone
        except Exception as error:  # what else it says would be taken for the answer to the next task
            self._discard()
            return Died(f"{type(error).__name__}: {error}")
        return Died(self._epitaph())

    def _discard(self) -> None:
        """End the process; the next task gets a new one."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.terminate()
            _reap(process)

    def _epitaph(self) -> str:
        """Say how the process ended; the next task gets a new one."""
        with self._lock:
            process, self._process = self._process, None
        if process is None:
            return _CUT_OFF
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
                (sys.executable, "-P", "-m", self._module),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env={**os.environ, "TMPDIR": str(self._folder)},
                # Ctrl-C goes to the terminal's whole group; the worker is told by its pool, once.
                start_new_session=True,
            )
        keep_to(self._process.pid, self._cores)
        _tell(self._process, self._setting)
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
        if self._ending is not None:
            _reap(self._ending)


@contextlib.contextmanager
def interrupted_once() -> Iterator[None]:
    """Let the first Ctrl-C, SIGTERM or SIGHUP raise KeyboardInterrupt, and ignore any other until the context is left.

    Around a pool and its folder: what is done on the way out is bounded, and an impatient second Ctrl-C in the middle
    of it would leave a worker, its servers or their homes behind. Of several such contexts the outermost counts.
    """
    found = {number: signal.getsignal(number) or signal.SIG_DFL for number in _SIGNALS}
    inner = any(isinstance(handler, _First) for handler in found.values())
    if inner or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: handler for number, handler in found.items() if handler is not signal.SIG_IGN}
    for number in before:
        signal.signal(number, _First(tuple(before)))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@dataclass(frozen=True, slots=True)
class _First:
    """The handler of the first signal."""

    numbers: tuple[signal.Signals, ...]

    def __call__(self, *_: Any) -> None:
        for number in self.numbers:
            # Not SIG_IGN: a worker that is just being started would inherit it, and miss that it is told to end.
            signal.signal(number, _take_no_notice)
        raise KeyboardInterrupt


def _take_no_notice(*_: Any) -> None:
    pass


def _tell(process: subprocess.Popen[bytes], told: Told) -> None:
    if process.stdin is not None:
        process.stdin.write(json.dumps(told).encode() + b"\n")
        process.stdin.flush()


def _reap(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    _close(process)


def _close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with contextlib.suppress(OSError):  # what could not be written any more
                stream.close()
