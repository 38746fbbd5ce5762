"""Does what Hive sends to a method and reads from it fit the schema that the target itself generates?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hive_gate.drift.bundle import Bundle, Part
from hive_gate.drift.mismatch import Mismatch
from hive_gate.drift.news import ReplyNews, news_in_reply
from hive_gate.drift.request import Request
from hive_gate.drift.resolve import Json, Scope, pointer
from hive_gate.drift.response import Response
from hive_gate.drift.shapes import ANYTHING, shapes
from hive_gate.drift.validate import Validator
from hive_gate.errors import ContractError

__all__ = ["Mismatch", "ReplyNews", "check_method", "news_in_reply"]


def check_method(
    method: str, hive_params: Json, hive_result: Json, bundle: Bundle, defs: Mapping[str, Any]
) -> list[Mismatch]:
    """Return where Hive's view of `method` and the target's own schema do not fit; empty if they do.

    Args:
        method: the method's name.
        hive_params: JSON Schema (2020-12) of what Hive sends; None or False if it sends no params.
        hive_result: JSON Schema of what Hive reads; None, True or `{}` if it reads nothing.
        bundle: what the target says about itself.
        defs: the contract's `$defs`, which the two schemas may refer to as `#/$defs/NAME`.

    Raises:
        ContractError: if Hive's schemas are not valid or refer to something that is not there.
        TargetError: if a file of the bundle is broken.
    """
    if method not in bundle.methods:
        return [Mismatch("request", "", "method-missing", f"`{method}`", "no such method")]
    params, result = bundle.methods[method], bundle.result(method)
    hive = Scope({"$defs": dict(defs)}, f"the contract's schemas for {method}", ContractError)
    # The comparison takes the forms of a schema on trust; the engine knows whether they are what they should be.
    for part in (params, result):
        if part is not None:
            Validator(part.whole(), part.where).prepare()
    for schema in (hive_params, hive_result):
        if schema is not None:
            whole = {"$defs": dict(defs), "allOf": [schema]}
            Validator(whole, hive.where, dialect="2020-12", error=ContractError).prepare()
    return _sent(hive_params, params, hive) + _read(method, hive_result, result, hive)


def _sent(params: Json, part: Part | None, hive: Scope) -> list[Mismatch]:
    scope = part.scope if part else Scope({}, "the target")
    # A method without params is one that takes null or nothing.
    allowed = part.schema if part else {"type": "null"}
    if params is not None and params is not False:
        return Request(hive, scope).compare(params, allowed, "")
    kinds = shapes(allowed, scope)
    if any(shape.type in ("null", ANYTHING) for shape in kinds):
        return []
    needed = sorted({name for shape in kinds for name in shape.required})
    return [
        Mismatch("request", pointer([name]), "request-field-required", "always sent", "does not send")
        for name in needed
    ]


def _read(method: str, result: Json, part: Part | None, hive: Scope) -> list[Mismatch]:
    if result is None or any(shape.type == ANYTHING for shape in shapes(result, hive)):
        return []
    if part is None:
        return [Mismatch("response", "", "result-unknown", f"`{method}`", "no schema of its result")]
    return Response(part.scope, hive).compare(part.schema, result, "")
