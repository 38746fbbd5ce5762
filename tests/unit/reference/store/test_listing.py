"""Lists of threads from either store: order, pages, filters."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import InvalidRequest
from hive_gate.reference.store.listing import page_of_threads, source_kind
from hive_gate.reference.store.queries import SourceKind, ThreadQuery, ThreadSortKey
from hive_gate.reference.store.records import SortDirection, StoredThread, ThreadChange

from .conftest import BEGAN, Bench, thread_id


def numbers(threads: tuple[StoredThread, ...]) -> list[int]:
    return [int(thread.thread_id[-12:]) for thread in threads]


def listed(bench: Bench, **asked: Any) -> list[int]:
    return numbers(bench.store.list_threads(ThreadQuery(**asked)).threads)


def test_the_newest_come_first_and_each_side_is_listed_alone(bench: Bench) -> None:
    for number in (2, 3, 1):
        bench.plant(number)
    bench.plant(4, archived=True)
    assert listed(bench) == [3, 2, 1]
    assert listed(bench, sort_direction=SortDirection.ASC) == [1, 2, 3]
    assert listed(bench, archived=True) == [4]
    bench.store.archive(thread_id(2))
    bench.store.unarchive(thread_id(4))
    assert listed(bench) == [4, 3, 1]
    assert listed(bench, archived=True) == [2]


def test_the_last_one_used_comes_first_by_time_of_update(bench: Bench) -> None:
    for number in (1, 2, 3):
        bench.plant(number, archived=True)
        bench.store.unarchive(thread_id(number))
    bench.store.append(thread_id(1), [recording.user_message("again")])
    for key in (ThreadSortKey.UPDATED_AT, ThreadSortKey.RECENCY_AT):
        assert listed(bench, sort_key=key)[0] == 1
        assert listed(bench, sort_key=key, sort_direction=SortDirection.ASC)[-1] == 1


@pytest.mark.parametrize("direction", SortDirection)
def test_pages_follow_one_another_to_the_end(bench: Bench, direction: SortDirection) -> None:
    for number in range(1, 8):
        bench.plant(number)
    seen: list[int] = []
    cursor: str | None = None
    while True:
        page = bench.store.list_threads(ThreadQuery(cursor=cursor, page_size=3, sort_direction=direction))
        seen += numbers(page.threads)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == sorted(range(1, 8), reverse=direction is SortDirection.DESC)


def test_the_cursors_are_times_and_the_one_backwards_leads_to_what_is_newer(bench: Bench) -> None:
    for number in range(1, 5):
        bench.plant(number)
    first = bench.store.list_threads(ThreadQuery(page_size=2))
    assert first.next_cursor == "2026-06-01T10:03:00Z"
    assert first.backwards_cursor == "2026-06-01T10:03:59.999Z"

    bench.plant(5)
    newer = bench.store.list_threads(ThreadQuery(cursor=first.backwards_cursor, sort_direction=SortDirection.ASC))
    assert numbers(newer.threads) == [4, 5]
    assert newer.backwards_cursor == "2026-06-01T10:04:00.001Z"
    assert newer.next_cursor is None


def test_threads_of_one_instant_are_all_reached(bench: Bench) -> None:
    for number in range(1, 6):
        bench.plant(number, timestamp="2026-06-01T10:00:00.123Z")
    first = bench.store.list_threads(ThreadQuery(page_size=2))
    assert first.next_cursor == f"2026-06-01T10:00:00.123Z|{thread_id(4)}"
    rest = bench.store.list_threads(ThreadQuery(cursor=first.next_cursor))
    assert numbers(first.threads + rest.threads) == [5, 4, 3, 2, 1]


@pytest.mark.parametrize(
    "junk",
    [
        "junk",
        "",
        "|",
        "2026",
        "2026-06-01T10:00:00Zjunk",
        "2026-06-99T10:00:00Z",
        "T",
        "{}",
        "2026-06-01",
        "2026-06-01T10:00:00",
        "2026-06-01T10:00:00.5",
        "2026-06-01T10-99-00",
        "2026-06-01T10",
    ],
)
def test_a_cursor_that_is_no_time_with_a_zone_is_refused_even_if_there_is_nothing_to_list(
    bench: Bench, junk: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        bench.store.list_threads(ThreadQuery(cursor=junk))
    assert str(refused.value) == f"invalid cursor: {junk}"


@pytest.mark.parametrize(
    "cursor",
    [
        "2026-06-01T10:02:00Z",
        "2026-06-01T10:02:00.000Z",
        "2026-06-01T10-02-00",
        "2026-06-01 10:02:00Z",
        "2026-06-01T19:02:00+09:00",
        "2026-06-01T10:02:00.000000000Z",
    ],
)
def test_a_cursor_may_be_written_as_the_real_server_takes_it(bench: Bench, cursor: str) -> None:
    for number in (1, 2, 3):
        bench.plant(number)
    assert listed(bench, cursor=cursor) == [1]


def test_page_sizes_are_brought_into_bounds() -> None:
    threads = [_thread(number) for number in range(130)]
    sizes = {size: len(page_of_threads(threads, ThreadQuery(page_size=size)).threads) for size in (None, 0, 7, 1000)}
    assert sizes == {None: 25, 0: 1, 7: 7, 1000: 100}


def test_a_thread_without_a_word_from_the_user_is_not_listed(bench: Bench) -> None:
    bench.plant(1, [recording.agent_message("hello?")])
    bench.plant(2, [recording.user_message("  \n ")])
    assert listed(bench) == []
    assert bench.store.read(thread_id(1)).preview == ""
    bench.store.append(thread_id(2), [recording.user_message("", images=["http://x/y.png"])])
    assert listed(bench) == [2]
    assert bench.store.read(thread_id(2)).preview == "[Image]"


@pytest.mark.parametrize(
    ("message", "preview"),
    [
        ("  padded \n", "padded"),
        ("two\nlines", "two\nlines"),
        ("# Open files\n\n## My request for Codex:\n do it \n", "do it"),
    ],
)
def test_the_preview_is_the_users_own_words(bench: Bench, message: str, preview: str) -> None:
    bench.plant(1, [recording.user_message(message), recording.user_message("later")])
    assert [thread.preview for thread in bench.store.list_threads(ThreadQuery()).threads] == [preview]


def test_filters_narrow_the_list(bench: Bench) -> None:
    bench.plant(1)
    bench.plant(2, source="exec", cwd="/other", model_provider="elsewhere", parent_thread_id=thread_id(1))
    bench.plant(3, source={"subagent": {"thread_spawn": {"depth": 1}}})
    bench.plant(4, source="of a newer version")
    assert listed(bench) == [1]
    assert listed(bench, sources=()) == [4, 3, 2, 1]
    assert listed(bench, sources=(SourceKind.SUBAGENT,)) == [3]
    assert listed(bench, sources=(SourceKind.SUBAGENT_REVIEW,)) == []
    assert listed(bench, sources=(SourceKind.UNKNOWN,)) == [4]
    everything: dict[str, Any] = {"sources": ()}
    assert listed(bench, **everything, model_providers=("elsewhere", "nowhere")) == [2]
    assert listed(bench, **everything, cwds=("/other/",)) == [2]
    assert listed(bench, **everything, cwds=()) == []
    assert listed(bench, **everything, parent_thread_id=thread_id(1)) == [2]


def test_a_search_looks_at_name_and_preview_in_the_same_case(bench: Bench) -> None:
    bench.plant(1, [recording.user_message("about Apples")])
    bench.plant(2, [recording.user_message("about Pears")])
    bench.store.update_metadata(thread_id(1), ThreadChange(name="Fruit 과일"))
    found = {term: listed(bench, search_term=term) for term in ("about", "Apples", "apples", "과일", "Pears", "")}
    assert found == {"about": [2, 1], "Apples": [1], "apples": [], "과일": [1], "Pears": [2], "": [2, 1]}


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("cli", SourceKind.CLI),
        ("mcp", SourceKind.MCP),
        ("zzz", SourceKind.UNKNOWN),
        ("subagent", SourceKind.UNKNOWN),
        (None, SourceKind.UNKNOWN),
        ({"subagent": "review"}, SourceKind.SUBAGENT_REVIEW),
        ({"subagent": "compact"}, SourceKind.SUBAGENT_COMPACT),
        ({"subagent": {"other": "x"}}, SourceKind.SUBAGENT_OTHER),
        ({"subagent": {}}, SourceKind.SUBAGENT_OTHER),
        ({"custom": "x"}, SourceKind.UNKNOWN),
    ],
)
def test_a_source_has_a_kind(source: object, kind: SourceKind) -> None:
    assert source_kind(source) is kind


@given(
    seconds=st.lists(st.integers(0, 3), max_size=30),
    size=st.integers(1, 4),
    direction=st.sampled_from(SortDirection),
    east=st.integers(-12, 12),
)
def test_however_times_coincide_a_walk_meets_each_thread_once(
    seconds: list[int], size: int, direction: SortDirection, east: int
) -> None:
    zone = timezone(timedelta(hours=east))
    threads = [_thread(n, BEGAN.astimezone(zone) + timedelta(seconds=s)) for n, s in enumerate(seconds)]
    seen: list[int] = []
    cursor: str | None = None
    for _ in range(len(threads) + 1):
        page = page_of_threads(threads, ThreadQuery(cursor=cursor, page_size=size, sort_direction=direction))
        seen += numbers(page.threads)
        cursor = page.next_cursor
        if cursor is None:
            break
    assert cursor is None
    assert sorted(seen) == list(range(len(threads)))


def _thread(number: int, created_at: datetime | None = None) -> StoredThread:
    moment = created_at or datetime.fromtimestamp(number, UTC)
    return StoredThread(
        thread_id(number), moment, moment, "/work", "mock", "cli", "1", "somebody", preview=f"thread {number}"
    )
