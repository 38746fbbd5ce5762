from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hive_gate.reference.server.resuming import close_if_idle
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.memory import MemoryThreadStore

from .conftest import Server, serve


def test_a_rollback_drops_turns_from_what_clients_and_the_model_see(server: Server) -> None:
    thread = server.start()
    for text in ("one", "two", "three"):
        server.turn(thread, text)
    left = server.result("thread/rollback", {"threadId": thread, "numTurns": 2})["thread"]
    assert [turn["items"][0]["content"][0]["text"] for turn in left["turns"]] == ["one"]
    assert server.texts(thread) == [["one", "answer 1"]]
    server.turn(thread, "four")
    assert [item["content"][0]["text"] for item in server.model.asked[-1]] == ["one", "answer 1", "four"]
    assert server.result("thread/rollback", {"threadId": thread, "numTurns": 9})["thread"]["turns"] == []


def test_a_second_rollback_in_flight_is_refused(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "one")
    first = server.send("thread/rollback", {"threadId": thread, "numTurns": 1})
    assert server.refusal("thread/rollback", {"threadId": thread, "numTurns": 1}) == (
        -32600,
        "rollback already in progress for this thread",
    )
    assert server.until(lambda message: message.get("id") == first)[-1]["result"]["thread"]["turns"] == []


def test_a_request_after_a_rollback_sees_what_it_left(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "one")
    server.send("thread/rollback", {"threadId": thread, "numTurns": 1})
    assert server.texts(thread) == []


def test_a_rollback_that_another_request_finished_does_not_take_the_next_ones_place(server: Server) -> None:
    thread = server.start()
    for text in ("one", "two", "three"):
        server.turn(thread, text)
    server.send("thread/rollback", {"threadId": thread, "numTurns": 1})
    assert len(server.texts(thread)) == 2
    assert len(server.result("thread/rollback", {"threadId": thread, "numTurns": 1})["thread"]["turns"]) == 1
    assert server.texts(thread) == [["one", "answer 1"]]


def test_an_impossible_rollback_leaves_the_thread_in_error(server: Server) -> None:
    thread = server.start(ephemeral=True)
    refused = server.refusal("thread/rollback", {"threadId": thread, "numTurns": 1})
    assert refused == (-32600, "thread rollback requires persisted thread history")
    assert server.result("thread/read", {"threadId": thread})["thread"]["status"] == {"type": "systemError"}


def test_a_thread_is_not_stored_before_its_first_turn(server: Server) -> None:
    thread = server.start()
    missing = (-32600, f"no rollout found for thread id {thread}")
    assert server.refusal("thread/resume", {"threadId": thread}) == missing
    assert server.refusal("thread/archive", {"threadId": thread}) == missing
    assert "is not materialized yet" in server.refusal("thread/turns/list", {"threadId": thread, "cursor": "junk"})[1]
    server.turn(thread, "one")
    assert server.result("thread/resume", {"threadId": thread})["thread"]["turns"] != []


def test_a_name_shows_everywhere_and_outlives_archive_and_unarchive(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "first words")
    assert server.refusal("thread/name/set", {"threadId": thread, "name": " \n"})[1] == "thread name must not be empty"
    server.result("thread/name/set", {"threadId": thread, "name": "  이름 "})
    assert server.until("thread/name/updated")[-1]["params"] == {"threadId": thread, "threadName": "이름"}
    named = {"threadId": thread}
    assert server.result("thread/read", named)["thread"]["name"] == "이름"
    assert server.result("thread/list")["data"][0]["name"] == "이름"
    assert server.result("thread/resume", named)["thread"]["name"] == "이름"
    server.result("thread/archive", named)
    assert server.result("thread/unarchive", named)["thread"]["name"] == "이름"
    server.result("thread/resume", named)
    assert server.result("thread/rollback", {**named, "numTurns": 1})["thread"]["name"] == "이름"


def test_archiving_a_loaded_thread_unloads_it_first(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "one")
    server.send("thread/archive", {"threadId": thread})
    heard = server.until("thread/archived")
    assert [message.get("method", "<reply>") for message in heard] == [
        "thread/status/changed",
        "<reply>",
        "thread/archived",
    ]
    assert heard[0]["params"]["status"] == {"type": "notLoaded"}
    archived = f"session {thread} is archived. Run `codex unarchive {thread}` to unarchive it first."
    assert server.refusal("thread/resume", {"threadId": thread}) == (-32600, archived)


def test_the_initial_page_of_a_resume_is_the_page_that_turns_list_gives(server: Server) -> None:
    thread = server.start()
    for text in ("one", "two", "three"):
        server.turn(thread, text)
    pages: list[dict[str, Any]] = [
        {},
        {"limit": 2, "itemsView": "full"},
        {"sortDirection": "asc", "itemsView": "notLoaded"},
    ]
    for wanted in pages:
        resumed = server.result("thread/resume", {"threadId": thread, "excludeTurns": True, "initialTurnsPage": wanted})
        assert resumed["thread"]["turns"] == []
        assert resumed["initialTurnsPage"] == server.result("thread/turns/list", {"threadId": thread, **wanted})


def test_a_fork_has_the_history_and_the_name_and_goes_its_own_way(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "one")
    server.result("thread/name/set", {"threadId": thread, "name": "source"})
    fork = server.result("thread/fork", {"threadId": thread})["thread"]
    assert (fork["forkedFromId"], fork["name"], len(fork["turns"])) == (thread, "source", 1)
    server.until("thread/started")
    server.turn(fork["id"], "two")
    assert len(server.texts(fork["id"])) == 2
    assert len(server.texts(thread)) == 1


def test_an_idle_thread_without_subscriber_is_closed(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "one")
    server.result("thread/unsubscribe", {"threadId": thread})
    close_if_idle(server.core, server.core.loaded[thread])
    heard = server.until("thread/closed")
    assert heard[0]["params"]["status"] == {"type": "notLoaded"}
    assert server.result("thread/loaded/list")["data"] == []


def test_a_thread_that_was_joined_again_is_not_closed(server: Server) -> None:
    thread = server.start()
    server.turn(thread, "one")
    loaded = server.core.loaded[thread]
    server.result("thread/unsubscribe", {"threadId": thread})
    server.result("thread/resume", {"threadId": thread})
    close_if_idle(server.core, loaded)
    assert server.result("thread/loaded/list")["data"] == [thread]


def test_a_list_leaves_out_other_providers_unless_asked(server: Server) -> None:
    server.turn(server.start(), "one")
    assert len(server.result("thread/list")["data"]) == 1
    assert server.result("thread/list", {"modelProviders": ["other"]})["data"] == []
    server.core.home = replace(server.core.home, provider="other")
    assert server.result("thread/list")["data"] == []
    assert len(server.result("thread/list", {"modelProviders": []})["data"]) == 1


def test_the_loaded_list_pages_by_id(server: Server) -> None:
    threads = sorted(server.start() for _ in range(3))
    page = server.result("thread/loaded/list", {"limit": 2})
    assert page == {"data": threads[:2], "nextCursor": threads[1]}
    assert server.result("thread/loaded/list", {"cursor": threads[1]}) == {"data": threads[2:], "nextCursor": None}
    assert server.refusal("thread/loaded/list", {"cursor": "junk"}) == (-32600, "invalid cursor: junk")


_STORED = "01970000-0000-7000-8000-000000000001"


def _stored(home: Path, mode: str) -> bytes:
    folder = home / "sessions/2026/06/01"
    folder.mkdir(parents=True)
    stamp = "2026-06-01T10:00:00.000Z"
    meta = {
        "id": _STORED, "timestamp": stamp, "cwd": "/w", "originator": "t", "cli_version": "0", "source": "vscode",
        "model_provider": "openai", "history_mode": mode,
    }  # fmt: skip
    said = {"type": "user_message", "message": "words", "images": [], "local_images": [], "text_elements": []}
    lines = [("session_meta", meta), ("event_msg", said)]
    text = "".join(json.dumps({"timestamp": stamp, "type": kind, "payload": one}) + "\n" for kind, one in lines)
    path = folder / f"rollout-2026-06-01T10-00-00-{_STORED}.jsonl"
    path.write_text(text)
    return path.read_bytes()


_HISTORY: list[tuple[str, dict[str, Any]]] = [
    ("thread/read", {"includeTurns": True}),
    ("thread/turns/list", {}),
    ("thread/resume", {}),
    ("thread/resume", {"excludeTurns": True}),
    ("thread/fork", {}),
    ("thread/fork", {"ephemeral": True}),
]


def test_a_paginated_thread_is_shown_and_its_history_refused(tmp_path: Path) -> None:
    before = _stored(tmp_path, "paginated")
    server = serve(tmp_path, LocalThreadStore(tmp_path))
    assert server.result("thread/list")["data"][0]["historyMode"] == "paginated"
    assert server.result("thread/read", {"threadId": _STORED})["thread"]["historyMode"] == "paginated"
    for method, params in _HISTORY:
        refused = server.refusal(method, {"threadId": _STORED, **params})
        assert refused == (-32601, "paginated_threads is not supported yet")
    assert server.refusal("thread/name/set", {"threadId": _STORED, "name": "x"})[0] == -32601
    assert next(tmp_path.rglob("rollout-*")).read_bytes() == before
    server.core.store.close()


def test_a_thread_of_an_unknown_mode_is_never_taken_for_a_legacy_one(tmp_path: Path) -> None:
    _stored(tmp_path, "future")
    server = serve(tmp_path, LocalThreadStore(tmp_path))
    assert server.result("thread/list")["data"] == []
    for method, params in [("thread/read", {}), *_HISTORY, ("thread/archive", {}), ("thread/name/set", {"name": "x"})]:
        code, message = server.refusal(method, {"threadId": _STORED, **params})
        assert code == -32603
        assert "unknown history mode `future`" in message
    server.core.store.close()


@pytest.mark.parametrize(("asked", "answer"), [("legacy", "legacy"), (None, "legacy")])
def test_new_threads_are_legacy(server: Server, asked: str | None, answer: str) -> None:
    assert server.result("thread/start", {"historyMode": asked})["thread"]["historyMode"] == answer


def test_new_threads_cannot_be_paginated_or_of_an_unknown_mode(server: Server) -> None:
    refused = (-32601, "paginated_threads is not supported yet")
    assert server.refusal("thread/start", {"historyMode": "paginated"}) == refused
    unknown = "Invalid request: unknown variant `future`, expected `legacy` or `paginated`"
    assert server.refusal("thread/start", {"historyMode": "future"}) == (-32600, unknown)
    assert server.result("thread/loaded/list")["data"] == []


def test_threads_in_memory_touch_no_file(tmp_path: Path) -> None:
    server = serve(tmp_path, MemoryThreadStore())
    server.turn(server.start(), "one")
    assert list(tmp_path.iterdir()) == []
