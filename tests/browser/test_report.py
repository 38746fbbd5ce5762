"""The page of a run, used as a reader uses it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from playwright.sync_api import Locator, Page, expect

from hive_gate.report.excerpt import of_clause
from hive_gate.report.jsonfile import read_report
from hive_gate.report.redact import redact

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

Open = Callable[..., Page]
TOTAL = 21


def row(page: Page, name: str) -> Locator:
    return page.locator("tr[data-clause]", has=page.locator(f"summary > code:text-is('{name}')"))


def open_clause(page: Page, name: str) -> Locator:
    found = row(page, name)
    found.locator(".clause > summary").click()
    return found


def shown(page: Page) -> list[str]:
    return page.locator("tr[data-clause]:visible .clause > summary > code").all_text_contents()


def told(page: Page) -> Locator:
    return page.get_by_role("status")


def test_a_click_opens_a_clause_and_shows_its_exchanges_in_order(report: Open) -> None:
    page = report()
    assert page.locator(".sequence").count() == 0
    clause = open_clause(page, "turns-list.walk/desc/3")
    expect(clause.get_by_text("A page has the newest turns first.")).to_be_visible()
    heads = clause.locator(".message > summary")
    assert [" ".join(text.split()) for text in heads.all_inner_texts()] == [
        "sent thread/turns/list request 16.5 ms 100 B message 11",
        "received thread/status/changed notification 18.0 ms 100 B message 12",
        "received thread/turns/list reply after 1.5 ms 19.5 ms 3.2 kB message 13",
    ]
    lines = clause.locator(".json").first.inner_text().splitlines()
    assert lines == [
        "{", '  "id": 11,', '  "method": "thread/turns/list",',
        '  "params": {"threadId": "0199-aa", "limit": 2}', "}",
    ]  # fmt: skip
    clause.locator(".clause > summary").click()
    expect(clause.locator(".sequence")).to_be_hidden()


def test_the_value_that_a_finding_points_at_is_marked_and_says_why(report: Open) -> None:
    page = report()
    clause = open_clause(page, "items-list.unsupported")
    expect(clause.locator("mark")).to_have_text('"code": -32600,')
    expect(clause.locator(".pointing")).to_have_text("Expected error -32601; came error -32600: unknown variant")
    expect(clause.locator(".message.pointed > summary")).to_contain_text("error -32600 after 1.5 ms")


def test_a_mark_far_down_in_a_long_reply_is_shown_and_the_lines_between_on_demand(report: Open) -> None:
    page = report()
    clause = open_clause(page, "turns-list.long")
    expect(clause.locator("mark")).to_have_text('"status": "inProgress",')
    expect(clause.locator("mark")).to_be_visible()
    before = clause.locator(".parsed").count()
    assert before < 50
    gap = clause.get_by_role("button", name="lines are left out here").first
    gap.click()
    assert before < clause.locator(".parsed").count() <= before + 200
    while clause.get_by_role("button", name="lines are left out here").count():
        clause.get_by_role("button", name="lines are left out here").first.click()
    text = clause.locator(".json").last.inner_text()
    assert re.sub(r"Expected .*\n", "", text).count('"id": "turn-') == 120
    numbers = [int(n) for n in re.findall(r'"id": "turn-(\d+)"', text)]
    assert numbers == list(range(120))


def test_a_request_without_a_reply_says_why(report: Open) -> None:
    clause = open_clause(report(), "items-list.silent")
    expect(clause.locator(".silent")).to_contain_text("no reply within 10 s")
    expect(clause.locator(".message.pointed .pointing")).to_have_text("Expected an answer; came no reply within 10 s")


def test_hostile_words_are_shown_and_do_nothing(report: Open) -> None:
    page = report()
    clause = open_clause(page, "items-list.hostile")
    text = clause.locator(".sequence").inner_text()
    said = '</script><img src=x onerror=\\"window.hacked=1\\">\\u202e\\u200b\\ud83d<b>'
    assert f'"{said}"' in clause.locator("mark").inner_text()
    # numbers, the order of members and what is no JSON stand as they came
    for part in ("12345678901234567890", "1.0", '"2": 0,\n    "1": 0,', f'"{said}": 0'):
        assert part in text
    assert "no JSON message" in text
    assert page.evaluate("window.hacked") is None
    assert page.locator("img").count() == 0
    assert page.evaluate("[...document.scripts].filter((s) => !s.type).length") == 1


def test_verdicts_filter_and_the_number_of_what_is_left_is_told(report: Open) -> None:
    page = report()
    expect(told(page)).to_have_text(f"All {TOTAL} clauses")
    fail = page.get_by_role("button", name="fail 3")
    expect(fail).to_have_attribute("aria-pressed", "false")
    fail.click()
    expect(fail).to_have_attribute("aria-pressed", "true")
    expect(told(page)).to_have_text(f"3 of {TOTAL} clauses")
    assert shown(page) == ["turns-list.long", "items-list.unsupported", "items-list.silent"]
    assert page.locator("tr.group:visible").all_inner_texts() == ["Not passed 6 of 21"]
    assert page.evaluate("location.hash") == "#verdict=fail"
    page.get_by_role("button", name="waived 1").click()
    expect(told(page)).to_have_text(f"4 of {TOTAL} clauses")
    page.get_by_role("button", name="Show all").click()
    expect(told(page)).to_have_text(f"All {TOTAL} clauses")
    expect(page.get_by_role("button", name="Show all")).to_be_hidden()
    assert page.evaluate("location.hash") == ""


def test_suite_level_and_words_filter_together(report: Open) -> None:
    page = report()
    page.get_by_label("Suite", exact=True).select_option(
        label="thread/turns/items/list as a stub that never answers (6)"
    )
    expect(told(page)).to_have_text(f"6 of {TOTAL} clauses")
    page.get_by_label("Level").select_option("required")
    expect(told(page)).to_have_text(f"5 of {TOTAL} clauses")
    page.get_by_label("Search").fill("UNKNOWN  variant")
    assert shown(page) == ["items-list.unsupported"]
    page.get_by_label("Search").fill("nothing is like this")
    expect(page.get_by_text("No clause is like that.")).to_be_visible()
    expect(told(page)).to_have_text(f"0 of {TOTAL} clauses")


@pytest.mark.parametrize("words", ["walk/desc/5", "newest first walk/desc/5", "scrolls back walk/desc/5"])
def test_the_search_looks_at_id_what_came_and_why(words: str, report: Open) -> None:
    page = report()
    page.get_by_label("Search").fill(words)
    assert shown(page) == ["turns-list.walk/desc/5"]


def test_a_link_shows_again_what_its_sender_saw(report: Open) -> None:
    page = report()
    page.get_by_role("button", name="fail 3").click()
    page.get_by_label("Suite", exact=True).select_option(
        label="thread/turns/items/list as a stub that never answers (6)"
    )
    page.get_by_label("Search").fill("reply & more=")
    page.get_by_label("Search").fill("no reply")
    open_clause(page, "items-list.silent")
    expect(page.locator(".sequence")).to_be_visible()
    fragment = page.evaluate("location.hash")
    assert unquote(fragment) == "#q=no+reply&verdict=fail&suite=items-list&clause=items-list.silent"
    again = report(fragment)
    assert shown(again) == ["items-list.silent"]
    expect(again.get_by_label("Search")).to_have_value("no reply")
    expect(again.get_by_role("button", name="fail 3")).to_have_attribute("aria-pressed", "true")
    expect(again.get_by_label("Suite", exact=True)).to_have_value("items-list")
    expect(row(again, "items-list.silent").locator(".sequence")).to_be_visible()
    expect(row(again, "items-list.silent").locator(".clause > summary")).to_be_focused()


@pytest.mark.parametrize("fragment", ["#verdict=none&suite=no&level=x&clause=y&z=1", "#%=%", "#=", "#news", "#q="])
def test_a_link_that_means_nothing_shows_everything(fragment: str, report: Open) -> None:
    expect(told(report(fragment))).to_have_text(f"All {TOTAL} clauses")


def test_a_suites_name_filters_and_a_waived_clause_is_a_click_away(report: Open) -> None:
    page = report()
    page.get_by_role("link", name="Handshake and wire").click()
    expect(told(page)).to_have_text(f"6 of {TOTAL} clauses")
    page.locator("section[aria-labelledby=baseline]").get_by_role("link", name="items-list.known").click()
    expect(row(page, "items-list.known").get_by_text("71c9de2ed4fa")).to_be_visible()
    expect(told(page)).to_have_text(f"All {TOTAL} clauses")


def test_everything_can_be_done_with_the_keyboard(report: Open) -> None:
    page = report()
    press = page.keyboard.press
    press("/")
    expect(page.get_by_label("Search")).to_be_focused()
    page.keyboard.type("walk/desc")
    expect(told(page)).to_have_text(f"8 of {TOTAL} clauses")
    press("ArrowDown")
    summaries = page.locator("tr[data-clause]:visible .clause > summary")
    expect(summaries.nth(0)).to_be_focused()
    press("ArrowDown")
    press("ArrowDown")
    press("ArrowUp")
    expect(summaries.nth(1)).to_be_focused()
    press("End")
    expect(summaries.nth(7)).to_be_focused()
    press("ArrowDown")
    expect(summaries.nth(7)).to_be_focused()
    press("Home")
    expect(summaries.nth(0)).to_be_focused()
    press("Enter")
    expect(row(page, "turns-list.walk/desc/0").locator(".sequence")).to_be_visible()
    press("Tab")
    expect(page.locator(".message > summary").first).to_be_focused()
    press("Enter")
    expect(page.locator(".json").first).to_be_hidden()
    press("Shift+Tab")
    press("ArrowUp")
    expect(page.get_by_label("Search")).to_be_focused()
    press("Escape")
    expect(told(page)).to_have_text(f"All {TOTAL} clauses")
    expect(page.get_by_label("Search")).to_have_value("")


def test_a_slash_in_the_search_is_a_slash(report: Open) -> None:
    page = report()
    page.keyboard.press("/")
    page.keyboard.type("a/b")
    expect(page.get_by_label("Search")).to_have_value("a/b")


def test_a_server_shows_all_that_crossed_its_wire(report: Open) -> None:
    page = report()
    server = page.locator(".server")
    server.locator("summary").first.click()
    expect(server.locator(".output")).to_contain_text("one")
    expect(server.locator(".message > summary").first).to_contain_text("initialize")
    expect(server.get_by_role("heading", name="All that crossed its wire")).to_contain_text("messages")


def test_without_scripts_everything_but_the_exchanges_is_there(report: Open) -> None:
    page = report(java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Gate CLOSED")
    expect(page.get_by_text("Without scripts this page shows everything but")).to_be_visible()
    expect(page.get_by_label("Search")).to_be_hidden()
    clause = open_clause(page, "items-list.unsupported")
    expect(clause.get_by_text("A page has the newest turns first.")).to_be_visible()
    expect(clause.get_by_text("error -32601")).to_be_visible()


def test_ten_thousand_exchanges_stay_a_page_that_a_browser_can_hold(large: Open) -> None:
    page = large()
    size = "document.querySelectorAll('*').length"
    assert page.evaluate(size) < 8_000
    clause = open_clause(page, "turns-list.endless")
    expect(clause.get_by_role("heading", name="Exchanges")).to_have_text("Exchanges: 20,000 messages")
    # what is pointed at in the middle is there, what lies between is not
    expect(clause.locator(".message.pointed > summary")).to_contain_text("message 10001")
    expect(clause.locator("mark")).to_be_visible()
    assert clause.locator(".message").count() < 60
    assert page.evaluate(size) < 10_000
    gap = clause.get_by_role("button", name=re.compile(r"9,9\d\d messages are left out here")).first
    gap.click()
    assert clause.locator(".message").count() < 100
    page.get_by_label("Search").fill("case/7")
    expect(told(page)).to_have_text("11 of 201 clauses")
    assert page.evaluate(size) < 10_000


def test_every_clause_of_a_run_as_the_command_writes_it_opens(load: Open, tmp_path: Path) -> None:
    suites = ("handshake", "resume", "thread-status")
    command = [sys.executable, "-m", "hive_gate", "probe", "--codex", "reference", "--out", str(tmp_path / "run")]
    asked = [part for suite in suites for part in ("--suite", suite)]
    subprocess.run([*command, *asked], check=True, capture_output=True)
    report = read_report(tmp_path / "run" / "report.json")
    page = load((tmp_path / "run" / "report.html").read_text(encoding="utf-8"))
    page.evaluate("document.querySelectorAll('.clause, .server').forEach((d) => { d.open = true; })")
    heads = page.locator(".exchanges > h3")
    expect(heads).to_have_count(len(report.clauses) + len(report.servers))
    drawn = dict(zip(shown(page), page.locator(".clause .exchanges > h3").all_inner_texts(), strict=True))
    for clause in report.clauses:
        count = len(of_clause(report, clause))
        words = f"{count} message{'' if count == 1 else 's'}" if count else "none"
        assert drawn[clause.id] == f"Exchanges: {words}"
    while page.locator(".message:not([open])").count():
        page.evaluate("document.querySelectorAll('.message:not([open])').forEach((d) => { d.open = true; })")
    # What was drawn of each message is the message.
    texts = page.locator(".clause .json").all_inner_texts()
    whole = [text for text in texts if "left out here" not in text and "more characters" not in text]
    assert len(whole) > 40
    sent = [message.body for message in redact(report).messages]
    assert all(json.loads(text) in sent for text in whole)


def test_the_control_a_page_that_loads_or_complains_is_noticed(load: Open, seen: Any) -> None:
    page = load("<!doctype html><title>x</title><img src='http://192.0.2.1/x.png'><script>console.log('said')</script>")
    page.wait_for_load_state()
    assert seen.asked_for == ["http://192.0.2.1/x.png"]
    assert "said" in seen.said
    seen.asked_for.clear()
    seen.said.clear()
