"""What a judge sees of a step: its replies, its turns, and phrases for both."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from hive_gate.contract.names import resolve
from hive_gate.wire.transcript import Exchange, Message

_SHOWN = 160
_FEW_VARIANTS = 8
_UNKNOWN_VARIANT = re.compile(r"unknown variant `([^`]*)`, expected one of (.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class SeenTurn:
    """A turn in a reply."""

    body: Any
    pointer: str
    """JSON pointer into the reply's result."""
    message: int
    """Number of the transcript message."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The exchanges of one step with their messages at hand."""

    exchanges: tuple[Exchange, ...]
    messages: Sequence[Message]

    @property
    def last(self) -> Exchange | None:
        """The step's last exchange."""
        return self.exchanges[-1] if self.exchanges else None

    @property
    def last_reply(self) -> int | None:
        """The number of the message with the step's last reply."""
        return self.last.reply if self.last else None

    def body(self, exchange: Exchange) -> dict[str, Any] | None:
        """Return the reply's body; None if there is no reply."""
        return None if exchange.reply is None else self.messages[exchange.reply].body

    def result(self) -> Any:
        """Return the last reply's result; None if it is an error or missing."""
        body = self.body(self.last) if self.last else None
        return None if body is None else body.get("result")

    def error(self) -> dict[str, Any] | None:
        """Return the last reply's error object; None if it is none."""
        body = self.body(self.last) if self.last else None
        error = None if body is None else body.get("error")
        return error if isinstance(error, dict) else None

    def turns(self, at: str) -> list[SeenTurn]:
        """Return the turns at a pointer of each reply, in order: of a walk, those of all its pages.

        Raises:
            LookupError: if a reply has no array of objects there; the argument says what it has.
        """
        return [turn for exchange in self.exchanges for turn in self._turns(exchange, at)]

    def _turns(self, exchange: Exchange, at: str) -> Iterator[SeenTurn]:
        body = self.body(exchange)
        if body is None or exchange.reply is None or "result" not in body:
            raise LookupError("no result")
        try:
            turns = resolve(body["result"], at)
        except LookupError:
            raise LookupError(f"nothing at {at}") from None
        if not isinstance(turns, list):
            raise LookupError(f"{preview(turns)} at {at}")  # noqa: TRY004 - the server's value, not a caller's
        for index, turn in enumerate(turns):
            yield SeenTurn(turn if isinstance(turn, dict) else {}, f"{at}/{index}", exchange.reply)


def project(item: Any) -> tuple[str, str]:
    """Reduce an item to its type and text: what every view and every version must agree on.

    `userMessage` has its text in `content`, `agentMessage` in `text`, `reasoning` in `summary` and `content`; other
    kinds are told by their type alone.
    """
    if not isinstance(item, dict):
        return ("", preview(item))
    kind = str(item.get("type"))
    if kind == "userMessage":
        content = item.get("content")
        parts = content if isinstance(content, list) else []
        return kind, "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))
    if kind == "agentMessage":
        return kind, str(item.get("text"))
    if kind == "reasoning":
        lists = [item.get("summary"), item.get("content")]
        return kind, "\n".join(str(text) for part in lists if isinstance(part, list) for text in part)
    return kind, ""


def items_of(turn: Any) -> list[tuple[str, str]]:
    """Return a turn's items, each reduced by :func:`project`."""
    items = turn.get("items") if isinstance(turn, dict) else None
    return [project(item) for item in items] if isinstance(items, list) else []


def preview(value: Any, shown: int = _SHOWN) -> str:
    """Return a JSON value as compact text, shortened."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if len(text) <= shown else text[:shown] + "…"


def error_phrase(error: Any) -> str:
    """Return an error object as `error CODE: message`."""
    if not isinstance(error, dict):
        return f"error {preview(error)}"
    message = _fold_variants(str(error.get("message")))
    return f"error {error.get('code')}: {message if len(message) <= 240 else message[:240] + '…'}"


def _fold_variants(message: str) -> str:
    """Return serde's "unknown variant" text without its kilobytes of known names, but with those nearest to it.

    A method that was renamed shows here: the nearest known name is often the new one.
    """
    found = _UNKNOWN_VARIANT.search(message)
    if found is None:
        return message
    known = re.findall(r"`([^`]*)`", found[2])
    if len(known) <= _FEW_VARIANTS:
        return message
    near = ", ".join(f"`{name}`" for name in get_close_matches(found[1], known, n=2, cutoff=0.8))
    return f"{message[: found.end(1)]}`, not one of {len(known)} it knows" + (f"; nearest: {near}" if near else "")


def _counted(turns: list[Any]) -> str:
    what = "item" if turns and isinstance(turns[0], dict) and "item" in turns[0] else "turn"
    return f"{len(turns)} {what}{'' if len(turns) == 1 else 's'}"


def reply_phrase(body: dict[str, Any] | None) -> str:
    """Return what a reply is, in a phrase that stands in a table cell."""
    if body is None:
        return "no reply"
    if "error" in body:
        return error_phrase(body["error"])
    result = body.get("result")
    if not isinstance(result, dict):
        return f"result {preview(result, 80)}"
    if isinstance(result.get("data"), list):
        more = "null" if result.get("nextCursor") is None else "set"
        return f"a page of {_counted(result['data'])}, nextCursor {more}"
    thread = result.get("thread")
    if isinstance(thread, dict) and isinstance(thread.get("turns"), list):
        page = result.get("initialTurnsPage")
        data = page.get("data") if isinstance(page, dict) else None
        beside = f" and a first page of {len(data)}" if isinstance(data, list) else ""
        return f"a thread with {_counted(thread['turns'])}{beside}"
    return f"result {preview(result, 80)}"
