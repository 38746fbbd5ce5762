"""Text from anywhere on one line."""

from __future__ import annotations

import pytest

from hive_gate.report.plain import cut, phrase, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\nb\r\nc\rd\te", "a ⏎ b ⏎ c ⏎ d e"),
        ("\x00\x1b[31m", "␀␛[31m"),
        ("\x7f\x9b", "‹U+007F›‹U+009B›"),
        ("\u202ea\u2066b\u200f", "‹U+202E›a‹U+2066›b‹U+200F›"),
        ("\u2028\u2029\ufeff", "‹U+2028›‹U+2029›‹U+FEFF›"),
        ("\ud83d", "‹U+D83D›"),
        ("한글 \U0001f468\u200d\U0001f469 é", "한글 \U0001f468\u200d\U0001f469 é"),
    ],
)
def test_what_cannot_be_seen_is_made_visible(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert cut("a" * 80) == "a" * 80
    assert cut("a" * 81) == "a" * 79 + "…"
    assert len(cut("\x7f" * 80)) == 80


def test_a_long_word_is_shortened_in_its_middle_and_words_around_it_stay() -> None:
    assert phrase(f"at {'x' * 50}{'y' * 50} end", 200) == f"at {'x' * 47}…{'y' * 12} end"
