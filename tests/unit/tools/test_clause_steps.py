"""Steps of the contract in words: what is sent, what has to come, and JSON that stays as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hive_gate.contract.extend import read_text
from hive_gate.contract.model import STEP_KINDS
from hive_gate.data import DEFAULT_CONTRACT, NEXT_CONTRACT
from hive_gate.probe.invariants import INVARIANTS as JUDGED
from tools.clause_steps import INVARIANTS, KINDS, step_lines


def lines(*steps: dict[str, Any]) -> list[str]:
    return step_lines(steps)


def test_every_kind_of_step_and_every_invariant_has_words() -> None:
    assert set(KINDS) == set(STEP_KINDS)
    assert set(INVARIANTS) == set(JUDGED)


@pytest.mark.parametrize("path", [DEFAULT_CONTRACT, NEXT_CONTRACT], ids=lambda path: path.name)
def test_every_step_of_the_contracts_that_ship_is_told_with_what_is_expected(path: Any) -> None:
    for entry in read_text(path).raw["clauses"]:
        told = step_lines(entry["steps"])
        numbers = [line.partition(". ")[0] for line in told if line[:1].isdigit()]
        assert numbers == [str(number) for number, _ in enumerate(entry["steps"], 1)], entry["id"]
        expected = sum(bool(step.get("expect")) for step in entry["steps"])
        assert sum(line.startswith("   - ") for line in told) >= expected, entry["id"]


def test_a_call_says_its_params_and_the_error_that_has_to_come() -> None:
    assert lines({
        "call": "thread/turns/list", "params": {"threadId": "${unknown}"},
        "expect": {"error": {"code": -32600, "message": "^missing field `threadId`$"}},
    }) == [
        '1. Call `thread/turns/list`, with `{"threadId": "${unknown}"}`.',
        "   - an error with the code -32600 and a message like ``^missing field `threadId`$``",
    ]  # fmt: skip


def test_any_message_at_all_is_told_as_such() -> None:
    assert lines({"call": "x", "expect": {"error": {"message": "."}}})[1] == "   - an error, whichever"


def test_params_that_are_one_name_stand_without_quotes() -> None:
    assert lines({"call": "${way.method}", "params": "${way.params}"}) == [
        "1. Call `${way.method}`, with `${way.params}`."
    ]


def test_a_walk_says_its_bound_and_what_holds_of_its_pages() -> None:
    told = lines({
        "walk": "thread/turns/list", "max-pages": 7, "params": {"threadId": "${main}"},
        "expect": {"invariants": [
            {"cursor-advances": True}, {"page-sizes": "${size}"},
            {"turns-match-scene": {"of": "main", "order": "${order}", "skip": 2, "take": 3, "at": "/turns"}},
            {"items-match-view": {"of": "main", "view": "full"}},
        ]},
    })  # fmt: skip
    assert told == [
        '1. Walk `thread/turns/list` to `nextCursor: null` in at most 7 pages, with `{"threadId": "${main}"}`.',
        "   - no cursor comes twice, and the last is null (`cursor-advances`)",
        "   - each page holds `${size}` of them, the last one at most (`page-sizes`)",
        "   - at `/turns` are exactly the turns of `main`, in the order `${order}`, without the first 2, 3 at most "
        "(`turns-match-scene`)",
        "   - each turn of `main` at `/data` has the items of the view `full` (`items-match-view`)",
    ]


def test_json_that_is_too_long_for_a_line_becomes_a_block_that_says_the_same() -> None:
    schema = {
        "properties": {"thread": {"required": ["historyMode"], "properties": {"historyMode": {"const": "legacy"}}}}
    }
    told = lines({"call": "thread/read", "expect": {"result": schema, "or-refused": True}})
    begin, end = told.index("       ```json"), told.index("       ```")
    assert told[:begin] == [
        "1. Call `thread/read`.",
        "   - an error, or a result of which this holds:",
        "     - the result fits:",
        "",
    ]
    assert json.loads("\n".join(told[begin + 1 : end])) == schema
    assert max(map(len, told)) < 100


def test_requests_that_go_together_each_have_their_own_expectation_below() -> None:
    refused = {"call": "thread/rollback", "expect": {"error": {"code": -32600}}}
    assert lines({"together": [{"call": "thread/rollback"}, refused]}) == [
        "1. Send these requests before any reply is read.",
        "   - Call `thread/rollback`.",
        "   - Call `thread/rollback`.",
        "     - an error with the code -32600",
    ]


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ({"restart": True}, "End the server and start it again on the same home."),
        ({"restart": True, "second": True}, "End the second server and start it again on the same home."),
        (
            {"restart": {"deleting": ["a*", "b"]}},
            "End the server and start it again on the same home; in between `a*`, `b` of the CODEX_HOME are deleted.",
        ),
        (
            {"call": "x", "second": True, "as": "there"},
            "Call `x` on a second server of the same home (later called `there`).",
        ),
        ({"call": "x", "within": 5}, "Call `x`, within 5 seconds."),
        (
            {"store": {"thread": "a", "rollback": 1}},
            "Append the marker that drops the last turn to the file of the stored thread `a`, "
            "behind the server's back.",
        ),
        (
            {"turn": {"thread": "main", "user": "Why?", "model": ["So."]}},
            'Run a real turn on `main`: the user says `"Why?"`, the model answers `"So."`.',
        ),
        (
            {"turn": {"id": "${new}", "user": "Why?", "model": "waits"}},
            'Run a real turn on `${new}`: the user says `"Why?"`, the model waits.',
        ),
        (
            {"file": {"work": "notes.txt", "since": "before"}},
            "Look at the file `notes.txt` in the working folder, and compare it with `before`.",
        ),
        ({"traffic": "lines"}, "Every line that a server wrote in this run is looked at."),
        ({"model-input": {"has": ["a"], "lacks": ["b"]}}, 'The last request to the model has `"a"`, and lacks `"b"`.'),
        ({"await": "turn/completed"}, "Wait for the notification `turn/completed`."),
    ],
)
def test_what_a_step_does(step: dict[str, Any], says: str) -> None:
    assert lines(step) == [f"1. {says}"]


def test_what_follows_from_a_step_stands_below_it() -> None:
    step = {
        "call": "thread/rollback", "why": "So that it is gone.", "changes": {"thread": "main", "rollback": 2},
        "capture": {"new": "/thread/id", "all": ""},
        "expect": {"exactly": [{"method": "a/b", "params": []}, {"method": "c/d", "params": [{"type": "object"}]}]},
    }  # fmt: skip
    assert lines(step)[1:] == [
        "   - So that it is gone.",
        "   - no notification `a/b` comes with it",
        "   - with it comes exactly one notification `c/d`:",
        '     - params that fit `{"type": "object"}`',
        "   - from here on `main` is without its last 2 turns",
        "   - `${new}` is from here on what stands at `/thread/id` of the result",
        "   - `${all}` is from here on the whole result",
    ]


@pytest.mark.parametrize(
    ("expect", "says"),
    [
        ({"offered": True, "compatible": True}, "it is there, and what Hive sends and reads fits it"),
        ({"offered": False}, "it is not there"),
    ],
)
def test_what_is_expected_of_a_schema(expect: dict[str, Any], says: str) -> None:
    assert lines({"schema": "thread/rollback", "expect": expect})[1] == f"   - {says}"
