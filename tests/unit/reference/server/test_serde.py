from __future__ import annotations

from typing import Any

import pytest

from hive_gate.reference.server.params import PARAMS, experimental_use
from hive_gate.reference.server.serde import DecodeError


@pytest.mark.parametrize(
    ("method", "params", "text"),
    [
        ("thread/read", {}, "missing field `threadId`"),
        ("thread/read", {"includeTurns": 1}, "invalid type: integer `1`, expected a boolean"),
        ("thread/read", {"threadId": None}, "invalid type: null, expected a string"),
        ("thread/read", {"threadId": 1.0}, "invalid type: floating point `1.0`, expected a string"),
        ("thread/read", {"threadId": 1e-7}, "invalid type: floating point `1e-7`, expected a string"),
        ("thread/read", {"threadId": []}, "invalid type: sequence, expected a string"),
        ("thread/read", 'a"\n', 'invalid type: string "a\\"\\n", expected struct ThreadReadParams'),
        ("thread/read", [], "invalid length 0, expected struct ThreadReadParams with 2 elements"),
        ("thread/read", ["x", True, 5], "invalid length 3, expected 2 elements in sequence"),
        ("thread/archive", [], "invalid length 0, expected struct ThreadArchiveParams with 1 element"),
        ("thread/rollback", {"threadId": "x", "numTurns": -1}, "invalid value: integer `-1`, expected u32"),
        ("thread/rollback", {"threadId": "x", "numTurns": True}, "invalid type: boolean `true`, expected u32"),
        ("thread/list", {"sortDirection": "up"}, "unknown variant `up`, expected `asc` or `desc`"),
        ("thread/list", {"sortDirection": 5}, "invalid type: integer `5`, expected string or map"),
        ("thread/list", {"sortDirection": {}}, "invalid value: map, expected map with a single key"),
        ("thread/list", {"sortDirection": {"asc": 1}}, "invalid type: integer `1`, expected unit"),
        ("thread/list", {"modelProviders": [5]}, "invalid type: integer `5`, expected a string"),
        ("thread/list", {"cwd": 5}, "data did not match any variant of untagged enum ThreadListCwdFilter"),
        ("turn/start", {"threadId": "x", "input": [5]},
         "invalid type: integer `5`, expected internally tagged enum UserInput"),
        ("turn/start", {"threadId": "x", "input": [{}]}, "missing field `type`"),
        ("turn/start", {"threadId": "x", "input": [{"type": 9}]},
         "invalid value: integer `9`, expected variant index 0 <= i < 5"),
        ("thread/start", {"runtimeWorkspaceRoots": ["x"]}, "AbsolutePathBuf deserialized without a base path"),
        ("thread/start", {"approvalPolicy": "granular"}, "invalid type: unit variant, expected struct variant"),
    ],
)  # fmt: skip
def test_params_that_do_not_fit_are_refused_in_the_decoders_words(method: str, params: Any, text: str) -> None:
    with pytest.raises(DecodeError) as refused:
        PARAMS[method].decode(params)
    assert str(refused.value) == text


def test_members_are_judged_in_the_order_in_which_they_were_sent() -> None:
    with pytest.raises(DecodeError, match="integer `5`"):
        PARAMS["thread/read"].decode({"threadId": 5, "includeTurns": 1})
    with pytest.raises(DecodeError, match="integer `1`"):
        PARAMS["thread/read"].decode({"includeTurns": 1, "threadId": 5})


def test_unknown_members_are_ignored_and_missing_ones_have_defaults() -> None:
    assert PARAMS["thread/read"].decode({"threadId": "x", "other": 1}) == {"threadId": "x", "includeTurns": False}


def test_a_list_stands_for_the_members_in_order() -> None:
    assert PARAMS["thread/read"].decode(["x"]) == {"threadId": "x", "includeTurns": False}


def test_experimental_use_is_the_first_experimental_member_that_says_something() -> None:
    decoded = PARAMS["thread/resume"].decode({"threadId": "x", "initialTurnsPage": {}, "excludeTurns": True})
    assert experimental_use("thread/resume", decoded) == "thread/resume.excludeTurns"
    silent = PARAMS["thread/resume"].decode({"threadId": "x", "initialTurnsPage": None, "excludeTurns": False})
    assert experimental_use("thread/resume", silent) is None
