"""A client that sends a script's steps and keeps what came back, step by step."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.fidelity.model import ScriptedModel

NOISE = frozenset(
    {"configWarning", "warning", "remoteControl/status/changed", "account/rateLimits/updated", "thread/goal/cleared"}
)
"""Notifications about the machine, the account and features that Hive does not use."""

_PATIENCE = 15.0
"""Seconds to wait for a reply."""
_QUIET = 0.1
"""Seconds of silence after which a step that may have news is over; what follows a reply comes at once."""
_SILENT = frozenset(
    {"initialize", "thread/read", "thread/list", "thread/loaded/list", "thread/turns/list", "thread/turns/items/list"}
)
"""Methods after whose reply there is no news."""


@dataclass(slots=True)
class Step:
    """What one step got."""

    name: str
    method: str
    sent: Any
    reply: Any = None
    """The `result` or `{"error": ...}`; None if there is no reply."""
    heard: list[Any] = field(default_factory=list)
    """The notifications since the step before, noise left out."""


class Server:
    """A running server and the client's end of it."""

    def __init__(self, command: Sequence[str], home: Path) -> None:
        dead = "http://127.0.0.1:9"
        environment = {
            "PATH": os.environ.get("PATH", ""), "HOME": str(home), "CODEX_HOME": str(home), "HTTP_PROXY": dead,
            "HTTPS_PROXY": dead, "ALL_PROXY": dead, "NO_PROXY": "127.0.0.1,localhost", "TZ": "UTC",
        }  # fmt: skip
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, cwd=home
        )
        self._came: queue.Queue[Any] = queue.Queue()
        self._ids = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._came.put(json.loads(line))
        self._came.put(None)

    def send(self, line: str) -> None:
        """Send a line as it is."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")
        self._process.stdin.flush()

    def request(self, method: str, params: Any) -> int:
        """Send a request and return its id; params that are the text `<none>` are left out."""
        self._ids += 1
        given = {} if params == "<none>" else {"params": params}
        self.send(json.dumps({"id": self._ids, "method": method, **given}))
        return self._ids

    def next(self) -> Any:
        """Return the next message."""
        message = self._came.get(timeout=_PATIENCE)
        if message is None:
            raise EOFError("the server ended")
        return message

    def wait(self, ids: Sequence[Any], until: str | None, heard: list[Any], *, silent: bool = False) -> dict[Any, Any]:
        """Read until all requests are answered and the notification `until` came; return the replies by id.

        Then go on until nothing more comes, unless nothing can: `silent`, or every request was refused.
        """
        replies: dict[Any, Any] = {}
        seen = until is None
        while not seen or len(replies) < len(ids):
            message = self.next()
            if "method" not in message:
                if message["id"] in ids:
                    body = message["result"] if "result" in message else {"error": message["error"]}
                    replies[message["id"]] = body
                    heard.append("<reply>")
            elif message["method"] not in NOISE:
                heard.append(message)
                seen = seen or message["method"] == until
        while not silent and not all(isinstance(one, dict) and "error" in one for one in replies.values()):
            try:
                message = self._came.get(timeout=_QUIET)
            except queue.Empty:
                break
            if message is not None and message.get("method", "thread/goal/cleared") not in NOISE:
                heard.append(message)
        return replies

    def stop(self) -> None:
        """End the server by the end of its input."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        finally:
            self._process.kill()
            self._process.wait()
            self._reader.join()
            if self._process.stdout is not None:
                self._process.stdout.close()


def play(
    command: Sequence[str],
    home: Path,
    script: Sequence[Mapping[str, Any]],
    names: Mapping[str, str],
    model: ScriptedModel,
) -> Iterator[Step]:
    """Send a script to a server on a home and yield what each step got."""
    server, known = Server(command, home), dict(names)
    try:
        for number, raw in enumerate(script, 1):
            step = fill(raw, known)
            if "model" in step:
                {"hold": model.hold, "release": model.release}.get(step["model"], lambda: None)()
                if step["model"] not in ("hold", "release"):
                    model.mode = step["model"]
                continue
            if step.get("restart"):
                server.stop()
                server = Server(command, home)
                continue
            got = _one(server, number, step)
            for name, path in raw.get("capture", {}).items():
                known[name] = pick(got.reply, path)
            yield got
    finally:
        server.stop()


def _one(server: Server, number: int, step: Mapping[str, Any]) -> Step:
    heard: list[Any] = []
    if "raw" in step:
        got = Step(f"{number}", "raw", step["raw"])
        server.send(step["raw"])
        # A line that gets no reply is seen by the reply to the next one.
        ids = [step["reply"]] if "reply" in step else [server.request("thread/loaded/list", {})]
        replies = server.wait(ids, None, heard, silent=True)
        got.reply = replies[ids[0]]
    elif "together" in step:
        got = Step(f"{number}", step["together"][0]["call"], step["together"])
        ids = [server.request(one["call"], one["params"]) for one in step["together"]]
        replies = server.wait(ids, step.get("until"), heard)
        got.reply = [replies[one] for one in ids]
    else:
        got = Step(f"{number}", step["call"], step["params"])
        ident = server.request(step["call"], step["params"])
        silent = step["call"] in _SILENT
        got.reply = server.wait([ident], step.get("until"), heard, silent=silent)[ident]
    got.heard = heard
    return got


def fill(value: Any, known: Mapping[str, str]) -> Any:
    """Return a step with `${name}` replaced."""
    if isinstance(value, str):
        for name, text in known.items():
            value = value.replace("${" + name + "}", text)
        return value
    if isinstance(value, list):
        return [fill(one, known) for one in value]
    if isinstance(value, dict):
        return {key: fill(one, known) for key, one in value.items()}
    return value


def pick(value: Any, path: str) -> str:
    """Return the text at a path such as `thread.id` or `data.0.id`."""
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return str(value)
