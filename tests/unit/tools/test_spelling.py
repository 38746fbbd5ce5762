"""The list of British spellings finds them and nothing else."""

from __future__ import annotations

import pytest

from tools.spelling import BRITISH


@pytest.mark.parametrize(
    "word",
    [
        "colour",
        "Behaviour",
        "honoured",
        "neighbours",
        "serialise",
        "deserialisation",
        "normalised_path",
        "recognises",
        "analysed",
        "catalogue",
        "licence",
        "labelled",
        "grey",
        "artefacts",
        "centre",
        "summarising",
    ],
)
def test_a_british_spelling_is_found(word: str) -> None:
    assert BRITISH.search(f"the {word} of it")


@pytest.mark.parametrize(
    "word",
    [
        "color",
        "behavior",
        "hour",
        "four",
        "serialize",
        "analyses",
        "analysis",
        "precise",
        "promise",
        "exercise",
        "organism",
        "optimistic",
        "characteristic",
        "license",
        "grey50",
        "center",
        "concentrated",
        "cancelled",
        "aria-labelledby",
    ],
)
def test_other_words_are_left_alone(word: str) -> None:
    assert not BRITISH.search(f"the {word} of it")
