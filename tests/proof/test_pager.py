"""The reference pager against every fault: it ends, repeats nothing, breaks no rule, and loses no turn in silence."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from json import dumps
from pathlib import Path

import anyio
import pytest

from hive_gate.contract.model import Contract
from hive_gate.faults.themes import ON_THE_WIRE
from hive_gate.pager import History, PagingError, Refused, Settings, ThreadHistory
from hive_gate.reference.faults import FAULTS as INSIDE
from hive_gate.scene.home import Home
from hive_gate.scene.truth import ThreadTruth
from tests.support.inprocess import Connection, NoReply, connected, greet

pytestmark = pytest.mark.proof

THREADS = {
    "main": {"turns": [{"times": 8, "user": "Question {n} of main.", "then": [{"agent": "Answer {n}."}]}]},
    "other": {"turns": [{"times": 4, "user": "Question {n} of other.", "then": [{"agent": "Answer {n}."}]}]},
}

LIMIT = 3

SMALL = {"adapter.decided-page"}
"""Pages of a few turns have more borders than those of twenty that were decided on, which is advice."""

VERIFIED = {"adapter.whole-read-once"}
"""`verify`, which is for tests, reads the whole thread though pages of it came; nothing else here does."""

REQUESTS = 30
"""Far more than two histories of so few pages need; fewer than any loop."""

UNSEEN = {"lost-turn", "lost-at-border", "reference:resume-forgets-the-last-turn"}
"""A turn is missing between two others, or the newest one is: pages alone cannot show that. `verify` does."""

CASES = [*ON_THE_WIRE, *(f"reference:{name}" for name in INSIDE)]


@dataclass(frozen=True, slots=True)
class Scrolled:
    """How paging of one thread ended."""

    thread: ThreadHistory
    error: PagingError | None

    def tells(self) -> bool:
        """Whether whoever pages is told that something is wrong."""
        return self.error is not None or bool(self.thread.doubts)

    def is_right(self, truth: ThreadTruth) -> bool:
        """Whether every turn is there, the newest first, and no other."""
        return [turn["id"] for turn in self.thread.turns] == [turn.id for turn in reversed(truth.turns)]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path / "home")
    made.prepare("http://127.0.0.1:9")
    yield made
    shutil.rmtree(made.root)


async def scroll(connection: Connection, truths: Mapping[str, ThreadTruth]) -> dict[str, Scrolled]:
    """Scroll through two threads in turns, to their ends or to where it is told that something is wrong."""
    settings = Settings(limit=LIMIT, sleep=connection.sleep, clock=connection.clock, jitter=lambda: 0.0)
    history = History(connection.call, settings)
    threads = {name: history.thread(truth.id) for name, truth in truths.items()}
    errors: dict[str, PagingError] = {}
    going = set(threads)
    while going:
        for name in sorted(going):
            thread = threads[name]
            try:
                page = await (thread.older() if thread.pages else thread.restore())
                going -= set() if page is not None and page.cursor is not None else {name}
            except PagingError as error:
                errors[name] = error
                going.discard(name)
    return {name: Scrolled(thread, errors.get(name)) for name, thread in threads.items()}


async def verify(scrolled: Scrolled) -> Scrolled:
    """Compare with the whole thread what nothing was told about."""
    try:
        if scrolled.error is None:
            await scrolled.thread.verify()
    except PagingError as error:
        return Scrolled(scrolled.thread, error)
    return scrolled


@pytest.mark.parametrize("case", [None, *CASES])
def test_a_history_is_right_or_it_is_told_that_it_is_not(case: str | None, home: Home, contract: Contract) -> None:
    truths = home.write({"threads": THREADS}, "pager")
    inside = case.removeprefix("reference:") if case is not None and case.startswith("reference:") else None
    before = None if case is None or inside is not None else ON_THE_WIRE[case]

    async def run() -> None:
        try:
            await greet(connection)
        except (Refused, NoReply):
            return  # told before there is anything to page
        found = await scroll(connection, truths)
        assert connection.sent <= REQUESTS
        for scrolled in found.values():
            ids = [turn["id"] for turn in scrolled.thread.turns]
            assert len(set(ids)) == len(ids)
        silent = [name for name, one in found.items() if not one.tells() and not one.is_right(truths[name])]
        assert silent == [] or case in UNSEEN
        if case is None:
            assert not any(one.tells() for one in found.values())
        for name, one in found.items():
            verified = await verify(one)
            assert verified.tells() or verified.is_right(truths[name])

    with connected(home, contract, before=before, inside=inside) as connection:
        anyio.run(run)
        broken = {rule.id: rule.breaches for rule in connection.judgment().rules if rule.breaches}
    assert broken.keys() <= SMALL | VERIFIED


def test_what_is_called_unseen_cannot_be_seen_without_a_comparison(home: Home, contract: Contract) -> None:
    """If one of them is told after all, it does not belong there any more."""
    for case in sorted(UNSEEN):
        truths = home.write({"threads": THREADS}, case)
        inside = case.removeprefix("reference:") if case.startswith("reference:") else None
        with connected(home, contract, before=None if inside else ON_THE_WIRE[case], inside=inside) as connection:

            async def run(connection: Connection = connection) -> dict[str, Scrolled]:
                await greet(connection)
                return await scroll(connection, truths)  # noqa: B023 - it is run here

            found = anyio.run(run)
        assert any(not one.tells() and not one.is_right(truths[name]) for name, one in found.items()), case
        shutil.rmtree(home.codex / "sessions")


@pytest.mark.parametrize("busy", [1, 3, 100])
def test_a_busy_server_is_waited_for_as_the_contract_says(busy: int, home: Home, contract: Contract) -> None:
    truths = home.write({"threads": THREADS}, "busy")
    with connected(home, contract) as connection:

        async def run() -> dict[str, Scrolled]:
            await greet(connection)
            connection.busy = {"thread/resume": busy % 100, "thread/turns/list": busy}
            return await scroll(connection, truths)

        found = anyio.run(run)
        judgment = connection.judgment()
    verdicts = {rule.id: rule.verdict for rule in judgment.rules}
    assert verdicts["adapter.after-overload"] == "pass"
    assert {rule for rule, verdict in verdicts.items() if verdict not in ("pass", "not-exercised")} <= SMALL
    for name, one in found.items():
        assert one.is_right(truths[name]) is (busy < 100)
        assert (one.error is None) is (busy < 100)


def test_whoever_insists_after_it_gave_up_gets_through_and_breaks_no_rule(home: Home, contract: Contract) -> None:
    truths = home.write({"threads": THREADS}, "insists")
    with connected(home, contract) as connection:

        async def run() -> int:
            await greet(connection)
            settings = Settings(sleep=connection.sleep, clock=connection.clock, jitter=lambda: 0.0)
            thread = History(connection.call, settings).thread(truths["main"].id)
            connection.busy = {"thread/resume": 25}
            gave_up = 0
            while not thread.pages:
                try:
                    await thread.restore()
                except PagingError:
                    gave_up += 1
            return gave_up

        assert anyio.run(run) == 5
        verdicts = {rule.id: rule.verdict for rule in connection.judgment().rules}
    assert verdicts["adapter.after-overload"] == "pass"
    assert set(verdicts.values()) == {"pass", "not-exercised"}


def test_pages_that_get_too_large_are_followed_by_shortened_ones_as_the_contract_says(
    home: Home, contract: Contract
) -> None:
    turns = [{"times": 43, "user": "Question {n}.", "then": [{"agent": "Hm."}, {"agent": "Long answer. " * 10_000}]}]
    truth = home.write({"threads": {"main": {"turns": turns}}}, "large")["main"]
    with connected(home, contract) as connection:

        async def run() -> ThreadHistory:
            await greet(connection)
            settings = Settings(
                sleep=connection.sleep,
                clock=connection.clock,
                jitter=lambda: 0.0,
                size=lambda result: len(dumps(result)),
            )
            thread = History(connection.call, settings).thread(truth.id)
            for _ in range(2):  # what is restored anew goes on shortened, since it was too large before
                await thread.restore()
                while await thread.older():
                    pass
                await connection.call("thread/unsubscribe", {"threadId": truth.id})
            return thread

        thread = anyio.run(run)
        verdicts = {rule.id: rule.verdict for rule in connection.judgment().rules}
    assert [page.view for page in thread.pages] == ["summary"] * 3
    assert [turn["id"] for turn in thread.turns] == [turn.id for turn in reversed(truth.turns)]
    assert (verdicts["adapter.decided-view"], verdicts["adapter.restore-once"]) == ("pass", "pass")
    assert set(verdicts.values()) == {"pass", "not-exercised"}
