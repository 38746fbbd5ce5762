from __future__ import annotations

from pathlib import Path

from hive_gate.reference.server.dispatch import HANDLERS
from hive_gate.reference.server.methods import METHODS
from hive_gate.reference.server.params import PARAMS
from hive_gate.reference.store.memory import MemoryThreadStore

from .conftest import Server, serve

_NOBODY = "00000000-0000-7000-8000-000000000000"


def test_every_offered_method_is_known_and_has_its_params() -> None:
    assert set(HANDLERS) == set(PARAMS)
    assert set(HANDLERS) <= set(METHODS)


def test_an_unknown_method_is_refused_with_all_known_ones(server: Server) -> None:
    code, message = server.refusal("no/such/method")
    assert code == -32600
    assert message.startswith(
        "Invalid request: unknown variant `no/such/method`, expected one of `initialize`, `thread/"
    )
    assert message.endswith("`fuzzyFileSearch/sessionStop`")


def test_a_known_method_that_is_not_offered_says_so(server: Server) -> None:
    assert server.refusal("model/list") == (-32601, "model/list is not offered by the reference server")


def test_params_are_judged_before_the_handshake_and_the_handshake_before_the_capability(tmp_path: Path) -> None:
    server = serve(tmp_path, MemoryThreadStore(), experimental=False)
    server.core.client = None
    assert server.refusal("thread/turns/list", {}) == (-32600, "Invalid request: missing field `threadId`")
    assert server.refusal("thread/turns/list", {"threadId": "bad"}) == (-32600, "Not initialized")
    server.core.client = "test"
    gated = (-32600, "thread/turns/list requires experimentalApi capability")
    assert server.refusal("thread/turns/list", {"threadId": "bad"}) == gated
    page = (-32600, "thread/resume.initialTurnsPage requires experimentalApi capability")
    assert server.refusal("thread/resume", {"threadId": _NOBODY, "initialTurnsPage": {}}) == page


def test_a_second_handshake_is_refused(server: Server) -> None:
    info = {"clientInfo": {"name": "again", "version": "1"}}
    assert server.refusal("initialize", info) == (-32600, "Already initialized")


def test_numbers_beyond_64_bits_are_refused(server: Server) -> None:
    told = f"Invalid request: invalid type: integer `{1 << 64}` as u128, expected any value"
    assert server.refusal("thread/read", {"threadId": "x", "other": [1 << 64]}) == (-32600, told)


def test_a_fault_of_the_server_is_an_internal_error_and_the_server_goes_on(server: Server) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("on purpose")

    server.core.store.list_threads = broken  # type: ignore[method-assign,assignment]
    code, message = server.refusal("thread/list")
    assert (code, message) == (-32603, "the reference server failed: RuntimeError: on purpose")
    assert server.result("thread/loaded/list") == {"data": [], "nextCursor": None}
