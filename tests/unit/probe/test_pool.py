"""Workers do what they are told, say what went wrong, and end with their pool."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest

from hive_gate.probe import cores
from hive_gate.probe.pool import Died, Pool, interrupted_once

WORKER = """
import os, sys
from hive_gate.probe import cores
from hive_gate.probe.worker import work

def prepare(setting):
    def do(task, tell):
        for event in task.get("events", ()):
            tell(event)
        if "exit" in task:
            print("no more memory", file=sys.stderr)
            os._exit(task["exit"])
        if task.get("cut"):
            return None
        if "raw" in task:
            os.write(1, task["raw"].encode())
        if "print" in task:
            print(task["print"])
        seen = {"pid": os.getpid(), "cores": cores.available(), "folder": os.environ["TMPDIR"]}
        return {**setting, **seen, "said": task.get("say")}
    return do

sys.exit(work(prepare))
"""


@pytest.fixture(autouse=True)
def worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modules = tmp_path / "modules"
    modules.mkdir()
    (modules / "stub_worker.py").write_text(WORKER)
    monkeypatch.setenv("PYTHONPATH", str(modules))


def good(answer: Any) -> dict[str, Any]:
    assert isinstance(answer, dict)
    return answer


def pool(folder: Path, jobs: int = 1, **setting: Any) -> Pool:
    return Pool("stub_worker", setting, jobs, folder)


def test_what_is_printed_by_accident_does_not_stand_between_the_answers(tmp_path: Path) -> None:
    with pool(tmp_path) as workers:
        ((_, answer),) = workers.answers([{"print": "by accident", "say": 1}])
    assert good(answer)["said"] == 1


def test_each_task_has_its_answer_and_the_setting_is_told_once(tmp_path: Path) -> None:
    with pool(tmp_path, 2, common=1) as workers:
        found = {number: good(answer) for number, answer in workers.answers([{"say": number} for number in range(6)])}
    assert {number: answer["said"] for number, answer in found.items()} == {number: number for number in range(6)}
    assert {answer["common"] for answer in found.values()} == {1}
    assert len({answer["pid"] for answer in found.values()}) <= 2
    assert {Path(answer["folder"]).parent for answer in found.values()} == {tmp_path}


def test_workers_share_the_cores_out_between_them(tmp_path: Path) -> None:
    with pool(tmp_path, jobs=2) as workers:
        answers = [good(answer) for _, answer in workers.answers([{"say": n} for n in range(6)])]
    expected = {tuple(cores.share(number, 2) or cores.available()) for number in range(2)}
    assert {tuple(answer["cores"]) for answer in answers} <= expected
    (tmp_path / "alone").mkdir()
    with pool(tmp_path / "alone", jobs=2) as workers:
        ((_, answer),) = workers.answers([{}])
    assert tuple(good(answer)["cores"]) == cores.available()


def test_events_come_before_the_answer_with_the_number_of_their_task(tmp_path: Path) -> None:
    told: list[tuple[int, Any]] = []
    with Pool("stub_worker", {}, 1, tmp_path, lambda number, event: told.append((number, event))) as workers:
        for number, _ in workers.answers([{"events": ["a", {"b": 1}]}, {"events": ["c"]}]):
            told.append((number, "done"))
    assert [event for number, event in told if number == 0] == ["a", {"b": 1}, "done"]
    assert [event for number, event in told if number == 1] == ["c", "done"]


@pytest.mark.parametrize(
    ("task", "why"),
    [
        ({"exit": 3}, "its process ended with 3: no more memory"),
        ({"cut": True}, "its process ended with 1: nothing on its stderr"),
        ({"raw": "what is this\n"}, "JSONDecodeError"),
        ({"raw": '{"neither": 1}\n'}, "KeyError"),
    ],
)
def test_a_worker_that_fails_is_told_and_replaced(task: dict[str, Any], why: str, tmp_path: Path) -> None:
    with pool(tmp_path) as workers:
        answers = [answer for _, answer in workers.answers([{"say": 1}, task, {"say": 2}])]
    assert isinstance(answers[1], Died)
    assert why in answers[1].why
    first, last = good(answers[0]), good(answers[2])
    assert (first["said"], last["said"]) == (1, 2)
    assert first["pid"] != last["pid"]


def test_an_observer_that_fails_costs_its_task_only(tmp_path: Path) -> None:
    def fail(number: int, event: Any) -> None:
        raise RuntimeError("no terminal")

    with Pool("stub_worker", {}, 1, tmp_path, fail) as workers:
        (_, first), (_, second) = workers.answers([{"events": ["a"], "say": 1}, {"say": 2}])
    assert isinstance(first, Died)
    assert "no terminal" in first.why
    assert good(second)["said"] == 2


def test_a_worker_that_cannot_be_started_is_told(tmp_path: Path) -> None:
    with Pool("no_such_module", {}, 1, tmp_path) as workers:
        ((_, answer),) = workers.answers([{}])
    assert isinstance(answer, Died)
    assert "No module named no_such_module" in answer.why


def test_a_pool_that_is_left_in_the_middle_leaves_no_process_behind(tmp_path: Path) -> None:
    before = {child.pid for child in psutil.Process().children(recursive=True)}

    def interrupted(answers: Iterator[Any]) -> None:
        next(answers)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), pool(tmp_path, 2) as workers:
        interrupted(workers.answers([{"say": number} for number in range(20)]))
    assert {child.pid for child in psutil.Process().children(recursive=True)} == before


def test_workers_are_no_members_of_the_group_that_ctrl_c_reaches(tmp_path: Path) -> None:
    with pool(tmp_path) as workers:
        ((_, answer),) = workers.answers([{}])
        assert os.getpgid(good(answer)["pid"]) != os.getpgid(0)


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@pytest.mark.parametrize("number", ENDING)
def test_only_the_first_interruption_counts_until_all_is_cleaned_up(number: signal.Signals) -> None:
    before = [signal.getsignal(each) for each in ENDING]
    cleaned = []

    def clean_up() -> None:
        for each in ENDING:
            signal.raise_signal(each)
        cleaned.append(True)

    def interrupted() -> None:
        with interrupted_once(), ExitStack() as outer:
            outer.callback(clean_up)
            with interrupted_once(), ExitStack() as inner:
                inner.callback(clean_up)
                signal.raise_signal(number)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert cleaned == [True, True]
    assert [signal.getsignal(each) for each in ENDING] == before


def test_a_worker_that_is_started_meanwhile_can_still_be_told_to_end() -> None:
    """It inherits what is ignored, and would miss the signal that comes before it has a handler of its own."""
    ask = "import signal; print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)"
    found: list[bytes] = []

    def interrupted() -> None:
        with interrupted_once(), ExitStack() as stack:
            stack.callback(lambda: found.append(subprocess.check_output([sys.executable, "-c", ask])))
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert found == [b"True\n"]


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interrupted_once():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
