"""What the server says fits the schemas that it writes: also what no clause of the contract asks for."""

from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.drift.bundle import Bundle
from hive_gate.reference.model import ModelFailed
from hive_gate.reference.schema.bundle import write
from hive_gate.reference.server.resuming import close_if_idle

from .conftest import Json, Server


@pytest.fixture
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    folder = tmp_path_factory.mktemp("schemas")
    write(folder, experimental=True)
    return Bundle.load(folder)


def heard(server: Server, bundle: Bundle, seen: set[str]) -> list[Json]:
    """Return what is wrong with the notifications that came."""
    told = [message for message in server.rest() if "method" in message]
    seen |= {message["method"] for message in told}
    return [error for one in told for error in checked(bundle.notification_errors(one["method"], one["params"]))]


def checked(errors: Json) -> list[Json]:
    assert isinstance(errors, list), errors
    return errors


def test_replies_and_notifications_of_every_method_fit(server: Server, bundle: Bundle) -> None:
    wrong: list[Json] = []
    seen: set[str] = set()

    def ask(method: str, **params: Json) -> Json:
        ident = server.send(method, params)
        messages = server.until(lambda message: message.get("id") == ident)
        for message in messages:
            server.wire.messages.put(message)
        result = messages[-1]["result"]
        wrong.extend(checked(bundle.reply_errors(method, result)))
        wrong.extend(heard(server, bundle, seen))
        return result

    thread = ask("thread/start")["thread"]["id"]
    for failure in (None, ModelFailed("no", "internalServerError")):
        server.model.failure = failure
        for message in server.turn(thread, "hello"):
            server.wire.messages.put(message)
        wrong += heard(server, bundle, seen)
    ask("thread/name/set", threadId=thread, name="a name")
    ask("thread/read", threadId=thread, includeTurns=True)
    ask("thread/list", modelProviders=[])
    ask("thread/loaded/list")
    ask("thread/turns/list", threadId=thread, itemsView="full")
    ask("thread/resume", threadId=thread, initialTurnsPage={})
    ask("thread/fork", threadId=thread)
    ask("thread/rollback", threadId=thread, numTurns=1)
    ask("turn/interrupt", threadId=thread, turnId="")
    ask("thread/unsubscribe", threadId=thread)
    close_if_idle(server.core, server.core.loaded[thread])
    wrong += heard(server, bundle, seen)
    ask("thread/archive", threadId=thread)
    ask("thread/unarchive", threadId=thread)
    assert wrong == []
    assert set(bundle.notifications) - seen - {"item/agentMessage/delta"} == set()


def test_a_file_of_a_schema_is_text_that_ends_with_a_newline(bundle: Bundle) -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(bundle.folder).rglob("*.json")]
    assert texts
    assert all(text.endswith("}\n") for text in texts)
