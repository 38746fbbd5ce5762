"""What npm's own error codes mean for the person who asked for a codex."""

from __future__ import annotations

import json
import re

from hive_gate.errors import TargetError
from hive_gate.target.process import Finished

MISSING = frozenset({"E404", "ETARGET", "ENOVERSIONS"})
"""Codes for a version, or the package, that is not there."""

_TAIL_LINES = 8


def _codes(words: str) -> frozenset[str]:
    return frozenset(words.split())


_NETWORK = (
    _codes(
        "ENOTFOUND ECONNREFUSED ECONNRESET ECONNABORTED ETIMEDOUT ESOCKETTIMEDOUT EAI_AGAIN ENETUNREACH EHOSTUNREACH "
        "EPIPE ERR_SOCKET_TIMEOUT FETCH_ERROR E429 E500 E502 E503 E504"
    ),
    "npm could not reach its registry",
    "check the network and `npm config get registry` (and the proxy settings there), then try again; "
    "versions that are already installed work without a network: `hive-gate codex list`",
)
_KINDS = (
    _NETWORK,
    (
        MISSING,
        "npm's registry does not have it",
        "check `npm config get registry`: that registry must carry @openai/codex",
    ),
    (
        frozenset({"ENOTCACHED"}),
        "npm is set to work offline",
        "turn `offline` off (`npm config get offline`), or use an installed version: `hive-gate codex list`",
    ),
    (
        _codes(
            "SELF_SIGNED_CERT_IN_CHAIN DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY "
            "UNABLE_TO_VERIFY_LEAF_SIGNATURE CERT_HAS_EXPIRED ERR_TLS_CERT_ALTNAME_INVALID"
        ),
        "npm does not trust its registry's certificate",
        "give npm your certificate authority: `npm config set cafile /path/to/ca.pem`",
    ),
    (
        frozenset({"E401", "E403", "ENEEDAUTH"}),
        "npm's registry refused access",
        "log in as you do for other packages (`npm login`), or check the registry in your .npmrc",
    ),
    (
        frozenset({"ENOSPC", "EDQUOT"}),
        "there is no space left on the disk",
        "free about 700 MB (`hive-gate codex remove VERSION` helps), "
        "or name another folder: HIVE_GATE_CACHE=/some/folder",
    ),
    (
        frozenset({"EACCES", "EPERM", "EROFS"}),
        "npm was not allowed to write",
        "make the folder in the message writable, or name another one: HIVE_GATE_CACHE=/some/folder",
    ),
    (
        frozenset({"EINTEGRITY"}),
        "the package that came is not the one that was published",
        "try again; if it stays so, a proxy or mirror between here and the registry changes packages",
    ),
)
_OTHER_HINT = "run `npm ping` to see whether npm itself works, and try again"


def error_code(finished: Finished) -> str | None:
    """Return npm's error code: from its JSON on stdout, else from its stderr."""
    try:
        code = json.loads(finished.stdout)["error"]["code"]
    except (ValueError, TypeError, KeyError):
        code = None
    if isinstance(code, str) and code:
        return code
    found = re.search(r"^npm (?:error|ERR!) code (\S+)", finished.stderr_tail, re.MULTILINE)
    return found[1] if found else None


def explain(finished: Finished, subject: str) -> TargetError:
    """Return the error for an npm that failed.

    Args:
        finished: how npm ended.
        subject: what it was asked for: `codex 0.142.5 (linux-x64)`.
    """
    code = error_code(finished)
    reason, hint = f"npm ended with {finished.outcome}", _OTHER_HINT
    if finished.ended:
        reason, hint = f"npm was stopped: {finished.ended}", _NETWORK[2]
    for codes, text, advice in _KINDS:
        if code in codes:
            reason, hint = f"{text} ({code})", advice
    return TargetError(
        f"{subject} could not be fetched: {reason}.",
        where=" ".join(finished.argv[:3]),
        hint=hint,
        detail=tail(finished.stderr_tail) or None,
    )


def tail(stderr: str) -> str:
    """Return the last lines of npm's stderr that say something, without stack traces, log names and passwords."""
    lines = [re.sub(r"//[^/@\s]+@", "//***@", line.rstrip()) for line in stderr.splitlines()]
    said = [re.sub(r"^npm (?:error|ERR!) ?", "", line) for line in lines if not _is_noise(line)]
    return "\n".join([line for line in said if line][-_TAIL_LINES:])


def _is_noise(line: str) -> bool:
    return bool(re.search(r"A complete log of this run|^npm (?:error|ERR!)\s+at |^npm (?:error|ERR!) [{}]$", line))
