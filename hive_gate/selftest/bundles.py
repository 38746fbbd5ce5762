"""Changes to the schemas that a target generates for itself: what no relay can break, since nothing of it is sent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hive_gate.drift.bundle import Bundle
from hive_gate.faults.fault import Notice, by

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
        lambda requests: _without_view(requests, "summary"),
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
        "thread-list-renamed",
        "The list of threads has another name.",
        _REQUESTS,
        _renamed("thread/list", "threads/list"),
        _fits("thread-list", "offered"),
    )
    yield Change(
        "thread-list-limit-as-text",
        "The size of a page of threads is a text.",
        _REQUESTS,
        lambda requests: _of("ThreadListParams")(requests)["limit"].update(type="string"),
        _fits("thread-list", "request-type-refused", "request/limit"),
    )
    yield Change(
        "thread-name-gone",
        "The threads of a list have no name.",
        "v2/ThreadListResponse.json",
        lambda result: _of("Thread")(result).pop("name"),
        _fits("thread-list", "response-field-missing", "response/data/*/name"),
    )
    yield Change(
        "name-set-renamed",
        "To set a name has another name.",
        _REQUESTS,
        _renamed("thread/name/set", "thread/rename"),
        _fits("thread-name-set", "offered"),
    )
    yield Change(
        "name-set-needs-more",
        "To set a name takes a parameter that Hive does not send.",
        _REQUESTS,
        lambda requests: requests["definitions"]["ThreadSetNameParams"]["required"].append("source"),
        _fits("thread-name-set", "request-field-required", "request/source"),
    )
    yield Change(
        "archive-renamed",
        "To archive has another name.",
        _REQUESTS,
        _renamed("thread/archive", "thread/hide"),
        _fits("thread-archive", "offered"),
    )
    yield Change(
        "unarchive-renamed",
        "To unarchive has another name.",
        _REQUESTS,
        _renamed("thread/unarchive", "thread/show"),
        _fits("thread-unarchive", "offered"),
    )
    yield Change(
        "unarchive-without-thread",
        "What the reply has of the thread that was unarchived is not said.",
        "v2/ThreadUnarchiveResponse.json",
        lambda result: (result["properties"].pop("thread"), result["required"].remove("thread")),
        _fits("thread-unarchive", "response-type-wider", "response/thread"),
    )
    yield Change(
        "rollback-renamed",
        "To roll back has another name.",
        _REQUESTS,
        _renamed("thread/rollback", "thread/truncate"),
        by("offered", "rollback.offered"),
    )
    yield Change(
        "rollback-number-as-text",
        "The number of turns to roll back is a text.",
        _REQUESTS,
        lambda requests: _of("ThreadRollbackParams")(requests).update(numTurns={"type": "string"}),
        by("request-type-refused", "rollback.offered", at="request/numTurns"),
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


def _without_view(schema: Any, view: str) -> None:
    """Take a view out wherever one may be asked for, whether the views are defined once or written out each time."""
    for name, part in schema.items() if isinstance(schema, dict) else ():
        if name in ("itemsView", "TurnItemsView"):
            _drop_enum_member(part, view)
        else:
            _without_view(part, view)


def _drop_enum_member(schema: Any, member: str) -> None:
    """Take a member out of an enum, in whichever way its members are written down."""
    if member in schema.get("enum", ()):
        schema["enum"].remove(member)
    for key in ("oneOf", "anyOf"):
        for branch in schema.get(key, ()):
            _drop_enum_member(branch, member)
        if key in schema:
            schema[key] = [branch for branch in schema[key] if branch.get("enum") != []]


CHANGES: dict[str, Change] = {change.name: change for change in _all()}
