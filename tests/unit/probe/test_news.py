from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hive_gate.contract.model import Contract
from hive_gate.probe.news import news
from hive_gate.report.model import News, Server
from hive_gate.wire.transcript import Oddity

LIST = "thread/turns/list"
Tell = Callable[..., list[News]]


@pytest.fixture
def told(contract: Contract, wire: Any) -> Tell:
    known = replace(
        contract,
        known_notifications=frozenset({"turn/started"}),
        known_fields={LIST: frozenset({"/data/*/items/*/text"})},
    )

    def tell(*exchanges: Any, oddities: Any = ()) -> list[News]:
        return list(news(known, exchanges, wire.messages, oddities))

    return tell


def page(**more: Any) -> dict[str, Any]:
    item = {"id": "i", "type": "agentMessage", "text": "known"}
    turn = {"id": "t", "status": "completed", "items": [item], "itemsView": "full"}
    return {"result": {"data": [turn], "nextCursor": None, "backwardsCursor": None, **more}}


def test_what_the_contract_knows_is_no_news(told: Tell, wire: Any) -> None:
    exchange = wire.exchange(page(), notifications=[{"method": "turn/started"}])
    assert told(exchange) == []


def test_an_unknown_field_is_news_once_with_its_count_and_first_message(told: Tell, wire: Any) -> None:
    exchanges = [wire.exchange(page()), wire.exchange(page(total=5)), wire.exchange(page(total=6))]
    assert told(*exchanges) == [News("field", f"{LIST}: /total (integer)", 2, exchanges[1].reply)]


def test_a_field_that_is_new_in_several_places_is_told_once(told: Tell, wire: Any) -> None:
    page = {"data": [{"id": "t", "items": [], "status": "completed", "extra": 1}], "extra": 2}
    one = wire.exchange({"result": {**page, "nextCursor": None, "backwardsCursor": None}})
    assert told(one) == [News("field", f"extra (integer) in {LIST}: /data/*, {LIST}: ", 2, one.reply)]


def test_an_unknown_member_of_a_list_of_constants_is_news_even_where_its_field_is_known(told: Tell, wire: Any) -> None:
    body = page()
    body["result"]["data"][0]["status"] = "paused"
    exchange = wire.exchange(body)
    assert told(exchange) == [News("enum-member", f'{LIST}: /data/*/status ("paused")', 1, exchange.reply)]


def test_an_unknown_notification_is_news_and_a_request_of_the_server_is_none(told: Tell, wire: Any) -> None:
    for body in (
        {"method": "turn/paused"},
        {"method": "turn/paused"},
        {"id": 1, "method": "ask"},
        {"method": {"x": 1}},
    ):
        wire.add("received", body)
    wire.add("sent", {"method": "initialized"})
    assert told() == [News("notification", "turn/paused", 2, 0), News("notification", "{'x': 1}", 1, 3)]


@pytest.mark.parametrize(
    ("method", "kind"), [("configWarning", "config-warning"), ("deprecationNotice", "deprecation-notice")]
)
@pytest.mark.parametrize(
    ("params", "text"),
    [
        ({"summary": "No sandbox.", "details": None}, "No sandbox."),
        ({"summary": "It goes.", "details": "Use another."}, "It goes. Use another."),
        ({"message": "old"}, "old"),
        ({"summary": {"odd": 1}}, "{'odd': 1}"),
    ],
)
def test_what_the_server_warns_of_is_news_in_its_own_words(
    method: str, kind: str, params: Any, text: str, told: Tell, wire: Any
) -> None:
    wire.add("received", {"method": method, "params": params})
    assert told() == [News(kind, text, 1, 0)]


@pytest.mark.parametrize("params", [{}, None, "words", {"summary": ""}])
def test_a_warning_without_words_goes_by_its_method(params: Any, told: Tell, wire: Any) -> None:
    wire.add("received", {"method": "deprecationNotice", "params": params})
    assert told() == [News("deprecation-notice", "deprecationNotice", 1, 0)]


def test_tolerated_oddities_are_news_and_faults_are_left_to_their_clause(told: Tell, wire: Any) -> None:
    wire.add("received", None)
    oddities = [Oddity(kind, kind, 0) for kind in ("banner", "line-separator", "server-request", "not-json")]
    assert [(item.kind, item.text) for item in told(oddities=oddities)] == [
        ("banner", "banner"), ("server-request", "server-request"), ("wire", "line-separator"),
    ]  # fmt: skip


def test_errors_and_answers_to_methods_that_hive_does_not_rely_on_hold_no_news(told: Tell, wire: Any) -> None:
    exchanges = [
        wire.exchange({"error": {"code": -1, "message": "no", "data": {"x": 1}}}),
        wire.exchange({"result": {"x": 1}}, "made/up"),
        wire.exchange(None),
        wire.exchange({"result": None}),
    ]
    assert told(*exchanges) == []


@pytest.mark.parametrize(
    ("code", "stop", "told"),
    [
        (0, "eof", None),
        (3, "eof", "exit code 3"),
        (-11, "eof", "killed by signal 11"),
        (-9, "kill", None),  # by the gate itself
    ],
)
def test_a_server_that_does_not_end_well_is_news(contract: Contract, code: int, stop: str, told: str | None) -> None:
    server = Server(2, "s", "hive", "clauses", 1.0, code, "", stop)
    texts = [one.text for one in news(contract, [], [], [], [server])]
    assert texts == ([] if told is None else [f"a server that was asked to end ended badly: {told}"])


def test_a_process_that_a_server_left_behind_is_news(contract: Contract) -> None:
    server = Server(2, "s", "hive", "clauses", 1.0, 0, "", "eof", survivors=("sleep 100",))
    assert news(contract, (), (), (), [server]) == (
        News("survivor", "a process 'sleep 100' was left behind when its server ended; it was killed", 1, None),
    )


def test_the_kinds_of_news_are_those_that_the_report_s_schema_names(told: Tell, wire: Any) -> None:
    import json

    from hive_gate.data import CONTRACTS

    schema = json.dumps(json.loads((CONTRACTS / "report.schema.json").read_bytes()))
    wire.add("received", {"method": "configWarning"})
    wire.add("received", {"method": "x"})
    oddities = [Oddity(kind, kind, 0) for kind in ("banner", "line-separator", "server-request")]
    kinds = {item.kind for item in told(wire.exchange(page(total=1)), oddities=oddities)}
    assert len(kinds) == 6
    assert [kind for kind in kinds if f"`{kind}`" not in schema] == []
