from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hive_gate.drift.bundle import Bundle, Unchecked
from hive_gate.errors import TargetError

DRAFT = "http://json-schema.org/draft-07/schema#"
BOX = {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}}


def branch(method: str, **members: Any) -> Any:
    return {"type": "object", "properties": {"method": {"enum": [method]}, **members}}


def requests(*branches: Any, keyword: str = "oneOf", **definitions: Any) -> Any:
    return {"$schema": DRAFT, keyword: list(branches), "definitions": definitions}


REQUESTS = requests(
    branch("box/read", params={"$ref": "#/definitions/BoxReadParams"}),
    branch("box/burn", params={"$ref": "#/definitions/BoxBurnParams"}),
    branch("shelf/reset", params={"type": "null"}),
    branch("shelf/count"),
    BoxReadParams={"type": "object", "required": ["boxId"], "properties": {"boxId": {"type": "string"}}},
    BoxBurnParams={"type": "object"},
)
NOTIFICATIONS = requests(
    branch("box/moved", params={"$ref": "#/definitions/BoxMoved"}),
    branch("shelf/closed"),
    BoxMoved={
        "type": "object",
        "required": ["box"],
        "properties": {"box": {"$ref": "#/definitions/Box"}, "steps": {"type": "integer", "format": "uint8"}},
    },
    Box=BOX,
    Unrelated={"type": "nonsense, but nobody needs it"},
)
FILES = {
    "v2/BoxReadResponse.json": {"$schema": DRAFT, "required": ["box"], "properties": {"box": BOX}},
    "v1/BoxReadResponse.json": {"type": "null"},
    "ShelfResetResponse.json": {"type": "object"},
}


@pytest.fixture
def bundle(write_bundle: Any) -> Bundle:
    server = requests(branch("box/mayBurn", params={"$ref": "#/definitions/Box"}), Box=BOX)
    return Bundle.load(write_bundle(REQUESTS, NOTIFICATIONS, server, FILES))


def test_the_methods_of_each_side_are_known(bundle: Bundle) -> None:
    assert list(bundle.methods) == ["box/read", "box/burn", "shelf/reset", "shelf/count"]
    assert list(bundle.notifications) == ["box/moved", "shelf/closed"]
    assert list(bundle.server_requests) == ["box/mayBurn"]


def test_methods_whose_result_is_not_described_are_named(bundle: Bundle) -> None:
    assert bundle.methods_without_result == ("box/burn", "shelf/count")
    assert bundle.result("box/burn") is None
    assert bundle.result("no/such") is None


def test_files_that_are_named_like_results_and_belong_to_no_method_are_named(write_bundle: Any) -> None:
    found = Bundle.load(
        write_bundle(
            requests(branch("box/list", params={"type": "null"})),
            server_requests=requests(branch("box/mayI")),
            files={f"v2/{name}.json": {} for name in ("BoxListResponse", "BoxMayIResponse", "FarResponse", "Far")},
        )
    )
    assert found.spare_results == ("FarResponse",)
    assert found.file("FarResponse") is not None
    assert found.file("Nothing") is None


def test_params_and_result_say_where_they_are(bundle: Bundle) -> None:
    params, result = bundle.methods["box/read"], bundle.result("box/read")
    assert params is not None
    assert params.where.endswith("ClientRequest.json#/oneOf/0/properties/params")
    assert params.whole()["definitions"].keys() == {"BoxReadParams"}
    assert result is not None
    assert Path(result.where.rstrip("#")).relative_to(bundle.folder) == Path("v2/BoxReadResponse.json")
    assert bundle.methods["shelf/count"] is None


def test_a_union_may_be_written_as_any_of_and_a_method_as_const(write_bundle: Any) -> None:
    one = {"type": "object", "properties": {"method": {"const": "box/read"}}}
    assert list(Bundle.load(write_bundle(requests(one, keyword="anyOf"))).methods) == ["box/read"]


def test_replies_are_checked_against_the_newest_description(bundle: Bundle) -> None:
    assert bundle.reply_errors("box/read", {"box": {"id": "b"}}) == []
    found = bundle.reply_errors("box/read", {"box": {"id": 5}})
    assert isinstance(found, list)
    assert [error.pointer for error in found] == ["/box/id"]


def test_notifications_and_server_requests_are_checked(bundle: Bundle) -> None:
    assert bundle.notification_errors("box/moved", {"box": {"id": "b"}, "steps": 255}) == []
    found = bundle.notification_errors("box/moved", {"box": {}, "steps": 256})
    assert isinstance(found, list)
    assert [error.pointer for error in found] == ["/box", "/steps"]
    assert bundle.server_request_errors("box/mayBurn", {"id": "b"}) == []
    assert bundle.server_request_errors("box/mayBurn", None) not in ([], None)


@pytest.mark.parametrize("ask", ["reply_errors", "notification_errors", "server_request_errors"])
def test_an_unknown_method_is_never_taken_for_a_valid_message(bundle: Bundle, ask: str) -> None:
    found = getattr(bundle, ask)("no/such", {})
    assert found == Unchecked("no/such", "method-unknown")
    assert found


def test_a_message_of_which_nothing_is_said_is_not_taken_for_valid_either(bundle: Bundle) -> None:
    assert bundle.reply_errors("box/burn", {}) == Unchecked("box/burn", "no-schema")
    assert bundle.notification_errors("shelf/closed", None) == Unchecked("shelf/closed", "no-schema")


@pytest.mark.parametrize("name", ["ClientRequest", "ServerNotification", "ServerRequest"])
def test_a_folder_without_one_of_the_unions_is_refused(write_bundle: Any, name: str) -> None:
    folder = write_bundle()
    (folder / f"{name}.json").unlink()
    with pytest.raises(TargetError, match=f"there is no {name}.json") as caught:
        Bundle.load(folder)
    assert caught.value.where == str(folder)


def test_a_folder_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="not complete"):
        Bundle.load(tmp_path / "none")


@pytest.mark.parametrize(
    ("content", "why", "at"),
    [
        ("{", "is not JSON", "#"),
        ("[" * 100_000, "is not JSON", "#"),
        ("[]", "is not an object", "#"),
        ("{}", "is not a union", "#"),
        (json.dumps(requests(True)), "no constant for its method", "#/oneOf/0/properties"),
        (json.dumps(requests(branch("a"), {"properties": {"method": {}}})), "no constant", "#/oneOf/1/properties"),
    ],
)
def test_a_broken_union_is_an_error_that_says_where(write_bundle: Any, content: str, why: str, at: str) -> None:
    bundle = Bundle.load(write_bundle(files={"ClientRequest.json": content}))
    with pytest.raises(TargetError, match=why) as caught:
        _ = bundle.methods
    assert caught.value.where == f"{bundle.folder / 'ClientRequest.json'}{at}"


def test_bytes_that_are_not_text_are_an_error(write_bundle: Any) -> None:
    folder = write_bundle()
    (folder / "ClientRequest.json").write_bytes(b'{"\xff": 1}')
    with pytest.raises(TargetError, match="is not JSON"):
        _ = Bundle.load(folder).methods


def test_a_file_that_vanished_is_an_error(write_bundle: Any) -> None:
    bundle = Bundle.load(write_bundle())
    (bundle.folder / "ServerNotification.json").unlink()
    with pytest.raises(TargetError, match="cannot be read"):
        _ = bundle.notifications


def test_a_result_with_a_broken_schema_is_an_error_that_names_its_file(write_bundle: Any) -> None:
    files = {"v2/BoxReadResponse.json": {"properties": {"box": {"type": "nonsense"}}}}
    bundle = Bundle.load(write_bundle(REQUESTS, files=files))
    with pytest.raises(TargetError, match="cannot be used") as caught:
        bundle.reply_errors("box/read", {})
    assert "BoxReadResponse.json#" in str(caught.value.where)


def test_other_files_are_not_read_before_they_are_needed(write_bundle: Any) -> None:
    bundle = Bundle.load(write_bundle(REQUESTS, files={**FILES, "v2/Broken.json": "{", "ServerRequest.json": "{"}))
    assert bundle.reply_errors("box/read", {"box": {"id": "b"}}) == []
