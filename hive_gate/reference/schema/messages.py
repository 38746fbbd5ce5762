"""What the server answers and tells, by the name of the schema."""

from __future__ import annotations

from collections.abc import Mapping

from hive_gate.reference.schema.entities import ENTITIES
from hive_gate.reference.schema.forms import (
    ANYTHING,
    BOOLEAN,
    INTEGER,
    OBJECT,
    STRING,
    Schema,
    array,
    enum,
    members,
    nullable,
    ref,
)

_NOTHING: Schema = {"type": "object"}
_THREAD = members(thread=ref("Thread"))
_PAGE = {"nextCursor": nullable(STRING), "backwardsCursor": nullable(STRING)}
_SETTINGS: Mapping[str, Schema] = {
    "model": STRING,
    "modelProvider": STRING,
    "serviceTier": nullable(STRING),
    "cwd": STRING,
    "runtimeWorkspaceRoots": array(STRING),
    "instructionSources": array(STRING),
    "approvalPolicy": {"anyOf": [STRING, OBJECT]},
    "approvalsReviewer": STRING,
    "sandbox": OBJECT,
    "activePermissionProfile": ANYTHING,
    "reasoningEffort": nullable(STRING),
    "multiAgentMode": STRING,
}
_OPENED = members(thread=ref("Thread"), **_SETTINGS)
_TURN = members(turn=ref("Turn"))
_OF_TURN: Mapping[str, Schema] = {"threadId": STRING, "turnId": STRING}

RESPONSES: Mapping[str, Schema] = {
    "InitializeResponse": members(userAgent=STRING, codexHome=STRING, platformFamily=STRING, platformOs=STRING),
    "ThreadStartResponse": _OPENED,
    "ThreadForkResponse": _OPENED,
    "ThreadResumeResponse": members(thread=ref("Thread"), **_SETTINGS, initialTurnsPage=nullable(ref("TurnsPage"))),
    "ThreadArchiveResponse": _NOTHING,
    "ThreadUnarchiveResponse": _THREAD,
    "ThreadUnsubscribeResponse": members(status=enum("notLoaded", "notSubscribed", "unsubscribed")),
    "ThreadSetNameResponse": _NOTHING,
    "ThreadRollbackResponse": _THREAD,
    "ThreadListResponse": members(data=array(ref("Thread")), **_PAGE),
    "ThreadLoadedListResponse": members(data=array(STRING), nextCursor=nullable(STRING)),
    "ThreadReadResponse": _THREAD,
    "ThreadTurnsListResponse": ENTITIES["TurnsPage"],
    "ThreadTurnsItemsListResponse": {
        **members(data=array(ref("ThreadItem")), **_PAGE),
        "description": "A shape only: the method is answered as not supported.",
    },
    "TurnStartResponse": _TURN,
    "TurnSteerResponse": members(turnId=STRING),
    "TurnInterruptResponse": _NOTHING,
}
"""Results of the methods: the name is that of the params with another ending."""

_BARE = members(threadId=STRING)

NOTIFICATIONS: Mapping[str, tuple[str, Schema]] = {
    "error": (
        "ErrorNotification",
        members(error=ref("TurnError"), willRetry=BOOLEAN, **_OF_TURN),
    ),
    "thread/started": ("ThreadStartedNotification", _THREAD),
    "thread/status/changed": (
        "ThreadStatusChangedNotification",
        members(threadId=STRING, status=ref("ThreadStatus")),
    ),
    "thread/archived": ("ThreadArchivedNotification", _BARE),
    "thread/unarchived": ("ThreadUnarchivedNotification", _BARE),
    "thread/closed": ("ThreadClosedNotification", _BARE),
    "thread/name/updated": (
        "ThreadNameUpdatedNotification",
        members(threadId=STRING, threadName=nullable(STRING)),
    ),
    "thread/tokenUsage/updated": (
        "ThreadTokenUsageUpdatedNotification",
        members(**_OF_TURN, tokenUsage=ref("ThreadTokenUsage")),
    ),
    "turn/started": ("TurnStartedNotification", members(threadId=STRING, turn=ref("Turn"))),
    "turn/completed": ("TurnCompletedNotification", members(threadId=STRING, turn=ref("Turn"))),
    "item/started": (
        "ItemStartedNotification",
        members(**_OF_TURN, item=ref("ThreadItem"), startedAtMs=INTEGER),
    ),
    "item/completed": (
        "ItemCompletedNotification",
        members(**_OF_TURN, item=ref("ThreadItem"), completedAtMs=INTEGER),
    ),
    "item/agentMessage/delta": (
        "AgentMessageDeltaNotification",
        members(**_OF_TURN, itemId=STRING, delta=STRING),
    ),
}
"""Notifications by method: the name of the schema of their params, and the schema."""
