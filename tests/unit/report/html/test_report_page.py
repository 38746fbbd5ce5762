"""What the page of a run holds before any script runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from hive_gate.report import facts, verdict
from hive_gate.report.html.page import report_page
from hive_gate.report.interface import Options, get_format
from hive_gate.report.jsonfile import digest
from hive_gate.report.model import Baseline, ClauseResult, Report, Waiver

Made = Callable[..., ClauseResult]
Parse = Callable[[str], Any]


def text(value: str) -> str:
    return " ".join(value.split())


def test_the_verdict_is_the_heading_and_the_title(closed_report: Report, parse: Parse) -> None:
    page = parse(report_page(closed_report))
    assert page.one("h1").text.strip() == verdict.headline_text(closed_report)
    assert "bad" in page.one("h1").attributes["class"]
    assert page.one("title").text.startswith("Gate CLOSED: codex-cli 0.143.0 breaks 2 of 4 required clauses")
    assert page.one("html").attributes["lang"] == "en"


def test_a_partial_run_does_not_look_like_an_open_gate(open_report: Report, parse: Parse) -> None:
    partial = replace(open_report, run=replace(open_report.run, partial=True))
    assert "good" in parse(report_page(open_report)).one("h1").attributes["class"]
    assert "warn" in parse(report_page(partial)).one("h1").attributes["class"]


def test_every_fact_is_there(closed_report: Report, parse: Parse) -> None:
    page = parse(report_page(closed_report))
    said = dict(zip([e.text for e in page.all("dt")], [e.text for e in page.all("dd")], strict=True))
    for name, value in facts.facts(closed_report):
        assert said[name] == value
    assert "another codex is on PATH" in page.one("div", class_="warn").text


def test_what_is_not_passed_stands_first_and_nothing_stands_twice(closed_report: Report, parse: Parse) -> None:
    page = parse(report_page(closed_report))
    rows = [e for e in page.all("tr") if "data-clause" in e.attributes]
    ids = [closed_report.clauses[int(row.attributes["data-clause"])].id for row in rows]
    assert ids == [
        "items-list.unsupported", "items-list.refused/desc", "thread-name.kept",
        "handshake.initialize", "turns-list.walk/desc/7", "schema.items",
    ]  # fmt: skip
    for row, name in zip(rows, ids, strict=True):
        assert name in row.text
    groups = [text(e.text) for e in page.all("th", scope="rowgroup")]
    assert groups == [
        "Not passed 3 of 6", "Handshake 1 of 1 passed", "Turn pages 1 of 1 passed", "schema 0 of 1 passed"
    ]  # fmt: skip


def test_a_clause_says_all_that_is_known_of_it_without_a_script(closed_report: Report, parse: Parse) -> None:
    waiver = Waiver("/waiver/2", "Hive does not ask for it", "kim", "2027-01-31", "It passes; remove it.", "fail")
    failing = replace(closed_report.clauses[1], fingerprint="0123456789ab", waiver=waiver, verdict="stale")
    page = parse(report_page(replace(closed_report, clauses=(failing,))))
    row = text(next(e for e in page.all("tr") if "data-clause" in e.attributes).text)
    for part in (
        "stale", "items-list.unsupported", "required",
        "Promise an error -32601 that ends in is not supported yet", "What came a result:", "Why Hive cares",
        "Source #942", "Scene five-turns", "Took 12 ms", "Fingerprint 0123456789ab",
        "Accepted so far Hive does not ask for it (kim, until 2027-01-31, entry /waiver/2)", "Without baseline fail",
        "Baseline It passes; remove it.",
        "error at /data/0, step 0, message 3", "Expected an error", "Came a result with 1 item at /data/0/id",
    ):  # fmt: skip
        assert part in row


def test_the_page_works_without_a_script_and_says_what_is_missing_then(closed_report: Report, parse: Parse) -> None:
    page = parse(report_page(closed_report))
    assert "everything but the exchanges and the filters" in text(page.one("p", class_="scriptless").text)
    # What needs the script is not there without it, and everything else is not hidden.
    hidden = [e for e in page.elements if "hidden" in e.attributes and e.tag != "svg"]
    assert {e.attributes.get("id") for e in hidden if "scripted" not in (e.attributes.get("class") or "")} == {
        "clear",
        "none",
    }
    assert {e.tag for e in page.all("details")} == {"details"}


def test_the_baseline_and_what_it_excuses_are_told(closed_report: Report, parse: Parse) -> None:
    waiver = Waiver("/waiver/0", "Known since 0.143", "team-hive", "2027-01-31")
    clauses = (replace(closed_report.clauses[1], verdict="waived", waiver=waiver), *closed_report.clauses[2:])
    baseline = Baseline("baseline.toml", "ef" * 32, 4, 2, ("/waiver/3 matches no clause; remove it.",))
    page = parse(report_page(replace(closed_report, clauses=clauses, baseline=baseline)))
    section = text(page.one("section", **{"aria-labelledby": "baseline"}).text)
    for part in (
        "baseline.toml", "ef" * 32, "4, of which 2 speak of this version", "/waiver/3 matches no clause; remove it.",
        "items-list.unsupported", "waived", "Known since 0.143", "team-hive", "2027-01-31",
    ):  # fmt: skip
        assert part in section
    assert "Baseline" not in {text(e.text) for e in parse(report_page(closed_report)).all("h2")}


def test_news_constraints_decisions_and_servers_are_there(closed_report: Report, parse: Parse) -> None:
    server = replace(closed_report.servers[0], stderr_tail="\x1b[31mone\x1b[0m\ntwo\n", stop="kill", survivors=("sh",))
    decision = replace(closed_report.decisions[0], contradicted=("turns-list.walk/desc/7",))
    page = parse(report_page(replace(closed_report, servers=(server,), decisions=(decision,))))
    sections = {e.attributes.get("aria-labelledby"): text(e.text) for e in page.all("section")}
    assert "notification thread/new/thing (3 times)" in sections["news"]
    assert (
        "replay-cost A page replays the whole history. Source: #942. Measured: growth.plain."
        in (sections["constraints"])
    )
    assert (
        "view open Use the summary view. Source: #942. Record: docs/decisions/0002-items-view.md. "
        "Evidence: turns-list.*. Measured: full, deep. Contradicted by this run: turns-list.walk/desc/7. "
        "Contradicted by the measurement: full takes hardly longer (full, ms.ratio: 1.52, at most 1.3). "
        "Not told by the measurement: old pages are as quick (deep, ms.ratio: too noisy, at most 1.5)."
    ) in sections["decisions"]
    for part in ("0 five-turns for clauses, as hive", "one two", "kill, exit code 0", "Left behind and killed: sh"):
        assert part in sections["servers"]


def test_a_run_without_any_clause_says_so_and_has_no_table(open_report: Report, parse: Parse) -> None:
    report = replace(open_report, gate="closed", clauses=(), run=replace(open_report.run, problem="It did not start."))
    page = parse(report_page(report))
    assert "It did not start" in page.one("h1").text
    assert page.all("table", class_="clauses") == []


def test_every_message_is_in_the_page_as_it_was(closed_report: Report, parse: Parse) -> None:
    page = parse(report_page(closed_report))
    for message, made in zip(page.data("messages"), closed_report.messages, strict=True):
        assert message["n"] == made.n
        assert message["direction"] == made.direction
        assert (message.get("body"), message.get("text")) == (made.body, made.text)
    failing = page.data("clauses")[1]
    assert failing["messages"] == [2, 3, 4]
    assert failing["exchanges"] == [["thread/turns/items/list", 2, 3, 1.5, None]]
    says = "Expected an error; came a result with 1 item at /data/0/id"
    assert failing["marks"] == [[3, "/result/data/0", says]]


def test_user_text_and_paths_are_redacted_unless_asked_for(closed_report: Report, parse: Parse) -> None:
    redacted, shown = get_format("html").render(closed_report), get_format("html", Options(redacted=False))
    for secret in ("my secret words", "/home/kim"):
        assert secret not in redacted
        assert secret in shown.render(closed_report)
    assert "redacted" in parse(redacted).one("footer").text
    assert "redacted" not in parse(shown.render(closed_report)).one("footer").text


@pytest.mark.parametrize("redacted", [True, False])
def test_the_last_line_finds_the_report_that_the_page_was_made_from(
    closed_report: Report, redacted: bool, parse: Parse
) -> None:
    footer = parse(report_page(closed_report, redacted=redacted)).one("footer").text
    assert f"report.json sha256 {digest(closed_report)[:16]}" in footer


def test_all_controls_have_names_and_all_headers_a_scope(closed_report: Report, parse: Parse) -> None:
    page = parse(report_page(closed_report))
    labels = {e.attributes["for"] for e in page.all("label")}
    controls = [e for e in page.elements if e.tag in ("input", "select")]
    assert {e.attributes["id"] for e in controls} == labels == {"search", "suite", "level"}
    assert all(e.text.strip() for e in (*page.all("button"), *page.all("summary"), *page.all("a")))
    assert all(e.attributes.get("scope") for e in page.all("th"))
    assert page.one("span", id="shown").attributes["aria-live"] == "polite"
    for tag in ("header", "nav", "main", "footer"):
        assert page.one(tag)
    ids = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    assert {e.attributes["aria-labelledby"] for e in page.all("section")} <= set(ids)
