"""The model that both servers ask: on loopback, doing what the script says."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_USAGE = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}


class ScriptedModel:
    """Answers `answer to <what was said last>` by default; a context manager that serves between enter and exit."""

    def __init__(self) -> None:
        self.mode = "answer"
        """`answer`, `fail` (status 500), `break` (the stream ends too early) or `hold` (answer after `release`)."""
        self.asked: list[Any] = []
        """The requests' `input`, oldest first."""
        self._go = threading.Event()

    def release(self) -> None:
        """Let a held answer go; later ones come at once."""
        self.mode = "answer"
        self._go.set()

    def hold(self) -> None:
        """Hold answers from now on."""
        self._go.clear()
        self.mode = "hold"

    def __enter__(self) -> ScriptedModel:
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                self._send(404, b"{}", "application/json")

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)))
                mode = model.mode
                model.asked.append(body["input"])
                if mode == "hold":
                    model._go.wait(20)
                if mode == "fail":
                    self._send(500, b'{"error":{"message":"told to fail"}}', "application/json")
                else:
                    said = body["input"][-1]["content"][0].get("text", "") if body["input"] else ""
                    self._send(200, _stream(f"answer to {said[:6]}", whole=mode != "break"), "text/event-stream")

            def _send(self, status: int, body: bytes, kind: str) -> None:
                try:
                    self.send_response(status)
                    self.send_header("content-type", kind)
                    self.send_header("content-length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # an interrupted turn hangs up

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        self.base_url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self._go.set()
        self._server.shutdown()
        self._server.server_close()


def _stream(text: str, *, whole: bool) -> bytes:
    message = {"type": "message", "role": "assistant", "id": "msg", "content": [{"type": "output_text", "text": text}]}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": {"id": "r"}}]
    if whole:
        events.append({"type": "response.output_item.done", "item": message})
        events.append({"type": "response.completed", "response": {"id": "r", "usage": _USAGE}})
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events).encode()
