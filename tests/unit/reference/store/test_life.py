"""The life of a thread in either store: created, stored with the first append, read, renamed, archived."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.reference.store import recording
from hive_gate.reference.store.errors import Conflict, InvalidRequest, ThreadNotFound, Unsupported
from hive_gate.reference.store.modes import PAGINATED, HistoryMode
from hive_gate.reference.store.queries import ItemQuery, ThreadQuery
from hive_gate.reference.store.records import GitInfo, HistoryRecord, NewThread, ThreadChange

from .conftest import BEGAN, Bench, thread_id, turn, turns

NEW = NewThread(
    thread_id(1),
    cwd="/work",
    model_provider="mock",
    source="cli",
    cli_version="1.2.3",
    originator="hive",
    session_id=thread_id(9),
    thread_source="user",
    forked_from_id=thread_id(7),
    parent_thread_id=thread_id(8),
    git=GitInfo("abc", "main", None),
    created_at=BEGAN,
    extra={"cwd": "ignored, since it is a member of its own", "base_instructions": None},
)


def test_a_created_thread_is_unknown_until_its_first_append(bench: Bench) -> None:
    bench.store.create(NEW)
    assert bench.store.list_threads(ThreadQuery()).threads == ()
    with pytest.raises(ThreadNotFound):
        bench.store.read(NEW.thread_id)
    with pytest.raises(ThreadNotFound):
        bench.store.archive(NEW.thread_id)

    bench.store.append(NEW.thread_id, turn(1))
    assert bench.store.read(NEW.thread_id).preview == "question 1"


def test_what_a_thread_was_created_with_is_what_is_read_after_a_restart(bench: Bench) -> None:
    promised = bench.store.create(NEW)
    bench.store.append(NEW.thread_id, turn(1))
    read = bench.another().read(NEW.thread_id)

    assert read == replace(promised, preview="question 1", updated_at=read.updated_at)
    assert (read.created_at, read.cwd, read.source, read.git) == (BEGAN, "/work", "cli", NEW.git)
    assert (read.session_id, read.forked_from_id, read.parent_thread_id, read.thread_source) == (
        thread_id(9),
        thread_id(7),
        thread_id(8),
        "user",
    )


@pytest.mark.parametrize("stored", [False, True])
def test_an_id_is_given_once(bench: Bench, stored: bool) -> None:
    bench.store.create(NEW)
    if stored:
        bench.store.append(NEW.thread_id, [])
    with pytest.raises(Conflict):
        bench.store.create(NEW)


@pytest.mark.parametrize("ident", ["", "x", "../" + thread_id(1), thread_id(1).replace("7", "A"), thread_id(1) + "\n"])
def test_an_id_that_is_no_uuid_is_refused_and_finds_nothing(bench: Bench, ident: str) -> None:
    with pytest.raises(InvalidRequest):
        bench.store.create(replace(NEW, thread_id=ident))
    with pytest.raises(ThreadNotFound):
        bench.store.read(ident)


def test_a_thread_of_a_mode_that_cannot_be_kept_is_not_created(bench: Bench) -> None:
    with pytest.raises(Unsupported, match=r"^paginated_threads is not supported yet$"):
        bench.store.create(replace(NEW, history_mode=PAGINATED))
    with pytest.raises(InvalidRequest, match="`bogus`"):
        bench.store.create(replace(NEW, history_mode=HistoryMode("bogus")))
    bench.store.create(NEW)  # neither left anything behind


def test_history_is_every_record_in_order_with_its_time(bench: Bench) -> None:
    ident = bench.new(1)
    bench.store.append(ident, [HistoryRecord("of_a_newer_writer", {"x": "한글 🙂"}, "2026-06-01T11:00:00.000Z")])
    history = bench.another().load_history(ident)

    assert [record.kind for record in history.records][:2] == ["session_meta", "event_msg"]
    assert history.records[-1] == HistoryRecord("of_a_newer_writer", {"x": "한글 🙂"}, "2026-06-01T11:00:00.000Z")
    assert [dict(record.payload) for record in history.records[1:-1]] == [dict(r.payload) for r in turn(1)]
    assert all(record.timestamp and record.timestamp.endswith("Z") for record in history.records)


def test_only_what_is_json_is_stored(bench: Bench) -> None:
    ident = bench.new(1)
    before = bench.store.load_history(ident)
    with pytest.raises(InvalidRequest, match="cannot be stored as JSON"):
        bench.store.append(ident, [recording.user_message("fine"), recording.event("odd", value=float("nan"))])
    assert bench.store.load_history(ident) == before


def test_an_unknown_thread_is_not_found_by_any_operation(bench: Bench) -> None:
    store, ident = bench.store, thread_id(404)
    for ask in (
        lambda: store.append(ident, turn(1)),
        lambda: store.resume(ident),
        lambda: store.load_history(ident),
        lambda: store.read(ident),
        lambda: store.update_metadata(ident, ThreadChange(name="x")),
        lambda: store.archive(ident),
        lambda: store.rollback(ident, 1),
    ):
        with pytest.raises(ThreadNotFound, match=rf"^no rollout found for thread id {ident}$"):
            ask()
    with pytest.raises(ThreadNotFound, match=r"^no archived rollout found for"):
        store.unarchive(ident)


def test_resume_gives_the_thread_with_its_history(bench: Bench) -> None:
    ident = bench.new(1, turns(2))
    resumed = bench.another().resume(ident)
    assert resumed.history == bench.store.load_history(ident)
    assert replace(resumed, history=None) == bench.store.read(ident)
    assert bench.store.read(ident).history is None


def test_an_archived_thread_is_read_but_not_gone_on_with(bench: Bench) -> None:
    ident = bench.new(1)
    assert bench.store.archive(ident).archived
    store = bench.another()

    assert store.read(ident, include_history=True).archived
    with pytest.raises(ThreadNotFound):
        store.read(ident, include_archived=False)
    with pytest.raises(ThreadNotFound):
        store.load_history(ident, include_archived=False)
    for ask in (lambda: store.resume(ident), lambda: store.append(ident, turn(2)), lambda: store.rollback(ident, 1)):
        with pytest.raises(InvalidRequest, match=rf"^session {ident} is archived. Run `codex unarchive {ident}`"):
            ask()
    with pytest.raises(ThreadNotFound, match=r"^no rollout found"):
        store.archive(ident)


def test_a_thread_comes_back_from_the_archive_as_it_was_and_as_updated(bench: Bench) -> None:
    ident = bench.new(1)
    before = bench.store.read(ident)
    bench.store.archive(ident)
    back = bench.another().unarchive(ident)

    assert back.updated_at >= before.updated_at
    assert back == replace(before, updated_at=back.updated_at) == bench.store.read(ident)
    bench.store.append(ident, turn(2))
    with pytest.raises(ThreadNotFound, match=r"^no archived rollout found"):
        bench.store.unarchive(ident)


def test_the_last_name_counts_wherever_the_thread_is_shown(bench: Bench) -> None:
    ident = bench.new(1)
    bench.store.update_metadata(ident, ThreadChange(name="first"))
    assert bench.store.update_metadata(ident, ThreadChange(name="  두 번째 이름 ")).name == "두 번째 이름"
    assert bench.store.update_metadata(ident, ThreadChange()).name == "두 번째 이름"

    store = bench.another()
    assert [thread.name for thread in store.list_threads(ThreadQuery()).threads] == ["두 번째 이름"]
    assert store.read(ident).name == store.resume(ident).name == store.archive(ident).name == "두 번째 이름"
    store.update_metadata(ident, ThreadChange(name="x" * 10_000))
    assert store.unarchive(ident).name == "x" * 10_000


def test_a_name_that_says_nothing_is_refused_and_one_equal_to_the_preview_is_kept(bench: Bench) -> None:
    ident = bench.new(1)
    for nothing in ("", " \n\t"):
        with pytest.raises(InvalidRequest, match=r"^thread name must not be empty$"):
            bench.store.update_metadata(ident, ThreadChange(name=nothing))
    assert bench.store.update_metadata(ident, ThreadChange(name="question 1")).name == "question 1"


def test_a_thread_can_be_named_before_it_is_stored_and_two_may_share_a_name(bench: Bench) -> None:
    bench.store.create(NEW)
    assert bench.store.update_metadata(NEW.thread_id, ThreadChange(name="same")).name == "same"
    bench.store.append(NEW.thread_id, turn(1))
    other = bench.new(2)
    bench.store.update_metadata(other, ThreadChange(name="same"))
    assert [bench.store.read(ident).name for ident in (NEW.thread_id, other)] == ["same", "same"]


def test_what_a_store_does_not_offer_says_its_operation(bench: Bench) -> None:
    ident = bench.new(1)
    with pytest.raises(Unsupported, match=r"^list_items is not supported yet$"):
        bench.store.list_items(ItemQuery(ident))
    with pytest.raises(Unsupported, match=r"^thread/search is not supported yet$"):
        bench.store.search_threads(ThreadQuery())


def test_a_path_that_is_no_rollout_of_the_store_is_refused(bench: Bench, tmp_path: Path) -> None:
    bench.new(1)
    for path in (tmp_path / "elsewhere.jsonl", Path("/etc/passwd"), Path("config.toml")):
        with pytest.raises(InvalidRequest, match="is not a rollout of this store"):
            bench.store.read_by_path(path)
        with pytest.raises(InvalidRequest):
            bench.store.resume(thread_id(1), path=path)
