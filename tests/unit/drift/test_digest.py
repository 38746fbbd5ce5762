from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from hive_gate.drift.bundle import Bundle
from hive_gate.drift.digest import Digest, Message, digest_of
from tests.support.digests import of
from tests.unit.drift.conftest import union

BOX = {"type": "object", "title": "Box", "properties": {"id": {"type": "string"}, "lid": {"$ref": "#/definitions/Lid"}}}
LID = {"type": "string", "description": "What closes it."}


@pytest.fixture
def digested(write_bundle: Any, tmp_path: Path) -> Any:
    """The digest of the bundle that is written like this with, and like that without what is experimental."""

    def make(full: dict[str, Any], plain: dict[str, Any] | None = None) -> Digest:
        bundles: list[Bundle] = []
        for name, content in (("full", full), ("plain", full if plain is None else plain)):
            shutil.rmtree(tmp_path / "bundle", ignore_errors=True)
            bundles.append(Bundle.load(write_bundle(**content).rename(tmp_path / name)))
        return digest_of("1.2.3", *bundles)

    return make


def test_messages_and_the_definitions_that_they_need_are_taken_without_prose(digested: Any) -> None:
    params = {"type": "object", "properties": {"box": {"$ref": "#/definitions/Box"}}}
    requests = {"box/list": {"$ref": "#/definitions/BoxListParams"}, "shelf/reset": {"type": "null"}}
    answer = {"title": "Answer", "type": "array", "items": {"$ref": "#/definitions/Box"}}
    boxes = {"Box": BOX, "Lid": LID}
    found = digested(
        {
            "requests": union(requests, {"BoxListParams": params, "Unused": {}, **boxes}),
            "notifications": union({"box/moved": None}),
            "server_requests": union({"box/mayI": {"$ref": "#/definitions/BoxMayIParams"}}, {"BoxMayIParams": {}}),
            "files": {
                "v2/BoxListResponse.json": {**answer, "definitions": boxes},
                "BoxMayIResponse.json": {"type": "boolean"},
                "ClientNotification.json": union({"ready": None}),
            },
        }
    )
    assert found.messages == {
        "methods": {
            "box/list": Message(of("BoxListParams"), of("BoxListResponse")),
            "shelf/reset": Message({"type": "null"}),
        },
        "notifications": {"box/moved": Message()},
        "server-requests": {"box/mayI": Message(of("BoxMayIParams"), of("BoxMayIResponse"))},
        "client-notifications": {"ready": Message()},
    }
    assert found.definitions == {
        "Box": {"type": "object", "properties": {"id": {"type": "string"}, "lid": of("Lid")}},
        "BoxListParams": {"type": "object", "properties": {"box": of("Box")}},
        "BoxListResponse": {"type": "array", "items": of("Box")},
        "BoxMayIParams": {},
        "BoxMayIResponse": {"type": "boolean"},
        "Lid": {"type": "string"},
    }


def test_what_only_the_experimental_schemas_have_is_experimental(digested: Any) -> None:
    params = {"type": "object", "properties": {"id": {"type": "string"}, "deep": {"type": "boolean"}}}
    plain = {"type": "object", "properties": {"id": {"type": "string"}}}
    ref = {"$ref": "#/definitions/BoxReadParams"}
    found = digested(
        {"requests": union({"box/read": ref, "box/shake": None}, {"BoxReadParams": params})},
        {"requests": union({"box/read": ref}, {"BoxReadParams": plain})},
    )
    assert found.messages["methods"] == {
        "box/read": Message(of("BoxReadParams")),
        "box/shake": Message(experimental=True),
    }
    assert found.definitions["BoxReadParams"]["properties"] == {
        "id": {"type": "string"},
        "deep": {"type": "boolean", "experimental": True},
    }


def test_two_things_of_one_name_are_kept_apart_with_all_that_refers_to_them(digested: Any) -> None:
    other = {"type": "integer"}
    found = digested(
        {
            "requests": union({"box/list": {"$ref": "#/definitions/BoxListParams"}},
                              {"BoxListParams": {"properties": {"box": {"$ref": "#/definitions/Box"}}},
                               "Box": BOX, "Lid": LID}),
            "files": {"v2/BoxListResponse.json": {"items": {"$ref": "#/definitions/Box"},
                                                  "definitions": {"Box": BOX, "Lid": other}}},
        }
    )  # fmt: skip
    assert found.definitions["Lid"] == {"type": "string"}
    assert found.definitions["Lid~BoxListResponse"] == {"type": "integer"}
    assert found.definitions["Box"]["properties"]["lid"] == of("Lid")
    assert found.definitions["Box~BoxListResponse"]["properties"]["lid"] == of("Lid~BoxListResponse")
    assert found.definitions["BoxListResponse"] == {"items": of("Box~BoxListResponse")}


def test_a_result_that_no_name_leads_to_is_kept_for_the_versions_in_which_one_does(digested: Any) -> None:
    found = digested(
        {
            "requests": union({"shelf/space/read": {"type": "null"}}),
            "files": {
                "v2/GetSpaceResponse.json": {"items": {"$ref": "#/definitions/Lid"}, "definitions": {"Lid": LID}},
                "v2/BoxParams.json": {"type": "string"},
            },
        }
    )
    assert found.messages["methods"] == {"shelf/space/read": Message({"type": "null"})}
    assert found.definitions == {"GetSpaceResponse": {"items": of("Lid")}, "Lid": {"type": "string"}}


def test_without_a_second_bundle_everything_is_stable(write_bundle: Any) -> None:
    found = digest_of("1.2.3", Bundle.load(write_bundle(union({"box/list": None}))), None)
    assert found.messages["methods"] == {"box/list": Message()}
