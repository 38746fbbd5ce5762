"""What a loaded thread runs under, and the part of a reply that tells it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from hive_gate.reference.server.errors import RpcError
from hive_gate.reference.server.home import Home

_SANDBOXES: Mapping[str, Mapping[str, Any]] = {
    "read-only": {"type": "readOnly", "networkAccess": False},
    "workspace-write": {
        "type": "workspaceWrite",
        "writableRoots": [],
        "networkAccess": False,
        "excludeTmpdirEnvVar": False,
        "excludeSlashTmp": False,
    },
    "danger-full-access": {"type": "dangerFullAccess"},
}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a loaded thread."""

    model: str
    provider: str
    cwd: str
    approval_policy: Any
    sandbox: Mapping[str, Any]
    reviewer: str = "user"
    service_tier: str | None = None
    multi_agent: str = "explicitRequestOnly"
    roots: tuple[str, ...] | None = None
    """Folders that the thread works in; None means its `cwd` only."""

    def wire(self) -> dict[str, Any]:
        """Return the members that follow `thread` in the replies to start, resume and fork."""
        return {
            "model": self.model,
            "modelProvider": self.provider,
            "serviceTier": self.service_tier,
            "cwd": self.cwd,
            "runtimeWorkspaceRoots": list(self.roots) if self.roots is not None else [self.cwd],
            "instructionSources": [],
            "approvalPolicy": self.approval_policy,
            "approvalsReviewer": self.reviewer,
            "sandbox": dict(self.sandbox),
            "activePermissionProfile": None,
            "reasoningEffort": None,
            "multiAgentMode": self.multi_agent,
        }


def settle(home: Home, params: Mapping[str, Any], *, cwd: str, provider: str | None = None) -> Settings:
    """Return the settings that params ask for on top of a home's configuration.

    Args:
        home: the configuration.
        params: of thread/start, thread/resume or thread/fork.
        cwd: the folder where the params name none; absolute.
        provider: the provider where the params name none; by default the home's.

    Raises:
        RpcError: settings that exclude each other, or a provider that is not configured.
    """
    if params["permissions"] is not None and params["sandbox"] is not None:
        raise RpcError("`permissions` cannot be combined with `sandbox`")
    provider = params["modelProvider"] or provider or home.provider
    if provider not in home.base_urls:
        raise RpcError(f"failed to load configuration: Model provider `{provider}` not found")
    roots = params["runtimeWorkspaceRoots"]
    sandbox = params["sandbox"] or home.sandbox_mode
    return Settings(
        model=params["model"] or home.model,
        provider=provider,
        cwd=absolute(params["cwd"], cwd),
        approval_policy=params["approvalPolicy"] or home.approval_policy,
        sandbox=_SANDBOXES.get(sandbox, _SANDBOXES["read-only"]),
        reviewer=params["approvalsReviewer"] or "user",
        service_tier=params["serviceTier"],
        multi_agent=params.get("multiAgentMode") or "explicitRequestOnly",
        roots=None if roots is None else tuple(roots),
    )


def changed(settings: Settings, params: Mapping[str, Any]) -> Settings:
    """Return the settings after a turn/start that overrides some; they hold for later turns too."""
    return replace(
        settings,
        model=params["model"] or settings.model,
        cwd=absolute(params["cwd"], settings.cwd),
        approval_policy=params["approvalPolicy"] or settings.approval_policy,
        reviewer=params["approvalsReviewer"] or settings.reviewer,
        sandbox=params["sandboxPolicy"] or settings.sandbox,
    )


def absolute(path: str | None, base: str) -> str:
    """Return a folder as an absolute path; None means the base itself."""
    return base if path is None else os.path.normpath(os.path.join(base, path))  # noqa: PTH118 - links stay
