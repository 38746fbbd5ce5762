"""The stand-in for the model: an HTTP server on loopback that answers turns as it is told.

It speaks as much of the Responses API as a turn needs: `POST …/responses` is answered with a stream of server-sent
events: created, one finished assistant message for each answer, completed. Seen in runs: codex 0.120 to 0.171 take it.
One stand-in serves all homes of a run; each home has its own path, so turns of parallel servers do not mix.
"""

from __future__ import annotations

import json
import socket
import threading
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Literal

from hive_gate.errors import TargetError

Answer = str | Mapping[str, Any]
"""What the model says: the text of a message, or an output item as it is, such as a call of a tool."""

Script = tuple[Answer, ...] | Literal["waits"] | None
"""The answers of one request; None: it fails with status 500; `waits`: it is answered once it is released."""

_PATIENCE = 60.0
"""Seconds after which a turn that waits is answered all the same: no server hangs on the gate for ever."""

_USAGE = {
    "input_tokens": 1,
    "input_tokens_details": None,
    "output_tokens": 1,
    "output_tokens_details": None,
    "total_tokens": 2,
}


class _LoopbackServer(ThreadingHTTPServer):
    daemon_threads = True

    def server_bind(self) -> None:
        # HTTPServer would look its own name up, which may ask a name server: nothing here leaves loopback.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: a server that is stopped in the middle of a turn hangs up, and that is no fault."""


class StandIn:
    """A context manager: the server runs between enter and exit."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._scripts: dict[str, deque[Script]] = defaultdict(deque)
        self._requests: dict[str, list[Any]] = defaultdict(list)
        self._released: dict[str, threading.Event] = defaultdict(threading.Event)
        self._server: _LoopbackServer | None = None

    def __enter__(self) -> StandIn:
        stand_in = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base's name
                pass  # never on the user's terminal

            def do_GET(self) -> None:
                self._send(404, b"{}", "application/json")

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length") or 0))
                key = self.path.split("/")[1]
                script = stand_in._next(key, body)
                if script == "waits":
                    stand_in._wait(key)
                    script = ("OK.",)
                if script is None:
                    self._send(500, b'{"error":{"message":"the stand-in fails as told"}}', "application/json")
                else:
                    self._send(200, _events(script), "text/event-stream")

            def _send(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = _LoopbackServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self._check()
        return self

    def _check(self) -> None:
        """See that loopback can be used: else turns would fail, and a good server would be blamed for it."""
        try:
            with socket.create_connection(("127.0.0.1", int(self._server.server_address[1])), timeout=5):  # type: ignore[union-attr]
                return
        except OSError as error:
            self.__exit__(None, None, None)  # nobody else will: the context was never entered
            raise TargetError(
                f"loopback cannot be used on this machine: {error.strerror or error}",
                where="127.0.0.1, where the stand-in for the model answers",
                hint="bring it up: ip link set lo up",
            ) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            for released in self._released.values():
                released.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def base_url(self, key: str) -> str:
        """Return the base URL for the home with this key (letters, digits, hyphens)."""
        if self._server is None:
            raise RuntimeError("the stand-in is not running")
        return f"http://127.0.0.1:{self._server.server_address[1]}/{key}/v1"

    def script(self, key: str, answers: Script) -> None:
        """Say how the next turn of a home is answered; a turn without a script is answered with `OK.`."""
        with self._lock:
            self._scripts[key].append(answers)

    def requests(self, key: str) -> list[Any]:
        """Return the parsed bodies of a home's requests so far, oldest first."""
        with self._lock:
            return list(self._requests[key])

    def release(self, key: str) -> None:
        """Let the turn of a home that waits be answered."""
        with self._lock:
            self._released[key].set()

    def _wait(self, key: str) -> None:
        with self._lock:
            released = self._released[key]
        released.wait(_PATIENCE)
        released.clear()

    def _next(self, key: str, body: bytes) -> Script:
        with self._lock:
            try:
                self._requests[key].append(json.loads(body))
            except ValueError:
                self._requests[key].append(None)
            scripts = self._scripts[key]
            return scripts.popleft() if scripts else ("OK.",)


def _item(number: int, answer: Answer) -> Mapping[str, Any]:
    if not isinstance(answer, str):
        return answer
    content = [{"type": "output_text", "text": answer}]
    return {"type": "message", "role": "assistant", "id": f"msg-{number}", "content": content}


def _events(answers: Sequence[Answer]) -> bytes:
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": "resp-1"}}]
    events += [
        {"type": "response.output_item.done", "item": _item(number, answer)} for number, answer in enumerate(answers, 1)
    ]
    events.append({"type": "response.completed", "response": {"id": "resp-1", "usage": _USAGE}})
    return "".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode()
