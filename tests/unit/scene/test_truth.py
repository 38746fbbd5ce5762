from __future__ import annotations

import json
from typing import Any

import pytest

from hive_gate.scene.truth import ItemTruth, ThreadTruth, TurnRecipe, TurnTruth, as_json, from_json, turn_recipes
from hive_gate.wire.elide import LIMIT, elide_text

USER, AGENT, REASON = "userMessage", "agentMessage", "reasoning"


def turn(*kinds: str) -> TurnTruth:
    return TurnTruth("t", ("completed",), tuple(ItemTruth(kind, f"{kind} {n}") for n, kind in enumerate(kinds)))


def thread(turns: int) -> ThreadTruth:
    return ThreadTruth("thread", tuple(TurnTruth(f"t{n}", ("completed",), ()) for n in range(1, turns + 1)))


SUMMARIES = {
    (USER, AGENT): [0, 1],
    (USER, REASON, AGENT, REASON, AGENT, AGENT): [0, 5],
    (USER, AGENT, REASON): [0, 1],
    (USER,): [0],
    (USER, REASON): [0],
    (AGENT,): [0],
    (USER, USER, AGENT): [0, 2],
    (): [],
}


@pytest.mark.parametrize("kinds", SUMMARIES)
def test_summary_is_the_first_user_and_the_last_agent_message(kinds: tuple[str, ...]) -> None:
    whole = turn(*kinds)
    assert whole.in_view("summary") == tuple(whole.items[index] for index in SUMMARIES[kinds])


@pytest.mark.parametrize("kinds", SUMMARIES)
def test_full_is_everything_and_not_loaded_nothing(kinds: tuple[str, ...]) -> None:
    assert turn(*kinds).in_view("full") == turn(*kinds).items
    assert turn(*kinds).in_view("notLoaded") == ()


@pytest.mark.parametrize(("dropped", "left"), [(0, 5), (2, 3), (5, 0), (9, 0)])
def test_a_rollback_drops_the_last_turns(dropped: int, left: int) -> None:
    assert [t.id for t in thread(5).rolled_back(dropped).turns] == [f"t{n}" for n in range(1, left + 1)]
    assert len(thread(5).turns) == 5


def test_turns_are_added_at_the_end() -> None:
    longer = thread(2).with_turns(thread(1).turns)
    assert [t.id for t in longer.turns] == ["t1", "t2", "t1"]


def test_a_recipe_counts_its_turns_through() -> None:
    entries: list[dict[str, Any]] = [
        {"times": 2, "user": "Question {n} of {n}", "then": [{"reasoning": "r{n}"}, {"agent": "a{n}"}]},
        {"user": "Last {n}", "ends": "open", "shown-as": ["interrupted"]},
    ]
    assert turn_recipes(entries, first=6) == [
        TurnRecipe("Question 6 of 6", (("reasoning", "r6"), ("agent", "a6"))),
        TurnRecipe("Question 7 of 7", (("reasoning", "r7"), ("agent", "a7"))),
        TurnRecipe("Last 8", (), "open", ("interrupted",)),
    ]


@pytest.mark.parametrize(
    ("piece", "characters", "text"),
    [("ab", 5, "ababa"), ("ab", 4, "abab"), ("세🐝", 3, "세🐝세"), ("long", 1, "l"), ("{n}", 3, "{n}")],
)
def test_a_long_text_has_as_many_characters_as_it_says(piece: str, characters: int, text: str) -> None:
    (recipe,) = turn_recipes([{"user": {"repeat": piece, "characters": characters}}])
    assert recipe.user == text


@pytest.mark.parametrize("ends", ["completed", "interrupted", "failed"])
def test_a_turn_is_shown_as_it_ended_unless_the_recipe_says_otherwise(ends: str) -> None:
    assert TurnRecipe("u", (), ends).truth("t").statuses == (ends,)
    assert TurnRecipe("u", (), ends, ("completed", "failed")).truth("t").statuses == ("completed", "failed")


def test_the_truth_of_a_turn_has_every_item_in_order_with_long_texts_elided() -> None:
    long = "x" * (LIMIT + 1)
    truth = TurnRecipe(long, (("reasoning", "r"), ("agent", long))).truth("t1")
    assert truth.id == "t1"
    assert truth.items == (
        ItemTruth(USER, elide_text(long)), ItemTruth(REASON, "r"), ItemTruth(AGENT, elide_text(long)),
    )  # fmt: skip
    assert len(truth.items[0].text) < 200


def test_the_truth_survives_the_report() -> None:
    truth = {
        "main": ThreadTruth("a", (turn(USER, AGENT), TurnTruth("t2", ("failed", "completed"), ()))),
        "archived": ThreadTruth("b", (), archived=True),
    }
    assert from_json(json.loads(json.dumps(as_json(truth)))) == truth
