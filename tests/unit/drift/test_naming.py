from __future__ import annotations

from typing import Any

import pytest

from hive_gate.drift.naming import result_name

FILES = [
    "BoxListParams",
    "BoxListResponse",
    "ShelfResetResponse",
    "LogoutLibraryResponse",
    "GetShelfSpaceResponse",
    "BoxOAuthReadResponse",
    "TapeCutRollResponse",
    "RollTapeCutResponse",
]


@pytest.mark.parametrize(
    ("method", "params", "expected"),
    [
        ("box/list", {"$ref": "#/definitions/BoxListParams"}, "BoxListResponse"),
        ("boxes/enumerate", {"anyOf": [{"$ref": "#/definitions/BoxListParams"}, {"type": "null"}]}, "BoxListResponse"),
        ("shelf/reset", {"type": "null"}, "ShelfResetResponse"),
        ("shelf/reset", None, "ShelfResetResponse"),
        ("library/logout", None, "LogoutLibraryResponse"),
        ("shelf/space/read", None, "GetShelfSpaceResponse"),
        ("boxOAuth/read", None, "BoxOAuthReadResponse"),
    ],
)
def test_a_result_is_found_by_the_params_or_the_words_of_the_method(method: str, params: Any, expected: str) -> None:
    assert result_name(method, params, FILES) == expected


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("box/list", {"$ref": "#/definitions/BoxFindParams"}),
        ("box/list", {"$ref": "#/definitions/BoxListOptions"}),
        ("shelf/remove", None),
        ("cut/roll/tape", None),
    ],
)
def test_a_name_that_does_not_fit_or_fits_twice_is_not_guessed(method: str, params: Any) -> None:
    assert result_name(method, params, FILES) is None
