"""The reference pager: what it asks, when, and what it makes of what comes."""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from hive_gate.pager import (
    BrokenHistory,
    CursorLost,
    History,
    NoAnswer,
    Overloaded,
    Page,
    PagingError,
    Refused,
    RequestRefused,
    Settings,
    ThreadHistory,
    ThreadMissing,
    Unsupported,
)
from tests.unit.pager.server import BUSY, THREAD, Server

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def history_of(server: Server, **settings: Any) -> History:
    given = {"limit": 3, "jitter": lambda: 0.0, "sleep": server.sleep, "clock": server.clock, **settings}
    return History(server.call, Settings(**given))


def thread_of(server: Server, **settings: Any) -> ThreadHistory:
    return history_of(server, **settings).thread(THREAD)


def numbers(page: Page | None) -> list[int]:
    assert page is not None
    return [int(turn["id"].removeprefix("turn-")) for turn in page.turns]


# -- pages ---


async def test_the_newest_page_comes_with_the_restore_and_older_ones_follow_to_the_end() -> None:
    server = Server()
    thread = thread_of(server)
    assert numbers(await thread.restore()) == [7, 6, 5]
    assert not thread.complete
    assert numbers(await thread.older()) == [4, 3, 2]
    assert numbers(await thread.older()) == [1]
    assert thread.complete
    assert await thread.older() is None
    assert [turn["id"] for turn in thread.turns] == [f"turn-{n}" for n in range(7, 0, -1)]
    paging = {"limit": 3, "sortDirection": "desc", "itemsView": "full"}
    assert server.asked == [
        ("thread/resume", {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": paging}),
        ("thread/turns/list", {"threadId": THREAD, "cursor": "4", **paging}),
        ("thread/turns/list", {"threadId": THREAD, "cursor": "1", **paging}),
    ]


async def test_what_was_loaded_is_kept_and_not_asked_for_again() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    await thread.older()
    assert [numbers(page) for page in thread.pages] == [[7, 6, 5], [4, 3, 2]]
    assert len(server.asked) == 2


async def test_a_thread_without_turns_is_complete_at_once() -> None:
    thread = thread_of(Server(turns=0))
    assert (await thread.restore()).turns == ()
    assert await thread.older() is None
    assert thread.doubts == ()


async def test_a_server_that_knows_no_first_page_is_asked_for_it_without_a_cursor() -> None:
    server = Server()
    answer = server.answer

    def without_page(method: str, params: dict[str, Any], edit: Any) -> Any:
        found = answer(method, params, edit)
        found.pop("initialTurnsPage", None)
        return found

    server.answer = without_page  # type: ignore[method-assign]
    thread = thread_of(server)
    assert numbers(await thread.restore()) == [7, 6, 5]
    assert numbers(await thread.older()) == [4, 3, 2]
    assert [method for method, _ in server.asked] == ["thread/resume", "thread/turns/list", "thread/turns/list"]
    assert server.cursors == [None, None, "4"]


async def test_before_a_restore_there_is_nothing_to_go_on_from() -> None:
    server = Server()
    with pytest.raises(RequestRefused, match="has to be restored first"):
        await thread_of(server).older()
    assert server.asked == []


async def test_a_thread_is_the_same_object_each_time() -> None:
    history = history_of(Server())
    assert history.thread(THREAD) is history.thread(THREAD)
    assert history.thread("another") is not history.thread(THREAD)


# -- one at a time ---


async def in_parallel(*calls: Callable[[], Awaitable[Page | None]]) -> list[Any]:
    """Make calls at the same time and return what each came to, an error as itself."""
    found: list[Any] = [None] * len(calls)

    async def one(index: int) -> None:
        try:
            found[index] = await calls[index]()
        except PagingError as error:
            found[index] = error

    async with anyio.create_task_group() as group:
        for index in range(len(calls)):
            group.start_soon(one, index)
    return found


async def test_calls_at_the_same_time_share_one_request_and_its_page() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    found = await in_parallel(thread.older, thread.older, thread.older)
    assert [numbers(page) for page in found] == [[4, 3, 2]] * 3
    assert (server.cursors, server.most_flying) == ([None, "4"], 1)


async def test_a_call_that_comes_during_a_restore_waits_for_it() -> None:
    server = Server()
    thread = thread_of(server)
    found = await in_parallel(thread.restore, thread.older)
    assert [numbers(page) for page in found] == [[7, 6, 5], [4, 3, 2]]
    assert server.most_flying == 1


async def test_calls_at_the_same_time_share_a_failure_too() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    server.refusals = deque([Refused(-32600, "invalid cursor: anchor turn is no longer present")])
    found = await in_parallel(thread.older, thread.older)
    assert [type(error) for error in found] == [CursorLost, CursorLost]
    assert len(server.asked) == 2


async def test_threads_do_not_wait_for_each_other() -> None:
    server = Server()
    history = history_of(server)
    await in_parallel(history.thread("a").restore, history.thread("b").restore)
    assert server.most_flying == 2


async def test_a_request_is_seen_to_its_end_though_nobody_waits_for_it_any_more() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    server.gate = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(thread.older)
        await anyio.wait_all_tasks_blocked()
        group.cancel_scope.cancel()
        group.start_soon(release, server.gate)
    server.gate = None
    assert server.most_flying == 1
    assert [numbers(page) for page in thread.pages] == [[7, 6, 5], [4, 3, 2]]
    assert numbers(await thread.older()) == [1]
    assert server.cursors == [None, "4", "1"]


async def release(gate: anyio.Event) -> None:
    with anyio.CancelScope(shield=True):
        await anyio.lowlevel.checkpoint()
        gate.set()


# -- refusals ---


async def test_a_busy_server_is_asked_again_after_waits_that_double() -> None:
    server = Server(refusals=deque([BUSY, BUSY, BUSY, BUSY]))
    thread = thread_of(server, first_wait=0.1, longest_wait=0.5)
    assert numbers(await thread.restore()) == [7, 6, 5]
    waits = [later - earlier for earlier, later in zip(server.at, server.at[1:], strict=False)]
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.5])


async def test_a_wait_is_made_longer_by_chance_and_never_shorter() -> None:
    chances = iter([0.0, 0.5, 1.0])
    server = Server(refusals=deque([BUSY, BUSY, BUSY]))
    await thread_of(server, jitter=lambda: next(chances)).restore()
    waits = [later - earlier for earlier, later in zip(server.at, server.at[1:], strict=False)]
    assert waits == pytest.approx([0.1, 0.3, 0.8])


async def test_a_server_that_stays_busy_is_let_alone_after_some_tries() -> None:
    server = Server(refusals=deque([BUSY] * 100))
    with pytest.raises(Overloaded):
        await thread_of(server, retries=2).restore()
    assert len(server.asked) == 3


async def test_after_it_gave_up_each_call_tries_again_and_the_waits_go_on() -> None:
    server = Server(refusals=deque([BUSY] * 5))
    thread = thread_of(server, retries=2)
    with pytest.raises(Overloaded):
        await thread.restore()
    assert numbers(await thread.restore()) == [7, 6, 5]
    waits = [later - earlier for earlier, later in zip(server.at, server.at[1:], strict=False)]
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6])


async def test_older_turns_are_asked_for_again_after_it_gave_up() -> None:
    server = Server()
    thread = thread_of(server, retries=0)
    await thread.restore()
    server.refusals = deque([BUSY])
    with pytest.raises(Overloaded):
        await thread.older()
    assert numbers(await thread.older()) == [4, 3, 2]


async def test_a_request_that_is_refused_nine_times_rests_and_then_everything_begins_anew() -> None:
    server = Server(refusals=deque([BUSY] * 10))
    thread = thread_of(server)
    for _ in range(2):
        with pytest.raises(Overloaded):
            await thread.restore()
    assert len(server.asked) == 9
    assert numbers(await thread.restore()) == [7, 6, 5]
    waits = [later - earlier for earlier, later in zip(server.at, server.at[1:], strict=False)]
    assert waits == pytest.approx([0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 50.0, 0.1])


async def test_from_one_request_to_the_next_passes_twice_what_it_took() -> None:
    server = Server(takes=1.5)
    thread = thread_of(server)
    await thread.restore()
    await thread.older()
    server.takes = 0.01
    await thread.older()
    await thread.restore()
    assert server.at == pytest.approx([0.0, 3.0, 6.0, 6.1])


async def test_whoever_scrolls_slowly_is_not_held_up() -> None:
    server = Server(takes=0.5)
    thread = thread_of(server)
    await thread.restore()
    server.now = 60.0
    await thread.older()
    assert server.at == [0.0, 60.0]


@pytest.mark.parametrize(
    ("sizes", "views"),
    [
        ([2_000_000] * 3, ["full", "full", "full"]),
        ([2_000_001, 1, 1], ["full", "summary", "summary"]),
        ([1, 2_000_001, 1], ["full", "full", "summary"]),
    ],
)
async def test_after_a_page_that_was_too_large_the_next_ones_come_shortened(sizes: list[int], views: list[str]) -> None:
    following = iter(sizes)
    server = Server()
    thread = thread_of(server, size=lambda _: next(following))
    await thread.restore()
    while await thread.older():
        pass
    assert [page.view for page in thread.pages] == views
    assert [params.get("initialTurnsPage", params)["itemsView"] for _, params in server.asked] == views


async def test_a_thread_that_could_not_be_paged_is_asked_again_once_it_was_restored() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    server.refusals = deque([Refused(-32601, "list_turns is not supported yet")])
    for _ in range(2):
        with pytest.raises(Unsupported):
            await thread.older()
    await thread.restore()
    assert numbers(await thread.older()) == [4, 3, 2]
    assert server.cursors == [None, "4", None, "4"]


async def test_whoever_is_cancelled_in_a_wait_leaves_the_rest_of_it_to_the_next() -> None:
    server = Server(refusals=deque([BUSY]))
    thread = thread_of(server, sleep=anyio.sleep)
    waiting = anyio.Event()

    async def sleep(seconds: float) -> None:
        if seconds > 0 and not waiting.is_set():
            waiting.set()
            await anyio.sleep_forever()
        server.now += seconds

    thread = thread_of(server, sleep=sleep)
    async with anyio.create_task_group() as group:
        group.start_soon(thread.restore)
        await waiting.wait()
        group.cancel_scope.cancel()
    assert numbers(await thread.restore()) == [7, 6, 5]
    assert server.at == pytest.approx([0.0, 0.1])


@pytest.mark.parametrize(
    ("code", "message", "kind"),
    [
        (-32600, f"thread not loaded: {THREAD}", ThreadMissing),
        (-32600, f"no rollout found for thread id {THREAD}", ThreadMissing),
        (-32600, "invalid cursor: junk", CursorLost),
        (-32601, "thread/turns/list is not supported yet", Unsupported),
        (-32601, "paginated_threads is not supported yet", Unsupported),
        (-32600, "Invalid request: unknown variant `thread/turns/list`, expected one of `initialize`", Unsupported),
        (-32600, "thread/turns/list requires experimentalApi capability", Unsupported),
        (-32600, f"thread {THREAD} is not materialized yet", RequestRefused),
        (-32603, "failed to read thread", RequestRefused),
    ],
)
async def test_a_refusal_becomes_an_error_by_its_kind_and_is_not_repeated(
    code: int, message: str, kind: type[PagingError]
) -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    server.refusals = deque([Refused(code, message)] * 9)
    for _ in range(3):
        with pytest.raises(kind, match="^" + message[:20].replace("(", r"\(")):
            await thread.older()
    assert len(server.asked) == 2


async def test_after_a_lost_cursor_a_restore_begins_anew() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    server.refusals = deque([Refused(-32600, "invalid cursor: anchor turn is no longer present")])
    with pytest.raises(CursorLost):
        await thread.older()
    server.turns = 5  # two were rolled back
    assert numbers(await thread.restore()) == [5, 4, 3]
    assert numbers(await thread.older()) == [2, 1]


async def test_a_cursor_that_was_refused_is_not_sent_again_though_a_restore_gives_it_again() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    server.refusals = deque([Refused(-32600, "invalid cursor: junk")])
    for _ in range(2):
        with pytest.raises(CursorLost):
            await thread.older()
        await thread.restore()
    assert server.cursors == [None, "4", None, None]


async def test_a_method_that_is_missing_is_asked_for_by_no_thread_again() -> None:
    server = Server()
    history = history_of(server)
    await history.thread("a").restore()
    await history.thread("b").restore()
    server.refusals = deque([Refused(-32601, "thread/turns/list is not supported yet")])
    for name in ("a", "b", "a"):
        with pytest.raises(Unsupported):
            await history.thread(name).older()
    assert len(server.asked) == 3


async def test_a_thread_that_cannot_be_paged_does_not_keep_others_from_it() -> None:
    server = Server(refusals=deque([Refused(-32601, "paginated_threads is not supported yet")]))
    history = history_of(server)
    for _ in range(2):
        with pytest.raises(Unsupported):
            await history.thread("a").restore()
    assert numbers(await history.thread("b").restore()) == [7, 6, 5]
    assert len(server.asked) == 2


async def test_a_missing_thread_is_asked_for_again_only_after_a_wait() -> None:
    server = Server(refusals=deque([Refused(-32600, "no rollout found for thread id x")] * 2))
    thread = thread_of(server)
    for _ in range(2):
        with pytest.raises(ThreadMissing):
            await thread.restore()
    await thread.restore()
    assert server.at == pytest.approx([0.0, 0.1, 0.3])


async def test_without_an_answer_nothing_more_is_asked_on_this_connection() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    server.refusals = deque([TimeoutError("10 s have passed")])
    for ask in (thread.older, thread.older, thread.restore):
        with pytest.raises(NoAnswer, match="10 s have passed"):
            await ask()
    assert len(server.asked) == 2


# -- a server that contradicts itself ---


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        ({"nextCursor": "4"}, "do not advance"),
        ({"data": [], "nextCursor": "9"}, "do not advance"),
        ({"nextCursor": 5}, "without a nextCursor"),
        ({"nextCursor": ""}, "without a nextCursor"),
        ({"data": [{"id": "turn-6"}]}, "came twice"),
        ({"data": [{"id": "turn-4"}, {"id": "turn-4"}]}, "came twice"),
        ({"data": [{"status": "completed"}]}, "no list of turns"),
        ({"data": None}, "no list of turns"),
    ],
)
async def test_a_page_that_would_repeat_or_loop_is_reported_and_ends_it(edit: dict[str, Any], why: str) -> None:
    server = Server(edits={1: edit})
    thread = thread_of(server)
    await thread.restore()
    for _ in range(2):
        with pytest.raises(BrokenHistory, match=why):
            await thread.older()
    assert len(server.asked) == 2
    assert [numbers(page) for page in thread.pages] == [[7, 6, 5]]


async def test_another_thread_than_was_asked_for_is_not_shown() -> None:
    server = Server()
    answer = server.answer
    server.answer = lambda method, params, edit: answer(method, {**params, "threadId": "other"}, edit)  # type: ignore[method-assign]
    with pytest.raises(BrokenHistory, match="another thread was resumed: other"):
        await thread_of(server).restore()


async def test_pages_without_end_are_bounded() -> None:
    server = Server(turns=1_000)
    thread = thread_of(server, limit=1, most_pages=5)
    await thread.restore()
    for _ in range(4):
        await thread.older()
    with pytest.raises(BrokenHistory, match="more than 5 pages"):
        await thread.older()


async def test_a_right_history_raises_no_doubt() -> None:
    thread = thread_of(Server())
    await thread.restore()
    while await thread.older():
        pass
    assert thread.doubts == ()
    await thread.verify()


@pytest.mark.parametrize(
    ("edits", "doubt"),
    [
        ({2: {"data": []}}, "the oldest turn is not the thread's beginning"),
        ({1: {"nextCursor": None}}, "the oldest turn is not the thread's beginning"),
        ({0: {"data": [], "nextCursor": None}}, "the thread has a beginning, and no turns"),
        ({0: {"data": [{"id": "x", "startedAt": 1}, {"id": "y", "startedAt": 2}]}}, "the turns are not in order"),
    ],
)
async def test_what_cannot_be_is_told_as_a_doubt_and_shown_all_the_same(edits: dict[int, Any], doubt: str) -> None:
    thread = thread_of(Server(edits=edits))
    await thread.restore()
    while await thread.older():
        pass
    assert doubt in thread.doubts


async def test_a_turn_that_is_missing_in_the_middle_shows_in_a_comparison_with_the_whole() -> None:
    server = Server(edits={1: {"data": [{"id": "turn-4"}, {"id": "turn-2"}]}})
    thread = thread_of(server)
    await thread.restore()
    while await thread.older():
        pass
    with pytest.raises(BrokenHistory, match="the pages have 6 turns, the thread has 7"):
        await thread.verify()


async def test_a_part_is_compared_with_the_end_of_the_whole() -> None:
    server = Server()
    thread = thread_of(server)
    await thread.restore()
    await thread.verify()
    assert server.asked[-1] == ("thread/read", {"threadId": THREAD, "includeTurns": True})
