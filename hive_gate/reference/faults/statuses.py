"""Faults of the runtime status: what is announced, in which order, and what read and list say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hive_gate.reference.faults.common import silence
from hive_gate.reference.faults.fault import RESUME, THREADS, Fault, Handler, Swap, answering, by, handling
from hive_gate.reference.server import wire
from hive_gate.reference.server.core import Asked, Core
from hive_gate.reference.server.loaded import Loaded

_CHANGED = "thread/status/changed"
_TURN, _FAILED, _LOADED = "thread-status.turn", "thread-status.failed-turn", "thread-status.loaded"


def _announce(core: Core, loaded: Loaded) -> None:
    core.out.notify(_CHANGED, {"threadId": loaded.thread_id, "status": dict(loaded.status)})


def _after(method: str, status: Mapping[str, Any]) -> tuple[Swap, Swap]:
    """Return the swaps after which a status is announced only after a notification of the turn."""
    waiting: list[Loaded] = []

    def setting(old: Any) -> Any:
        def new(self: Core, loaded: Loaded, to: Mapping[str, Any]) -> None:
            if to == status and (loaded.running is not None or loaded.status == wire.ACTIVE):
                loaded.status = to
                waiting.append(loaded)
            else:
                old(self, loaded, to)

        return new

    def notifying(old: Any) -> Any:
        def new(self: Core, loaded: Loaded, told: str, params: Any) -> None:
            old(self, loaded, told, params)
            if told == method and waiting:
                _announce(self, waiting.pop())

        return new

    return Swap(Core, "set_status", setting), Swap(Core, "notify", notifying)


def _setting(new: Any) -> Swap:
    """Return the swap of what changes a status; `new` gets what is there, the core, the thread and the status."""
    return Swap(Core, "set_status", lambda old: lambda self, loaded, status: new(old, self, loaded, status))


def _idle_twice(old: Any, core: Core, loaded: Loaded, status: Any) -> None:
    old(core, loaded, status)
    if status == wire.IDLE:
        _announce(core, loaded)


def _error_for_good(old: Any, core: Core, loaded: Loaded, status: Any) -> None:
    if loaded.status != wire.SYSTEM_ERROR:
        old(core, loaded, status)


def _no_error(old: Any, core: Core, loaded: Loaded, status: Any) -> None:
    old(core, loaded, wire.IDLE if status == wire.SYSTEM_ERROR else status)


def _quietly_active(old: Any, core: Core, loaded: Loaded, status: Any) -> None:
    if status == wire.ACTIVE:
        loaded.status = status
    else:
        old(core, loaded, status)


def _quietly_loaded(old: Any, core: Core, loaded: Loaded, status: Any) -> None:
    if loaded.status == wire.NOT_LOADED:
        loaded.status = status
    else:
        old(core, loaded, status)


def _again(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        loaded = core.loaded.get(asked.params["threadId"])
        if loaded is not None:
            _announce(core, loaded)
        handle(core, asked)

    return new


def _forget_quietly(self: Core, loaded: Loaded) -> None:
    del self.loaded[loaded.thread_id]


def _unload_in_words_only(self: Core, loaded: Loaded) -> None:
    self.out.notify(_CHANGED, {"threadId": loaded.thread_id, "status": dict(wire.NOT_LOADED)})


def _shown(edit: Any) -> Swap:
    """Return the swap after which a thread is shown with another status; `edit` gets core, id and status."""

    def make(old: Any) -> Any:
        def new(self: Core, stored: Any, *args: Any) -> Any:
            thread = old(self, stored, *args)
            return {**thread, "status": dict(edit(self, stored.thread_id, thread["status"]))}

        return new

    return Swap(Core, "wire_thread", make)


def _known(core: Core) -> Path:
    return core.home.folder / "statuses.json"


def _keep(old: Any, core: Core, loaded: Loaded, status: Any) -> None:
    old(core, loaded, status)
    path = _known(core)
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**kept, loaded.thread_id: dict(status)}), encoding="utf-8")


def _kept(core: Core, thread_id: str, status: Any) -> Any:
    path = _known(core)
    return json.loads(path.read_text(encoding="utf-8")).get(thread_id, status) if path.exists() else status


def _in_list(status: Mapping[str, Any] | None) -> Swap:
    def edit(result: dict[str, Any]) -> dict[str, Any]:
        for thread in result["data"]:
            if status is None:
                del thread["status"]
            else:
                thread["status"] = dict(status)
        return result

    return answering(THREADS, edit)


FAULTS = (
    Fault(
        "status-active-after-started",
        "`active` is announced after turn/started.",
        by("notifications", _TURN),
        _after("turn/started", wire.ACTIVE),
    ),
    Fault(
        "status-idle-after-completed",
        "`idle` is announced after turn/completed.",
        by("notifications", _TURN),
        _after("turn/completed", wire.IDLE),
    ),
    Fault("status-idle-twice", "`idle` is announced twice.", by("exactly", _TURN), (_setting(_idle_twice),)),
    Fault(
        "status-active-not-announced",
        "A turn's beginning is not announced as a change of status.",
        by("exactly", _TURN, _FAILED) + by("notifications", _TURN),
        (_setting(_quietly_active),),
    ),
    Fault(
        "status-load-not-announced",
        "Loading a thread is not announced.",
        by("await", _LOADED),
        (_setting(_quietly_loaded),),
        silent=True,
    ),
    Fault(
        "status-announced-without-change",
        "Resuming a loaded thread announces the status that it has.",
        by("exactly", _LOADED),
        (handling(RESUME, _again),),
    ),
    Fault(
        "status-unload-not-announced",
        "A thread is unloaded and nobody is told.",
        by("await", "thread-status.unload"),
        (Swap(Core, "unload", lambda _: _forget_quietly),),
        silent=True,
    ),
    Fault(
        "status-not-unloaded",
        "An archived thread is said to be unloaded, and stays loaded.",
        by("result", "thread-status.unload", at="/thread/status/type"),
        (Swap(Core, "unload", lambda _: _unload_in_words_only),),
    ),
    Fault(
        "status-outlives-the-server",
        "The status of the process before is shown after a restart.",
        by("result", "thread-status.reconnect", at="/thread/status/type"),
        (_setting(_keep), _shown(_kept)),
    ),
    Fault(
        "status-error-for-good",
        "`systemError` is never left.",
        by("exactly", _FAILED) + by("result", _FAILED, at="/thread/status/type"),
        (_setting(_error_for_good),),
    ),
    Fault(
        "status-no-error",
        "A failed turn leaves the thread `idle`.",
        by("exactly", _FAILED) + by("result", _FAILED, at="/thread/status/type"),
        (_setting(_no_error),),
    ),
    Fault(
        "status-not-loaded-is-idle",
        "A thread that nobody loaded is `idle`, as in the first form of the change.",
        by("result", "thread-status.not-loaded"),
        (_shown(lambda _core, _id, status: wire.IDLE if status == wire.NOT_LOADED else status),),
    ),
    Fault(
        "status-idle-during-a-turn",
        "While a turn runs the thread is shown as `idle`.",
        by("result", "thread-status.during-turn", at="/thread/status/type"),
        (_shown(lambda _core, _id, status: wire.IDLE if status == wire.ACTIVE else status),),
    ),
    Fault(
        "status-not-in-list",
        "thread/list leaves the status out.",
        by("result", "thread-status.not-loaded", at="/data/*"),
        (_in_list(None),),
    ),
    Fault(
        "status-in-list-not-loaded",
        "thread/list shows every thread as not loaded.",
        by("result", _LOADED, "thread-status.during-turn", _FAILED, at="/data*"),
        (_in_list(wire.NOT_LOADED),),
    ),
    Fault(
        "status-never-announced",
        "No change of status is announced.",
        by("await", _LOADED, "thread-status.unload"),
        (silence(_CHANGED),),
        silent=True,
    ),
)
