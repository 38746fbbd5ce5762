"""Which versions a search looks at."""

from __future__ import annotations

import pytest
import semver

from hive_gate.errors import UsageError
from hive_gate.matrix.candidates import between, one
from hive_gate.matrix.versions import Words

WORDS = Words("0.142.5", "0.142.2")
PUBLISHED = [
    semver.Version.parse(text)
    for text in ("0.142.2", "0.142.5", "0.143.0-alpha.3", "0.143.0", "0.144.6", "0.146.1", "0.171.0", "0.172.0")
]


def known() -> list[semver.Version]:
    return PUBLISHED


def unasked() -> list[semver.Version]:
    raise AssertionError("the list of published versions is not needed here")


def test_all_plain_versions_between_the_ends_are_looked_at() -> None:
    found = between("accepted", "0.171.0", None, WORDS, known)

    assert found == ("0.142.5", "0.143.0", "0.144.6", "0.146.1", "0.171.0")


def test_ends_may_be_words_and_need_not_be_published() -> None:
    assert between("pinned", "latest", None, WORDS, known)[::6] == ("0.142.2", "0.172.0")
    assert between("0.141.9", "0.143.0", None, WORDS, known) == ("0.141.9", "0.142.2", "0.142.5", "0.143.0")


def test_among_leaves_the_others_out_and_needs_no_list_for_exact_versions() -> None:
    found = between("0.142.5", "0.171.0", ["0.146.1,0.143.0", "0.180.0"], WORDS, unasked)

    assert found == ("0.142.5", "0.143.0", "0.146.1", "0.171.0")


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        ("0.171.0", "0.142.5", "--good 0.171.0 is later than --bad 0.142.5"),
        ("0.142.5", "accepted", "are the same version"),
        ("0.143.0..0.146.1", "0.171.0", "--good means 3 versions"),
        ("0.142.5", "newest", "names no version of codex"),
    ],
)
def test_ends_that_make_no_search_are_refused(good: str, bad: str, said: str) -> None:
    with pytest.raises(UsageError, match=said) as caught:
        between(good, bad, None, WORDS, known)
    assert caught.value.hint


def test_one_word_is_one_version() -> None:
    assert one("latest", "VERSION", WORDS, known) == "0.172.0"
