"""The params of the methods that the reference offers, by method.

Members are in the order in which the real server declares them, which is the order in which it reports missing and
experimental ones. `historyMode` of thread/start is the one member that 0.142.5 has not got.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hive_gate.reference.server.serde import (
    ABSOLUTE_PATH,
    ANYTHING,
    BOOLEAN,
    MAP,
    REQUIRED,
    STRING,
    U32,
    USIZE,
    Choice,
    Either,
    Kind,
    ListOf,
    Maybe,
)
from hive_gate.reference.server.structs import Member, Struct, Tagged


def _need(name: str, kind: Kind = STRING) -> Member:
    return Member(name, kind, REQUIRED)


def _may(name: str, kind: Kind = STRING, *, experimental: bool = False) -> Member:
    return Member(name, Maybe(kind), None, experimental)


def _flag(name: str, *, experimental: bool = False) -> Member:
    return Member(name, BOOLEAN, False, experimental)


def _list(name: str, kind: Kind) -> Member:
    return Member(name, ListOf(kind), ())


_SORT = _may("sortDirection", Choice(("asc", "desc")))
_VIEW = _may("itemsView", Choice(("notLoaded", "summary", "full")))
_LIMIT = _may("limit", U32)
_CURSOR = _may("cursor")
_THREAD = _need("threadId")
_ROOTS = _may("runtimeWorkspaceRoots", ListOf(ABSOLUTE_PATH), experimental=True)
_PERMISSIONS = _may("permissions", experimental=True)
_PERSONALITY = _may("personality", Choice(("none", "friendly", "pragmatic")))
_MULTI_AGENT = _may("multiAgentMode", Choice(("none", "explicitRequestOnly", "proactive")), experimental=True)
_GRANULAR = Struct(
    "AskForApproval::Granular",
    (
        _need("sandbox_approval", BOOLEAN),
        _need("rules", BOOLEAN),
        _flag("skill_approval"),
        _flag("request_permissions"),
        _need("mcp_elicitations", BOOLEAN),
    ),
    called="struct variant",
)
_POLICIES = ("untrusted", "on-failure", "on-request", "granular", "never")
_APPROVAL = (
    _may("approvalPolicy", Choice(_POLICIES, {"granular": _GRANULAR})),
    _may("approvalsReviewer", Choice(("user", "auto_review", "guardian_subagent"))),
)
_MODEL = (_may("model"), _may("modelProvider"), _may("serviceTier"), _may("cwd"), _ROOTS, *_APPROVAL)
_LIMITS = (_may("sandbox", Choice(("read-only", "workspace-write", "danger-full-access"))), _PERMISSIONS)
_CONFIG = _may("config", MAP)
_INSTRUCTIONS = (_may("baseInstructions"), _may("developerInstructions"))
_ENVIRONMENTS = _may("environments", ListOf(ANYTHING), experimental=True)
_EXPERIMENTAL_LISTS = tuple(
    _may(name, ListOf(ANYTHING), experimental=True) for name in ("dynamicTools", "selectedCapabilityRoots")
)

_INITIALIZE = Struct(
    "InitializeParams",
    (
        _need("clientInfo", Struct("ClientInfo", (_need("name"), _may("title"), _need("version")))),
        _may(
            "capabilities",
            Struct(
                "InitializeCapabilities",
                (
                    _flag("experimentalApi"),
                    _flag("requestAttestation"),
                    _flag("mcpServerOpenaiFormElicitation"),
                    _may("optOutNotificationMethods", ListOf(STRING)),
                ),
            ),
        ),
    ),
)

_START = Struct(
    "ThreadStartParams",
    (
        *(*_MODEL, *_LIMITS, _CONFIG, _may("serviceName"), *_INSTRUCTIONS, _PERSONALITY, _MULTI_AGENT),
        _may("ephemeral", BOOLEAN),
        _may("historyMode", Choice(("legacy", "paginated")), experimental=True),
        _may("sessionStartSource", Choice(("startup", "clear"))),
        *(_may("threadSource"), _ENVIRONMENTS, *_EXPERIMENTAL_LISTS),
        _may("mockExperimentalField", experimental=True),
        _flag("experimentalRawEvents", experimental=True),
    ),
)

_RESUME = Struct(
    "ThreadResumeParams",
    (
        _THREAD,
        _may("history", ListOf(ANYTHING), experimental=True),
        _may("path", experimental=True),
        *(*_MODEL, *_LIMITS, _CONFIG, *_INSTRUCTIONS, _PERSONALITY),
        _flag("excludeTurns", experimental=True),
        _may(
            "initialTurnsPage",
            Struct("ThreadResumeInitialTurnsPageParams", (_LIMIT, _SORT, _VIEW)),
            experimental=True,
        ),
    ),
)

_FORK = Struct(
    "ThreadForkParams",
    (
        *(_THREAD, _may("path", experimental=True), *_MODEL, *_LIMITS, _CONFIG, *_INSTRUCTIONS),
        *(_flag("ephemeral"), _may("threadSource"), _flag("excludeTurns", experimental=True)),
    ),
)

_SOURCES = (
    *("cli", "vscode", "exec", "appServer", "subAgent", "subAgentReview"),
    *("subAgentCompact", "subAgentThreadSpawn", "subAgentOther", "unknown"),
)
_LIST = Struct(
    "ThreadListParams",
    (
        *(_CURSOR, _LIMIT, _may("sortKey", Choice(("created_at", "updated_at", "recency_at"))), _SORT),
        *(_may("modelProviders", ListOf(STRING)), _may("sourceKinds", ListOf(Choice(_SOURCES)))),
        *(_may("archived", BOOLEAN), _may("cwd", Either("ThreadListCwdFilter", (STRING, ListOf(STRING))))),
        *(_flag("useStateDbOnly"), _may("searchTerm"), _may("parentThreadId", experimental=True)),
    ),
)

_RANGE = Struct("ByteRange", (_need("start", USIZE), _need("end", USIZE)))
_ELEMENT = Struct("TextElement", (_need("byteRange", _RANGE), _may("placeholder")))
_DETAIL = _may("detail", Choice(("auto", "low", "high", "original")))
_INPUT = Tagged(
    "UserInput",
    {
        "text": Struct("UserInput::Text", (_need("text"), _list("text_elements", _ELEMENT))),
        "image": Struct("UserInput::Image", (_DETAIL, _need("url"))),
        "localImage": Struct("UserInput::LocalImage", (_DETAIL, _need("path"))),
        "skill": Struct("UserInput::Skill", (_need("name"), _need("path"))),
        "mention": Struct("UserInput::Mention", (_need("name"), _need("path"))),
    },
)
_INPUTS = _need("input", ListOf(_INPUT))
_CLIENT_DATA = (
    _may("responsesapiClientMetadata", MAP, experimental=True),
    _may("additionalContext", MAP, experimental=True),
)
_TURN_START = Struct(
    "TurnStartParams",
    (
        *(_THREAD, _may("clientUserMessageId"), _INPUTS, *_CLIENT_DATA, _ENVIRONMENTS, _may("cwd"), _ROOTS),
        *(*_APPROVAL, _may("sandboxPolicy", MAP), _PERMISSIONS, _may("model"), _may("serviceTier")),
        *(_may("effort"), _may("summary", Choice(("auto", "concise", "detailed", "none"))), _PERSONALITY),
        *(_may("outputSchema", ANYTHING), _may("collaborationMode", MAP, experimental=True), _MULTI_AGENT),
    ),
)

PARAMS: Mapping[str, Struct] = {
    "initialize": _INITIALIZE,
    "thread/start": _START,
    "thread/resume": _RESUME,
    "thread/fork": _FORK,
    "thread/archive": Struct("ThreadArchiveParams", (_THREAD,)),
    "thread/unarchive": Struct("ThreadUnarchiveParams", (_THREAD,)),
    "thread/unsubscribe": Struct("ThreadUnsubscribeParams", (_THREAD,)),
    "thread/name/set": Struct("ThreadSetNameParams", (_THREAD, _need("name"))),
    "thread/rollback": Struct("ThreadRollbackParams", (_THREAD, _need("numTurns", U32))),
    "thread/list": _LIST,
    "thread/loaded/list": Struct("ThreadLoadedListParams", (_CURSOR, _LIMIT)),
    "thread/read": Struct("ThreadReadParams", (_THREAD, _flag("includeTurns"))),
    "thread/turns/list": Struct("ThreadTurnsListParams", (_THREAD, _CURSOR, _LIMIT, _SORT, _VIEW)),
    "thread/turns/items/list": Struct("ThreadTurnsItemsListParams", (_THREAD, _need("turnId"), _CURSOR, _LIMIT, _SORT)),
    "turn/start": _TURN_START,
    "turn/steer": Struct(
        "TurnSteerParams", (_THREAD, _may("clientUserMessageId"), _INPUTS, *_CLIENT_DATA, _need("expectedTurnId"))
    ),
    "turn/interrupt": Struct("TurnInterruptParams", (_THREAD, _need("turnId"))),
}
"""What each offered method takes."""


def experimental_use(method: str, params: Mapping[str, Any]) -> str | None:
    """Return what of a request needs the experimental capability, as the real server names it; None if nothing."""
    for member in PARAMS[method].members:
        value = params[member.name]
        if member.experimental and value is not None and value is not False:
            return f"{method}.{member.name}"
        if member.name == "approvalPolicy" and isinstance(value, dict):
            return "askForApproval.granular"
    return None
