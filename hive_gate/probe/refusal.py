"""Whether an answer is the error that a clause expects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from hive_gate.contract.names import fill
from hive_gate.probe.seen import error_phrase, preview, reply_phrase
from hive_gate.report.model import Finding
from hive_gate.wire.transcript import Exchange


def filled(expect: Mapping[str, Any], names: Mapping[str, Any]) -> dict[str, Any]:
    """Return an expectation with its names filled in; in a pattern a value stands for itself, whatever it holds."""
    filled: dict[str, Any] = fill(dict(expect), names)
    pattern = expect.get("error", {}).get("message")
    if pattern is not None:
        filled["error"]["pattern"] = str(fill(pattern, _Literal(names)))
    return filled


class _Literal(Mapping[str, Any]):
    """Names whose values are escaped for a pattern."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self._names = names

    def __getitem__(self, name: str) -> Any:
        value = self._names[name]
        return _Literal(value) if isinstance(value, Mapping) else re.escape(str(value))

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def error_findings(
    body: dict[str, Any], expected: Mapping[str, Any], exchange: Exchange, index: int
) -> Iterator[Finding]:
    """Yield what is wrong with an answer that should be an error; `expected` comes from :func:`filled`."""
    wanted = _wanted_error(expected)
    error = body.get("error")
    if not isinstance(error, dict):
        yield Finding("error", wanted, f"no error: {reply_phrase(body)}", index, None, exchange.reply)
        return
    code, message = error.get("code"), error.get("message")
    code_differs = "code" in expected and code != expected["code"]
    text_differs = "message" in expected and (
        not isinstance(message, str) or re.search(expected["pattern"], message) is None
    )
    well_formed = isinstance(code, int) and not isinstance(code, bool) and isinstance(message, str)
    if code_differs or text_differs or not well_formed:
        yield Finding("error", wanted, error_phrase(error), index, "/error", exchange.reply)


def _wanted_error(expected: Mapping[str, Any]) -> str:
    code = f"error {expected['code']}" if "code" in expected else "an error"
    return f"{code} matching {preview(expected['message'])}" if "message" in expected else code
