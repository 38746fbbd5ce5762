"""The shipped rules: a good client keeps every one, and for each there is a bad client that breaks it alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hive_gate.adapter.run import Judged
from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from tests.support.talk import FIRST, GONE, LARGE, OTHER, THREAD, Talk, good

Judging = Callable[[Talk], Judged]
Bad = Callable[[Talk], None]

RULES = load_contract(DEFAULT_CONTRACT).adapter


def broken(judged: Judged) -> dict[str, tuple[int, ...]]:
    """Return the broken rules with the numbers of the messages that break them."""
    found = {rule.id: tuple(b.message for b in rule.breaches) for rule in judged.judgment.rules}
    return {rule: numbers for rule, numbers in found.items() if numbers}


def asks_before_the_greeting(talk: Talk) -> None:
    talk.lines.clear()
    talk.refusal("thread/read", {"threadId": THREAD}, -32600, "Not initialized")
    talk.greets()


def greets_twice(talk: Talk) -> None:
    info = {"clientInfo": {"name": "hive", "version": "1"}, "capabilities": {"experimentalApi": True}}
    talk.refusal("initialize", info, -32600, "Already initialized")


def forgets_to_confirm(talk: Talk) -> None:
    del talk.lines[2:]
    talk.result("thread/list", {}, {"data": []})


def confirms_too_early(talk: Talk) -> None:
    del talk.lines[1:]
    talk.sends(method="initialized")
    talk.gets(id=1, result={})


def confirms_twice(talk: Talk) -> None:
    talk.sends(method="initialized")


def without_the_capability(talk: Talk) -> None:
    talk.lines[0]["body"]["params"]["capabilities"] = {"experimentalApi": False}


def with_null_for_capabilities(talk: Talk) -> None:
    talk.lines[0]["body"]["params"]["capabilities"] = None


def resumes_with_all_turns(talk: Talk) -> None:
    talk.result("thread/resume", {"threadId": THREAD}, {"thread": {"id": THREAD, "turns": []}})


def resumes_with_many_turns_beside_a_page(talk: Talk) -> None:
    page = {"data": [{"id": "turn-9"}], "nextCursor": "c1"}
    result = {"thread": {"id": THREAD, "turns": []}, "initialTurnsPage": page}
    talk.result("thread/resume", {"threadId": THREAD, "initialTurnsPage": FIRST}, result, size=LARGE)
    talk.pages("c1", None)


def resumes_oldest_first(talk: Talk) -> None:
    page = {"initialTurnsPage": {**FIRST, "sortDirection": "asc"}}
    talk.result("thread/resume", {"threadId": THREAD, "excludeTurns": True, **page}, {"thread": {"id": THREAD}})


def resumes_with_null_for_the_page(talk: Talk) -> None:
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": None}
    talk.result("thread/resume", params, {"thread": {"id": THREAD}})


def resumes_again_without_a_page(talk: Talk) -> None:
    talk.restores("c1")
    talk.result("thread/resume", {"threadId": THREAD, "excludeTurns": True}, {"thread": {"id": THREAD}})
    talk.restores("c1")


def confirms_with_a_request(talk: Talk) -> None:
    del talk.lines[2:]
    talk.refusal("initialized", None, -32600, "Invalid request: unknown variant `initialized`")
    talk.result("thread/list", {}, {"data": []})


def pages_forward(talk: Talk) -> None:
    talk.restores("c1")
    talk.result("thread/turns/list", talk.listing("c1") | {"sortDirection": "asc"}, {"data": [], "nextCursor": None})


def leaves_the_view_to_the_server(talk: Talk) -> None:
    talk.restores("c1")
    params = {"threadId": THREAD, "cursor": "c1", "limit": 20, "sortDirection": "desc"}
    talk.result("thread/turns/list", params, {"data": [], "nextCursor": None})


def pages_without_a_limit(talk: Talk) -> None:
    talk.restores("c1")
    params = {name: value for name, value in talk.listing("c1").items() if name != "limit"}
    talk.result("thread/turns/list", params, {"data": [], "nextCursor": None})


def wants_a_thousand_turns(talk: Talk) -> None:
    talk.restores("c1")
    talk.result("thread/turns/list", talk.listing("c1") | {"limit": 1000}, {"data": [], "nextCursor": None})


def restores_with_a_limit_of_zero(talk: Talk) -> None:
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": {**FIRST, "limit": 0}}
    talk.result("thread/resume", params, {"thread": {"id": THREAD}})


def asks_for_fifty_turns(talk: Talk) -> None:
    talk.restores("c1")
    talk.result("thread/turns/list", talk.listing("c1") | {"limit": 50}, {"data": [], "nextCursor": None})


def scrolls_turn_by_turn(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "k2", limit=1)
    talk.pages("k2", "k3", limit=1)


def goes_on_turn_by_turn_behind_what_came_shortened(talk: Talk) -> None:
    talk.restores("c1", size=2_000_001)
    talk.pages("c1", "c2", itemsView="summary", limit=20)
    for n in range(21):  # the last one is not of the twenty that came shortened
        talk.pages(f"x{n}" if n else "c1", f"x{n + 1}", limit=1)


def restores_one_turn(talk: Talk) -> None:
    talk.restores("c1", size=2_000_001)
    talk.restores(None, OTHER)
    talk.restores("c1", itemsView="summary")
    talk.restores(None, OTHER)
    talk.restores("c1", limit=1)


def wants_one_turn_shortened(talk: Talk) -> None:
    talk.restores("c1", size=LARGE)
    talk.pages("c1", None, itemsView="summary", limit=1)


def restores_without_items(talk: Talk) -> None:
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": {**FIRST, "itemsView": "notLoaded"}}
    talk.result("thread/resume", params, {"thread": {"id": THREAD}})


def restores_shortened_what_it_never_saw_large(talk: Talk) -> None:
    talk.restores("c1", OTHER, size=LARGE)
    talk.restores("c1", itemsView="summary")


def shortens_pages_that_were_small_enough(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2", size=2_000_000)
    talk.pages("c2", None, itemsView="summary")


def pages_on_in_full_after_a_large_page(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2", size=LARGE)
    talk.pages("c2", None)


def pages_on_in_full_after_a_large_restore(talk: Talk) -> None:
    talk.restores("c1", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")
    talk.pages("c2", None)


def restores_for_each_step(talk: Talk) -> None:
    talk.restores("c1")
    talk.result("thread/list", {}, {"data": []})
    talk.gets(method="thread/closed", params={"threadId": OTHER})
    talk.gets(method="item/completed", params={"threadId": THREAD})
    talk.restores("c1")


def restores_and_pages_in_a_loop(talk: Talk) -> None:
    for _ in range(3):
        talk.restores("c1")
        talk.pages("c1", "c2")


def restores_by_path_for_each_step(talk: Talk) -> None:
    talk.resumes_by_path("c1")
    talk.resumes_by_path("c1")


def reads_all_of_a_thread_twice_at_once(talk: Talk) -> None:
    asked = [talk.asks("thread/read", {"threadId": THREAD, "includeTurns": True}) for _ in range(2)]
    for ident in asked:
        talk.gets(id=ident, result={"thread": {"id": THREAD, "turns": []}})


def reads_all_of_a_thread_again(talk: Talk) -> None:
    talk.reads_whole()
    talk.result("thread/read", {"threadId": THREAD}, {"thread": {"id": THREAD}})
    talk.reads_whole()


def reads_all_beside_its_pages(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.reads_whole()


def reads_all_after_the_first_page(talk: Talk) -> None:
    talk.restores("c1", OTHER)
    talk.pages("c1", None, OTHER)
    talk.restores("c1")
    talk.reads_whole()


def makes_a_cursor_up(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages('{"turnId":"turn-3","includeAnchor":false}', "c3")


def takes_the_backwards_cursor(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("b", "c3")


def takes_the_cursor_of_another_thread(talk: Talk) -> None:
    talk.restores("c1")
    talk.restores("e1", OTHER)
    talk.pages("e1", "c3")


def pages_on_after_the_end(talk: Talk) -> None:
    talk.pages(None, "c1")


def goes_back_to_an_old_cursor_after_the_end(talk: Talk) -> None:
    talk.pages("c2", None)


def restores_again_without_waiting(talk: Talk) -> None:
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": FIRST}
    for ident in [talk.asks("thread/resume", params), talk.asks("thread/resume", params)]:
        talk.gets(id=ident, result={"thread": {"id": THREAD}, "initialTurnsPage": {"data": [], "nextCursor": "c1"}})


def scrolls_without_waiting(talk: Talk) -> None:
    talk.restores("c1")
    talk.restores("c1", OTHER)
    first, second = (
        talk.asks("thread/turns/list", talk.listing("c1")),
        talk.asks("thread/turns/list", talk.listing("c1")),
    )
    talk.gets(id=first, result={"data": [], "nextCursor": "c2"})
    talk.gets(id=second, result={"data": [], "nextCursor": "c2"})


def scrolls_at_once_after_a_page(talk: Talk) -> None:
    talk.restores("c1")
    talk.gets(id=talk.asks("thread/turns/list", talk.listing("c1")), result={"data": [], "nextCursor": "c2"})
    talk.gets(id=talk.asks("thread/turns/list", talk.listing("c2")), result={"data": [], "nextCursor": None})


def scrolls_faster_than_the_server_is(talk: Talk) -> None:
    talk.restores("c1")
    slow = talk.asks("thread/turns/list", talk.listing("c1"))
    talk.ms += 1_000
    talk.gets(id=slow, result={"data": [], "nextCursor": "c2"})
    talk.ms += 300
    talk.gets(id=talk.asks("thread/turns/list", talk.listing("c2")), result={"data": [], "nextCursor": None})


def pages_while_it_restores(talk: Talk) -> None:
    talk.restores("c1")
    talk.gets(method="thread/closed", params={"threadId": THREAD})
    page = {"data": [], "nextCursor": "c1"}
    params = {"threadId": THREAD, "excludeTurns": True, "initialTurnsPage": FIRST}
    resume = talk.asks("thread/resume", params)
    older = talk.asks("thread/turns/list", talk.listing("c1"))
    talk.gets(id=older, result=page)
    talk.gets(id=resume, result={"thread": {"id": THREAD}, "initialTurnsPage": page})


def asks_for_a_page_again(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2")
    talk.pages("c1", "c2")


def follows_a_cursor_in_a_circle(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c1")
    talk.pages("c1", "c1")


def asks_for_the_first_page_again(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages(None, "c1")


def opens_a_turn_twice(talk: Talk) -> None:
    talk.restores("c1", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")
    talk.pages("c1", "x1", itemsView="full", limit=1)
    talk.pages("c1", "x1", itemsView="full", limit=1)


def opens_a_page_twice(talk: Talk) -> None:
    talk.restores("c1", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")
    talk.pages("c1", "c2", itemsView="full")
    talk.pages("c1", "c2", itemsView="full")


def opens_a_turn_that_came_in_full_with_its_page(talk: Talk) -> None:
    talk.restores("c1", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")
    talk.pages("c1", "c2", itemsView="full")
    talk.pages("c1", "x1", itemsView="full", limit=1)


def wants_shortened_what_came_in_full(talk: Talk) -> None:
    talk.restores("c1")
    talk.pages("c1", "c2", size=LARGE)
    talk.pages("c1", "c2", itemsView="summary")


def begins_anew_after_some_error(talk: Talk) -> None:
    talk.restores("c1")
    talk.page_refused("c1", -32001, "Server overloaded; retry later.")
    talk.pages(None, "c1")


def repeats_a_page_of_a_thread_that_was_resumed_by_its_path(talk: Talk) -> None:
    talk.resumes_by_path("c1")
    talk.pages(None, "c1")


def lists_items(talk: Talk) -> None:
    talk.refusal("thread/turns/items/list", {"threadId": THREAD, "turnId": "t"}, -32601, "not supported yet")


def sends_the_renderers_action(talk: Talk) -> None:
    talk.refusal("load-older-conversation-history-page", {}, -32600, "Invalid request: unknown variant `load-older`")


def leaves_an_approval_open(talk: Talk) -> None:
    talk.gets(id=7, method="item/fileChange/requestApproval", params={"threadId": THREAD})
    talk.result("thread/list", {}, {"data": []}, after=5_000)


def waits_in_silence_for_the_end(talk: Talk) -> None:
    talk.gets(id=7, method="item/fileChange/requestApproval", params={"threadId": THREAD})
    talk.ms += 60_000


def pages_a_thread_that_is_not_there(talk: Talk) -> None:
    talk.page_refused(None, -32600, f"thread not loaded: {GONE}", GONE, after=60_000)


def lists_as_empty_what_could_not_be_resumed(talk: Talk) -> None:
    params = {"threadId": GONE, "excludeTurns": True, "initialTurnsPage": FIRST}
    params["threadId"] = "thread-3"
    talk.refusal("thread/resume", params, -32600, "no rollout found for thread id thread-3")
    talk.page_refused(None, -32600, "thread not loaded: thread-3", "thread-3")


def insists_on_a_method(talk: Talk) -> None:
    refused = (-32601, "thread/rollback is not supported yet")
    talk.refusal("thread/rollback", {"threadId": OTHER, "numTurns": 2}, *refused, after=60_000)


def insists_on_a_thread_of_another_kind(talk: Talk) -> None:
    refused = (-32601, "list_turns is not supported yet")
    talk.page_refused(None, *refused, "thread-3")
    talk.page_refused(None, *refused, "thread-3", after=60_000)


def forgets_that_the_capability_is_missing(talk: Talk) -> None:
    refused = (-32600, "thread/queue/add requires experimentalApi capability")
    talk.refusal("thread/queue/add", {"threadId": THREAD}, *refused)
    talk.refusal("thread/queue/add", {"threadId": OTHER}, *refused, after=60_000)


def asks_with_a_cursor_that_was_refused(talk: Talk) -> None:
    talk.restores("d1", OTHER)
    talk.page_refused("d1", -32600, "invalid cursor: anchor turn is no longer present", OTHER, after=60_000)


def hammers_a_busy_server(talk: Talk) -> None:
    talk.restores("c1")
    talk.page_refused("c1", -32001, "Server overloaded; retry later.")
    talk.page_refused("c1", -32001, "Server overloaded; retry later.", after=30)


def waits_the_same_each_time(talk: Talk) -> None:
    talk.restores("c1")
    for _ in range(3):
        talk.page_refused("c1", -32001, "Server overloaded; retry later.", after=100)


def never_gives_up(talk: Talk) -> None:
    talk.restores("c1")
    for _ in range(10):
        talk.page_refused("c1", -32001, "Server overloaded; retry later.", after=10_000)


def repeats_what_was_refused_at_once(talk: Talk) -> None:
    for _ in range(2):
        talk.refusal("thread/fork", {"threadId": THREAD}, -32603, "failed to read thread")


def uses_an_id_twice(talk: Talk) -> None:
    talk.next_id -= 1
    talk.result("thread/list", {}, {"data": []})


def has_no_id(talk: Talk) -> None:
    talk.sends(id=None, method="thread/list", params={})


def asks_for_a_page_by_a_notification(talk: Talk) -> None:
    talk.restores("c1")
    talk.sends(method="thread/turns/list", params=talk.listing("c1"))


def sends_half_a_line(talk: Talk) -> None:
    talk.add("sent", text='{"id":99,', odd=["not-json"])


def doubles_a_key(talk: Talk) -> None:
    talk.add("sent", body={"id": 99, "method": "thread/list"}, odd=["duplicate-key"])
    talk.gets(id=99, result={})


def sends_an_object_that_is_no_message(talk: Talk) -> None:
    talk.sends(jsonrpc="2.0")


def answers_what_nobody_asked(talk: Talk) -> None:
    talk.sends(id=12345, result={})


def answers_twice(talk: Talk) -> None:
    talk.gets(id=8, method="item/fileChange/requestApproval", params={"threadId": THREAD})
    talk.sends(id=8, result={"decision": "decline"})
    talk.sends(id=8, result={"decision": "accept"})


BAD: dict[str, tuple[Bad, ...]] = {
    "adapter.initialize-first": (asks_before_the_greeting, greets_twice),
    "adapter.initialized": (forgets_to_confirm, confirms_too_early, confirms_twice, confirms_with_a_request),
    "adapter.experimental-api": (without_the_capability, with_null_for_capabilities),
    "adapter.first-restore": (
        resumes_with_all_turns,
        resumes_with_many_turns_beside_a_page,
        resumes_oldest_first,
        resumes_with_null_for_the_page,
        resumes_again_without_a_page,
    ),
    "adapter.older-pages": (pages_forward, leaves_the_view_to_the_server),
    "adapter.page-bounds": (pages_without_a_limit, wants_a_thousand_turns, restores_with_a_limit_of_zero),
    "adapter.decided-page": (
        asks_for_fifty_turns,
        wants_one_turn_shortened,
        scrolls_turn_by_turn,
        goes_on_turn_by_turn_behind_what_came_shortened,
        restores_one_turn,
    ),
    "adapter.decided-view": (
        restores_without_items,
        restores_shortened_what_it_never_saw_large,
        shortens_pages_that_were_small_enough,
        pages_on_in_full_after_a_large_page,
        pages_on_in_full_after_a_large_restore,
    ),
    "adapter.restore-once": (
        restores_for_each_step,
        restores_by_path_for_each_step,
        restores_and_pages_in_a_loop,
    ),
    "adapter.whole-read-once": (
        reads_all_of_a_thread_again,
        reads_all_of_a_thread_twice_at_once,
        reads_all_beside_its_pages,
        reads_all_after_the_first_page,
    ),
    "adapter.next-cursor": (makes_a_cursor_up, takes_the_backwards_cursor, takes_the_cursor_of_another_thread),
    "adapter.stop-at-null": (pages_on_after_the_end, goes_back_to_an_old_cursor_after_the_end),
    "adapter.one-page-in-flight": (scrolls_without_waiting, restores_again_without_waiting, pages_while_it_restores),
    "adapter.page-pace": (scrolls_at_once_after_a_page, scrolls_faster_than_the_server_is),
    "adapter.cursor-once": (
        asks_for_a_page_again,
        follows_a_cursor_in_a_circle,
        asks_for_the_first_page_again,
        opens_a_turn_twice,
        opens_a_page_twice,
        opens_a_turn_that_came_in_full_with_its_page,
        wants_shortened_what_came_in_full,
        begins_anew_after_some_error,
        repeats_a_page_of_a_thread_that_was_resumed_by_its_path,
    ),
    "adapter.no-items-list": (lists_items,),
    "adapter.no-renderer-action": (sends_the_renderers_action,),
    "adapter.server-requests": (leaves_an_approval_open, waits_in_silence_for_the_end),
    "adapter.after-not-loaded": (pages_a_thread_that_is_not_there, lists_as_empty_what_could_not_be_resumed),
    "adapter.after-unsupported": (
        insists_on_a_method,
        insists_on_a_thread_of_another_kind,
        forgets_that_the_capability_is_missing,
    ),
    "adapter.after-invalid-cursor": (asks_with_a_cursor_that_was_refused,),
    "adapter.after-overload": (hammers_a_busy_server, waits_the_same_each_time, never_gives_up),
    "adapter.after-refusal": (repeats_what_was_refused_at_once,),
    "adapter.unique-ids": (uses_an_id_twice, has_no_id, asks_for_a_page_by_a_notification),
    "adapter.valid-lines": (sends_half_a_line, doubles_a_key, sends_an_object_that_is_no_message),
    "adapter.asked-replies": (answers_what_nobody_asked, answers_twice),
}


def test_a_good_client_is_seen_to_keep_every_rule(judged: Judging) -> None:
    result = judged(good())
    assert {rule.id: rule.verdict for rule in result.judgment.rules} == {rule.id: "pass" for rule in RULES}
    assert result.judgment.outcome == "kept"


@pytest.mark.parametrize(("rule", "bad"), [(rule, bad) for rule, found in BAD.items() for bad in found])
def test_a_bad_client_breaks_its_rule_and_no_other(rule: str, bad: Bad, judged: Judging) -> None:
    talk = good()
    bad(talk)
    result = judged(talk)
    assert list(broken(result)) == [rule]
    advisory = {one.id for one in RULES if one.level == "advisory"}
    assert result.judgment.outcome == ("kept" if rule in advisory else "broken")


def test_every_rule_has_a_bad_client() -> None:
    assert [rule.id for rule in RULES if rule.id not in BAD] == []
    assert [rule for rule in BAD if rule not in {one.id for one in RULES}] == []


@pytest.mark.parametrize(
    ("bad", "first", "text", "beside"),
    [
        (asks_for_a_page_again, 4, "the cursor `c1` is asked for again", (3,)),
        (pages_on_after_the_end, 0, "a page is asked for after the last one", None),
        (hammers_a_busy_server, 4, "`thread/turns/list` is sent again 40 ms after refusal 1, not 100 ms", (3,)),
        (
            scrolls_faster_than_the_server_is,
            4,
            "is sent 1320 ms after the start of the last one, which took 1010 ms, not after 2020 ms",
            (3,),
        ),
        (
            goes_on_turn_by_turn_behind_what_came_shortened,
            44,
            "a page of 1 turn is asked for, not of 20, and none there came shortened",
            (),
        ),
        (asks_for_fifty_turns, 2, "a page of 50 turns is asked for, not of 20", ()),
        (reads_all_beside_its_pages, 4, "`thread/read` is sent for all turns of a thread whose pages come as", (3,)),
        (without_the_capability, None, "`initialize`: `/capabilities/experimentalApi` is false, not true", ()),
        (resumes_with_all_turns, 0, "`/excludeTurns` is missing; `/initialTurnsPage` is missing", ()),
        (
            shortens_pages_that_were_small_enough,
            4,
            "a page is asked for in `summary`, and no page of the thread in this record was over 2 MB",
            (),
        ),
        (
            pages_on_in_full_after_a_large_page,
            4,
            "a page is asked for in `full` after one of the thread that was over 2 MB",
            (3,),
        ),
        (restores_for_each_step, 6, "`thread/resume` is sent again for the thread that was restored last", (1,)),
        (scrolls_without_waiting, 5, "`thread/turns/list` is sent while another page is not there yet", (4,)),
    ],
)
def test_the_message_that_breaks_a_rule_is_named_with_those_that_show_it(
    bad: Bad, first: int | None, text: str, beside: tuple[int, ...] | None, judged: Judging
) -> None:
    talk = good()
    before = len(talk.lines)
    bad(talk)
    ((breach, *_),) = [rule.breaches for rule in judged(talk).judgment.rules if rule.breaches]
    assert text in breach.text
    assert breach.message == (0 if first is None else before + first)
    if beside is not None:
        assert breach.beside == tuple(before + n for n in beside)
