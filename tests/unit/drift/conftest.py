"""Small bundles in the form in which a target generates them: a library of boxes instead of threads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from hive_gate.drift.bundle import Bundle
from hive_gate.drift.compat import Mismatch, check_method

Schema = Any
DRAFT = "http://json-schema.org/draft-07/schema#"


def message(method: str, params: Schema | None) -> Schema:
    """One branch of a union of messages; no `params` member if there are none."""
    members = {"method": {"type": "string", "enum": [method]}}
    if params is not None:
        members["params"] = params
    return {"type": "object", "required": list(members), "properties": members}


def union(branches: Mapping[str, Schema | None], definitions: Mapping[str, Schema] | None = None) -> Schema:
    return {
        "$schema": DRAFT,
        "title": "AnyMessage",
        "oneOf": [message(method, params) for method, params in branches.items()],
        "definitions": dict(definitions or {}),
    }


WriteBundle = Callable[..., Path]
Compare = Callable[..., list[Mismatch]]


@pytest.fixture
def write_bundle(tmp_path: Path) -> WriteBundle:
    """Write a bundle: the three unions, and more files by their path in the folder."""

    def write(
        requests: Schema | None = None,
        notifications: Schema | None = None,
        server_requests: Schema | None = None,
        files: Mapping[str, Schema | str] | None = None,
    ) -> Path:
        folder = tmp_path / "bundle"
        every = {
            "ClientRequest.json": requests or union({}),
            "ServerNotification.json": notifications or union({}),
            "ServerRequest.json": server_requests or union({}),
            **(files or {}),
        }
        for name, content in every.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return folder

    return write


@pytest.fixture
def compare(write_bundle: WriteBundle) -> Compare:
    """Ask whether Hive's view of the method `box/list` fits a target that describes it as given."""

    def ask(
        *,
        sends: Schema = None,
        accepts: Schema = None,
        reads: Schema = None,
        answers: Schema = None,
        definitions: Mapping[str, Schema] | None = None,
        defs: Mapping[str, Schema] | None = None,
    ) -> list[Mismatch]:
        known = {**(definitions or {}), "BoxListParams": {"type": "object"} if accepts is None else accepts}
        result = {"type": "object"} if answers is None else answers
        folder = write_bundle(
            requests=union({"box/list": {"$ref": "#/definitions/BoxListParams"}}, known),
            files={"v2/BoxListResponse.json": {"$schema": DRAFT, "definitions": dict(definitions or {}), **result}},
        )
        return check_method("box/list", sends, reads, Bundle.load(folder), defs or {})

    return ask
