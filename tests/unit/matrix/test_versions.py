"""Words of the command line to versions."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import semver

from hive_gate.errors import UsageError
from hive_gate.matrix.versions import Thinning, Words, choose, parse_shard, share
from hive_gate.target.platforms import PUBLISHED, this_platform

LIST = (
    "0.125.0", "0.136.0", "0.136.1", "0.142.0", "0.142.2", "0.142.5", "0.143.0-alpha.12", "0.143.0", "0.144.6",
    "0.146.0", "0.146.1", "0.171.0", "0.172.0-alpha.1",
)  # fmt: skip
KNOWN = tuple(map(semver.Version.parse, LIST))
WORDS = Words(accepted="0.143.0", pinned="0.142.5")


def known() -> Sequence[semver.Version]:
    return KNOWN


def unasked() -> Sequence[semver.Version]:
    raise AssertionError("nobody needs the list")


def chosen(*words: str, every_minor: bool = False, newest: int | None = None) -> list[str]:
    return list(choose(words, WORDS, known, Thinning(every_minor, newest)))


@pytest.mark.parametrize(
    ("words", "versions"),
    [
        (["0.143.0..0.146.0"], ["0.143.0", "0.144.6", "0.146.0"]),
        (["0.144.6.."], ["0.144.6", "0.146.0", "0.146.1", "0.171.0"]),
        (["..0.136.1"], ["0.125.0", "0.136.0", "0.136.1"]),
        (["0.137.0..0.142.3"], ["0.142.0", "0.142.2"]),
        (["latest"], ["0.171.0"]),
        (["accepted..latest"], ["0.143.0", "0.144.6", "0.146.0", "0.146.1", "0.171.0"]),
        (["0.171.0", "pinned..accepted"], ["0.142.5", "0.143.0", "0.171.0"]),
        (["0.143.0-alpha.1..0.143.0"], ["0.143.0"]),
        (["0.143.0-alpha.12..0.143.0"], ["0.143.0-alpha.12", "0.143.0"]),
        (["0.146.0..0.146.1,0.146.1", " 0.125.0 "], ["0.125.0", "0.146.0", "0.146.1"]),
    ],
)
def test_ranges_hold_what_is_published_of_them(words: list[str], versions: list[str]) -> None:
    assert chosen(*words) == versions


def test_exact_versions_and_the_words_of_the_contract_need_no_list() -> None:
    words = ("0.200.0", "v0.142.5", "rust-v0.143.0-alpha.9", f"0.9.0-{this_platform()}", "pinned", "accepted")
    assert choose(words, WORDS, unasked) == ("0.9.0", "0.142.5", "0.143.0-alpha.9", "0.143.0", "0.200.0")


def test_of_every_minor_the_newest_and_the_ends_are_kept() -> None:
    assert chosen("0.136.0..0.146.0", every_minor=True) == [
        "0.136.0",
        "0.136.1",
        "0.142.5",
        "0.143.0",
        "0.144.6",
        "0.146.0",
    ]
    assert chosen("0.137.0..", every_minor=True) == ["0.142.5", "0.143.0", "0.144.6", "0.146.1", "0.171.0"]


def test_thinning_leaves_what_is_named_exactly() -> None:
    assert chosen("0.125.0", "0.142.0", "0.143.0..", newest=2) == ["0.125.0", "0.142.0", "0.146.1", "0.171.0"]
    assert chosen("0.142.0", "0.136.0..", every_minor=True, newest=1) == ["0.142.0", "0.171.0"]


@pytest.mark.parametrize(
    ("words", "said", "hint"),
    [
        (["tomorrow"], "'tomorrow' names no version", "give versions"),
        (["0.142"], "'0.142' names no version", "give versions"),
        (["./codex"], "names no version", "give versions"),
        ([".."], "a range without an end", "give versions"),
        (["0.143.0..0.142.5"], "ends before it begins", "write 0.142.5..0.143.0"),
        (["0.142..0.143.0"], "'0.142' names no version", "give versions"),
        (["0.137.0..0.141.0"], "nothing is published in 0.137.0..0.141.0", "0.136.1 and 0.142.0"),
        (["0.172.0.."], "nothing is published in 0.172.0..", "0.171.0"),
        ([], "no version is named", "give versions"),
        ([" , "], "no version is named", "give versions"),
    ],
)
def test_what_is_no_version_is_refused_with_what_to_write(words: list[str], said: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        chosen(*words)
    assert said in caught.value.message
    assert hint in str(caught.value.hint)


def test_a_program_for_another_machine_is_refused() -> None:
    other = next(platform for platform in PUBLISHED if platform != this_platform())
    with pytest.raises(UsageError, match="and this machine is"):
        chosen(f"0.142.5-{other}")


def test_thinning_without_a_range_is_a_slip() -> None:
    with pytest.raises(UsageError, match="go with a range"):
        chosen("0.142.5", newest=1)
    with pytest.raises(UsageError, match="go with a range"):
        chosen("latest", every_minor=True)


def test_where_nothing_is_published_latest_means_nothing() -> None:
    with pytest.raises(UsageError, match="nothing is published"):
        choose(["latest"], WORDS, lambda: KNOWN[-1:])


def test_shards_are_even_whole_and_apart() -> None:
    shares = [share(LIST, index, 4) for index in range(1, 5)]
    assert sorted(version for each in shares for version in each) == sorted(LIST)
    assert {len(each) for each in shares} == {3, 4}
    assert share(LIST[:2], 3, 4) == ()


@pytest.mark.parametrize("text", ["0/2", "3/2", "1", "1/0", "a/b", "-1/2", "1/2/3", ""])
def test_what_is_no_shard_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="is no shard"):
        parse_shard(text)


def test_a_shard_is_read() -> None:
    assert parse_shard(" 2/4 ") == (2, 4)
