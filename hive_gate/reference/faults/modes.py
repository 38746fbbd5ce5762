"""Faults of history modes: stored, lost, taken for another, refused in words only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hive_gate.reference.faults.common import always, result, scribble
from hive_gate.reference.faults.fault import Fault, Handler, Swap, by, handling
from hive_gate.reference.server import dispatch, starting, wire
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.errors import RpcError
from hive_gate.reference.store.local import index, shelf
from hive_gate.reference.store.local import store as local
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.modes import LEGACY, PAGINATED, HistoryMode, refuse_unknown
from hive_gate.reference.store.queries import ThreadQuery
from hive_gate.reference.store.records import HistoryRecord

_SURVIVES, _OLD, _VISIBLE = "history-mode.survives", "history-mode.old-threads", "history-mode.refused-visible"
_UNKNOWN, _REFUSED = "history-mode.unknown-stored", "history-mode.refused"


def _without_mode(meta: HistoryRecord) -> HistoryRecord:
    return replace(meta, payload={name: value for name, value in meta.payload.items() if name != "history_mode"})


def _reading(new: Any) -> Swap:
    """Return the swap of how a stored mode is read."""
    return Swap(HistoryMode, "stored", lambda _: staticmethod(new))


def _unknown_is_legacy(value: object) -> HistoryMode:
    return PAGINATED if value == PAGINATED.text else LEGACY


def _none_is_unknown(value: object) -> HistoryMode:
    return HistoryMode(str(value))


def _damaging(method: str) -> Swap:
    """Return the swap after which a refused request adds a line to the thread's file."""

    def make(handle: Handler) -> Handler:
        def new(core: Core, asked: Asked) -> None:
            try:
                handle(core, asked)
            except RpcError:
                scribble(core.store.read(asked.params["threadId"]).path)
                raise

        return new

    return handling(method, make)


def _damaging_all(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        try:
            handle(core, asked)
        except RpcError:
            for thread in core.store.list_threads(ThreadQuery(page_size=100)).threads:
                if thread.history_mode == PAGINATED:
                    scribble(thread.path)
            raise

    return new


def _mending(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        path = core.store.read(asked.params["threadId"]).path
        try:
            handle(core, asked)
        except RpcError:
            if path is not None:
                stored = path.read_bytes()
                path.write_bytes(stored.replace(b'"history_mode":"holographic"', b'"history_mode":"legacy"', 1))
            raise

    return new


def _shown(thread: dict[str, Any]) -> dict[str, Any]:
    return {**thread, "historyMode": LEGACY.text}


def _refusing_all(old: Any) -> Any:
    def new(self: Core, thread_id: str, **options: Any) -> Any:
        stored = old(self, thread_id, **options)
        if stored is not None and stored.history_mode == PAGINATED:
            raise RpcError("paginated threads cannot be read")
        return stored

    return new


def _listing(keep: Any) -> Swap:
    def edit(page: Any) -> Any:
        return replace(page, threads=tuple(keep(page.threads)))

    return Swap(LocalThreadStore, "list_threads", result(edit))


def _begun_as(mode: HistoryMode) -> Swap:
    return Swap(LocalThreadStore, "create", result(lambda thread: replace(thread, history_mode=mode)))


def _forgiving(old: Any) -> Any:
    def new(request: Any) -> Mapping[str, Any]:
        params = request.params
        if isinstance(params, dict) and params.get("historyMode") not in (None, "legacy", "paginated"):
            request = replace(request, params={**params, "historyMode": "legacy"})
        decoded: Mapping[str, Any] = old(request)
        return decoded

    return new


FAULTS = (
    Fault(
        "mode-not-in-metadata",
        "A new thread's metadata does not say its mode.",
        by("facts", _SURVIVES),
        (Swap(local, "meta_of", result(_without_mode)),),
    ),
    Fault(
        "mode-not-in-database",
        "The database does not say a thread's mode.",
        by("facts", _SURVIVES),
        (Swap(index, "_values", result(lambda row: (*row[:-1], None))),),
    ),
    Fault(
        "mode-in-database-another",
        "The database says `paginated` of every thread.",
        by("facts", _SURVIVES),
        (Swap(index, "_values", result(lambda row: (*row[:-1], PAGINATED.text))),),
    ),
    Fault(
        "mode-unknown-is-legacy",
        "A thread of an unknown mode is opened as if it were legacy.",
        by("error", _UNKNOWN),
        (_reading(_unknown_is_legacy),),
    ),
    Fault(
        "mode-unknown-file-touched",
        "A thread of an unknown mode is refused, and its file grows by a line.",
        by("facts", f"{_UNKNOWN}/resume", f"{_UNKNOWN}/read"),
        (_damaging("thread/resume"), _damaging("thread/read")),
    ),
    Fault(
        "mode-unknown-repaired",
        "A thread of an unknown mode is refused, and rewritten as a legacy one.",
        by("facts", f"{_UNKNOWN}/turns-list"),
        (handling("thread/turns/list", _mending),),
    ),
    Fault(
        "mode-unknown-listed-as-legacy",
        "A thread of an unknown mode is listed as legacy.",
        by("result", _UNKNOWN, at="/data"),
        (_listing(lambda found: [t if t.history_mode.known else replace(t, history_mode=LEGACY) for t in found]),),
    ),
    Fault(
        "mode-unknown-started",
        "A new thread of an unknown mode becomes a legacy one.",
        by("error", "history-mode.unknown-start"),
        (Swap(dispatch, "_decoded", _forgiving),),
    ),
    Fault(
        "mode-absent-is-unknown",
        "A thread from before the field is refused as one of an unknown mode.",
        by("result", _OLD),
        (_reading(_none_is_unknown),),
    ),
    Fault(
        "mode-absent-is-paginated",
        "A thread from before the field is taken for a paginated one.",
        by("result", _OLD),
        (_reading(lambda value: PAGINATED if value is None else HistoryMode(str(value))),),
    ),
    Fault(
        "mode-paginated-is-legacy",
        "A paginated thread is opened as if it were legacy.",
        by("error", *(f"{_REFUSED}/{way}" for way in ("read-with-turns", "turns-list", "resume", "fork"))),
        tuple(Swap(owner, "refuse_history", always(refuse_unknown)) for owner in (local, shelf, starting)),
    ),
    Fault(
        "mode-paginated-file-touched",
        "Resuming a paginated thread is refused, and its file grows by a line.",
        by("facts", f"{_REFUSED}/resume", f"{_REFUSED}/resume-without-turns"),
        (_damaging("thread/resume"),),
    ),
    Fault(
        "mode-paginated-fork-touches-file",
        "Forking a paginated thread is refused, and its file grows by a line.",
        by("facts", f"{_REFUSED}/fork"),
        (_damaging("thread/fork"),),
    ),
    Fault(
        "mode-paginated-read-touches-file",
        "Reading a paginated thread's turns is refused, and its file grows by a line.",
        by("facts", f"{_REFUSED}/read-with-turns", f"{_REFUSED}/turns-list"),
        (_damaging("thread/read"), _damaging("thread/turns/list")),
    ),
    Fault(
        "mode-paginated-start-touches-files",
        "Starting a paginated thread is refused, and the files of others grow by a line.",
        by("facts", f"{_REFUSED}/start"),
        (handling("thread/start", _damaging_all),),
    ),
    Fault(
        "mode-paginated-not-listed",
        "thread/list leaves paginated threads out.",
        by("result", _VISIBLE, at="/data"),
        (_listing(lambda found: [t for t in found if t.history_mode != PAGINATED]),),
    ),
    Fault(
        "mode-paginated-shown-as-legacy",
        "A paginated thread is shown as a legacy one.",
        by("result", _VISIBLE),
        (Swap(wire, "thread", result(_shown)),),
    ),
    Fault(
        "mode-paginated-unreadable",
        "Even the metadata of a paginated thread is refused.",
        by("result", _VISIBLE),
        (Swap(Core, "read", _refusing_all),),
    ),
    Fault(
        "mode-default-another",
        "A new thread is paginated without being asked for.",
        by("result", "history-mode.default-legacy", at="/thread/historyMode"),
        (_begun_as(PAGINATED),),
    ),
    Fault(
        "mode-stated-in-other-words",
        "A new thread states a mode that is neither of the two.",
        by("result", "history-mode.stated", at="/thread/historyMode"),
        (_begun_as(HistoryMode("events")),),
    ),
)
