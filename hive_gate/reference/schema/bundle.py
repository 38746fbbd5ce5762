"""The folder of schemas: one file a type, and the unions of all requests and notifications."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hive_gate.reference.schema.entities import ENTITIES
from hive_gate.reference.schema.forms import Schema, enum, ref
from hive_gate.reference.schema.kinds import of_struct
from hive_gate.reference.schema.messages import NOTIFICATIONS, RESPONSES
from hive_gate.reference.server.methods import EXPERIMENTAL
from hive_gate.reference.server.params import PARAMS

_DRAFT = "http://json-schema.org/draft-07/schema#"
_REQUEST_ID: Schema = {"description": "Answered as it was sent.", "anyOf": [{"type": "string"}, {"type": "integer"}]}


def write(folder: Path, *, experimental: bool) -> None:
    """Write the files into a folder, which is made if need be; what is there is written over.

    Args:
        folder: where to.
        experimental: with the methods and members that need the experimental capability.

    Raises:
        OSError: a file cannot be written.
    """
    for name, document in documents(experimental=experimental).items():
        path = folder / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def documents(*, experimental: bool) -> Mapping[str, Schema]:
    """Return the files by their path without suffix."""
    params = {
        method: (struct.name, of_struct(struct, experimental=experimental))
        for method, struct in PARAMS.items()
        if experimental or method not in EXPERIMENTAL
    }
    found = {
        "ClientRequest": _union("ClientRequest", params, "Every request that the server takes.", ident=True),
        "ServerNotification": _union("ServerNotification", NOTIFICATIONS, "All that the server tells by itself."),
        # It asks its client nothing: no message is valid here.
        "ServerRequest": _document("ServerRequest", {"description": "The server asks nothing.", "oneOf": []}),
    }
    for name, schema in [*params.values(), *NOTIFICATIONS.values()]:
        found[f"{_folder(name)}/{name}"] = _document(name, schema)
    for name, _ in params.values():
        answer = name.removesuffix("Params") + "Response"
        found[f"{_folder(answer)}/{answer}"] = _document(answer, RESPONSES[answer])
    return found


def _folder(name: str) -> str:
    """Return the generation of the protocol that a type belongs to."""
    return "v1" if name.startswith("Initialize") else "v2"


def _union(name: str, messages: Mapping[str, tuple[str, Schema]], about: str, *, ident: bool = False) -> Schema:
    head = {"id": ref("RequestId")} if ident else {}
    branches = [
        {
            "title": f"{method[:1].upper()}{method[1:]}{name.removeprefix('Client').removeprefix('Server')}",
            "type": "object",
            "required": [*head, "method", "params"],
            "properties": {**head, "method": enum(method), "params": ref(params)},
        }
        for method, (params, _) in messages.items()
    ]
    return _document(name, {"description": about, "oneOf": branches}, dict(messages.values()))


def _document(name: str, schema: Schema, more: Mapping[str, Schema] | None = None) -> Schema:
    """Return a schema as a file of its own, with the definitions that it needs, directly or through others."""
    known: Mapping[str, Schema] = {**ENTITIES, "RequestId": _REQUEST_ID, **(more or {})}
    needed: dict[str, Schema] = {}
    waiting = list(_references(schema))
    while waiting:
        wanted = waiting.pop()
        if wanted not in needed:
            needed[wanted] = known[wanted]
            waiting += _references(known[wanted])
    definitions = {"definitions": dict(sorted(needed.items()))} if needed else {}
    return {"$schema": _DRAFT, "title": name, **schema, **definitions}


def _references(value: Any) -> Iterator[str]:
    match value:
        case {"$ref": str(target)}:
            yield target.rpartition("/")[2]
        case dict():
            for one in value.values():
                yield from _references(one)
        case list():
            for one in value:
                yield from _references(one)
