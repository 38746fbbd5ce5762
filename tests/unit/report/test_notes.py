"""Notes: the same content in each markup, within their size, and nothing in them that came alive."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from hive_gate.errors import UsageError
from hive_gate.report.interface import Options, get_format
from hive_gate.report.jsonfile import digest
from hive_gate.report.model import Exchange, Message, Note, Report, Server

NOTES = ("textile", "markdown", "github")

# Redmine's own pattern for mentions; it is applied to the raw note.
MENTION = re.compile(r"(?:^|\W)@([A-Za-z0-9_\-@.]*?)(?=(?=[!-/:-@\[-`{-~][^A-Za-z0-9_/])|,|\.+$|\s|\]|<|$)", re.M)


def note(report: Report, name: str, **options: int | bool) -> str:
    return get_format(name, Options(**options)).render(report)  # type: ignore[arg-type]


def tables(text: str) -> list[list[int]]:
    """Return the number of cells of each row of each table, as a Markdown reader sees them."""
    found: list[list[int]] = []
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "table_open":
            found.append([])
        elif token.type == "tr_open":
            found[-1].append(0)
        elif token.type in ("td_open", "th_open"):
            found[-1][-1] += 1
    return found


def inlines(text: str) -> list[Token]:
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    return [child for token in tokens for child in token.children or ()]


@pytest.mark.parametrize("name", NOTES)
@pytest.mark.parametrize("sample", ["closed", "waived", "hostile"])
def test_the_note_is_the_golden_one(
    name: str, sample: str, request: pytest.FixtureRequest, golden: Callable[[str, str], None]
) -> None:
    made = get_format(name)
    golden(f"{sample}{made.suffix}", made.render(request.getfixturevalue(f"{sample}_report")))


@pytest.mark.parametrize("name", NOTES)
def test_the_first_line_is_the_verdict_with_a_live_issue_and_the_last_finds_the_report(
    name: str, closed_report: Report
) -> None:
    lines = note(closed_report, name).splitlines()
    assert lines[0] == (
        "Gate CLOSED: codex-cli 0.143.0 breaks 2 of 4 required clauses of hive-app-server 1.0.0 "
        "(items-list.unsupported, items-list.refused/desc) - #944 must wait."
    )
    assert lines[-1] == f"hive-gate run 20261130-120000-ab12, report.json sha256 {digest(closed_report)[:16]}"


@pytest.mark.parametrize("name", NOTES)
def test_the_parts_stand_in_their_order(name: str, closed_report: Report) -> None:
    text = note(closed_report, name)
    parts = [
        "Gate CLOSED",
        "Program SHA-256",
        "Item pages",
        "Not passed\n",
        "Expected",
        "Why Hive cares",
        "Not offered",
    ]
    parts += ["Constraints", "Decisions", "News", "Transcripts", "thread/turns/items/list", "hive-gate run"]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize("name", NOTES)
def test_user_text_and_paths_are_redacted_unless_asked_for(name: str, closed_report: Report) -> None:
    assert "my secret words" not in note(closed_report, name)
    assert "/home/kim" not in note(closed_report, name)
    shown = note(closed_report, name, redacted=False)
    assert "my secret words" in shown
    assert "/home/kim" in shown


@pytest.mark.parametrize("name", NOTES)
def test_no_hostile_string_becomes_a_mention_macro_or_control_character(name: str, hostile_report: Report) -> None:
    text = note(hostile_report, name, max_bytes=1_000_000)
    assert {login for login in MENTION.findall(text) if login} == set()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", text)
    macros = re.findall(r"\{\{(\w+)", text)
    assert set(macros) == (set() if name == "github" else {"collapse"})
    # Each collapsed block ends where its own end is: Redmine takes the first line that starts with two braces.
    assert len(re.findall(r"(?m)^\}\}", text)) == len(macros)
    assert len(re.findall(r"(?m)^\}\}$", text)) == len(macros)
    assert not re.search(r"(?<![\w&;])#(?!94[24]\b|#* )\w", re.sub(r"(?s)```.*?```|<pre>.*?</pre>", "", text))


@pytest.mark.parametrize("name", ["markdown", "github"])
def test_markdown_tables_keep_their_rows_and_columns(name: str, hostile_report: Report) -> None:
    facts, suites, *clauses = tables(note(hostile_report, name))
    assert facts == [2] * 30
    assert suites == [3, 3, 3]
    assert clauses
    assert all(columns == 3 for table in clauses for columns in table)


@pytest.mark.parametrize("name", ["markdown", "github"])
def test_markdown_readers_see_no_link_image_stress_or_tag_from_data(name: str, hostile_report: Report) -> None:
    tokens = inlines(note(hostile_report, name, max_bytes=1_000_000))
    assert {t.type for t in tokens} <= {
        "text",
        "text_special",
        "code_inline",
        "strong_open",
        "strong_close",
        "html_inline",
    }
    assert {t.content for t in tokens if t.type == "html_inline"} == {"<b></b>".replace("</b>", ""), "</b>"}


def test_github_blocks_open_and_close_their_details(hostile_report: Report) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(note(hostile_report, "github", max_bytes=1_000_000))
    blocks = [t.content for t in tokens if t.type == "html_block"]
    assert blocks
    assert all(block.startswith("<details><summary>") for block in blocks[::2])
    assert set(blocks[1::2]) == {"</details>\n"} or set(blocks[1::2]) == {"</details>"}


def test_the_markdown_code_blocks_are_the_transcripts_and_nothing_more(hostile_report: Report) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(note(hostile_report, "markdown", max_bytes=1_000_000))
    fences = [t for t in tokens if t.type == "fence"]
    assert fences
    assert {t.info for t in fences} == {"json"}
    assert not [
        t for t in tokens if t.type in ("code_block", "html_block", "hr", "blockquote_open", "ordered_list_open")
    ]


@pytest.mark.parametrize("name", NOTES)
def test_a_partial_run_says_so_and_names_its_selection(name: str, open_report: Report) -> None:
    run = replace(open_report.run, partial=True, selection={"suites": ["turns-list"], "clauses": [], "level": None})
    text = note(replace(open_report, run=run), name)
    assert text.startswith("PARTIAL run, which releases nothing")
    assert re.search(r"Selection *\| *suite turns-list *\|", text)
    assert "may start" not in text


@pytest.mark.parametrize("name", NOTES)
def test_a_run_without_a_verdict_says_why_and_shows_what_the_target_said(name: str, open_report: Report) -> None:
    report = replace(
        open_report,
        gate="closed",
        clauses=(),
        run=replace(open_report.run, problem="The server exited with 1 before it answered."),
        servers=(Server(0, "empty", "hive", "clauses", 1.0, 1, "error: bad\n@admin </pre>\n}}\n", "died"),),
    )
    text = note(report, name)
    assert text.startswith("Gate CLOSED, not judged: ")
    assert '"error: bad"\n"\\u0040admin \\u003c/pre>"\n"}}"' in text
    assert "Not passed" not in text


def big(report: Report) -> Report:
    """Return a report with a message of a megabyte, long lists and many failing clauses."""
    body = {"id": 1, "result": {"long": "x" * 1_000_000, "data": [{"id": n, "kind": "k" * 50} for n in range(500)]}}
    messages = tuple(Message(n, 0, 1.0, "received", 1_000_000, body) for n in range(3))
    exchange = Exchange("a/b", 0, 1, 1.0, 1, 1, 0, (2,))
    clauses = tuple(
        replace(report.clauses[1], id=f"items-list.case/{n}", actual="y" * 10_000, exchanges=(exchange,))
        for n in range(120)
    )
    return replace(report, clauses=clauses, messages=messages)


@pytest.mark.parametrize("name", NOTES)
@pytest.mark.parametrize("max_bytes", [8_000, 12_000, 30_000])
def test_a_note_keeps_within_its_bytes_and_names_what_was_cut(name: str, max_bytes: int, closed_report: Report) -> None:
    text = note(big(closed_report), name, max_bytes=max_bytes)
    assert max_bytes // 2 < len(text.encode()) <= max_bytes
    assert text.startswith("Gate CLOSED: ")
    notice = next(line for line in text.splitlines() if line.startswith("Cut to stay within"))
    assert re.search(r"\d+ clauses that are not passed \(items-list.case/\d+, .*, …\)", notice)
    assert re.search(r"\d+ transcripts \(items-list.case/\d+, .*, …\)", notice)
    assert "The report.json of this run has all of it." in notice
    assert text.splitlines()[-1].startswith("hive-gate run ")


@pytest.mark.parametrize("name", NOTES)
def test_with_very_many_failures_constraints_and_the_first_transcripts_are_still_there(
    name: str, closed_report: Report
) -> None:
    text = note(big(closed_report), name)
    assert "A page replays the whole history." in text
    assert "items-list.case/0 - 3 messages" in text
    assert "items-list.case/19" in text


@pytest.mark.parametrize("name", NOTES)
@pytest.mark.parametrize("sign", ["@a", "|", "#1", "\ud83d", "{{", "\U0001f600", "&"])
def test_the_least_size_suffices_if_every_sign_must_be_escaped(name: str, sign: str, hostile_report: Report) -> None:
    bad = sign * 500
    clauses = tuple(replace(c, id=f"{bad[:n]}{bad}", suite="x") for n, c in enumerate(hostile_report.clauses))
    notes = tuple(Note(bad, bad, bad) for _ in range(5))
    report = replace(
        hostile_report,
        clauses=clauses,
        constraints=notes,
        decisions=notes,
        run=replace(hostile_report.run, id=bad, problem=bad),
        target=replace(hostile_report.target, version=bad),
        contract=replace(hostile_report.contract, name=bad, version=bad, gates=(bad,) * 9),
        servers=(Server(0, bad, bad, bad, 1.0, 1, bad, "died"),),
    )
    for shown in (report, replace(report, run=replace(report.run, problem=None))):
        text = note(shown, name, max_bytes=8_000)
        assert len(text.encode()) <= 8_000
        assert text.splitlines()[-1].startswith("hive-gate run ")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("markdown", "Only `thread/turns/list`, with \\`a: b\\`. Source"),
        ("textile", "Only <code>thread/turns/list</code>, with "),
    ],
)
def test_names_in_the_contracts_own_prose_are_set_as_code_where_that_is_safe(
    name: str, told: str, open_report: Report
) -> None:
    note = Note("words", "Only `thread/turns/list`, with `a: b`.", "#942", None)
    text = get_format(name).render(replace(open_report, constraints=(note,)))
    assert told in text


@pytest.mark.parametrize("name", NOTES)
def test_what_is_waived_has_its_own_heading_with_reason_owner_and_end(name: str, waived_report: Report) -> None:
    text = note(waived_report, name)
    section = text[text.index("Waived by the baseline") :]
    section = section[: section.index("Not offered by this target")]
    for part in ("items-list.unsupported", "Hive 3.2 does without.", "release team", "2027-03-31", "0a1b2c3d4e5f"):
        assert part in section
    assert "items-list.unsupported" not in text[text.index("Not passed\n") : text.index("Waived by the baseline")]


@pytest.mark.parametrize("name", NOTES)
def test_a_note_that_is_cut_still_tells_what_is_waived(name: str, closed_report: Report, waived_report: Report) -> None:
    failing = big(closed_report)
    waived = tuple(c for c in waived_report.clauses if c.verdict == "waived")
    text = note(replace(failing, clauses=failing.clauses + waived), name, max_bytes=10_000)
    assert "Cut to stay" in text
    assert "Hive 3.2 does without. (release team, until 2027-03-31, entry /waiver/0)" in text


@pytest.mark.parametrize("name", NOTES)
def test_a_stale_clause_says_what_to_do(name: str, waived_report: Report) -> None:
    text = note(waived_report, name)
    assert "The baseline's entry /waiver/1 accepts a failure, and the clause passes: take it out." in text
    assert "The baseline's entry /waiver/2 (resume.ful) names no clause of the contract: take it out." in text
    assert "/home/kim" not in text


def test_a_size_without_room_for_a_note_is_a_usage_error(closed_report: Report) -> None:
    with pytest.raises(UsageError) as caught:
        note(closed_report, "textile", max_bytes=7_999)
    assert "8000" in (caught.value.hint or "")


def test_a_megabyte_in_one_message_is_shortened_where_it_is(closed_report: Report) -> None:
    text = note(replace(big(closed_report), clauses=big(closed_report).clauses[:1]), "markdown")
    assert "(1000000 characters)" in text
    assert "… 496 more" in text
    assert "Cut to stay" not in text


@pytest.mark.parametrize("name", NOTES)
def test_a_request_without_a_reply_says_why(name: str, closed_report: Report) -> None:
    exchange = Exchange("thread/read", 2, None, None, 1, 0, 0, (), "the server ended at /home/kim/x")
    clause = replace(closed_report.clauses[1], exchanges=(exchange,))
    text = note(replace(closed_report, clauses=(clause,)), name)
    assert "No reply to message 2, thread/read: the server ended at …/x" in text


@pytest.mark.parametrize("name", NOTES)
def test_a_reference_to_a_message_that_is_not_there_is_passed_over(name: str, closed_report: Report) -> None:
    clause = replace(closed_report.clauses[1], exchanges=(Exchange("a/b", 98, 99, 1.0, 1, 1, 0),))
    assert "Transcripts" in note(replace(closed_report, clauses=(clause,)), name)
