"""What differs between two runs of a script, after ids, times and paths have become placeholders."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.fidelity.client import Step

_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_DATED = re.compile(r"sessions/\d{4}/\d\d/\d\d/rollout-[0-9T-]{19}-|archived_sessions/rollout-[0-9T-]{19}-")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
_ABSENT = "(absent)"


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that differs."""

    step: str
    method: str
    where: str
    """`reply` or `heard`, then the path to the field, list indexes as `*`."""
    real: str
    reference: str
    sent: str

    def __str__(self) -> str:
        told = f"real {self.real}, reference {self.reference}; sent {self.sent}"
        return f"step {self.step} {self.method} {self.where}: {told}"


class Placeholders:
    """Replaces what is different in every run; ids are numbered in the order in which they first appear."""

    def __init__(self, home: Path, since: float) -> None:
        self._home, self._since = str(home.resolve()), since
        self._ids: dict[str, str] = {}

    def of(self, value: Any) -> Any:
        """Return a value with placeholders."""
        if isinstance(value, dict):
            return {key: self._member(key, one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.of(one) for one in value]
        return self._text(value) if isinstance(value, str) else value

    def _member(self, key: str, value: Any) -> Any:
        if key in ("updatedAt", "recencyAt"):
            return "<time>"
        if key.endswith(("At", "AtMs")) and isinstance(value, int):
            seconds = value / 1000 if key.endswith("Ms") else value
            return "<now>" if seconds >= self._since else value
        if key == "durationMs" and isinstance(value, int) and value < 30_000:
            return "<ms>"
        return self.of(value)

    def _id(self, ident: str) -> str:
        # What is stored in the home has the same id on both sides.
        return ident if ident.startswith("0197") else self._ids.setdefault(ident, f"<id-{len(self._ids) + 1}>")

    def _text(self, text: str) -> str:
        text = _DATED.sub("<file>-", text.replace(self._home, "<home>"))
        text = _ID.sub(lambda found: self._id(found[0]), text)
        return _MOMENT.sub(lambda found: found[0] if found[0].startswith("2026-0") else "<moment>", text)


def differences(
    real: list[Step], reference: list[Step], of_real: Placeholders, of_reference: Placeholders
) -> Iterator[Difference]:
    """Yield every field that differs, reply by reply and notification by notification."""
    for one, other in zip(real, reference, strict=True):
        sides = {
            "reply": (of_real.of(one.reply), of_reference.of(other.reply)),
            "heard": (of_real.of(one.heard), of_reference.of(other.heard)),
        }
        for name, (left, right) in sides.items():
            for where, a, b in _fields(left, right):
                yield Difference(one.name, one.method, f"{name}{where}", a, b, _short(one.sent, 160))


def _fields(real: Any, reference: Any) -> Iterator[tuple[str, str, str]]:
    if isinstance(real, dict) and isinstance(reference, dict):
        for key in {**real, **reference}:
            if key not in real or key not in reference:
                yield f".{key}", _short(real.get(key, _ABSENT)), _short(reference.get(key, _ABSENT))
            else:
                for where, a, b in _fields(real[key], reference[key]):
                    yield f".{key}{where}", a, b
    elif isinstance(real, list) and isinstance(reference, list) and len(real) == len(reference):
        for a, b in zip(real, reference, strict=True):
            name = f"[{a['method']}]" if isinstance(a, Mapping) and "method" in a else ".*"
            for where, x, y in _fields(a, b):
                yield f"{name}{where}", x, y
    elif real != reference or type(real) is not type(reference):
        yield "", _short(_outline(real)), _short(_outline(reference))


def _outline(value: Any) -> Any:
    """A list of another length is told by the names in it."""
    if isinstance(value, list):
        return [one.get("method", one.get("id", one)) if isinstance(one, Mapping) else one for one in value]
    return value


def _short(value: Any, size: int = 300) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= size else text[: size - 1] + "…"
