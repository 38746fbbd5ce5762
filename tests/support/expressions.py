"""The expressions of GitHub workflows, as far as ours use them; whatever else is refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

_TOKEN = re.compile(r"\s*('(?:[^']|'')*'|&&|\|\||[!=]=|!|[(),]|[A-Za-z_][\w.-]*)")
_EMBEDDED = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)

Functions = Mapping[str, Callable[..., Any]]


def expand(text: Any, contexts: Mapping[str, Any], functions: Functions) -> Any:
    """Return a value of the file with its expressions evaluated, also within lists and maps.

    What is one expression and nothing else keeps its type, as the matrix needs it.
    """
    if isinstance(text, Mapping):
        return {name: expand(value, contexts, functions) for name, value in text.items()}
    if isinstance(text, list):
        return [expand(value, contexts, functions) for value in text]
    if not isinstance(text, str):
        return text
    whole = _EMBEDDED.fullmatch(text.strip())
    if whole and "${{" not in whole[1]:
        return evaluate(whole[1], contexts, functions)
    return _EMBEDDED.sub(lambda found: _text(evaluate(found[1], contexts, functions)), text)


def evaluate(text: str, contexts: Mapping[str, Any], functions: Functions) -> Any:
    """Return what an expression amounts to.

    Args:
        text: without the braces.
        contexts: `github`, `needs` and so on. What they do not have is an error, except in `inputs`, which is empty
            where nobody gave any.
        functions: by name, beside `fromJSON`.
    """
    return _Reader(text, contexts, {"fromJSON": json.loads, **functions}).read()


def truth(value: Any) -> bool:
    """Return what GitHub takes a value for in a condition."""
    return value not in (None, False, "", 0)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


class _Reader:
    """Reads one expression, the loosest operator first."""

    def __init__(self, text: str, contexts: Mapping[str, Any], functions: Functions) -> None:
        self._tokens = _tokens(text)
        self._contexts = contexts
        self._functions = functions

    def read(self) -> Any:
        value = self._or()
        assert not self._tokens, f"not understood: {self._tokens}"
        return value

    def _take(self, *wanted: str) -> str | None:
        return self._tokens.pop(0) if self._tokens and (not wanted or self._tokens[0] in wanted) else None

    def _or(self) -> Any:
        value = self._and()
        while self._take("||"):
            other = self._and()
            value = value if truth(value) else other
        return value

    def _and(self) -> Any:
        value = self._equal()
        while self._take("&&"):
            other = self._equal()
            value = other if truth(value) else value
        return value

    def _equal(self) -> Any:
        value = self._value()
        while sign := self._take("==", "!="):
            value = (_text(value).lower() == _text(self._value()).lower()) is (sign == "==")
        return value

    def _value(self) -> Any:
        token = self._take()
        assert token is not None, "the expression ends too early"
        if token == "!":
            return not truth(self._value())
        if token == "(":
            value = self._or()
            assert self._take(")")
            return value
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if self._take("("):
            return self._call(token)
        return self._look_up(token)

    def _call(self, name: str) -> Any:
        given = []
        while not self._take(")"):
            given.append(self._or())
            self._take(",")
        return self._functions[name](*given)

    def _look_up(self, path: str) -> Any:
        name, *members = path.split(".")
        value = self._contexts[name]
        for member in members:
            value = value.get(member, "") if name == "inputs" else value[member]
        return value


def _tokens(text: str) -> list[str]:
    tokens, at = [], 0
    while text[at:].strip():
        found = _TOKEN.match(text, at)
        assert found, f"not understood: {text[at:]!r}"
        tokens.append(found[1])
        at = found.end()
    return tokens
