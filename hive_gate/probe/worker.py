"""The side of a pool's worker: one line of JSON in for each task, and what is said of it out."""

from __future__ import annotations

import gc
import json
import signal
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

from hive_gate.probe.pool import Told

Tell: TypeAlias = Callable[[Any], None]
"""Says how far a task is."""

Do: TypeAlias = Callable[[Told, Tell], Any]
"""Does one task and returns its answer, which must fit into JSON; None: it was cut off in the middle."""

_THRESHOLD = 50_000
"""Objects between two looks for cycles."""


def work(prepare: Callable[[Told], Do]) -> int:
    """Do what standard input asks for until it ends; return the exit code: 1 if a task was cut off.

    It ends with its input, or in the middle of a task when it gets a signal; then whatever the task opened is closed
    on the way out. The folder that TMPDIR names is removed by whoever started it.

    Args:
        prepare: takes what all tasks have in common, and returns what does one.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _stop)
    # What is printed by accident must not stand between the lines.
    out, sys.stdout = sys.stdout, sys.stderr

    def say(**said: Any) -> None:
        out.write(json.dumps(said) + "\n")
        out.flush()

    do = prepare(json.loads(sys.stdin.readline()))
    # A run makes many objects and hardly any cycles: looking for them takes a twentieth of its time.
    gc.freeze()
    gc.set_threshold(_THRESHOLD)
    for line in sys.stdin:
        answer = do(json.loads(line), lambda event: say(event=event))
        if answer is None:
            return 1
        say(answer=answer)
    return 0


def _stop(*_: Any) -> None:
    sys.exit(1)
