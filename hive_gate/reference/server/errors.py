"""What a request is refused with."""

from __future__ import annotations

from typing import Any

from hive_gate.reference.store.errors import Internal, ThreadStoreError, Unsupported

INVALID_REQUEST = -32600
"""Also for unknown methods and for params that cannot be decoded."""
UNSUPPORTED = -32601
INVALID_PARAMS = -32602
INTERNAL = -32603


class RpcError(Exception):
    """An error reply.

    Args:
        message: the text, as the real server words it.
        code: one of the constants of this module.
        data: machine-readable detail; None leaves it out.
    """

    def __init__(self, message: str, code: int = INVALID_REQUEST, data: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.data = data

    def body(self) -> dict[str, Any]:
        """Return the `error` member of the reply."""
        detail = {} if self.data is None else {"data": self.data}
        return {"code": self.code, **detail, "message": self.message}


def refusal(error: ThreadStoreError, doing: str) -> RpcError:
    """Return the reply for what the store raised.

    Args:
        error: the store's error.
        doing: what failed, put before the text of a fault of the store itself, such as `failed to read thread`.
    """
    if isinstance(error, Unsupported):
        return RpcError(str(error), UNSUPPORTED)
    if isinstance(error, Internal):
        return RpcError(f"{doing}: thread-store internal error: {error}", INTERNAL)
    return RpcError(str(error))
