from __future__ import annotations

import uuid

import pytest

from hive_gate.reference.server import ids

_ID = "01970000-0000-7000-8000-00000000000a"


@pytest.mark.parametrize("text", [_ID, _ID.upper(), _ID.replace("-", ""), f"{{{_ID}}}", f"urn:uuid:{_ID}"])
def test_every_usual_spelling_of_an_id_is_read(text: str) -> None:
    assert ids.parse(text) == _ID


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "invalid length: expected length 32 for simple format, found 0"),
        ("abc", "invalid length: expected length 32 for simple format, found 3"),
        ("a-b", "invalid group count: expected 5, found 2"),
        ("{}", "invalid group count: expected 5, found 1"),
        (_ID[:-1], "invalid group length in group 4: expected 12, found 11"),
        (_ID[:-1] + "g", "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], "
                         "found `g` at 36"),
        ("urn:uuid:x", "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], "
                       "found `x` at 10"),
        ("스", "invalid character: expected an optional prefix of `urn:uuid:` followed by [0-9a-fA-F-], "
               "found `스` at 1"),
    ],
)  # fmt: skip
def test_what_is_no_id_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(ids.BadId) as refused:
        ids.parse(text)
    assert str(refused.value) == why


def test_new_ids_are_of_version_7() -> None:
    made = [uuid.UUID(ids.new()) for _ in range(100)]
    assert {(one.version, one.variant) for one in made} == {(7, uuid.RFC_4122)}
    assert len(set(made)) == 100
