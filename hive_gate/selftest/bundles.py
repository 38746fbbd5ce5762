"""Changes to the schemas that a target generates for itself: what no relay can break, since nothing of it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hive_gate.faults.fault import by
from hive_gate.selftest.bundle_edits import REQUESTS, Change, fits, of, renamed, with_method
from hive_gate.selftest.bundles_paged import paginated

_ACTION = "load-older-conversation-history-page"


def _all() -> Iterator[Change]:
    yield Change(
        "turns-list-renamed",
        "The method has another name.",
        REQUESTS,
        renamed("thread/turns/list", "thread/history/list"),
        fits("thread-turns-list", "offered"),
    )
    yield Change(
        "cursor-is-object",
        "The cursor is not a text any more.",
        REQUESTS,
        lambda requests: of("ThreadTurnsListParams")(requests)["cursor"].update(type=["object", "null"]),
        fits("thread-turns-list", "request-type-refused", "request/cursor"),
    )
    yield Change(
        "limit-gone",
        "The parameter `limit` is gone.",
        REQUESTS,
        lambda requests: of("ThreadTurnsListParams")(requests).pop("limit"),
        fits("thread-turns-list", "request-field-unknown", "request/limit"),
    )
    yield Change(
        "view-lost",
        "The view `summary` is not among those that may be asked for.",
        REQUESTS,
        lambda requests: _without_view(requests, "summary"),
        fits("thread-turns-list", "request-enum-refused") + fits("thread-resume", "request-enum-refused"),
    )
    yield Change(
        "parameter-required",
        "A new parameter is required.",
        REQUESTS,
        lambda requests: requests["definitions"]["ThreadTurnsListParams"]["required"].append("pageToken"),
        fits("thread-turns-list", "request-field-required", "request/pageToken"),
    )
    yield Change(
        "exclude-turns-gone",
        "The parameter `excludeTurns` is gone.",
        REQUESTS,
        lambda requests: of("ThreadResumeParams")(requests).pop("excludeTurns"),
        fits("thread-resume", "request-field-unknown", "request/excludeTurns"),
    )
    yield Change(
        "initial-page-result-gone",
        "The first page is not in the reply to a resume.",
        "v2/ThreadResumeResponse.json",
        lambda result: result["properties"].pop("initialTurnsPage"),
        fits("thread-resume", "response-field-missing", "response/initialTurnsPage"),
    )
    yield Change(
        "codex-home-optional",
        "The home may be left out of the reply to `initialize`.",
        "v1/InitializeResponse.json",
        lambda result: result["required"].remove("codexHome"),
        fits("initialize", "response-field-optional", "response/codexHome"),
    )
    yield Change(
        "thread-id-nullable",
        "The id of a thread may be null.",
        "v2/ThreadStartResponse.json",
        lambda result: of("Thread")(result)["id"].update(type=["string", "null"]),
        fits("thread-start", "response-null", "response/thread/id"),
    )
    yield Change(
        "turns-gone",
        "A thread that is read has no turns.",
        "v2/ThreadReadResponse.json",
        lambda result: (
            of("Thread")(result).pop("turns"),
            result["definitions"]["Thread"]["required"].remove("turns"),
        ),
        fits("thread-read", "response-field-missing", "response/thread/turns"),
    )
    yield Change(
        "status-added",
        "A turn has a status that Hive does not know.",
        "v2/TurnStartResponse.json",
        lambda result: result["definitions"]["TurnStatus"]["enum"].append("paused"),
        fits("turn-start", "response-enum-new", "response/turn/status"),
    )
    yield Change(
        "thread-list-renamed",
        "The list of threads has another name.",
        REQUESTS,
        renamed("thread/list", "threads/list"),
        fits("thread-list", "offered"),
    )
    yield Change(
        "thread-list-limit-as-text",
        "The size of a page of threads is a text.",
        REQUESTS,
        lambda requests: of("ThreadListParams")(requests)["limit"].update(type="string"),
        fits("thread-list", "request-type-refused", "request/limit"),
    )
    yield Change(
        "thread-name-gone",
        "The threads of a list have no name.",
        "v2/ThreadListResponse.json",
        lambda result: of("Thread")(result).pop("name"),
        fits("thread-list", "response-field-missing", "response/data/*/name"),
    )
    yield Change(
        "name-set-renamed",
        "To set a name has another name.",
        REQUESTS,
        renamed("thread/name/set", "thread/rename"),
        fits("thread-name-set", "offered"),
    )
    yield Change(
        "name-set-needs-more",
        "To set a name takes a parameter that Hive does not send.",
        REQUESTS,
        lambda requests: requests["definitions"]["ThreadSetNameParams"]["required"].append("source"),
        fits("thread-name-set", "request-field-required", "request/source"),
    )
    yield Change(
        "archive-renamed",
        "To archive has another name.",
        REQUESTS,
        renamed("thread/archive", "thread/hide"),
        fits("thread-archive", "offered"),
    )
    yield Change(
        "unarchive-renamed",
        "To unarchive has another name.",
        REQUESTS,
        renamed("thread/unarchive", "thread/show"),
        fits("thread-unarchive", "offered"),
    )
    yield Change(
        "unarchive-without-thread",
        "What the reply has of the thread that was unarchived is not said.",
        "v2/ThreadUnarchiveResponse.json",
        lambda result: (result["properties"].pop("thread"), result["required"].remove("thread")),
        fits("thread-unarchive", "response-type-wider", "response/thread"),
    )
    yield Change(
        "rollback-renamed",
        "To roll back has another name.",
        REQUESTS,
        renamed("thread/rollback", "thread/truncate"),
        by("offered", "rollback.offered"),
    )
    yield Change(
        "rollback-number-as-text",
        "The number of turns to roll back is a text.",
        REQUESTS,
        lambda requests: of("ThreadRollbackParams")(requests).update(numTurns={"type": "string"}),
        by("request-type-refused", "rollback.offered", at="request/numTurns"),
    )
    yield Change(
        "renderer-action-offered",
        "The renderer's action is a method.",
        REQUESTS,
        with_method(_ACTION),
        by("offered", "not-a-method.not-in-schema"),
    )
    yield Change(
        "items-list-renamed",
        "The items list has another name.",
        REQUESTS,
        renamed("thread/turns/items/list", "thread/items/list"),
        by("offered", "schema.items-list-offered"),
    )
    yield from paginated()


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
