"""Reports to render: a plain one, and one in which everything that a server or a contract can say is hostile."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hive_gate.report.model import (
    Baseline,
    CarriedOut,
    Claim,
    ClauseResult,
    Contract,
    Exchange,
    Finding,
    Measurement,
    Message,
    News,
    Note,
    Oddity,
    Report,
    Run,
    Server,
    Target,
    Waiver,
)

GOLDEN = Path(__file__).parent / "golden"

HOSTILE: tuple[str, ...] = (
    "a|b || c `d|e`",
    "one\ntwo\r\nthree",
    "}} end }}",
    "</pre></code> <pre> <code>",
    "{{collapse(x)\ninner\n}} {{macro(0)}} {{toc}}",
    "@admin and mail a.b@example.org and @admin.",
    "#1 #944 ##1 #note-1 r12 hive:#1 GH-7",
    "commit:abc user:admin source:/x version:1.0 [[Wiki]] [[a|b]] [1]",
    "<script>alert(1)</script> <b>bold</b> <!-- x --> &amp; &#64;admin",
    "\x1b[31mred\x1b[0m \x00 \x07 \x9b31m",
    "\u202eright to left\u202c \u200f \u2066x\u2069 \u2028 \u2029 \ufeff",
    "`` ``` ```` ~~~ ~~strike~~",
    "*b* _i_ -d- +u+ ^s^ ~s~ %s% ??c?? __i__ **b** x%x%",
    '!image.png! "link":http://example.org ![i](http://example.org/i.png) [l](http://example.org)',
    "http://example.org www.example.org mailto:a@example.org",
    "p. h1. bq. fn1. * # 1. - + > = ===",
    "JSON(a) ==raw== :redsh#1: <redpre#0> \\| \\ $x$",
    "lone \ud83d surrogate and \U0001f600 and 한글 漢字",
    "x" * 500,
)
"""One string for each thing that Redmine, GitHub, a terminal or XML does something with."""


GROWTH = Claim("growth.plain", "full", "at-least", 0.5, "pages take longer", "supported", 0.98)
RATIO = Claim("full", "ms.ratio", "at-most", 1.3, "full takes hardly longer", "contradicted", 1.52)
ALONE = Claim("deep", "ms.ratio", "at-most", 1.5, "old pages are as quick", "not-told", None, "too noisy")
RECORD = "docs/decisions/0002-items-view.md"


def clause(name: str, verdict: str, **more: object) -> ClauseResult:
    base = ClauseResult(
        id=name,
        suite=name.partition(".")[0],
        level="required",
        verdict=verdict,  # type: ignore[arg-type]
        why="Hive scrolls back page by page.",
        source="#942",
        expected="an error -32601 that ends in `is not supported yet`",
        actual="as expected",
        seconds=0.0125,
        scene="five-turns",
    )
    return replace(base, **more)  # type: ignore[arg-type]


@pytest.fixture
def make_clause() -> Callable[..., ClauseResult]:
    return clause


@pytest.fixture
def closed_report() -> Report:
    """A codex that moved: two required clauses fail, one advisory clause warns."""
    request = {
        "id": 4,
        "method": "thread/turns/items/list",
        "params": {"threadId": "0199-aa", "cwd": "/home/kim/secret-project", "limit": 2},
    }
    reply = {
        "id": 4,
        "result": {"data": [{"type": "userMessage", "content": [{"type": "text", "text": "my secret words"}]}]},
    }
    finding = Finding("error", "an error", "a result with 1 item at /data/0/id", 0, "/data/0", 3)
    return Report(
        gate="closed",
        run=Run("20261130-120000-ab12", "2026-11-30T12:00:00Z", 3.25, "0.1.0", "3.11.9", partial=False),
        target=Target(
            spec="0.143.0",
            kind="codex",
            version="0.143.0",
            path="/home/kim/.cache/hive-gate/codex/0.143.0/bin/codex",
            sha256="ab" * 32,
            argv=("/home/kim/.cache/hive-gate/codex/0.143.0/bin/codex", "app-server"),
            size=190_000_000,
            handshake_version="0.143.0",
            user_agent="hive/0.143.0 (Debian; x86_64)",
            platform="linux x86_64",
            warnings=("another codex is on PATH: /usr/local/bin/codex 0.142.0",),
        ),
        contract=Contract(
            "hive-app-server",
            "1.0.0",
            "cd" * 32,
            "/home/kim/hive/contracts/c.json",
            "History",
            "#942",
            ("#944",),
            "0.142.5",
        ),
        clauses=(
            clause("handshake.initialize", "pass"),
            clause(
                "items-list.unsupported",
                "fail",
                actual='a result: "my secret words" from /home/kim/secret-project/a.txt',
                findings=(finding,),
                exchanges=(Exchange("thread/turns/items/list", 2, 3, 1.5, 110, 120, 0, (4,)),),
                fingerprint="0a1b2c3d4e5f",
                steps=(CarriedOut(0),),
                asked="f5e4d3c2b1a0",
            ),
            clause("items-list.refused/desc", "fail", actual="a result", fingerprint="0123456789ab"),
            clause("turns-list.walk/desc/7", "pass"),
            clause("thread-name.kept", "warn", level="advisory", actual="null", fingerprint="abababababab"),
            clause("schema.items", "not-offered", level="advisory", actual="no schema here"),
        ),
        constraints=(Note("replay-cost", "A page replays the whole history.", "#942", measured=(GROWTH,)),),
        decisions=(
            Note("view", "Use the summary view.", "#942", "open", ("turns-list.*",), (), RECORD, (RATIO, ALONE)),
        ),
        suites={
            "handshake": "Handshake",
            "turns-list": "Turn pages",
            "items-list": "Item pages",
            "thread-name": "Names",
        },
        news=(News("notification", "thread/new/thing", 3, 4),),
        servers=(Server(0, "five-turns", "hive", "clauses", 40.5, 0, "", "eof"),),
        messages=(
            Message(
                0, 0, 41.0, "sent", 60, {"id": 0, "method": "initialize", "params": {"clientInfo": {"name": "hive"}}}
            ),
            Message(1, 0, 42.0, "received", 60, {"id": 0, "result": {"codexHome": "/tmp/hive-gate-x1/home"}}),
            Message(2, 0, 43.0, "sent", 110, request, clause="items-list.unsupported", step=0),
            Message(3, 0, 44.5, "received", 120, reply, clause="items-list.unsupported", step=0),
            Message(4, 0, 44.6, "received", 20, None, "not json: warning", "items-list.unsupported", 0),
        ),
        scenes={"five-turns": {"threads": [{"id": "0199-aa", "turns": [{"text": "my secret words"}]}]}},
        oddities=(Oddity("not-json", "a line that is not JSON", 4),),
        measurement=Measurement(
            "20261130T170931Z-9d71e4", "2026-11-30T17:09:31+00:00", "12" * 32, {"full": {"ms.ratio": 1.52}, "deep": {}}
        ),
    )


@pytest.fixture
def waived_report(closed_report: Report) -> Report:
    """The same run with a baseline of which one entry is true, one is not, and one names nothing."""
    true = Waiver("/waiver/0", "Hive 3.2 does without.", "release team", "2027-03-31", None, "fail")
    problem = "The baseline's entry /waiver/1 accepts a failure, and the clause passes: take it out."
    untrue = Waiver("/waiver/1", "See /home/kim/notes.txt.", "@admin", "2027-01-31", problem, "pass")
    passed, unsupported, refused, *others = closed_report.clauses
    return replace(
        closed_report,
        clauses=(
            passed,
            replace(unsupported, verdict="waived", waiver=true),
            replace(refused, verdict="stale", waiver=untrue, fingerprint=None),
            *others,
        ),
        baseline=Baseline(
            "/home/kim/hive/contracts/baseline.toml", "ef" * 32, 4, 3,
            ("The baseline's entry /waiver/2 (resume.ful) names no clause of the contract: take it out.",),
        ),
    )  # fmt: skip


@pytest.fixture
def open_report(closed_report: Report) -> Report:
    """The same run when all clauses hold."""
    clauses = tuple(replace(c, verdict="pass", findings=()) for c in closed_report.clauses)
    return replace(closed_report, gate="open", clauses=clauses)


@pytest.fixture
def hostile_report(closed_report: Report) -> Report:
    """Hostile strings wherever a server, a program or a contract file can put one."""
    bad = " ".join(HOSTILE[:-1])
    body = {"id": 5, "result": {"kept": list(HOSTILE[:-1]), "nested": {"}}": {"a": ["{{collapse(x)", "}}"]}}}}
    clauses = tuple(
        clause(
            f"items-list.case-{number}",
            "fail",
            expected=text,
            actual=text,
            why=text,
            source="#942 @admin",
            findings=(Finding("result", f"not {text}", text, 0, "/data/0", 5),),
        )
        for number, text in enumerate(HOSTILE)
    )
    accepted = Waiver("/waiver/0", bad, bad, "2027-03-31", None, "fail")
    waived = clause("turns-list.waived", "waived", actual=bad, fingerprint="0a1b2c3d4e5f", waiver=accepted)
    untrue = Waiver("/waiver/1", bad, bad, "2027-03-31", bad, "pass")
    stale = clause("turns-list.stale", "stale", waiver=untrue)
    named = clause("turns-list.a|b,c)}} @admin #1", "error", actual=bad)
    blocked = clause("turns-list.blocked", "blocked", exchanges=(Exchange("x/y", 5, 6, 1.0, 1, 1, 0),))
    messages = (
        *closed_report.messages,
        Message(5, 0, 50.0, "received", 999, body),
        Message(6, 0, 51.0, "received", 9, None, bad),
    )
    return replace(
        closed_report,
        target=replace(closed_report.target, version="0.143.0 | @admin #1", warnings=(bad, *HOSTILE)),
        contract=replace(closed_report.contract, gates=("#944", "#945 @admin"), name="hive|{{toc}}"),
        clauses=(named, blocked, stale, waived, *clauses),
        baseline=Baseline(f"/home/kim/{bad}", "ef" * 32, 2, 2, HOSTILE),
        constraints=(
            Note(
                "c|1 #1",
                bad,
                "#942",
                None,
                (),
                (),
                HOSTILE[4],
                (replace(RATIO, means=HOSTILE[0]), replace(ALONE, value=HOSTILE[7], why=HOSTILE[8])),
            ),
        ),
        decisions=tuple(Note(f"d{number}", text, "@admin", "open", (text,)) for number, text in enumerate(HOSTILE)),
        measurement=Measurement(HOSTILE[5], HOSTILE[6], "12" * 32, {bad: {bad: 1.0}}),
        suites={"items-list": "Items | @admin #1 }}", "turns-list": "Turns\n| x"},
        news=tuple(News("notification", text, 1) for text in HOSTILE),
        messages=messages,
    )


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare a text with a committed file; with UPDATE_GOLDEN set, write the file and fail so that one looks at it."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if os.environ.get("UPDATE_GOLDEN"):
            path.write_bytes(text.encode())
            pytest.fail(f"{path} was written; look at the difference and run again without UPDATE_GOLDEN")
        assert text == path.read_bytes().decode()

    return compare
