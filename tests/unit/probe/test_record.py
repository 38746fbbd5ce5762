from __future__ import annotations

from typing import Any

import pytest

from hive_gate.probe.record import added_by, after_store, turn_recipe
from hive_gate.scene.rollout import turn_id
from hive_gate.scene.truth import TurnRecipe


def test_stored_turns_go_on_counting_and_get_the_ids_that_are_written(main: Any) -> None:
    change = {"append": [{"times": 2, "user": "Question {n}"}]}
    assert added_by(main, change) == [TurnRecipe("Question 6"), TurnRecipe("Question 7")]
    after = after_store(main, change)
    assert after.turns[:5] == main.turns
    assert [turn.id for turn in after.turns[5:]] == [turn_id(main.id, 5), turn_id(main.id, 6)]


def test_a_stored_rollback_drops_the_last_turns(main: Any) -> None:
    assert after_store(main, {"rollback": 2}).turns == main.turns[:3]


@pytest.mark.parametrize(
    ("turn", "recipe"),
    [
        ({"user": "u"}, TurnRecipe("u", (("agent", "OK."),))),
        ({"user": "u", "model": ["a", "b"]}, TurnRecipe("u", (("agent", "a"), ("agent", "b")))),
        ({"user": "u", "model": []}, TurnRecipe("u")),
        ({"user": "u", "model": "fails"}, TurnRecipe("u", (), "failed", ("failed", "completed"))),
    ],
)
def test_a_real_turn_adds_what_the_stand_in_answers(turn: Any, recipe: TurnRecipe) -> None:
    assert turn_recipe(turn) == recipe
