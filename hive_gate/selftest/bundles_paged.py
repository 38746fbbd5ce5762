"""Changes to what only the schemas of servers with paginated threads have."""

from __future__ import annotations

from collections.abc import Iterator

from hive_gate.faults.fault import Notice, by
from hive_gate.selftest.bundle_edits import REQUESTS, Change, of, renamed, with_method


def _fits(method: str, check: str, at: str) -> tuple[Notice, ...]:
    return by(check, f"schema.fits-paged/{method}", at=at)


def paginated() -> Iterator[Change]:
    """Yield the changes."""
    yield Change(
        "items-of-thread-renamed",
        "The list of a thread's items has another name.",
        REQUESTS,
        renamed("thread/items/list", "thread/entries/list"),
        by("offered", "schema.items-offered", "schema.fits-paged/thread-items-list"),
    )
    yield Change(
        "items-without-turn",
        "An item does not say which turn it is of.",
        "v2/ThreadItemsListResponse.json",
        lambda result: (
            of("ThreadItemEntry")(result).pop("turnId"),
            result["definitions"]["ThreadItemEntry"]["required"].remove("turnId"),
        ),
        _fits("thread-items-list", "response-field-missing", "response/data/*/turnId"),
    )
    yield Change(
        "anchors-gone",
        "The reply to a resume has no cursor.",
        "v2/ThreadResumeResponse.json",
        lambda result: result["properties"].pop("turnsBackwardsCursor"),
        _fits("thread-resume", "response-field-missing", "response/turnsBackwardsCursor"),
    )
    yield Change(
        "revert-renamed",
        "To revert has another name.",
        REQUESTS,
        renamed("thread/revert", "thread/rewind"),
        by("offered", "revert.offered", "schema.fits-paged/thread-revert"),
    )
    yield Change(
        "revert-by-number",
        "To revert takes a parameter that Hive does not send.",
        REQUESTS,
        lambda requests: requests["definitions"]["ThreadRevertParams"]["required"].append("numTurns"),
        by("request-field-required", "revert.offered", "schema.fits-paged/thread-revert", at="request/numTurns"),
    )
    yield Change(
        "fork-of-whole-threads-only",
        "A fork cannot be up to a turn.",
        REQUESTS,
        lambda requests: of("ThreadForkParams")(requests).pop("lastTurnId"),
        _fits("thread-fork", "request-field-unknown", "request/lastTurnId"),
    )
    for word, method in (("items-list-stub", "thread/turns/items/list"), ("rollback", "thread/rollback")):
        yield Change(
            f"{word}-in-schema",
            f"`{method}` is there again.",
            REQUESTS,
            with_method(method),
            by("offered", f"schema.gone/{word}"),
        )
