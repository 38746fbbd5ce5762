"""Faults of thread/rollback: the file, the model, the working folder, the turns that are left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hive_gate.reference.faults.common import always, in_memory, returning, turns
from hive_gate.reference.faults.fault import ROLLBACK, Fault, Handler, Swap, asking, by, handling
from hive_gate.reference.server import resuming, running
from hive_gate.reference.server import rollback as server
from hive_gate.reference.server.core import Asked, Core, thread_id_of
from hive_gate.reference.server.errors import RpcError
from hive_gate.reference.store import recording
from hive_gate.reference.store.interface import ThreadStore
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.rebuild import turns_of
from hive_gate.reference.store.records import HistoryRecord
from hive_gate.reference.store.replay import Replay

_STORED = "rollback.appends"


def _storing(new: Any) -> Swap:
    return Swap(ThreadStore, "rollback", always(new))


def _rewrite(self: LocalThreadStore, thread_id: str, num_turns: int) -> None:
    path = self.read(thread_id).path or Path()
    lines = path.read_bytes().splitlines(keepends=True)
    begins = [number for number, line in enumerate(lines) if b'"task_started"' in line]
    path.write_bytes(b"".join(lines[: begins[-num_turns] if num_turns <= len(begins) else 1]))


def _other_number(self: LocalThreadStore, thread_id: str, num_turns: int) -> None:
    self.append(thread_id, [recording.rolled_back(num_turns + 1)])


def _nothing_stored(self: LocalThreadStore, thread_id: str, num_turns: int) -> None:
    """Leave everything as it is."""


_kept: dict[str, list[HistoryRecord]] = {}


def _remember(self: LocalThreadStore, thread_id: str, num_turns: int) -> None:
    del self
    _kept.setdefault(thread_id, []).append(recording.rolled_back(num_turns))


def _is_marker(record: HistoryRecord) -> bool:
    return record.payload.get("type") == "thread_rolled_back"


def _unrolled(records: Sequence[HistoryRecord], _: Any) -> Any:
    return turns_of(record for record in records if not _is_marker(record))


def _last_only(old: Any) -> Any:
    def new(records: Sequence[HistoryRecord], loaded: Any) -> Any:
        found = old(records, loaded)
        return found[-1:] if any(map(_is_marker, records)) else found

    return new


def _touch_files(drop: Any) -> Any:
    def new(core: Core, loaded: Any, asked: Asked) -> None:
        for path in Path(loaded.settings.cwd).glob("*.txt"):
            path.write_text("as it was before the turns that were dropped\n", encoding="utf-8")
        drop(core, loaded, asked)

    return new


def _apply_though_refused(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        thread_id = thread_id_of(asked.params)
        if thread_id not in core.loaded:
            core.store.rollback(thread_id, asked.params["numTurns"])
        handle(core, asked)

    return new


def _load_first(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        stored = core.read(thread_id_of(asked.params), history=True)
        if stored is not None and stored.thread_id not in core.loaded:
            names = ("permissions", "sandbox", "modelProvider", "runtimeWorkspaceRoots", "model", "cwd")
            more = ("approvalPolicy", "approvalsReviewer", "serviceTier")
            params = dict.fromkeys((*names, *more))
            resuming._load(core, replace(asked, params=params), stored, ())
        handle(core, asked)

    return new


def _finish_first(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        server.finish_all(core)
        handle(core, asked)

    return new


def _at_most_all(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        loaded = core.need_loaded(asked.params)
        if asked.params["numTurns"] > len(turns_of(core.history(loaded))):
            raise RpcError("numTurns is more than the thread has")
        handle(core, asked)

    return new


def _keep_one(self: Any, event: Any) -> None:
    self._close()
    del self._turns[max(len(self._turns) - event["num_turns"], 1) :]


def _drop_first(self: Any, event: Any) -> None:
    self._close()
    del self._turns[: event["num_turns"]]


def _as_before(old: Any) -> Any:
    return lambda records, loaded: old(list(records)[:-1], loaded)


FAULTS = (
    Fault(
        "rollback-rewrites-file",
        "A rollback cuts the dropped turns out of the file instead of adding the marker.",
        by("facts", _STORED),
        (_storing(_rewrite),),
    ),
    Fault(
        "rollback-marker-other-number",
        "The stored marker says one turn more than was asked for.",
        by("facts", _STORED) + by("turns-match-scene", "rollback.last/1", "rollback.restart"),
        (_storing(_other_number),),
    ),
    Fault(
        "rollback-not-stored",
        "A rollback is answered and nothing of it is stored.",
        by("facts", _STORED) + by("turns-match-scene", "rollback.last/*", "rollback.restart"),
        (_storing(_nothing_stored),),
    ),
    Fault(
        "rollback-undone-by-restart",
        "A rollback is kept in memory only: the turns are back after a restart.",
        by("facts", _STORED) + by("turns-match-scene", "rollback.restart"),
        (_storing(_remember), in_memory(_kept)),
    ),
    Fault(
        "rollback-not-for-the-model",
        "The dropped turns are gone from the screen, and the model is still sent them.",
        by("model-input", "rollback.model"),
        (Swap(running, "turns_now", always(_unrolled)),),
    ),
    Fault(
        "rollback-takes-all-from-the-model",
        "After a rollback the model is sent the newest turn only, without those that were kept.",
        by("model-input", "rollback.model"),
        (Swap(running, "turns_now", _last_only),),
    ),
    Fault(
        "rollback-touches-files",
        "A rollback also writes over text files in the working folder.",
        by("facts", "rollback.files"),
        (Swap(server, "_drop", _touch_files),),
    ),
    Fault(
        "rollback-refused-and-stored",
        "A thread that is not loaded is refused, and its file gets the marker all the same.",
        by("facts", "rollback.not-loaded"),
        (handling(ROLLBACK, _apply_though_refused),),
    ),
    Fault(
        "rollback-loads-the-thread",
        "A thread that is not loaded is loaded and rolled back instead of refused.",
        by("error", "rollback.not-loaded") + by("facts", "rollback.not-loaded"),
        (handling(ROLLBACK, _load_first),),
    ),
    Fault(
        "rollback-of-zero-is-one",
        "`numTurns: 0` drops the last turn.",
        by("error", "rollback.zero") + by("turns-match-scene", "rollback.zero"),
        (asking(ROLLBACK, lambda params: params | {"numTurns": max(params["numTurns"], 1)}),),
    ),
    Fault(
        "rollback-of-too-many-refused",
        "More turns than there are is an error.",
        by("result", "rollback.more-than-exist"),
        (handling(ROLLBACK, _at_most_all),),
    ),
    Fault(
        "rollback-keeps-one",
        "The first turn can never be dropped.",
        by("result", "rollback.more-than-exist"),
        (Swap(Replay, "_rolled_back", always(_keep_one)),),
    ),
    Fault(
        "rollback-drops-the-oldest",
        "Turns are dropped from the front.",
        by("turns-match-scene", "rollback.last/*", "rollback.restart", "turns-list.cursor-rolled-back"),
        (Swap(Replay, "_rolled_back", always(_drop_first)),),
    ),
    Fault(
        "rollback-twice-at-once",
        "A second rollback in flight is done too, after the first one.",
        by("error", "rollback.in-flight") + by("result", "rollback.in-flight"),
        (handling(ROLLBACK, _finish_first),),
    ),
    Fault(
        "rollback-during-a-turn",
        "A rollback is done while a turn runs.",
        by("error", "rollback.active-turn"),
        (Swap(server, "_impossible", returning(None)),),
    ),
    Fault(
        "rollback-answers-no-turns",
        "The answer holds the thread without its turns.",
        by("turns-match-scene", "rollback.last/*"),
        (Swap(server, "turns_now", returning(())),),
    ),
    Fault(
        "rollback-answers-as-before",
        "The answer holds the turns as they were before.",
        by("turns-match-scene", "rollback.last/*") + by("result", "rollback.more-than-exist"),
        (Swap(server, "turns_now", _as_before),),
    ),
    Fault(
        "rollback-answers-without-name",
        "The answer holds the thread without its name.",
        by("result", "thread-name.rollback", at="/thread/name"),
        (Swap(Core, "describe", lambda old: lambda self, loaded: replace(old(self, loaded), name=None)),),
    ),
    Fault(
        "rollback-markers-passed-over",
        "A rollback that another program stored is not seen.",
        by("error", "turns-list.cursor-rolled-back") + by("turns-match-scene", "turns-list.cursor-rolled-back"),
        turns(always(lambda records: turns_of(record for record in records if not _is_marker(record)))),
    ),
)
