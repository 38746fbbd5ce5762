"""The store over files and the real codex 0.142.5 share a home: each reads and goes on with the other's threads."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hive_gate.reference.store import recording, records
from hive_gate.reference.store.items import AgentMessage, Reasoning, UserMessage
from hive_gate.reference.store.local.store import LocalThreadStore
from hive_gate.reference.store.queries import ThreadQuery, TurnQuery
from hive_gate.reference.store.records import HistoryRecord, ItemsView, NewThread, SortDirection, StoredTurn
from hive_gate.scene.home import Home
from hive_gate.scene.rollout import PROVIDER
from hive_gate.scene.standin import StandIn
from hive_gate.target.environment import scratch_environment
from hive_gate.target.identify import resolve

pytestmark = pytest.mark.live

VERSION = "0.142.5"
HISTORIES = 60
VIEWS = {ItemsView.NOT_LOADED: "notLoaded", ItemsView.SUMMARY: "summary", ItemsView.FULL: "full"}


class Codex:
    """The real server on a home, asked one request after the other."""

    def __init__(self, home: Home) -> None:
        self._process = subprocess.Popen(
            [str(resolve(VERSION).path), "app-server"],
            env=scratch_environment(home.home, home.codex),
            cwd=home.work,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            bufsize=1,
        )
        self._sent = 0
        self._news: list[str] = []
        self.ask("initialize", clientInfo={"name": "x", "version": "1"}, capabilities={"experimentalApi": True})

    def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a request."""
        assert self._process.stdin is not None
        self._sent += 1
        self._process.stdin.write(json.dumps({"id": self._sent, "method": method, "params": params}) + "\n")
        while (message := self._next()).get("id") != self._sent:
            pass
        assert "result" in message, message
        return message["result"]

    def run_turn(self, thread_id: str, text: str) -> None:
        """Run a turn to its end."""
        self.ask("turn/start", threadId=thread_id, input=[{"type": "text", "text": text}])
        while "turn/completed" not in self._news:
            self._next()
        self._news.clear()

    def turns(self, thread_id: str) -> Any:
        """Return the stored turns of a thread."""
        return self.ask("thread/read", threadId=thread_id, includeTurns=True)["thread"]["turns"]

    def close(self) -> None:
        """End the server."""
        self._process.communicate(timeout=20)

    def _next(self) -> Any:
        assert self._process.stdout is not None
        text = self._process.stdout.readline()
        assert text, "the server ended"
        message = json.loads(text)
        self._news.append(message.get("method", ""))
        return message


@pytest.fixture
def standin() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, standin: StandIn) -> Home:
    made = Home(tmp_path)
    made.prepare(standin.base_url("store"))
    return made


@pytest.fixture
def codex(home: Home) -> Iterator[Callable[[], Codex]]:
    started: list[Codex] = []

    def start() -> Codex:
        started.append(Codex(home))
        return started[-1]

    yield start
    for server in started:
        server.close()


@pytest.fixture
def store(home: Home) -> Iterator[LocalThreadStore]:
    opened = LocalThreadStore(home.codex)
    yield opened
    opened.close()


def test_what_codex_wrote_is_listed_and_replayed_as_codex_does(
    codex: Callable[[], Codex], store: LocalThreadStore, standin: StandIn, home: Home
) -> None:
    server = codex()
    ident = server.ask("thread/start", cwd=str(home.work))["thread"]["id"]
    for answers in (("one", "two"), None, ("한글 🙂",), ("dropped",)):
        standin.script("store", answers)
        server.run_turn(ident, f"question about {answers}")
    server.ask("thread/name/set", threadId=ident, name=" The name ")
    server.ask("thread/rollback", threadId=ident, numTurns=1)
    fork = server.ask("thread/fork", threadId=ident)["thread"]["id"]
    server.ask("thread/archive", threadId=fork)

    (listed,) = store.list_threads(ThreadQuery()).threads
    (archived,) = store.list_threads(ThreadQuery(archived=True)).threads
    theirs = server.ask("thread/read", threadId=ident)["thread"]
    assert (listed.thread_id, archived.thread_id, archived.forked_from_id) == (ident, fork, ident)
    assert (listed.name, listed.preview, str(listed.path)) == ("The name", theirs["preview"], theirs["path"])
    assert (listed.cwd, listed.source, listed.model_provider) == (str(home.work), "vscode", PROVIDER)
    assert int(listed.created_at.timestamp()) == theirs["createdAt"]
    for thread_id in (ident, fork):
        assert _shown(store, thread_id) == [_slim(turn) for turn in server.turns(thread_id)]
    assert len(_shown(store, ident)) == 3


def test_what_the_store_wrote_is_listed_read_paged_and_gone_on_with_by_codex(
    codex: Callable[[], Codex], store: LocalThreadStore, home: Home
) -> None:
    ident, other = _id(1), _id(2)
    for number in (1, 2):
        store.create(NewThread(_id(number), str(home.work), PROVIDER))
        for turn in range(1, 8):
            store.append(_id(number), _whole_turn(f"0197{number:04x}-0000-7000-8000-{turn:012d}", turn))
    store.update_metadata(ident, records.ThreadChange(name="이름"))
    store.rollback(ident, 2)
    store.archive(other)

    server = codex()
    (listed,) = server.ask("thread/list")["data"]
    (archived,) = server.ask("thread/list", archived=True)["data"]
    assert (listed["id"], listed["name"], listed["preview"]) == (ident, "이름", "question 1")
    assert archived["id"] == other
    assert [_slim(turn) for turn in server.turns(ident)] == _shown(store, ident)
    for direction in SortDirection:
        for view in ItemsView:
            _same_pages(server, store, ident, direction, view)

    server.ask("thread/resume", threadId=ident)
    server.run_turn(ident, "from codex")
    store.append(ident, _whole_turn(_id(99), 99))  # beside the server that has it loaded
    assert len(_shown(store, ident)) == 7
    restarted = codex()
    assert [_slim(turn) for turn in restarted.turns(ident)] == _shown(store, ident)
    assert restarted.ask("thread/unarchive", threadId=other)["thread"]["id"] == other
    assert {thread.thread_id for thread in store.list_threads(ThreadQuery()).threads} == {ident, other}


def test_both_make_the_same_turns_of_random_histories(
    codex: Callable[[], Codex], store: LocalThreadStore, home: Home
) -> None:
    chance = random.Random(942)
    for number in range(HISTORIES):
        store.create(NewThread(_id(number), str(home.work), PROVIDER))
        store.append(_id(number), [_random_record(chance) for _ in range(chance.randint(1, 25))])
        if chance.random() < 0.3:
            path = store.read(_id(number)).path
            assert path is not None
            with path.open("ab") as file:
                file.write(b'\n{"torn": ')
            store.append(_id(number), [_random_record(chance)])
    server = codex()
    for number in range(HISTORIES):
        assert _shown(store, _id(number)) == [_slim(turn) for turn in server.turns(_id(number))], number


def _same_pages(server: Codex, store: LocalThreadStore, ident: str, direction: SortDirection, view: ItemsView) -> None:
    cursor: str | None = None
    while True:
        ours = store.list_turns(TurnQuery(ident, cursor, 2, direction, view))
        asked = {"cursor": cursor, "limit": 2, "sortDirection": direction.value, "itemsView": VIEWS[view]}
        theirs = server.ask("thread/turns/list", threadId=ident, **asked)
        assert [_own(turn) for turn in ours.turns] == [_slim(turn) for turn in theirs["data"]]
        assert (ours.next_cursor, ours.backwards_cursor) == (theirs["nextCursor"], theirs["backwardsCursor"])
        cursor = ours.next_cursor
        if cursor is None:
            return


def _whole_turn(ident: str, number: int) -> list[HistoryRecord]:
    return [
        recording.turn_started(ident, 1_780_308_000 + number),
        recording.turn_context(ident, "/", "mock"),
        recording.message("user", f"question {number}"),
        recording.user_message(f"question {number}"),
        recording.reasoning("thinking"),
        recording.agent_message(f"comment {number}", "commentary"),
        recording.agent_message(f"answer {number}"),
        recording.message("assistant", f"answer {number}"),
        recording.token_count(None),
        recording.turn_completed(ident, last_agent_message="x", completed_at=1_780_308_009, duration_ms=9),
    ]


def _random_record(chance: random.Random) -> HistoryRecord:
    ident = chance.choice(["t1", "t2", "t3", "rollout-2"])
    plan = {"type": "Plan", "id": chance.choice(["p1", "p2"]), "text": chance.choice(["x", ""])}
    return chance.choice(
        [
            recording.user_message(chance.choice(["a", " ", ""]), images=chance.choice([[], ["http://x"]])),
            recording.agent_message(chance.choice(["x", ""]), chance.choice([None, "commentary", "final_answer"])),
            recording.reasoning(chance.choice(["s", ""])),
            recording.event("agent_reasoning_raw_content", text="c"),
            recording.turn_started(ident, 1),
            recording.event("task_complete", turn_id=ident, completed_at=5, duration_ms=6),
            recording.turn_aborted(ident, completed_at=7, duration_ms=8),
            recording.rolled_back(chance.choice([1, 1, 2, 9])),
            recording.event("item_completed", thread_id=_id(1), turn_id=ident, item=plan),
            recording.event("entered_review_mode", target={"type": "uncommittedChanges"}),
            recording.event("context_compacted"),
            recording.event("error", message="boom", codex_error_info="other"),
            recording.token_count(None),
            recording.message("assistant", "x"),
            HistoryRecord("compacted", {"message": "m"}),
            HistoryRecord("of_a_newer_version", {}),
        ]
    )


def _id(number: int) -> str:
    return f"01970000-0000-7000-8000-{number:012d}"


def _shown(store: LocalThreadStore, ident: str) -> list[Any]:
    """Return all turns as a client would see them."""
    page = store.list_turns(TurnQuery(ident, None, 100, SortDirection.ASC, ItemsView.FULL))
    return [_own(turn) for turn in page.turns]


def _own(turn: StoredTurn) -> dict[str, Any]:
    return {
        "id": turn.turn_id,
        "status": turn.status.value,  # no stored turn is shown as in progress
        "itemsView": VIEWS[turn.items_view],
        "times": (turn.started_at, turn.completed_at, turn.duration_ms),
        "items": [(item.id, _words(item)) for item in turn.items],
    }


def _words(item: object) -> Any:
    match item:
        case UserMessage(text=text, images=images):
            return [text] * bool(text.strip()) + [image.source for image in images]
        case AgentMessage(text=text, phase=phase):
            return [text, phase]
        case Reasoning(summary=summary, content=content):
            return [*summary, *content]
        case _:
            return None


def _slim(turn: Any) -> dict[str, Any]:
    """Return a turn from the wire in the form of :func:`_own`."""
    return {
        "id": turn["id"],
        "status": turn["status"],
        "itemsView": turn["itemsView"],
        "times": (turn["startedAt"], turn["completedAt"], turn["durationMs"]),
        "items": [(item["id"], _said(item)) for item in turn["items"]],
    }


def _said(item: Any) -> Any:
    match item["type"]:
        case "userMessage":
            return [part.get("text", part.get("url")) for part in item["content"]]
        case "agentMessage":
            return [item["text"], item["phase"]]
        case "reasoning":
            return item["summary"] + item["content"]
        case _:
            return None
