"""Pages of turns from either store."""

from __future__ import annotations

import json

import pytest

from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import InvalidRequest, ThreadNotFound
from hive_gate.reference.store.items import AgentMessage, UserMessage
from hive_gate.reference.store.queries import TurnQuery
from hive_gate.reference.store.records import (
    ItemsView,
    SortDirection,
    StoredTurn,
    StoredTurnStatus,
    TurnPage,
)

from .conftest import Bench, thread_id, turn, turns


def ids(page: TurnPage) -> list[str]:
    return [entry.turn_id for entry in page.turns]


def test_a_page_is_the_newest_turns_in_summary(bench: Bench) -> None:
    ident = bench.new(1, turns(30))
    page = bench.another().list_turns(TurnQuery(ident))
    assert ids(page) == [f"turn-{number}" for number in range(30, 5, -1)]
    assert page.turns[0].items == (
        UserMessage("item-88", "question 30"),
        AgentMessage("item-90", "answer 30", "final_answer"),
    )
    assert {entry.items_view for entry in page.turns} == {ItemsView.SUMMARY}
    assert page.next_cursor == '{"turnId":"turn-6","includeAnchor":false}'
    assert page.backwards_cursor == '{"turnId":"turn-30","includeAnchor":true}'


def test_turns_added_between_two_pages_neither_shift_nor_repeat(bench: Bench) -> None:
    ident = bench.new(1, turns(5))
    first = bench.store.list_turns(TurnQuery(ident, page_size=2))
    bench.store.append(ident, turn(6))
    second = bench.store.list_turns(TurnQuery(ident, page_size=2, cursor=first.next_cursor))
    newer = bench.store.list_turns(TurnQuery(ident, cursor=first.backwards_cursor, sort_direction=SortDirection.ASC))
    assert ids(first) + ids(second) == ["turn-5", "turn-4", "turn-3", "turn-2"]
    assert ids(newer) == ["turn-5", "turn-6"]


def test_a_rollback_drops_turns_for_every_reader_and_takes_nothing_from_what_was_stored(bench: Bench) -> None:
    ident = bench.new(1, turns(4))
    before = bench.store.load_history(ident).records
    cursor = bench.store.list_turns(TurnQuery(ident, page_size=1)).backwards_cursor
    bench.store.rollback(ident, 3)

    assert ids(bench.another().list_turns(TurnQuery(ident))) == ["turn-1"]
    records = bench.store.load_history(ident).records
    assert records[:-1] == before
    assert dict(records[-1].payload) == {"type": "thread_rolled_back", "num_turns": 3}
    with pytest.raises(InvalidRequest, match=r"^invalid cursor: anchor turn is no longer present$"):
        bench.store.list_turns(TurnQuery(ident, cursor=cursor))


def test_a_rollback_of_more_than_there_is_clears_and_of_nothing_is_refused(bench: Bench) -> None:
    ident = bench.new(1, turns(2))
    for number in (0, -1):
        with pytest.raises(InvalidRequest, match="num_turns must be >= 1"):
            bench.store.rollback(ident, number)
    bench.store.rollback(ident, 99)
    page = bench.store.list_turns(TurnQuery(ident, cursor="a thread without turns never looks at it"))
    assert page == TurnPage((), None, None)
    bench.store.append(ident, turn(3))
    assert ids(bench.store.list_turns(TurnQuery(ident))) == ["turn-3"]


def test_a_turn_without_an_end_is_interrupted_unless_it_is_the_active_one(bench: Bench) -> None:
    ident = bench.new(1, [*turn(1, ends=False), *turn(2), *turn(3, ends=False)])
    active = StoredTurn("turn-3", StoredTurnStatus.IN_PROGRESS, (AgentMessage("live", "so far"),))

    def shown(running: StoredTurn | None) -> list[tuple[str, str]]:
        page = bench.store.list_turns(TurnQuery(ident, active=running, sort_direction=SortDirection.ASC))
        return [(entry.turn_id, entry.status.value) for entry in page.turns]

    first = [("turn-1", "interrupted"), ("turn-2", "completed")]
    assert shown(None) == [*first, ("turn-3", "interrupted")]
    assert shown(active) == [*first, ("turn-3", "in_progress")]
    page = bench.store.list_turns(TurnQuery(ident, page_size=1, active=active))
    assert page.turns[0].items == active.items


def test_archived_threads_have_turns_and_unknown_ones_are_not_found(bench: Bench) -> None:
    ident = bench.new(1)
    bench.store.archive(ident)
    assert ids(bench.store.list_turns(TurnQuery(ident))) == ["turn-1"]
    with pytest.raises(ThreadNotFound):
        bench.store.list_turns(TurnQuery(thread_id(404), cursor="junk"))


def test_records_that_say_nothing_about_turns_make_none(bench: Bench) -> None:
    ident = bench.new(1, [recording.turn_context("x", "/work", "m"), recording.message("user", "as the model saw it")])
    assert bench.store.list_turns(TurnQuery(ident)) == TurnPage((), None, None)
    assert json.dumps([dict(record.payload) for record in bench.store.load_history(ident).records])
