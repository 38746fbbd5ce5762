"""The expressions of GitHub workflows are read as GitHub reads them, and what is not known is refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.expressions import evaluate, expand, truth

CONTEXTS = {
    "inputs": {"shards": "2"},
    "needs": {"plan": {"result": "success", "outputs": {"count": "0", "shards": '[{"label": "1-of-1"}]'}}},
}
FUNCTIONS = {"always": lambda: True}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("'it''s'", "it's"),
        ("inputs.shards || '4'", "2"),
        ("inputs.versions || 'accepted..'", "accepted.."),
        ("needs.plan.outputs.count != '0'", False),
        ("needs.plan.result == 'SUCCESS'", True),
        ("always() && needs.plan.result == 'success' && needs.plan.outputs.count != '0'", False),
        ("'' || 'a' && 'b'", "b"),
        ("('a' || '') && ''", ""),
        ("!always()", False),
    ],
)
def test_an_expression_amounts_to_its_value(text: str, value: Any) -> None:
    assert evaluate(text, CONTEXTS, FUNCTIONS) == value


def test_one_expression_by_itself_keeps_its_type_and_others_become_text() -> None:
    whole = {"shard": "${{ fromJSON(needs.plan.outputs.shards) }}", "key": "of ${{ inputs.shards }}, ${{ inputs.no }}"}
    assert expand(whole, CONTEXTS, {}) == {"shard": [{"label": "1-of-1"}], "key": "of 2, "}


@pytest.mark.parametrize("text", ["needs.paln.result", "needs.plan.outputs.cuont", "secrets.token", "toJSON(inputs)"])
def test_what_is_not_there_is_an_error(text: str) -> None:
    with pytest.raises(KeyError):
        evaluate(text, CONTEXTS, FUNCTIONS)


@pytest.mark.parametrize("text", ["'a' 'b'", "1 + 1", "'a' &&", ""])
def test_what_is_not_understood_is_an_error(text: str) -> None:
    with pytest.raises(AssertionError):
        evaluate(text, CONTEXTS, FUNCTIONS)


def test_the_word_0_is_true_and_nothing_is_not() -> None:
    assert (truth("0"), truth(""), truth(None), truth(False), truth([])) == (True, False, False, False, True)
