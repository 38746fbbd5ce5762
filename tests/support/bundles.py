"""Changes to the schemas that a target generates for itself: what no relay can break, since nothing of it is sent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hive_gate.drift.bundle import Bundle
from tests.support.relay.fault import Notice, by

_REQUESTS = "ClientRequest.json"
_ACTION = "load-older-conversation-history-page"


@dataclass(frozen=True, slots=True)
class Change:
    """One change to one file of a bundle."""

    name: str
    breaks: str
    """What is wrong then, in one sentence."""
    file: str
    edit: Callable[[Any], object]
    """Changes the parsed file in place."""
    noticed: tuple[Notice, ...]


def changed(bundle: Bundle, change: Change, folder: Path) -> Bundle:
    """Return a copy of a bundle in `folder`, which must not exist yet, with one change."""
    shutil.copytree(bundle.folder, folder)
    path = folder / change.file
    document = json.loads(path.read_text(encoding="utf-8"))
    before = json.dumps(document)
    change.edit(document)
    if json.dumps(document) == before:
        raise ValueError(f"{change.name} changes nothing in {change.file}")
    path.write_text(json.dumps(document), encoding="utf-8")
    return Bundle.load(folder)


def _branch(requests: Any, method: str) -> Any:
    return next(branch for branch in requests["oneOf"] if method in branch["properties"]["method"]["enum"])


def _renamed(old: str, new: str) -> Callable[[Any], object]:
    return lambda requests: _branch(requests, old)["properties"]["method"].update(enum=[new])


def _of(name: str) -> Callable[[Any], Any]:
    """Return a way to a definition's properties."""
    return lambda document: document["definitions"][name]["properties"]


def _with_action(requests: Any) -> None:
    branch = json.loads(json.dumps(_branch(requests, "thread/turns/list")))
    branch["properties"]["method"]["enum"] = [_ACTION]
    requests["oneOf"].append(branch)


def _fits(method: str, check: str, at: str | None = None) -> tuple[Notice, ...]:
    return by(check, f"schema.fits/{method}", at=at)


def _all() -> Iterator[Change]:
    yield Change(
        "turns-list-renamed",
        "The method has another name.",
        _REQUESTS,
        _renamed("thread/turns/list", "thread/history/list"),
        _fits("thread-turns-list", "offered"),
    )
    yield Change(
        "cursor-is-object",
        "The cursor is not a text any more.",
        _REQUESTS,
        lambda requests: _of("ThreadTurnsListParams")(requests)["cursor"].update(type=["object", "null"]),
        _fits("thread-turns-list", "request-type-refused", "request/cursor"),
    )
    yield Change(
        "limit-gone",
        "The parameter `limit` is gone.",
        _REQUESTS,
        lambda requests: _of("ThreadTurnsListParams")(requests).pop("limit"),
        _fits("thread-turns-list", "request-field-unknown", "request/limit"),
    )
    yield Change(
        "view-lost",
        "The view `summary` is not among those that may be asked for.",
        _REQUESTS,
        lambda requests: _drop_enum_member(requests["definitions"]["TurnItemsView"], "summary"),
        _fits("thread-turns-list", "request-enum-refused") + _fits("thread-resume", "request-enum-refused"),
    )
    yield Change(
        "parameter-required",
        "A new parameter is required.",
        _REQUESTS,
        lambda requests: requests["definitions"]["ThreadTurnsListParams"]["required"].append("pageToken"),
        _fits("thread-turns-list", "request-field-required", "request/pageToken"),
    )
    yield Change(
        "exclude-turns-gone",
        "The parameter `excludeTurns` is gone.",
        _REQUESTS,
        lambda requests: _of("ThreadResumeParams")(requests).pop("excludeTurns"),
        _fits("thread-resume", "request-field-unknown", "request/excludeTurns"),
    )
    yield Change(
        "initial-page-result-gone",
        "The first page is not in the reply to a resume.",
        "v2/ThreadResumeResponse.json",
        lambda result: result["properties"].pop("initialTurnsPage"),
        _fits("thread-resume", "response-field-missing", "response/initialTurnsPage"),
    )
    yield Change(
        "codex-home-optional",
        "The home may be left out of the reply to `initialize`.",
        "v1/InitializeResponse.json",
        lambda result: result["required"].remove("codexHome"),
        _fits("initialize", "response-field-optional", "response/codexHome"),
    )
    yield Change(
        "thread-id-nullable",
        "The id of a thread may be null.",
        "v2/ThreadStartResponse.json",
        lambda result: _of("Thread")(result)["id"].update(type=["string", "null"]),
        _fits("thread-start", "response-null", "response/thread/id"),
    )
    yield Change(
        "turns-gone",
        "A thread that is read has no turns.",
        "v2/ThreadReadResponse.json",
        lambda result: (
            _of("Thread")(result).pop("turns"),
            result["definitions"]["Thread"]["required"].remove("turns"),
        ),
        _fits("thread-read", "response-field-missing", "response/thread/turns"),
    )
    yield Change(
        "status-added",
        "A turn has a status that Hive does not know.",
        "v2/TurnStartResponse.json",
        lambda result: result["definitions"]["TurnStatus"]["enum"].append("paused"),
        _fits("turn-start", "response-enum-new", "response/turn/status"),
    )
    yield Change(
        "renderer-action-offered",
        "The renderer's action is a method.",
        _REQUESTS,
        _with_action,
        by("offered", "not-a-method.not-in-schema"),
    )
    yield Change(
        "items-list-renamed",
        "The items list has another name.",
        _REQUESTS,
        _renamed("thread/turns/items/list", "thread/items/list"),
        by("offered", "schema.items-list-offered"),
    )


def _drop_enum_member(schema: Any, member: str) -> None:
    """Take a member out of an enum, whichever way its members are written down."""
    for branch in schema.get("oneOf", [schema]):
        if member in branch.get("enum", ()):
            branch["enum"].remove(member)
    if "oneOf" in schema:
        schema["oneOf"] = [branch for branch in schema["oneOf"] if branch["enum"]]


CHANGES: dict[str, Change] = {change.name: change for change in _all()}
