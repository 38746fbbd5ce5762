"""The home that both servers get a copy of: stored threads of every kind, written by hand, with fixed times."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

_STARTED = 1780308000
_WRITTEN = 1780394400
"""When the files were changed last, in seconds since the epoch: a day after they began."""

CONFIG = """\
model = "mock-model"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "read-only"

[model_providers.mock]
name = "mock"
base_url = "{base_url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[features]
plugins = false
"""

Record = tuple[str, Mapping[str, Any]]


def thread_id(number: int) -> str:
    """Return the id of a stored thread; they sort by number."""
    return f"01970000-0000-7000-8000-{number:012d}"


def turn(number: int, user: str, *said: tuple[str, str], ends: str = "completed") -> list[Record]:
    """Return the records of one turn; `said` are pairs of `agent` or `reasoning` and a text."""
    ident = f"0197aaaa-0000-7000-8000-{number:012d}"
    began = _STARTED + number * 60
    records: list[Record] = [
        event(
            "task_started",
            turn_id=ident,
            started_at=began,
            model_context_window=1000,
            collaboration_mode_kind="default",
        ),
        *user_said(user),
    ]
    for kind, text in said:
        if kind == "reasoning":
            records.append(event("agent_reasoning", text=text))
        else:
            records += agent_said(text)
    ended = {"turn_id": ident, "completed_at": began + 30, "duration_ms": 30_000}
    if ends == "completed":
        records.append(event("task_complete", last_agent_message=None, **ended))
    elif ends == "interrupted":
        records.append(event("turn_aborted", reason="interrupted", **ended))
    return records


def user_said(text: str) -> list[Record]:
    """Return the records of a user message."""
    return [
        ("response_item", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}),
        event("user_message", message=text, images=[], local_images=[], text_elements=[]),
    ]


def agent_said(text: str) -> list[Record]:
    """Return the records of an answer."""
    return [
        event("agent_message", message=text, phase=None),
        ("response_item", {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]}),
    ]


def event(kind: str, **members: Any) -> Record:
    """Return an event's record."""
    return "event_msg", {"type": kind, **members}


def _stamp(number: int) -> str:
    return f"2026-06-01T10:00:{number:02d}.000Z"


def write(home: Path, number: int, records: Iterable[Record], *, archived: bool = False, **meta: Any) -> None:
    """Write a stored thread."""
    ident = thread_id(number)
    first = {
        "id": ident, "timestamp": _stamp(number), "cwd": "/threads", "originator": "fidelity", "cli_version": "0.0.0",
        "source": "vscode", "model_provider": "mock", **meta,
    }  # fmt: skip
    folder = home / ("archived_sessions" if archived else "sessions/2026/06/01")
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-2026-06-01T10-00-{number:02d}-{ident}.jsonl"
    lines = [
        json.dumps({"timestamp": _stamp(number), "type": kind, "payload": one})
        for kind, one in [("session_meta", first), *records]
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    os.utime(path, (_WRITTEN + number, _WRITTEN + number))


def make(home: Path, without: Collection[str] = ()) -> dict[str, str]:
    """Write the stored threads, some left out, into a home and return the ids of all by name."""
    plain = [
        *turn(1, "hello", ("reasoning", "think"), ("agent", "hi")),
        *turn(2, "two", ("agent", "2a"), ("agent", "2b"), ends="interrupted"),
        *turn(3, "三つ目 \U0001f600", ("agent", "")),
        *turn(4, "open", ends="open"),
    ]
    threads: dict[str, tuple[list[Record], dict[str, Any]]] = {
        "plain": (plain, {}),
        "long": ([one for n in range(1, 31) for one in turn(n, f"q{n}", ("agent", f"a{n}"))], {}),
        "implicit": ([*user_said("one"), *agent_said("re one"), *user_said("two"), *agent_said("re two")], {}),
        "rolled": ([*turn(1, "kept", ("agent", "a")), *turn(2, "gone", ("agent", "b")),
                    event("thread_rolled_back", num_turns=1)], {}),
        "emptied": ([*turn(1, "gone", ("agent", "b")), event("thread_rolled_back", num_turns=9)], {}),
        "archived": (turn(1, "put away", ("agent", "x")), {"archived": True}),
        "foreign": (turn(1, "elsewhere", ("agent", "x")), {"model_provider": "other"}),
        "cli": (turn(1, "from the terminal", ("agent", "x")), {"source": "cli"}),
        "exec": (turn(1, "from exec", ("agent", "x")), {"source": "exec"}),
        "elsewhere": (turn(1, "another folder", ("agent", "x")), {"cwd": "/other", "git": {"branch": "main"}}),
        "silent": ([], {}),
        "work": ([one for n in range(1, 6) for one in turn(n, f"w{n}", ("agent", f"v{n}"))], {}),
        "paginated": (turn(1, "new ways", ("agent", "x")), {"history_mode": "paginated"}),
        "strange": (turn(1, "future ways", ("agent", "x")), {"history_mode": "bogus"}),
    }  # fmt: skip
    names = {}
    for number, (name, (records, meta)) in enumerate(threads.items(), 1):
        if name not in without:
            write(home, number, records, **meta)
        names[name] = thread_id(number)
    return names
