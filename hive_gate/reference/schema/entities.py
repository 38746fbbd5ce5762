"""What replies and notifications are made of: threads, turns, items, statuses."""

from __future__ import annotations

from collections.abc import Mapping

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
    variant,
)

_ITEM: Schema = {
    "description": "Something that was said, thought or done in a turn.",
    "oneOf": [
        variant("userMessage", id=STRING, clientId=nullable(STRING), content=array(ref("UserInput"))),
        variant(
            "agentMessage", id=STRING, text=STRING, phase=nullable(enum("commentary", "final_answer")),
            memoryCitation=ANYTHING,
        ),
        variant("reasoning", id=STRING, summary=array(STRING), content=array(STRING)),
        variant("plan", id=STRING, text=STRING),
        variant("hookPrompt", id=STRING, fragments=array(members(text=STRING, hookRunId=STRING))),
        variant("contextCompaction", id=STRING),
        variant("enteredReviewMode", id=STRING, review=STRING),
        variant("exitedReviewMode", id=STRING, review=STRING),
        variant("webSearch", id=STRING, query=STRING, action=nullable(OBJECT)),
        variant(
            "mcpToolCall", id=STRING, server=STRING, tool=STRING, status=enum("completed", "failed"),
            arguments=ANYTHING, appContext=ANYTHING, pluginId=nullable(STRING), result=nullable(OBJECT),
            error=nullable(members(message=STRING)), durationMs=nullable(INTEGER),
        ),
        variant(
            "fileChange", id=STRING, status=enum("completed", "failed", "declined"),
            changes=array(members(path=STRING, kind=OBJECT, diff=STRING)),
        ),
        variant("imageGeneration", id=STRING, status=STRING, revisedPrompt=nullable(STRING), result=STRING),
    ],
}  # fmt: skip

_TOKENS: Schema = {
    **members(
        totalTokens=INTEGER, inputTokens=INTEGER, cachedInputTokens=INTEGER, outputTokens=INTEGER,
        reasoningOutputTokens=INTEGER,
    ),
    "description": "How many tokens something took.",
}  # fmt: skip

_MARK = members(byteRange=members(start=INTEGER, end=INTEGER), placeholder=nullable(STRING))

ENTITIES: Mapping[str, Schema] = {
    "Thread": {
        **members(
            id=STRING, sessionId=STRING, forkedFromId=nullable(STRING), parentThreadId=nullable(STRING),
            preview=STRING, ephemeral=BOOLEAN, historyMode=ref("ThreadHistoryMode"), modelProvider=STRING,
            createdAt=INTEGER, updatedAt=INTEGER, recencyAt=nullable(INTEGER), status=ref("ThreadStatus"),
            path=nullable(STRING), cwd=STRING, cliVersion=STRING, source=ref("SessionSource"),
            threadSource=nullable(STRING), agentNickname=nullable(STRING), agentRole=nullable(STRING),
            gitInfo=nullable(ref("GitInfo")), name=nullable(STRING), turns=array(ref("Turn")),
        ),
        "description": "A thread; times in seconds since the epoch, turns only where a reply is about them.",
    },
    "ThreadHistoryMode": {
        **enum("legacy", "paginated"),
        "description": "How the history is stored; a paginated one is shown and cannot be opened here.",
    },
    "ThreadStatus": {
        "description": "What a thread is doing now; it is not stored.",
        "oneOf": [
            *(variant(kind) for kind in ("notLoaded", "idle", "systemError")),
            variant("active", activeFlags=array(enum("waitingOnApproval", "waitingOnUserInput"))),
        ],
    },
    "SessionSource": {"description": "Which program began the thread.", "anyOf": [STRING, OBJECT]},
    "GitInfo": members(sha=nullable(STRING), branch=nullable(STRING), originUrl=nullable(STRING)),
    "Turn": {
        **members(
            id=STRING, items=array(ref("ThreadItem")), itemsView=ref("TurnItemsView"), status=ref("TurnStatus"),
            error=nullable(ref("TurnError")), startedAt=nullable(INTEGER), completedAt=nullable(INTEGER),
            durationMs=nullable(INTEGER),
        ),
        "description": "What the user said and all that came of it; times in seconds since the epoch.",
    },
    "TurnItemsView": {
        **enum("notLoaded", "summary", "full"),
        "description": "What `items` holds: nothing, the first user and the last agent message, or everything.",
    },
    "TurnStatus": enum("completed", "interrupted", "failed", "inProgress"),
    "TurnError": members(message=STRING, codexErrorInfo=ANYTHING, additionalDetails=nullable(STRING)),
    "ThreadItem": _ITEM,
    "UserInput": {
        "description": "A part of what the user sent.",
        "oneOf": [
            variant("text", text=STRING, text_elements=array(_MARK)),
            variant("image", detail=nullable(STRING), url=STRING),
            variant("localImage", detail=nullable(STRING), path=STRING),
            variant("skill", name=STRING, path=STRING),
            variant("mention", name=STRING, path=STRING),
        ],
    },
    "TokenUsageBreakdown": _TOKENS,
    "ThreadTokenUsage": members(
        total=ref("TokenUsageBreakdown"), last=ref("TokenUsageBreakdown"), modelContextWindow=nullable(INTEGER)
    ),
    "TurnsPage": {
        **members(data=array(ref("Turn")), nextCursor=nullable(STRING), backwardsCursor=nullable(STRING)),
        "description": "A page of turns and the cursors to what comes after it and what lies before.",
    },
}  # fmt: skip
"""The definitions that others refer to, by name."""
