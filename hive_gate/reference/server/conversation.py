"""What the model is sent: the turns that are left, as input items of the Responses API."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hive_gate.reference.store.items import AgentMessage, UserMessage
from hive_gate.reference.store.messages import Image
from hive_gate.reference.store.records import StoredTurn

Json = dict[str, Any]


def conversation(turns: Iterable[StoredTurn]) -> list[Json]:
    """Return what the user and the model said, oldest first; dropped turns are not among the turns any more."""
    return [
        _user(item) if isinstance(item, UserMessage) else _message("assistant", "output_text", item.text)
        for turn in turns
        for item in turn.items
        if isinstance(item, UserMessage | AgentMessage)
    ]


def size(turns: Sequence[StoredTurn]) -> int:
    """Return how many characters the words of these turns have."""
    return sum(len(part.get("text", "")) for item in conversation(turns) for part in item["content"])


def _user(item: UserMessage) -> Json:
    message = _message("user", "input_text", item.text)
    message["content"] += [_image(one) for one in item.images]
    return message


def _message(role: str, kind: str, text: str) -> Json:
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}


def _image(image: Image) -> Json:
    return {"type": "input_image", "image_url": image.source}
