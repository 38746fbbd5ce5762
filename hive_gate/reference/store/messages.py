"""Stored items that are words: of the user, of the model, of a hook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Image:
    """An image that the user sent along."""

    source: str
    """A URL or, of a local image, a path."""
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class UserMessage:
    """What the user sent."""

    id: str
    text: str
    """As stored; blank where the message is images only."""
    text_elements: tuple[Any, ...] = ()
    """Marked ranges of the text, as stored: `{"byte_range": {"start", "end"}, "placeholder"}`."""
    images: tuple[Image, ...] = ()
    local_images: tuple[Image, ...] = ()
    client_id: str | None = None
    """The id that the client gave the message, where it did."""


@dataclass(frozen=True, slots=True)
class AgentMessage:
    """What the model said."""

    id: str
    text: str
    phase: str | None = None
    """`commentary` or `final_answer`, where the model says."""
    memory_citation: Any = None
    """As stored."""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """What the model thought: summary parts and, where stored, raw parts."""

    id: str
    summary: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """A proposed plan."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class HookFragment:
    """What one run of a hook told the model."""

    run_id: str
    text: str


@dataclass(frozen=True, slots=True)
class HookPrompt:
    """What hooks told the model in the user's place."""

    id: str
    fragments: tuple[HookFragment, ...]
