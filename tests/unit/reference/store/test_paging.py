"""A page of turns and its cursors, without a store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hive_gate.reference.store.errors import InvalidRequest
from hive_gate.reference.store.items import AgentMessage, Reasoning, StoredItem, UserMessage
from hive_gate.reference.store.paging import page_of_turns
from hive_gate.reference.store.records import ItemsView, SortDirection, StoredTurn, StoredTurnStatus, TurnPage


def history(count: int) -> list[StoredTurn]:
    return [StoredTurn(f"t{number}", StoredTurnStatus.COMPLETED) for number in range(count)]


def ids(page: TurnPage) -> list[str]:
    return [turn.turn_id for turn in page.turns]


@given(count=st.integers(1, 40), size=st.integers(-3, 15), direction=st.sampled_from(SortDirection))
def test_a_walk_meets_every_turn_once_in_order(count: int, size: int, direction: SortDirection) -> None:
    turns, seen, pages = history(count), [], 0
    cursor: str | None = None
    while pages == 0 or cursor is not None:
        page = page_of_turns(turns, cursor=cursor, page_size=size, sort_direction=direction)
        assert page.turns
        assert page.backwards_cursor is not None
        seen += ids(page)
        cursor = page.next_cursor
        pages += 1
    expected = [turn.turn_id for turn in turns]
    assert seen == (expected if direction is SortDirection.ASC else expected[::-1])
    assert pages == -(-count // max(size, 1))


@given(count=st.integers(1, 20), at=st.integers(0, 19), size=st.integers(1, 5))
def test_backwards_from_a_page_repeats_its_first_turn_and_goes_the_other_way(count: int, at: int, size: int) -> None:
    turns = history(count)
    anchor = f'{{"turnId":"t{at % count}","includeAnchor":false}}'
    page = page_of_turns(turns, cursor=anchor, page_size=size)
    if not page.turns:
        assert page == TurnPage((), None, None)
        return
    back = page_of_turns(turns, cursor=page.backwards_cursor, page_size=100, sort_direction=SortDirection.ASC)
    first = int(page.turns[0].turn_id[1:])
    assert ids(back) == [f"t{number}" for number in range(first, count)]


@pytest.mark.parametrize(
    "junk",
    [
        "",
        "junk",
        "null",
        "[]",
        "{}",
        '{"turnId":"t1"}',
        '{"includeAnchor":true}',
        '{"turnId":1,"includeAnchor":true}',
        '{"turnId":"t1","includeAnchor":1}',
        '{"turnId":"t1","includeAnchor":null}',
        '{"turnId":"t1","includeAnchor":true}x',
        '["t1"]',
        '["t1",true,1]',
        '[true,"t1"]',
        "[" * 100_000,
    ],
)
def test_a_cursor_of_another_shape_is_refused_in_the_words_it_was_sent_in(junk: str) -> None:
    with pytest.raises(InvalidRequest) as refused:
        page_of_turns(history(3), cursor=junk)
    assert str(refused.value) == f"invalid cursor: {junk}"
    assert page_of_turns([], cursor=junk) == TurnPage((), None, None)


def test_a_cursor_may_be_written_in_another_way_and_hold_more() -> None:
    page = page_of_turns(history(3), cursor=' {"x": 1, "includeAnchor": true, "turnId": "t1"} ')
    assert ids(page) == ["t1", "t0"]
    assert ids(page_of_turns(history(3), cursor='["t1", false]')) == ["t0"]


def test_a_turn_id_is_written_into_the_cursor_as_it_is() -> None:
    turns = [StoredTurn('한글 "quoted"', StoredTurnStatus.COMPLETED)]
    page = page_of_turns(turns)
    assert page.backwards_cursor == '{"turnId":"한글 \\"quoted\\"","includeAnchor":true}'
    assert ids(page_of_turns(turns, cursor=page.backwards_cursor)) == ['한글 "quoted"']


USER, SECOND = UserMessage("item-1", "a"), UserMessage("item-3", "b")
THOUGHT = Reasoning("item-2", ("s",))
SAID, FINAL = AgentMessage("item-4", "x"), AgentMessage("item-5", "y")


@pytest.mark.parametrize(
    ("items", "summary"),
    [
        ((USER, THOUGHT, SECOND, SAID, FINAL, THOUGHT), (USER, FINAL)),
        ((THOUGHT, SAID), (SAID,)),
        ((USER, THOUGHT), (USER,)),
        ((THOUGHT,), ()),
        ((), ()),
    ],
)
def test_a_view_says_what_it_is_and_holds_no_more(
    items: tuple[StoredItem, ...], summary: tuple[StoredItem, ...]
) -> None:
    turns = [StoredTurn("t", StoredTurnStatus.COMPLETED, items)]
    shown = {view: page_of_turns(turns, items_view=view).turns[0] for view in ItemsView}
    assert {view: turn.items for view, turn in shown.items()} == {
        ItemsView.NOT_LOADED: (),
        ItemsView.SUMMARY: summary,
        ItemsView.FULL: items,
    }
    assert all(turn.items_view is view for view, turn in shown.items())
