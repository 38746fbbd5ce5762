"""The folder of JSON Schemas that a target generates, by method."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from hive_gate.drift.naming import RESULT, result_name
from hive_gate.drift.resolve import Json, Scope, pointer, standalone
from hive_gate.drift.sharpen import closed_strings
from hive_gate.drift.validate import SchemaError, Validator
from hive_gate.errors import TargetError

_REQUESTS, _NOTIFICATIONS, _SERVER_REQUESTS = "ClientRequest", "ServerNotification", "ServerRequest"
_CLIENT_NOTIFICATIONS = "ClientNotification"
# The newest generation of the protocol wins where a name is in more than one folder.
_FOLDERS = ("", "v1", "v2")
_HINT = "Generate the schemas again with the target's own program, or name another source for them."


@dataclass(frozen=True, slots=True)
class Part:
    """One schema of the bundle, in the document whose definitions it refers to."""

    schema: Json
    scope: Scope
    pointer: str
    """Where it is in its document."""

    @property
    def where(self) -> str:
        """Its file and JSON pointer, as errors name them."""
        return f"{self.scope.where}#{self.pointer}"

    @property
    def name(self) -> str:
        """The name of its file, without the suffix."""
        return Path(self.scope.where).stem

    def whole(self) -> Json:
        """Return it as a document of its own, with just the definitions that it needs."""
        return self.schema if self.pointer == "" else standalone(self.schema, self.scope)


@dataclass(frozen=True, slots=True)
class Unchecked:
    """Nothing was checked, and why: never to be taken for "no errors" (it is true where a list of none is not)."""

    method: str
    why: Literal["method-unknown", "no-schema"]
    """`method-unknown`: the target has no such method. `no-schema`: it has, but what this is like is not stated."""


class Bundle:
    """What a target says about itself; files are read and compiled when they are first needed.

    Any property or method may raise :class:`TargetError` if a file that it needs turns out to be broken.
    """

    def __init__(self, folder: Path, files: Mapping[str, Path]) -> None:
        self.folder = folder
        self._files = files
        self._documents: dict[str, Json] = {}
        self._results: dict[str, Part | None] = {}
        self._answers: dict[str, Part | None] = {}
        self._validators: dict[tuple[str, str], Validator] = {}

    @classmethod
    def load(cls, folder: Path) -> Bundle:
        """Open the bundle in `folder`; only the names of its files are read.

        Raises:
            TargetError: if it is not a folder with the files of all client requests, server notifications and server
                requests.
        """
        files = {file.stem: file for sub in _FOLDERS for file in sorted((folder / sub).glob("*.json"))}
        for name in (_REQUESTS, _NOTIFICATIONS, _SERVER_REQUESTS):
            if name not in files:
                raise TargetError(
                    f"The target's schemas are not complete: there is no {name}.json.", where=str(folder), hint=_HINT
                )
        return cls(folder, files)

    @cached_property
    def methods(self) -> Mapping[str, Part | None]:
        """The client's methods, each with the schema of its params; None where it has none."""
        return self._union(_REQUESTS)

    @cached_property
    def notifications(self) -> Mapping[str, Part | None]:
        """The server's notifications, each with the schema of its params; None where it has none."""
        return self._union(_NOTIFICATIONS)

    @cached_property
    def server_requests(self) -> Mapping[str, Part | None]:
        """The methods by which the server asks the client, each with the schema of its params."""
        return self._union(_SERVER_REQUESTS)

    @cached_property
    def client_notifications(self) -> Mapping[str, Part | None]:
        """What the client tells the server, each with the schema of its params; empty if the bundle does not say."""
        return self._union(_CLIENT_NOTIFICATIONS) if _CLIENT_NOTIFICATIONS in self._files else MappingProxyType({})

    @cached_property
    def methods_without_result(self) -> tuple[str, ...]:
        """The client's methods whose result has no schema that its name leads to (see :mod:`.naming`)."""
        return tuple(method for method in self.methods if self.result(method) is None)

    @cached_property
    def spare_results(self) -> tuple[str, ...]:
        """The files (no suffix) that are named like results and that no method's name leads to."""
        found = (*map(self.result, self.methods), *map(self.answer, self.server_requests))
        led_to = {part.name for part in found if part is not None}
        return tuple(sorted(name for name in self._files if name.endswith(RESULT) and name not in led_to))

    def file(self, name: str) -> Part | None:
        """Return the schema in the file of this name (no suffix); None if there is no such file."""
        return Part(self._document(name), self._scope(name), "") if name in self._files else None

    def result(self, method: str) -> Part | None:
        """Return the schema of the method's result; None if the method or its schema is not known."""
        return self._result(method, self.methods, self._results)

    def answer(self, method: str) -> Part | None:
        """Return the schema of what the client answers to the server's `method`; None if that is not known."""
        return self._result(method, self.server_requests, self._answers)

    def _result(self, method: str, methods: Mapping[str, Part | None], known: dict[str, Part | None]) -> Part | None:
        if method not in methods:
            return None
        if method not in known:
            params = methods[method]
            name = result_name(method, params.schema if params else None, self._files)
            known[method] = self.file(name) if name else None
        return known[method]

    def reply_errors(self, method: str, result: Json) -> list[SchemaError] | Unchecked:
        """Check the result of a reply to the client's `method`; an empty list means that it is valid."""
        if method not in self.methods:
            return Unchecked(method, "method-unknown")
        return self._check("result", method, self.result(method), result)

    def notification_errors(self, method: str, params: Json) -> list[SchemaError] | Unchecked:
        """Check the params of a notification from the server; an empty list means that they are valid."""
        if method not in self.notifications:
            return Unchecked(method, "method-unknown")
        return self._check("notification", method, self.notifications[method], params)

    def server_request_errors(self, method: str, params: Json) -> list[SchemaError] | Unchecked:
        """Check the params of a request from the server; an empty list means that they are valid."""
        if method not in self.server_requests:
            return Unchecked(method, "method-unknown")
        return self._check("server-request", method, self.server_requests[method], params)

    def _check(self, kind: str, method: str, part: Part | None, value: Json) -> list[SchemaError] | Unchecked:
        if part is None:
            return Unchecked(method, "no-schema")
        key = (kind, method)
        if key not in self._validators:
            self._validators[key] = Validator(part.whole(), part.where)
        return self._validators[key].errors(value)

    def _union(self, name: str) -> Mapping[str, Part | None]:
        document, scope = self._document(name), self._scope(name)
        keyword = "oneOf" if "oneOf" in document else "anyOf"
        branches = document.get(keyword)
        if not isinstance(branches, list):
            raise self._broken(name, "", "it is not a union of messages")
        found: dict[str, Part | None] = {}
        for index, branch in enumerate(branches):
            properties = branch.get("properties") if isinstance(branch, dict) else None
            here = pointer([keyword, index, "properties"])
            methods = closed_strings(properties.get("method")) if isinstance(properties, dict) else []
            if not isinstance(properties, dict) or not methods:
                raise self._broken(name, here, "this message has no constant for its method")
            params = properties.get("params")
            for method in methods:
                found[method] = None if params is None else Part(params, scope, here + "/params")
        return MappingProxyType(found)

    def _scope(self, name: str) -> Scope:
        return Scope(self._document(name), str(self._files[name]))

    def _document(self, name: str) -> Json:
        if name not in self._documents:
            try:
                document = json.loads(self._files[name].read_bytes())
            except OSError as fault:
                raise self._broken(name, "", f"it cannot be read ({fault.strerror})") from fault
            except (ValueError, RecursionError) as fault:
                raise self._broken(name, "", f"it is not JSON ({fault})") from fault
            if not isinstance(document, dict):
                raise self._broken(name, "", "it is not an object")
            self._documents[name] = document
        return self._documents[name]

    def _broken(self, name: str, at: str, why: str) -> TargetError:
        return TargetError(
            f"A schema of the target cannot be used: {why}.", where=f"{self._files[name]}#{at}", hint=_HINT
        )
