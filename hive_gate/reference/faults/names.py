"""Faults of names: how they are stored, and where they are shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Any

from hive_gate.reference.faults.common import silence, unnamed
from hive_gate.reference.faults.fault import NAME, Fault, Handler, Swap, by, handling
from hive_gate.reference.server import filing, listing, resuming
from hive_gate.reference.server.core import Asked, Core, thread_id_of
from hive_gate.reference.server.errors import RpcError
from hive_gate.reference.server.lines import Outgoing
from hive_gate.reference.store import moments
from hive_gate.reference.store.local import names as stored
from hive_gate.reference.store.local.catalog import Catalog
from hive_gate.reference.store.local.names import Names

_COLD, _LOADED = "thread-name.stored", "thread-name.loaded"


def _adding(new: Callable[[Any, Any, str, str, datetime], None]) -> Swap:
    """Return the swap of what stores a name; `new` gets what is there, the names, the thread, its name and the time."""
    return Swap(Names, "add", lambda add: lambda self, thread_id, name, now: new(add, self, thread_id, name, now))


def _changing(edit: Callable[[str], str]) -> Swap:
    return _adding(lambda add, names, thread_id, name, now: add(names, thread_id, edit(name), now))


def _rewrite(add: Any, names: Any, thread_id: str, name: str, now: datetime) -> None:
    del add
    known = {**names.all(), thread_id: name}
    lines = [{"id": one, "thread_name": text, "updated_at": moments.stamp(now)} for one, text in known.items()]
    names._path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    names._read = None


def _twice(add: Any, names: Any, thread_id: str, name: str, now: datetime) -> None:
    add(names, thread_id, name, now)
    add(names, thread_id, name, now)


def _to_all_of_that_name(add: Any, names: Any, thread_id: str, name: str, now: datetime) -> None:
    known = names.all()
    for other, text in [(thread_id, ""), *known.items()]:
        if other == thread_id or text == known.get(thread_id):
            add(names, other, name, now)


_kept: dict[str, str] = {}


def _first_of_each(content: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in content.splitlines():
        entry = json.loads(line)
        found.setdefault(entry["id"], entry["thread_name"])
    return found


_as_sent: list[str] = []


def _note_name(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        _as_sent[:] = [asked.params["name"]]
        handle(core, asked)

    return new


def _empty(instead: Callable[[Core, Asked], None]) -> Swap:
    def make(handle: Handler) -> Handler:
        def new(core: Core, asked: Asked) -> None:
            if asked.params["name"].strip():
                handle(core, asked)
            else:
                instead(core, asked)

        return new

    return handling(NAME, make)


def _clear(core: Core, asked: Asked) -> None:
    names = core.store._names  # type: ignore[attr-defined]
    names.add(thread_id_of(asked.params), "", moments.now())
    raise RpcError("thread name must not be empty")


def _unique(handle: Handler) -> Handler:
    def new(core: Core, asked: Asked) -> None:
        names = core.store._names.all()  # type: ignore[attr-defined]
        thread_id = thread_id_of(asked.params)
        if any(name == asked.params["name"] and one != thread_id for one, name in names.items()):
            raise RpcError("another thread has that name")
        handle(core, asked)

    return new


def _announce_former(notify: Any) -> Any:
    former: dict[str, str] = {}

    def new(self: Outgoing, method: str, params: Any) -> None:
        if method == "thread/name/updated":
            thread_id, name = params["threadId"], params["threadName"]
            params = {**params, "threadName": former.get(thread_id, "")}
            former[thread_id] = name
        notify(self, method, params)

    return new


def _as_when_loaded(old: Any) -> Any:
    def new(self: Core, thread: Any, *args: Any) -> Any:
        loaded = self.loaded.get(thread.thread_id)
        return old(self, thread if loaded is None else replace(thread, name=loaded.begun.name), *args)

    return new


def _unnamed_if_any(thread: Any) -> Any:
    return None if thread is None else unnamed(thread)


def _without_archived(old: Any) -> Any:
    def new(self: Any, rollout: Any, summary: Any) -> Any:
        thread = old(self, rollout, summary)
        return unnamed(thread) if rollout.archived else thread

    return new


FAULTS = (
    Fault(
        "name-file-rewritten",
        "A new name rewrites the whole file of names, one line for each thread.",
        by("facts", "thread-name.last-wins"),
        (_adding(_rewrite),),
    ),
    Fault(
        "name-stored-twice",
        "A new name is stored by two records.",
        by("facts", "thread-name.last-wins"),
        (_adding(_twice),),
    ),
    Fault(
        "name-lost-by-restart",
        "Names are kept in memory only.",
        by("result", "thread-name.restart") + by("facts", "thread-name.last-wins"),
        (
            _adding(lambda _add, _names, thread_id, name, _now: _kept.update({thread_id: name})),
            Swap(Names, "all", lambda old: lambda self: {**old(self), **_kept}),
        ),
    ),
    Fault(
        "name-first-wins",
        "The first record of a thread's name counts, not the last.",
        by("result", "thread-name.last-wins", at="/thread/name"),
        (Swap(stored, "_names", lambda _: _first_of_each),),
    ),
    Fault(
        "name-not-trimmed",
        "White space around a name is stored with it.",
        by("result", "thread-name.trimmed", at="/thread/name"),
        (
            handling(NAME, _note_name),
            _changing(lambda name: _as_sent[0] if _as_sent[0].strip() == name else name),
        ),
    ),
    Fault(
        "name-cut",
        "A name is cut after 255 characters.",
        by("result", "thread-name.texts/ten-thousand"),
        (_changing(lambda name: name[:255]),),
    ),
    Fault(
        "name-lower-cased",
        "A name is stored in lower case.",
        by("result", _COLD, _LOADED, "thread-name.restart"),
        (_changing(str.lower),),
    ),
    Fault(
        "name-ascii-only",
        "Characters of other scripts are left out of a name.",
        by("result", "thread-name.texts/cjk"),
        (_changing(lambda name: name.encode("ascii", "ignore").decode() or "?"),),
    ),
    Fault(
        "name-utf-16-halves",
        "Characters of a name beyond the basic plane become question marks.",
        by("result", "thread-name.texts/cjk"),
        (_changing(lambda name: "".join(c if ord(c) < 0x10000 else "?" for c in name)),),
    ),
    Fault(
        "name-is-a-key",
        "A name that another thread has is refused.",
        by("result", "thread-name.shared"),
        (handling(NAME, _unique),),
    ),
    Fault(
        "name-shared-by-threads",
        "Threads of the same name are renamed together.",
        by("result", "thread-name.shared", at="/thread/name"),
        (_adding(_to_all_of_that_name),),
    ),
    Fault(
        "name-empty-accepted",
        "An empty name is answered as if it were set.",
        by("error", "thread-name.empty/*"),
        (_empty(lambda _core, asked: asked.reply({})),),
    ),
    Fault(
        "name-empty-clears",
        "An empty name is refused, and the name before it is gone.",
        by("result", "thread-name.empty/*", at="/thread/name"),
        (_empty(_clear),),
    ),
    Fault(
        "name-not-in-list",
        "thread/list leaves names out.",
        by("result", _COLD, _LOADED, "thread-name.restart", at="/data"),
        (Swap(listing, "hide_echo", lambda _: unnamed),),
    ),
    Fault(
        "name-not-in-read",
        "thread/read leaves the name out.",
        by("result", _COLD, _LOADED, "thread-name.trimmed", at="/thread/name"),
        (Swap(Core, "read", lambda old: lambda *args, **options: _unnamed_if_any(old(*args, **options))),),
    ),
    Fault(
        "name-not-in-resume",
        "thread/resume leaves the name out.",
        by("result", _COLD, _LOADED, "thread-name.restart", at="/thread/name"),
        (Swap(resuming, "hide_echo", lambda _: unnamed),),
    ),
    Fault(
        "name-not-in-unarchive",
        "thread/unarchive leaves the name out.",
        by("result", "thread-name.archive", at="/thread/name"),
        (Swap(filing, "hide_echo", lambda _: unnamed),),
    ),
    Fault(
        "name-not-of-archived",
        "An archived thread is shown without its name.",
        by("result", "thread-name.archive", at="/thread/name"),
        (Swap(Catalog, "thread", _without_archived),),
    ),
    Fault(
        "name-as-when-loaded",
        "A loaded thread shows the name that it had when it was loaded.",
        by("result", _LOADED),
        (Swap(Core, "wire_thread", _as_when_loaded),),
    ),
    Fault(
        "name-not-announced",
        "A new name is not announced.",
        by("await", _COLD, _LOADED),
        (silence("thread/name/updated"),),
        silent=True,
    ),
    Fault(
        "name-before-announced",
        "What is announced is the name that the thread had before.",
        by("await", _COLD, _LOADED),
        (Swap(Outgoing, "notify", _announce_former),),
        silent=True,
    ),
)
