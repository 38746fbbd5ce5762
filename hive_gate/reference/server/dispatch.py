"""From a request to its handler, through the checks that come before every method, in the real server's order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hive_gate.reference.server import filing, handshake, listing, reading, resuming, rollback, starting, turns
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.errors import INTERNAL, UNSUPPORTED, RpcError
from hive_gate.reference.server.lines import Request
from hive_gate.reference.server.methods import EXPERIMENTAL, METHODS
from hive_gate.reference.server.params import PARAMS, experimental_use
from hive_gate.reference.server.serde import DecodeError, unknown_variant

Handler = Callable[[Core, Asked], None]

HANDLERS: Mapping[str, Handler] = {
    "initialize": handshake.initialize,
    "thread/start": starting.start,
    "thread/resume": resuming.resume,
    "thread/fork": starting.fork,
    "thread/archive": filing.archive,
    "thread/unarchive": filing.unarchive,
    "thread/unsubscribe": resuming.unsubscribe,
    "thread/name/set": filing.set_name,
    "thread/rollback": rollback.rollback,
    "thread/list": listing.threads,
    "thread/loaded/list": listing.loaded_threads,
    "thread/read": reading.read,
    "thread/turns/list": reading.turns_list,
    "thread/turns/items/list": reading.items_list,
    "turn/start": turns.start,
    "turn/steer": turns.steer,
    "turn/interrupt": turns.interrupt,
}


def handle(core: Core, request: Request) -> None:
    """Answer or refuse a request; some are answered later."""
    with core.lock:
        try:
            params = _decoded(request)
            asked = Asked(request.id, params, core.out)
            _admit(core, request.method, params)
            if request.method != "thread/rollback":
                rollback.finish_all(core)
            HANDLERS[request.method](core, asked)
        except RpcError as error:
            core.out.error(request.id, error.body())
        except Exception as error:
            # A fault of the reference itself; it says so and goes on, as a server has to.
            told = RpcError(f"the reference server failed: {type(error).__name__}: {error}", INTERNAL)
            core.out.error(request.id, told.body())


def _decoded(request: Request) -> Mapping[str, Any]:
    if request.method not in METHODS:
        raise RpcError(f"Invalid request: {unknown_variant(request.method, METHODS)}")
    if request.method not in HANDLERS:
        raise RpcError(f"{request.method} is not offered by the reference server", UNSUPPORTED)
    try:
        if request.params is None:
            raise DecodeError("missing field `params`")  # noqa: TRY301 - one text for all that cannot be decoded
        _check_numbers(request.params)
        return PARAMS[request.method].decode(request.params)
    except DecodeError as error:
        raise RpcError(f"Invalid request: {error}") from error


def _admit(core: Core, method: str, params: Mapping[str, Any]) -> None:
    if method == "initialize":
        return
    if core.client is None:
        raise RpcError("Not initialized")
    use = method if method in EXPERIMENTAL else experimental_use(method, params)
    if use is not None and not core.experimental:
        raise RpcError(f"{use} requires experimentalApi capability")


def _check_numbers(params: Any) -> None:
    for value in _numbers(params):
        if value >= 1 << 64:
            raise DecodeError(f"invalid type: integer `{value}` as u128, expected any value")
        if value < -(1 << 63):
            raise DecodeError(f"invalid type: integer `{value}` as i128, expected any value")


def _numbers(value: Any) -> Iterator[int]:
    match value:
        case dict():
            for member in value.values():
                yield from _numbers(member)
        case list():
            for member in value:
                yield from _numbers(member)
        case int():
            yield value
