"""What the rules leave to the client, and what they say where nothing was seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from hive_gate.adapter import recent
from hive_gate.adapter.judge import Judge
from hive_gate.adapter.run import Judged
from hive_gate.contract.model import Contract
from hive_gate.wire.transcript import Message
from tests.support.talk import FIRST, GONE, LARGE, OTHER, THREAD, Talk, good

Judging = Callable[[Talk], Judged]

DRIFTED: tuple[Any, ...] = (
    None,
    {"data": [], "nextCursor": None},
    {"data": [{"id": 7}], "nextCursor": None},
    {"data": [{"id": "turn-8"}]},
    {"data": [{"id": "turn-8", "itemsView": "summary"}], "nextCursor": None},
    {"data": [{"id": f"turn-{n}"} for n in range(21)], "nextCursor": None},
)
"""Pages that are not what was asked for."""


def verdicts(judged: Judged) -> dict[str, str]:
    return {rule.id: rule.verdict for rule in judged.judgment.rules}


def restores_again_and_pages_again(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2")


def opens_turns_that_came_shortened(talk: Talk) -> None:
    talk.restores("c0", size=LARGE)
    talk.pages("c0", "c1", itemsView="summary")
    talk.restores(None, OTHER)
    talk.restores("c1", itemsView="summary", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")
    talk.pages("c1", "c2", itemsView="full")
    talk.pages("c2", "c3", itemsView="summary")
    talk.pages("c3", None, itemsView="summary")
    talk.pages(None, "x1", itemsView="full", limit=1)
    talk.pages("x1", "x2", itemsView="full", limit=1)
    talk.pages("c3", "x3", itemsView="full", limit=1)
    talk.pages("x3", None, itemsView="full", limit=1)
    talk.pages("x2", "x4", itemsView="full", limit=1)


def opens_turns_before_the_end(talk: Talk) -> None:
    talk.restores("c1", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")
    talk.pages("c1", "x1", itemsView="full", limit=1)
    talk.pages("x1", "x2", itemsView="full", limit=1)
    talk.pages("c2", None, itemsView="summary")


def opens_the_first_turn_and_then_the_others(talk: Talk) -> None:
    talk.restores("c1", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")
    talk.pages("c1", "x1", itemsView="full", limit=1)
    talk.pages("c1", "c2", itemsView="full")


def opens_turns_again_after_another_thread(talk: Talk) -> None:
    opens_the_first_turn_and_then_the_others(talk)
    talk.restores(None, OTHER)
    talk.restores("c1", itemsView="summary", size=LARGE)
    talk.pages("c1", "x1", itemsView="full", limit=1)
    talk.pages("c1", "c2", itemsView="full")


def pages_on_where_it_was_after_another_thread(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "k2")
    talk.pages("k2", "k3")
    talk.result("thread/unsubscribe", {"threadId": THREAD}, {})
    talk.restores("e1", OTHER)
    talk.restores("c1")
    talk.pages("k3", "k4")


def pages_on_after_it_greeted_again(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "k2")
    greeting = talk.lines[0]["body"]["params"]
    talk.refusal("initialize", greeting, -32600, "Already initialized")
    talk.pages("k2", None)


def begins_anew_where_a_cursor_was_lost(talk: Talk) -> None:
    short: dict[str, Any] = {"itemsView": "summary"}
    talk.restores("c1", size=LARGE)
    talk.pages("c1", "c2", **short)
    talk.page_refused("c2", -32600, "invalid cursor: anchor turn is no longer present", **short)
    talk.pages(None, "c1", **short)
    talk.pages("c1", None, **short)
    talk.page_refused("c1", -32600, "invalid cursor: anchor turn is no longer present", itemsView="full")
    talk.pages(None, "d1", **short)


def shortens_pages_after_a_large_one(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2", size=LARGE)
    talk.pages("c2", "c3", itemsView="summary")
    talk.pages("c2", "x1", itemsView="full", limit=1)
    talk.pages("c3", None, itemsView="summary")


def pages_on_as_it_measures(talk: Talk, size: int, view: str) -> None:
    talk.restores("c1", size=size)
    talk.pages("c1", None, itemsView=view)


def begins_in_either_view_after_a_large_page(talk: Talk, view: str) -> None:
    talk.restores("c1", size=LARGE)
    talk.restores("c1", OTHER)
    talk.restores("c1", itemsView=view)
    talk.pages("c1", None, itemsView=view)


def shortens_pages_of_a_thread_that_came_whole(talk: Talk) -> None:
    talk.result("thread/read", {"threadId": GONE, "includeTurns": True}, {"thread": {"id": GONE}}, size=LARGE)
    talk.restores("c1", GONE, itemsView="summary")


def shortens_pages_after_something_large_that_cannot_be_read(talk: Talk) -> None:
    talk.restores("c1")
    talk.asks("thread/turns/list", talk.listing("c1"))
    talk.add("received", text='{"id":', odd=["not-json"], bytes=LARGE)
    talk.restores("c1", "thread-3", itemsView="summary")


def resumes_by_path_shortened(talk: Talk) -> None:
    page = FIRST | {"itemsView": "summary"}
    params = {"threadId": "", "path": "/somewhere", "excludeTurns": True, "initialTurnsPage": page}
    talk.result("thread/resume", params, {"thread": {"id": GONE}, "initialTurnsPage": {"data": [], "nextCursor": None}})


# -- a thread that is restored again ---


def goes_to_another_thread_and_back(talk: Talk) -> None:
    for thread in (THREAD, OTHER, THREAD):
        talk.restores("c1", thread)


def goes_to_a_thread_that_is_gone_and_back(talk: Talk) -> None:
    talk.restores("c1")
    params = {"threadId": "thread-3", "excludeTurns": True, "initialTurnsPage": FIRST}
    talk.refusal("thread/resume", params, -32600, "no rollout found for thread id thread-3")
    talk.restores("c1")


def goes_to_another_thread_by_its_path_and_back(talk: Talk) -> None:
    talk.restores("c1")
    talk.resumes_by_path("c1", OTHER)
    talk.restores("c1")


def begins_another_thread_and_goes_back(talk: Talk) -> None:
    talk.restores("c1")
    talk.result("thread/start", {}, {"thread": {"id": OTHER}})
    talk.restores("c1")


def restores_again_after_asking(talk: Talk, method: str) -> None:
    talk.restores("c1")
    talk.result(method, {"threadId": THREAD}, {})
    talk.restores("c1")


def restores_again_after_paging_and_hearing(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.gets(method="thread/closed", params={"threadId": THREAD})
    talk.restores("c1")


def restores_again_after_a_page_was_refused(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.page_refused("c2", -32600, "invalid cursor: anchor turn is no longer present")
    talk.restores("c1")


def restores_again_after_hearing(talk: Talk, method: str) -> None:
    talk.restores("c1")
    talk.gets(method=method, params={"threadId": THREAD, "status": {"type": "notLoaded"}})
    talk.restores("c1")


def restores_again_after_an_error(talk: Talk) -> None:
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": FIRST}
    talk.restores("c1")
    talk.refusal("thread/resume", params, -32001, "Server overloaded; retry later.", after=100)
    talk.ms += 100
    talk.restores("c1")


def asks_for_the_first_page_until_it_comes(talk: Talk) -> None:
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": FIRST}
    talk.result("thread/resume", params, {"thread": {"id": THREAD}})
    talk.page_refused(None, -32001, "Server overloaded; retry later.")
    talk.result("thread/turns/list", talk.listing(None), {"data": [], "nextCursor": None}, after=100)


def resumes_two_threads_by_their_paths(talk: Talk) -> None:
    for thread in (THREAD, GONE):
        talk.resumes_by_path("c1", thread)
        talk.pages("c1", None, thread)


def pages_after_a_rollback(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.result("thread/revert", {"threadId": THREAD}, {"thread": {}})
    talk.pages(None, "c1")


def pages_two_threads_at_once(talk: Talk) -> None:
    talk.restores("c1")
    talk.restores("c1", OTHER)
    mine, theirs = (
        talk.asks("thread/turns/list", talk.listing("c1")),
        talk.asks("thread/turns/list", talk.listing("c1", OTHER)),
    )
    talk.gets(id=theirs, result={"data": [], "nextCursor": None})
    talk.gets(id=mine, result={"data": [], "nextCursor": None})


def takes_the_first_page_from_a_list_where_the_resume_had_none(talk: Talk) -> None:
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": FIRST}
    talk.result("thread/resume", params, {"thread": {"id": THREAD}})
    talk.pages(None, "c1")
    talk.pages("c1", None)


def restores_a_thread_that_was_gone(talk: Talk) -> None:
    talk.restores("g1", GONE)
    talk.pages("g1", None, GONE)


def reads_a_thread_again_after_a_restore(talk: Talk) -> None:
    talk.reads_whole()
    talk.result("thread/resume", {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": FIRST}, {})
    talk.reads_whole()


def reads_a_thread_whose_pages_stopped(talk: Talk) -> None:
    talk.restores("c1", OTHER)
    talk.pages("c1", "c2", OTHER)
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.page_refused("c2", -32603, "failed to read thread")
    talk.reads_whole()
    talk.reads_whole(OTHER)


def reads_a_thread_whose_pages_drift(talk: Talk, page: Any) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.result("thread/turns/list", talk.listing("c2"), page)
    talk.reads_whole()


def reads_a_thread_before_it_pages_it(talk: Talk) -> None:
    talk.restores("c1", OTHER)
    talk.pages("c1", None, OTHER)
    talk.reads_whole("thread-3")
    talk.restores("c1", "thread-3")


def reads_a_thread_again_that_was_refused(talk: Talk) -> None:
    talk.refusal("thread/read", {"threadId": THREAD, "includeTurns": True}, -32603, "failed to read thread")
    talk.ms += 100
    talk.reads_whole()


def reads_a_thread_again_after_it_was_resumed_by_its_path(talk: Talk) -> None:
    talk.reads_whole()
    params = {"threadId": "", "path": f"/{THREAD}", "excludeTurns": True, "initialTurnsPage": FIRST}
    talk.result("thread/resume", params, {"thread": {"id": THREAD}})
    talk.reads_whole()


def answers_with_an_error(talk: Talk) -> None:
    talk.gets(id="x", method="item/tool/call", params={})
    talk.sends(id="x", error={"code": -32601, "message": "Hive does not offer it"})


def is_asked_with_an_id_of_its_own(talk: Talk) -> None:
    talk.gets(id=talk.asks("thread/list"), method="item/fileChange/requestApproval", params={})
    talk.sends(id=talk.next_id - 1, result={"decision": "decline"})
    talk.gets(id=talk.next_id - 1, result={"data": []})


def is_spared_an_answer(talk: Talk) -> None:
    talk.gets(id=7, method="item/fileChange/requestApproval", params={"threadId": THREAD})
    talk.gets(method="serverRequest/resolved", params={"threadId": THREAD, "requestId": 7})
    talk.result("thread/list", {}, {"data": []}, after=60_000)


def is_asked_just_before_the_end(talk: Talk) -> None:
    talk.gets(id=7, method="item/fileChange/requestApproval", params={"threadId": THREAD})
    talk.result("thread/list", {}, {"data": []}, after=500)


def quits_while_it_is_asked(talk: Talk) -> None:
    talk.gets(id=7, method="item/fileChange/requestApproval", params={"threadId": THREAD})
    talk.ms += 1_900


def asks_something_else_of_a_busy_server(talk: Talk) -> None:
    talk.restores("c1")
    talk.page_refused("c1", -32001, "Server overloaded; retry later.")
    talk.result("thread/list", {}, {"data": []})


def is_refused_again_after_a_success(talk: Talk) -> None:
    for _ in range(2):
        talk.refusal("thread/list", {}, -32001, "Server overloaded; retry later.", after=100)
        talk.result("thread/list", {}, {"data": []}, after=100)


def comes_back_to_a_busy_server_after_a_while(talk: Talk) -> None:
    talk.restores("c1")
    for ever in range(3):
        for wait in (60_000 if ever else 0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000):
            talk.page_refused("c1", -32001, "Server overloaded; retry later.", after=wait)


def gives_a_greeting_again_that_was_refused(talk: Talk) -> None:
    greeting, rest = talk.lines[0], talk.lines[1:]
    talk.lines.clear()
    talk.add("sent", body=greeting["body"] | {"id": "first"})
    talk.gets(id="first", error={"code": -32600, "message": "Invalid clientInfo.name"})
    later = talk.ms + 1_000
    for line in [greeting, *rest]:
        talk.lines.append({**line, "n": len(talk.lines), "ms": line["ms"] + later})
    talk.ms += later


@pytest.mark.parametrize(
    "does",
    [
        restores_again_and_pages_again,
        opens_turns_that_came_shortened,
        opens_turns_before_the_end,
        opens_the_first_turn_and_then_the_others,
        opens_turns_again_after_another_thread,
        pages_on_where_it_was_after_another_thread,
        shortens_pages_after_a_large_one,
        *(
            partial(pages_on_as_it_measures, size=size, view=view)
            for size, view in [(2_000_000, "full"), (2_000_001, "full"), (2_000_001, "summary"), (LARGE, "summary")]
        ),
        *(partial(begins_in_either_view_after_a_large_page, view=view) for view in ("full", "summary")),
        shortens_pages_of_a_thread_that_came_whole,
        shortens_pages_after_something_large_that_cannot_be_read,
        resumes_by_path_shortened,
        goes_to_another_thread_and_back,
        begins_another_thread_and_goes_back,
        goes_to_a_thread_that_is_gone_and_back,
        goes_to_another_thread_by_its_path_and_back,
        *(partial(restores_again_after_asking, method=method) for method in ("thread/unsubscribe", "thread/archive")),
        *(
            partial(restores_again_after_hearing, method=method)
            for method in ("thread/closed", "thread/status/changed", "thread/archived", "turn/started", "error")
        ),
        restores_again_after_an_error,
        restores_again_after_paging_and_hearing,
        restores_again_after_a_page_was_refused,
        reads_a_thread_whose_pages_stopped,
        *(partial(reads_a_thread_whose_pages_drift, page=page) for page in DRIFTED),
        reads_a_thread_before_it_pages_it,
        begins_anew_where_a_cursor_was_lost,
        asks_for_the_first_page_until_it_comes,
        resumes_two_threads_by_their_paths,
        reads_a_thread_again_after_it_was_resumed_by_its_path,
        quits_while_it_is_asked,
        comes_back_to_a_busy_server_after_a_while,
        pages_after_a_rollback,
        pages_two_threads_at_once,
        takes_the_first_page_from_a_list_where_the_resume_had_none,
        restores_a_thread_that_was_gone,
        answers_with_an_error,
        reads_a_thread_again_after_a_restore,
        reads_a_thread_again_that_was_refused,
        is_asked_with_an_id_of_its_own,
        is_spared_an_answer,
        is_asked_just_before_the_end,
        asks_something_else_of_a_busy_server,
        is_refused_again_after_a_success,
        gives_a_greeting_again_that_was_refused,
    ],
)
def test_no_rule_is_broken_by_a_client_that(does: Callable[[Talk], None], judged: Judging) -> None:
    talk = good()
    does(talk)
    assert {rule.id: rule.breaches for rule in judged(talk).judgment.rules if rule.breaches} == {}


def test_a_client_that_greets_again_and_pages_on_breaks_the_rule_of_greetings_alone(judged: Judging) -> None:
    talk = good()
    pages_on_after_it_greeted_again(talk)
    assert [rule.id for rule in judged(talk).judgment.rules if rule.breaches] == ["adapter.initialize-first"]


@pytest.mark.parametrize("does", [is_asked_just_before_the_end, quits_while_it_is_asked])
def test_a_request_that_nobody_answers_is_not_seen_to_be_answered(
    does: Callable[[Talk], None], judged: Judging
) -> None:
    talk = Talk()
    talk.greets()
    does(talk)
    assert verdicts(judged(talk))["adapter.server-requests"] == "not-exercised"


@pytest.mark.parametrize("does", [answers_with_an_error, is_spared_an_answer])
def test_a_request_is_seen_once_it_is_answered_or_withdrawn(does: Callable[[Talk], None], judged: Judging) -> None:
    talk = Talk()
    talk.greets()
    does(talk)
    (rule,) = [rule for rule in judged(talk).judgment.rules if rule.id == "adapter.server-requests"]
    assert (rule.verdict, rule.seen) == ("pass", 1)


def test_whoever_follows_a_client_sees_nothing_kept_before_a_request_is_answered(contract: Contract) -> None:
    talk = Talk()
    talk.greets()
    answers_with_an_error(talk)
    judging, verdict_after = Judge(contract), []
    (rule,) = [rule for rule in contract.adapter if rule.id == "adapter.server-requests"]
    for line in talk.lines:
        judging.feed(Message(line["n"], 0, line["ms"], line["direction"], 1, line["body"]))
        verdict_after.append(judging.verdict(rule))
    assert verdict_after[-2:] == ["not-exercised", "pass"]


def test_without_any_message_nothing_is_shown(judged: Judging) -> None:
    result = judged(Talk())
    assert set(verdicts(result).values()) == {"not-exercised"}
    assert result.judgment.outcome == "nothing-seen"


def test_a_server_that_talks_to_itself_shows_nothing_of_its_client(judged: Judging) -> None:
    talk = Talk()
    for _ in range(3):
        talk.gets(method="warning", params={"message": "hello"})
    assert judged(talk).judgment.outcome == "nothing-seen"


def test_after_the_handshake_alone_only_the_rules_of_the_handshake_and_of_every_line_are_kept(judged: Judging) -> None:
    talk = Talk()
    talk.greets()
    assert {rule for rule, verdict in verdicts(judged(talk)).items() if verdict == "pass"} == {
        "adapter.initialize-first", "adapter.initialized", "adapter.experimental-api", "adapter.no-items-list",
        "adapter.no-renderer-action", "adapter.valid-lines", "adapter.asked-replies",
    }  # fmt: skip


def test_one_page_alone_does_not_show_that_it_never_has_company(judged: Judging) -> None:
    talk = Talk()
    talk.greets()
    talk.restores("c1")
    found = verdicts(judged(talk))
    assert (found["adapter.one-page-in-flight"], found["adapter.cursor-once"]) == ("not-exercised", "not-exercised")
    assert (found["adapter.next-cursor"], found["adapter.stop-at-null"]) == ("not-exercised", "not-exercised")


def test_each_server_of_a_probe_is_a_connection_of_its_own(contract: Contract) -> None:
    judging = Judge(contract)
    for server in (0, 1):
        talk = Talk()
        talk.greets()
        for line in talk.lines:
            judging.feed(Message(line["n"], server, line["ms"], line["direction"], 1, line["body"]))
    assert judging.judgment().outcome == "kept"


def test_breaches_are_counted_and_the_first_ones_kept(judged: Judging) -> None:
    talk = good()
    for n in range(50):
        talk.sends(id=f"nobody-{n}", result={})
    (rule,) = [rule for rule in judged(talk).judgment.rules if rule.breaches]
    assert (rule.broken, len(rule.breaches)) == (50, 20)


def test_memory_is_bounded_whatever_a_client_sends(contract: Contract, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = 100
    monkeypatch.setattr(recent, "KEPT", kept)
    judging = Judge(contract)
    for n in range(kept + 10):
        judging.feed(Message(n, 0, n, "sent", 1, {"id": n, "method": "x"}))
    judging.feed(Message(kept + 10, 0, kept + 10, "sent", 1, {"id": kept + 9, "method": "x"}))
    judging.feed(Message(kept + 11, 0, kept + 11, "sent", 1, {"id": 0, "method": "x"}))  # too long ago to be known
    (rule,) = [rule for rule in judging.judgment().rules if rule.id == "adapter.unique-ids"]
    assert [breach.message for breach in rule.breaches] == [kept + 10]
