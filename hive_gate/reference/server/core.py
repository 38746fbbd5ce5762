"""What all handlers share: the home, the store, the loaded threads, the way out, and one lock around all of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hive_gate.reference.model import Echo, Model
from hive_gate.reference.responses import Responses
from hive_gate.reference.server import ids, wire
from hive_gate.reference.server.errors import RpcError, refusal
from hive_gate.reference.server.home import Home
from hive_gate.reference.server.lines import Outgoing
from hive_gate.reference.server.loaded import Loaded
from hive_gate.reference.store.errors import ThreadNotFound, ThreadStoreError, UnknownHistoryMode
from hive_gate.reference.store.interface import ThreadStore
from hive_gate.reference.store.records import HistoryRecord, StoredThread, StoredTurn

VERSION = "0.142.5"
"""The version whose behavior the reference has, and that it names as its own."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that waits for its reply."""

    id: int | str
    params: Mapping[str, Any]
    out: Outgoing

    def reply(self, result: Any) -> None:
        """Answer it."""
        self.out.result(self.id, result)

    def refuse(self, error: RpcError) -> None:
        """Refuse it."""
        self.out.error(self.id, error.body())


@dataclass(slots=True)
class Core:
    """The state of a server. Handlers run with `lock` held, and so must whatever changes a loaded thread."""

    home: Home
    store: ThreadStore
    out: Outgoing
    unload_after: float
    """Seconds after which an idle thread without subscriber is unloaded."""
    cwd: Path = field(default_factory=Path.cwd)
    lock: threading.RLock = field(default_factory=threading.RLock)
    loaded: dict[str, Loaded] = field(default_factory=dict)
    client: str | None = None
    """The client's name; None before it is initialized."""
    experimental: bool = False
    rollbacks: dict[str, Callable[[], None]] = field(default_factory=dict)
    """Rollbacks in flight by thread; calling one finishes it."""
    echo: Model = field(default_factory=Echo)

    def model(self, loaded: Loaded) -> Model:
        """Return what answers a thread's turns."""
        url = self.home.base_urls.get(loaded.settings.provider)
        return self.echo if url is None else Responses(url, loaded.settings.model)

    def read(self, thread_id: str, *, history: bool = False) -> StoredThread | None:
        """Return a stored thread, archived or not; None if there is none.

        Raises:
            RpcError: the store refuses or fails, or the thread is stored in a way that nobody here has heard of.
        """
        try:
            stored = self.store.read(thread_id, include_history=history)
            if not stored.history_mode.known:
                raise UnknownHistoryMode(thread_id, stored.history_mode.text)
            return stored  # noqa: TRY300 - what is returned is what was checked
        except ThreadNotFound:
            return None
        except ThreadStoreError as error:
            raise refusal(error, "failed to read thread") from error

    def describe(self, loaded: Loaded) -> StoredThread:
        """Return what is known of a loaded thread now."""
        stored = None if loaded.ephemeral else self.read(loaded.thread_id)
        return stored or loaded.begun

    def history(self, loaded: Loaded) -> Sequence[HistoryRecord]:
        """Return a loaded thread's records; empty before the first one is stored."""
        if loaded.ephemeral:
            return loaded.memory
        try:
            return self.store.load_history(loaded.thread_id).records
        except ThreadNotFound:
            return ()

    def append(self, loaded: Loaded, records: Sequence[HistoryRecord]) -> None:
        """Add to a loaded thread's history; the first call stores the thread.

        Raises:
            ThreadStoreError: the store fails.
        """
        if loaded.ephemeral:
            loaded.memory.extend(records)
        else:
            self.store.append(loaded.thread_id, records)

    def wire_thread(self, stored: StoredThread, turns: Sequence[StoredTurn] = ()) -> dict[str, Any]:
        """Return a thread in the protocol's words, with its status now."""
        loaded = self.loaded.get(stored.thread_id)
        status = wire.NOT_LOADED if loaded is None else loaded.status
        return wire.thread(stored, status, turns, ephemeral=loaded is not None and loaded.ephemeral)

    def notify(self, loaded: Loaded, method: str, params: Mapping[str, Any]) -> None:
        """Tell the client of a thread that it is subscribed to."""
        if loaded.subscribed:
            self.out.notify(method, params)

    def set_status(self, loaded: Loaded, status: Mapping[str, Any]) -> None:
        """Change a thread's status and tell the client, subscribed or not; the same status again is no news."""
        if status != loaded.status:
            loaded.status = status
            self.out.notify("thread/status/changed", {"threadId": loaded.thread_id, "status": dict(status)})

    def unload(self, loaded: Loaded) -> None:
        """Forget a loaded thread and tell that it is no longer loaded."""
        del self.loaded[loaded.thread_id]
        self.set_status(loaded, wire.NOT_LOADED)

    def need_loaded(self, params: Mapping[str, Any]) -> Loaded:
        """Return the loaded thread that a request is about.

        Raises:
            RpcError: the id is none, or no such thread is loaded.
        """
        thread_id = thread_id_of(params)
        loaded = self.loaded.get(thread_id)
        if loaded is None:
            raise RpcError(f"thread not found: {thread_id}")
        return loaded


def hide_echo(stored: StoredThread) -> StoredThread:
    """Return a thread without a name that only repeats its preview, as list, resume and unarchive answer it."""
    return replace(stored, name=None) if stored.name == stored.preview else stored


def thread_id_of(params: Mapping[str, Any], called: str = "thread") -> str:
    """Return the thread id of a request in its usual form.

    Args:
        params: with `threadId`.
        called: what the method calls it in its refusal: `thread`, or in older methods `session`.

    Raises:
        RpcError: it is no id.
    """
    try:
        return ids.parse(params["threadId"])
    except ids.BadId as error:
        raise RpcError(f"invalid {called} id: {error}") from error
