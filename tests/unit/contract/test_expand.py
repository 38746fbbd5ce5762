from __future__ import annotations

from typing import Any

from hive_gate.contract.expand import expand
from hive_gate.contract.model import Clause, Step


def products(**members: Any) -> list[Clause]:
    entry = {"id": "read.mine", "promise": "p", "why": "w", "source": "s", "steps": [{"call": "m"}], **members}
    return list(expand(entry))


def test_a_clause_without_axes_is_itself_with_the_defaults() -> None:
    assert products() == [
        Clause("read.mine", "read", "required", "p", "w", "s", "empty", "hive", "nothing", (), (Step("call", "m"),))
    ]


def test_axes_multiply_in_order_and_label_the_id() -> None:
    clauses = products(over={"order": ["desc", "asc"], "size": [1, 7]})
    assert [clause.id for clause in clauses] == [
        "read.mine/desc/1", "read.mine/desc/7", "read.mine/asc/1", "read.mine/asc/7",
    ]  # fmt: skip
    assert clauses[1].axes == {"order": "desc", "size": "7"}
    assert {clause.suite for clause in clauses} == {"read"}


def test_a_whole_string_takes_the_value_with_its_type_and_a_part_takes_its_text() -> None:
    (clause,) = products(
        over={"size": [7]},
        steps=[{"call": "m", "params": {"limit": "${size}", "text": "at most ${size}", "${size}": ["${size}"]}}],
    )
    assert clause.steps[0].params == {"limit": 7, "text": "at most 7", "${size}": [7]}


def test_an_axis_of_objects_is_labeled_by_its_keys_and_read_by_dotted_names() -> None:
    over = {"limit": {"absent": {"params": {"a": None}, "turns": 25}, "zero": {"params": {"limit": 0}, "turns": 1}}}
    steps = [{"call": "m", "params": "${limit.params}", "expect": {"result": {"maxItems": "${limit.turns}"}}}]
    clauses = products(over=over, steps=steps, promise="${limit.turns} turns")
    assert [(clause.id, clause.steps[0].params, clause.steps[0].expect, clause.promise) for clause in clauses] == [
        ("read.mine/absent", {"a": None}, {"result": {"maxItems": 25}}, "25 turns"),
        ("read.mine/zero", {"limit": 0}, {"result": {"maxItems": 1}}, "1 turns"),
    ]


def test_names_of_the_run_stay_as_they_are() -> None:
    (clause,) = products(over={"view": ["full"]}, steps=[{"call": "m", "params": ["${main}", "${view}", "x ${next}"]}])
    assert clause.steps[0].params == ["${main}", "full", "x ${next}"]


def test_the_members_of_a_step_go_where_they_belong() -> None:
    (clause,) = products(
        steps=[{
            "walk": "m", "as": "walked", "why": "left out", "max-pages": 3, "params": {"a": 1},
            "capture": {"next": "/nextCursor"}, "expect": {"any-answer": True},
        }]
    )  # fmt: skip
    assert clause.steps == (
        Step("walk", "m", {"a": 1}, "walked", {"next": "/nextCursor"}, {"any-answer": True}, {"max-pages": 3}),
    )
