"""The typed items of a stored turn.

Ids of messages, reasoning, compactions and review marks are `item-1`, `item-2`, ... counted over the whole replay of a
thread: positions, not identities. They can be given again after a rollback. Plans, tool uses and hook prompts keep the
id that they were stored with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from hive_gate.reference.store.messages import AgentMessage, HookPrompt, Plan, Reasoning, UserMessage
from hive_gate.reference.store.tools import FileChange, ImageGeneration, McpToolCall, WebSearch


@dataclass(frozen=True, slots=True)
class ContextCompaction:
    """The point where earlier history was compacted."""

    id: str


@dataclass(frozen=True, slots=True)
class ReviewMode:
    """Review mode was entered or left."""

    id: str
    entered: bool
    review: str
    """The hint shown to the user, or the review's outcome."""


StoredItem: TypeAlias = (
    UserMessage
    | AgentMessage
    | Reasoning
    | Plan
    | HookPrompt
    | ContextCompaction
    | ReviewMode
    | WebSearch
    | McpToolCall
    | FileChange
    | ImageGeneration
)

__all__ = [
    "AgentMessage",
    "ContextCompaction",
    "FileChange",
    "HookPrompt",
    "ImageGeneration",
    "McpToolCall",
    "Plan",
    "Reasoning",
    "ReviewMode",
    "StoredItem",
    "UserMessage",
    "WebSearch",
]
