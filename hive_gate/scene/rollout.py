"""Stored threads in the server's own file format, written by hand.

A thread is a file `sessions/YYYY/MM/DD/rollout-<time>-<thread id>.jsonl` (or flat in `archived_sessions/`) with one
record `{timestamp, type, payload}` a line: first `session_meta`, then for each turn its events and, beside them, the
items as the model saw them. Seen in runs: every codex from 0.125 to 0.171 lists, reads, pages and resumes such a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hive_gate.scene.truth import ThreadTruth, TurnRecipe

PROVIDER = "stand-in"
"""Model provider of every stored thread; a resume fails unless the configuration names it."""

_EPOCH = datetime(2026, 6, 1, 10, 0, 0, tzinfo=UTC)
_TURN_SECONDS = 60
_ANSWER_SECONDS = 30

Record = tuple[str, dict[str, Any]]


def thread_id(*parts: str) -> str:
    """Return a UUID (version 7 in form) that is the same in every run for the same scene, clause and thread."""
    digest = hashlib.sha256("/".join(parts).encode()).hexdigest()
    return f"01970000-{digest[:4]}-7{digest[4:7]}-8{digest[7:10]}-{digest[10:22]}"


def turn_id(thread: str, index: int) -> str:
    """Return the id of a thread's turn; ids grow with the index, as the server's own do."""
    digest = hashlib.sha256(f"{thread}#{index}".encode()).hexdigest()
    return f"0197{index + 1:04x}-{digest[:4]}-7{digest[4:7]}-8{digest[7:10]}-{digest[10:22]}"


def path_of(codex_home: Path, thread: str, *, archived: bool) -> Path:
    """Return where a thread's file belongs."""
    folder = "archived_sessions" if archived else f"sessions/{_EPOCH:%Y/%m/%d}"
    return codex_home / folder / f"rollout-{_EPOCH:%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"


def write_thread(
    codex_home: Path,
    thread: str,
    turns: Sequence[TurnRecipe],
    *,
    cwd: Path,
    archived: bool = False,
    history_mode: str | None = None,
) -> ThreadTruth:
    """Write a stored thread and return what is true of it; without `history_mode` its metadata does not name one."""
    path = path_of(codex_home, thread, archived=archived)
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = {
        "id": thread,
        "timestamp": _stamp(_EPOCH),
        "cwd": str(cwd),
        "originator": "hive-gate",
        "cli_version": "0.0.0",
        "source": "vscode",  # a source that `thread/list` shows without being asked for
        "model_provider": PROVIDER,
    }
    if history_mode is not None:
        meta["history_mode"] = history_mode
    ids = [turn_id(thread, index) for index in range(len(turns))]
    records: list[Record] = [("session_meta", meta)]
    for index, turn in enumerate(turns):
        records.extend(_turn(ids[index], index, turn))
    path.write_bytes(b"".join(_line(record) for record in records))
    return ThreadTruth(thread, tuple(t.truth(i) for t, i in zip(turns, ids, strict=True)), archived)


def append_turns(codex_home: Path, truth: ThreadTruth, turns: Sequence[TurnRecipe]) -> None:
    """Add turns at the end of a stored thread; `truth` is the thread as it is before."""
    records: list[Record] = []
    for offset, turn in enumerate(turns):
        index = len(truth.turns) + offset
        records.extend(_turn(turn_id(truth.id, index), index, turn))
    _append(path_of(codex_home, truth.id, archived=truth.archived), records)


def append_rollback(codex_home: Path, truth: ThreadTruth, turns: int) -> None:
    """Add the marker that drops the last `turns` turns; what was written stays.

    The record is the one that `thread/rollback` writes. (openai/codex#8454)
    """
    marker = ("event_msg", {"type": "thread_rolled_back", "num_turns": turns})
    _append(path_of(codex_home, truth.id, archived=truth.archived), [marker])


def _append(path: Path, records: Sequence[Record]) -> None:
    with path.open("ab") as file:
        file.write(b"".join(_line(record) for record in records))


def _turn(ident: str, index: int, turn: TurnRecipe) -> Iterator[Record]:
    started = int(_EPOCH.timestamp()) + index * _TURN_SECONDS
    ended = {"completed_at": started + _ANSWER_SECONDS, "duration_ms": _ANSWER_SECONDS * 1000}
    yield _event("task_started", turn_id=ident, started_at=started, model_context_window=200_000,
                 collaboration_mode_kind="default")  # fmt: skip
    yield "response_item", _model_message("user", "input_text", turn.user, turn.images)
    yield _event("user_message", message=turn.user, images=list(turn.images), local_images=[], text_elements=[])
    for kind, text in turn.then:
        if kind == "reasoning":
            yield _event("agent_reasoning", text=text)
        else:
            yield _event("agent_message", message=text, phase=None)
            yield "response_item", _model_message("assistant", "output_text", text)
    if turn.ends == "interrupted":
        yield _event("turn_aborted", turn_id=ident, reason="interrupted", **ended)
    elif turn.ends != "open":
        failure: dict[str, Any] = {}
        if turn.ends == "failed":
            # The event is how the oldest servers stored a failure, the member how the newest do.
            yield _event("error", message="the model did not answer", codex_error_info="other")
            failure = {"error": {"message": "the model did not answer"}}
        answers = [text for kind, text in turn.then if kind == "agent"]
        last = answers[-1] if answers else None
        yield _event("task_complete", turn_id=ident, last_agent_message=last, **ended, **failure)


def _event(kind: str, **members: Any) -> Record:
    return "event_msg", {"type": kind, **members}


def _model_message(role: str, kind: str, text: str, images: Sequence[str] = ()) -> dict[str, Any]:
    pictures = [{"type": "input_image", "image_url": image} for image in images]
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text}, *pictures]}


def _line(record: Record) -> bytes:
    kind, payload = record
    line = {"timestamp": _stamp(_EPOCH), "type": kind, "payload": payload}
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
