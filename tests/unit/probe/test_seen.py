from __future__ import annotations

from typing import Any

import pytest

from hive_gate.probe.seen import Seen, error_phrase, items_of, preview, project, reply_phrase

ITEMS: list[tuple[Any, tuple[str, str]]] = [
    (
        {"type": "userMessage", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        ("userMessage", "ab"),
    ),
    (
        {"type": "userMessage", "content": [{"type": "image", "url": "x"}, {"type": "text", "text": "b"}]},
        ("userMessage", "b"),
    ),
    ({"type": "userMessage", "content": "a"}, ("userMessage", "")),
    ({"type": "userMessage"}, ("userMessage", "")),
    ({"type": "agentMessage", "text": "a", "phase": None}, ("agentMessage", "a")),
    ({"type": "reasoning", "summary": ["a", "b"], "content": []}, ("reasoning", "a\nb")),
    ({"type": "reasoning", "summary": [], "content": ["c"]}, ("reasoning", "c")),
    ({"type": "reasoning"}, ("reasoning", "")),
    ({"type": "commandExecution", "text": "ls"}, ("commandExecution", "")),
    ({"text": "a"}, ("None", "")),
    ("text", ("", '"text"')),
]


@pytest.mark.parametrize(("item", "reduced"), ITEMS)
def test_an_item_is_reduced_to_its_type_and_text(item: Any, reduced: tuple[str, str]) -> None:
    assert project(item) == reduced
    assert items_of({"items": [item]}) == [reduced]


@pytest.mark.parametrize("turn", [None, {}, {"items": None}, {"items": {}}])
def test_a_turn_without_items_has_none(turn: Any) -> None:
    assert items_of(turn) == []


@pytest.mark.parametrize(
    ("value", "text"),
    [({"a": [1, None]}, '{"a":[1,null]}'), ("세 🐝", '"세 🐝"'), ("x" * 200, '"' + "x" * 159 + "…"), (True, "true")],
)
def test_a_value_is_shown_as_compact_json_and_bounded(value: Any, text: str) -> None:
    assert preview(value) == text


@pytest.mark.parametrize(
    ("error", "phrase"),
    [
        ({"code": -1, "message": "no"}, "error -1: no"),
        ({"code": -1, "message": "x" * 241}, f"error -1: {'x' * 240}…"),
        ({}, "error None: None"),
        (None, "error null"),
        ("no", 'error "no"'),
    ],
)
def test_an_error_is_told_in_a_phrase(error: Any, phrase: str) -> None:
    assert error_phrase(error) == phrase


def unknown(variant: str, known: list[str]) -> dict[str, Any]:
    return {"code": 1, "message": f"unknown variant `{variant}`, expected one of {', '.join(f'`{k}`' for k in known)}"}


def test_a_few_known_names_are_all_told_and_many_only_counted() -> None:
    assert error_phrase(unknown("x", ["a", "b"])) == "error 1: unknown variant `x`, expected one of `a`, `b`"
    many = [f"known/{n}" for n in range(9)]
    assert error_phrase(unknown("x", many)) == "error 1: unknown variant `x`, not one of 9 it knows"
    assert error_phrase(unknown("known/ 1", many)).endswith("; nearest: `known/1`, `known/8`")


@pytest.mark.parametrize(
    ("body", "phrase"),
    [
        (None, "no reply"),
        ({"error": {"code": -1, "message": "no"}}, "error -1: no"),
        ({"result": None}, "result null"),
        ({"result": {"x": 1}}, 'result {"x":1}'),
        ({"result": {"data": [], "nextCursor": None}}, "a page of 0 turns, nextCursor null"),
        ({"result": {"data": [1, 2], "nextCursor": "c"}}, "a page of 2 turns, nextCursor set"),
        ({"result": {"thread": {"turns": [1]}}}, "a thread with 1 turn"),
        (
            {"result": {"thread": {"turns": []}, "initialTurnsPage": {"data": [1]}}},
            "a thread with 0 turns and a first page of 1",
        ),
        ({"result": {"thread": {"turns": []}, "initialTurnsPage": None}}, "a thread with 0 turns"),
    ],
)
def test_a_reply_is_told_in_a_phrase(body: Any, phrase: str) -> None:
    assert reply_phrase(body) == phrase


def test_the_turns_of_a_step_are_those_of_all_its_pages_with_their_places(wire: Any, made: Any, main: Any) -> None:
    seen = wire.results(made.page(main, [5, 4]), made.page(main, [3]))
    assert [(turn.body["id"], turn.pointer, turn.message) for turn in seen.turns("/data")] == [
        ("main-5", "/data/0", 1), ("main-4", "/data/1", 1), ("main-3", "/data/0", 3),
    ]  # fmt: skip


def test_result_and_error_are_those_of_the_last_reply(wire: Any) -> None:
    first, last = wire.results({"n": 1}), wire.error(-1, "no")
    seen = Seen((*first.exchanges, *last.exchanges), wire.messages)
    assert (seen.result(), seen.error()) == (None, {"code": -1, "message": "no"})
    seen = Seen((*last.exchanges, *first.exchanges), wire.messages)
    assert (seen.result(), seen.error()) == ({"n": 1}, None)


def test_a_step_without_exchanges_has_nothing(wire: Any) -> None:
    seen = Seen((), wire.messages)
    assert (seen.last, seen.result(), seen.error(), seen.turns("/data")) == (None, None, None, [])
