"""Stored items that are uses of tools; only these four kinds are kept in a legacy history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class WebSearch:
    """A finished web search."""

    id: str
    query: str
    action: Any
    """As stored: an object with `type`."""


@dataclass(frozen=True, slots=True)
class McpToolCall:
    """A finished call of a tool on an MCP server."""

    id: str
    server: str
    tool: str
    arguments: Any
    succeeded: bool
    result: Any = None
    """As stored: an object with `content`; None if there is none."""
    error: str | None = None
    duration_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """What a patch did to one file."""

    path: str
    kind: str
    """`add`, `delete` or `update`."""
    diff: str
    """The content of an added or deleted file, else the unified diff."""
    move_path: str | None = None


@dataclass(frozen=True, slots=True)
class FileChange:
    """An applied or refused patch; its files in the order of their paths."""

    id: str
    changes: tuple[ChangedFile, ...]
    status: str
    """`completed`, `failed` or `declined`."""


@dataclass(frozen=True, slots=True)
class ImageGeneration:
    """A generated image."""

    id: str
    status: str
    result: str
    revised_prompt: str | None = None
    saved_path: str | None = None
