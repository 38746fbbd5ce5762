"""What a user says in a turn, in the three forms it takes: on the wire, in the history, for the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hive_gate.reference.server.errors import INVALID_PARAMS, RpcError
from hive_gate.reference.store import recording
from hive_gate.reference.store.messages import Image, UserMessage
from hive_gate.reference.store.records import HistoryRecord

Json = dict[str, Any]

MOST_CHARACTERS = 1 << 20


@dataclass(frozen=True, slots=True)
class Inputs:
    """Decoded `input` of a turn/start or turn/steer."""

    parts: Sequence[Json]
    client_id: str | None = None

    def check(self) -> None:
        """Raise unless the text is short enough.

        Raises:
            RpcError: it is not; with the numbers as data.
        """
        count = sum(len(part["text"]) for part in self.parts if part["type"] == "text")
        if count > MOST_CHARACTERS:
            raise RpcError(
                f"Input exceeds the maximum length of {MOST_CHARACTERS} characters.",
                INVALID_PARAMS,
                {"input_error_code": "input_too_large", "max_chars": MOST_CHARACTERS, "actual_chars": count},
            )

    def content(self) -> list[Json]:
        """Return the content of the user's item while the turn runs."""
        return [
            {**part, "text_elements": list(part["text_elements"])} if "text" in part else dict(part)
            for part in self.parts
        ]

    def item(self, ident: str) -> UserMessage:
        """Return the user's item as a replay of the history will see it."""
        elements, text = [], ""
        for part in self._of("text"):
            shift = len(text.encode())
            text += part["text"]
            for one in part["text_elements"]:
                start, end = one["byteRange"]["start"], one["byteRange"]["end"]
                marked = part["text"].encode()[start:end].decode(errors="replace")
                placeholder = one["placeholder"] if one["placeholder"] is not None else marked
                elements.append(
                    {"byte_range": {"start": start + shift, "end": end + shift}, "placeholder": placeholder}
                )
        images = tuple(Image(part["url"], part["detail"]) for part in self._of("image"))
        local = tuple(Image(part["path"], part["detail"]) for part in self._of("localImage"))
        return UserMessage(ident, text, tuple(elements), images, local, self.client_id)

    def records(self) -> list[HistoryRecord]:
        """Return what the history keeps."""
        item = self.item("")
        return [
            recording.message("user", item.text),
            recording.user_message(
                item.text,
                images=[one.source for one in item.images],
                local_images=[one.source for one in item.local_images],
                text_elements=item.text_elements,
                client_id=self.client_id,
            ),
        ]

    def _of(self, kind: str) -> list[Json]:
        return [part for part in self.parts if part["type"] == kind]
