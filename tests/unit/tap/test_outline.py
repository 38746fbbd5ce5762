"""The outline of a message: the same however it comes in pieces, short, and with everything that is short in it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hive_gate.tap.outline import LIST, OBJECT, STRING, Outline

CURSOR = '{"turnId":"0197","includeAnchor":false}'


def line_of(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False).encode()


def pieces(line: bytes, sizes: Iterable[int]) -> Iterator[bytes]:
    at = 0
    for size in sizes:
        yield line[at : at + size]
        at += size
    yield line[at:]


def outline(line: bytes, sizes: Iterable[int] = ()) -> Outline:
    found = Outline()
    for piece in pieces(line, sizes):
        found.feed(piece)
    return found


def body_of(line: bytes, sizes: Iterable[int] = ()) -> Any:
    return outline(line, sizes).parsed().body


TEXTS = st.text(alphabet=st.sampled_from('ab"\\{}[],:한\u2028\n'), max_size=30)
LONG = st.sampled_from(["x" * (STRING + 1), '\\"' * STRING, "한" * STRING, "{[" * 9_000])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS | LONG,
    lambda inner: st.lists(inner, max_size=40) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=60,
)


@settings(max_examples=150, deadline=None)
@given(VALUES, st.lists(st.integers(0, 5_000), max_size=30), st.booleans())
def test_pieces_make_no_difference_and_the_outline_is_a_message(value: Any, sizes: list[int], plain: bool) -> None:
    line = json.dumps({"id": 7, "method": "m", "params": value}, ensure_ascii=plain).encode("utf-8", "surrogatepass")
    whole = body_of(line)
    assert whole is not None
    assert (whole["id"], whole["method"]) == (7, "m")
    assert body_of(line, sizes) == whole


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(TEXTS, st.integers() | TEXTS | st.lists(TEXTS, max_size=5), max_size=10))
def test_a_short_message_is_its_own_outline(body: dict[str, Any]) -> None:
    assert body_of(line_of(body), [1] * 500) == body


def test_what_says_where_a_conversation_stands_survives_any_history() -> None:
    turn = {"id": "t", "items": [{"type": "agentMessage", "text": "word " * 500, "id": "item-1"}] * 3}
    page = {"data": [turn] * 100, "nextCursor": CURSOR, "backwardsCursor": None}
    body = {"id": 4, "result": {"thread": {"id": "T", "turns": [turn] * 100}, "initialTurnsPage": page}}
    found = body_of(line_of(body), [65_536] * 40)
    assert found == {
        "id": 4,
        "result": {
            "thread": {"id": "T", "turns": [f"…‹{len(line_of([turn] * 100))} bytes›"]},
            "initialTurnsPage": {
                "data": [f"…‹{len(line_of([turn] * 100))} bytes›"], "nextCursor": CURSOR, "backwardsCursor": None,
            },
        },
    }  # fmt: skip


def test_a_long_string_is_replaced_by_its_length_and_what_stands_beside_it_stays() -> None:
    body = {"id": 1, "params": {"image": "A" * 3_000_000, "threadId": "T"}}
    assert body_of(line_of(body), [100_000] * 40) == {
        "id": 1, "params": {"image": "…‹3000000 bytes›", "threadId": "T"},
    }  # fmt: skip


@pytest.mark.parametrize(("length", "kept"), [(STRING, True), (STRING + 1, False)])
def test_a_string_is_kept_up_to_its_bound(length: int, kept: bool) -> None:
    assert (body_of(line_of({"a": "x" * length}))["a"] == "x" * length) is kept


def test_a_list_may_end_where_a_piece_does() -> None:
    line = line_of({"a": ["x" * 100] * 500, "b": 2})
    end = line.index(b"]") + 1
    for cut in (end - 1, end, end + 1):
        assert body_of(line, [10_000, cut - 10_000]) == {"a": [f"…‹{end - 6} bytes›"], "b": 2}


def test_a_large_object_is_replaced_but_never_the_message_itself() -> None:
    members = {f"key {n}": n for n in range(OBJECT // 8)}
    found = body_of(line_of({"id": 1, "result": {"small": 1, "map": members}}))
    assert found == {"id": 1, "result": {"small": 1, "map": {"…": f"…‹{len(line_of(members))} bytes›"}}}


def test_a_list_of_numbers_is_replaced_though_no_sign_divides_them() -> None:
    numbers = list(range(LIST))
    assert body_of(line_of({"a": numbers, "b": 2})) == {"a": [f"…‹{len(line_of(numbers))} bytes›"], "b": 2}


def test_the_hash_and_the_size_are_those_of_the_line() -> None:
    line = line_of({"id": 1, "a": ["x" * 50_000]})
    found = outline(line, [7] * 100)
    assert (found.size, found.sha256) == (len(line), hashlib.sha256(line).hexdigest())


@pytest.mark.parametrize(
    "line",
    [b'{"id":1,"a":[1,2', b'{"id":1,"a":"no end', b'{"id":1}]', b"[1,2,3]", b"no JSON", b'"\xff\xfe"', b"\x00" * 5_000],
)
def test_what_is_no_object_is_shown_by_its_beginning(line: bytes) -> None:
    parsed = outline(line, [3] * 10).parsed()
    assert parsed.body is None
    assert parsed.text


def test_what_has_no_short_outline_is_no_message() -> None:
    parsed = outline(line_of({f"key {n}": "x" * 100 for n in range(20_000)})).parsed()
    assert parsed.body is None
    assert parsed.text is not None
    assert len(parsed.text) < 300
