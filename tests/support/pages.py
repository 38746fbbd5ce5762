"""Reports and documents for the tests that look at pages in a browser."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hive_gate.cost.svg import Panel, Series, plot
from hive_gate.report.compose import Unit
from hive_gate.report.document import Document
from hive_gate.report.model import (
    Baseline,
    ClauseResult,
    Contract,
    Exchange,
    Finding,
    Message,
    News,
    Note,
    Report,
    Run,
    Server,
    Target,
    Waiver,
    gate_of,
)
from hive_gate.report.note import (
    Bullets,
    Code,
    CodeBlock,
    Collapsed,
    Figure,
    Heading,
    Line,
    Paragraph,
    Table,
    Toned,
)

HOSTILE = '</script><img src=x onerror="window.hacked=1">\u202e\u200b\ud83d<b>'
"""What a server might say that means harm."""

SUITES = {
    "handshake": "Handshake and wire",
    "turns-list": "thread/turns/list",
    "items-list": "thread/turns/items/list as a stub that never answers",
}
VERSIONS = tuple(f"0.{minor}.0" for minor in range(125, 145))


def clause(name: str, verdict: str = "pass", **more: Any) -> ClauseResult:
    """Return a clause of a made-up contract."""
    made = ClauseResult(
        id=name,
        suite=name.partition(".")[0],
        level="required",
        verdict=verdict,  # type: ignore[arg-type]
        why="Hive scrolls back page by page.",
        source="#942",
        expected="A page has the newest turns first.",
        actual="a page with 2 turns, newest first",
        seconds=0.012,
        scene="five-turns",
    )
    return replace(made, **more)


class Wire:
    """Collects messages as a run would number them."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def add(self, body: Any, *, name: str | None = None, sent: bool = False, size: int = 100) -> int:
        """Record a message and return its number."""
        n = len(self.messages)
        text = body if isinstance(body, str) else None
        direction = "sent" if sent else "received"
        made = Message(n, 0, n * 1.5, direction, size, None if text else body, text, name, 0)  # type: ignore[arg-type]
        self.messages.append(made)
        return n

    def call(self, name: str, reply: Any, method: str = "thread/turns/list", *, told: int = 0) -> Exchange:
        """Record a request, `told` notifications and a reply (None: it never came)."""
        asked = {"id": len(self.messages), "method": method, "params": {"threadId": "0199-aa", "limit": 2}}
        request = self.add(asked, name=name, sent=True)
        notices = tuple(self.add({"method": "thread/status/changed", "params": {}}, name=name) for _ in range(told))
        if reply is None:
            return Exchange(method, request, None, None, 100, 0, 0, notices, "no reply within 10 s")
        n = self.add({"id": request, **reply}, name=name, size=3_210)
        return Exchange(method, request, n, 1.5, 100, 3_210, 0, notices)


def turns(count: int) -> dict[str, Any]:
    """Return a result with so many turns, of several lines each."""
    items = [{"type": "userMessage", "content": [{"type": "text", "text": "‹12 chars›"}]}]
    return {"result": {"data": [{"id": f"turn-{n}", "status": "completed", "items": items} for n in range(count)]}}


def sample() -> Report:
    """Return a closed run with each verdict, each kind of message, and a server that means harm."""
    wire = Wire()
    wire.add({"id": 0, "method": "initialize", "params": {}}, sent=True)
    wire.add({"id": 0, "result": {"userAgent": "hive/0.143.0"}})
    clauses = [clause(f"handshake.greeting/{n}") for n in range(6)]
    for n in range(8):
        name = f"turns-list.walk/desc/{n}"
        clauses.append(clause(name, exchanges=(wire.call(name, turns(2), told=1),)))
    clauses.append(_deep(wire))
    refused = {"error": {"code": -32600, "message": "unknown variant"}}
    name = "items-list.unsupported"
    found = Finding("error", "error -32601", "error -32600: unknown variant", 0, "/error/code", len(wire.messages) + 1)
    exchange = wire.call(name, refused, "thread/turns/items/list")
    clauses.append(clause(name, "fail", actual=found.actual, findings=(found,), exchanges=(exchange,)))
    name = "items-list.silent"
    silence = Finding("answer", "an answer", "no reply within 10 s", 0, None, len(wire.messages))
    exchange = wire.call(name, None, "thread/turns/items/list")
    clauses.append(clause(name, "fail", actual="no reply within 10 s", findings=(silence,), exchanges=(exchange,)))
    name = "items-list.hostile"
    harm = Finding("result", HOSTILE, HOSTILE, 0, "/data/0", len(wire.messages) + 1)
    exchange = wire.call(name, {"result": {"data": [HOSTILE, 12345678901234567890, 1.0], "2": 0, "1": 0, HOSTILE: 0}})
    wire.add(HOSTILE, name=name)
    clauses.append(clause(name, "warn", level="advisory", actual=HOSTILE, findings=(harm,), exchanges=(exchange,)))
    waiver = Waiver("/waiver/0", "Known since 0.143.", "team-hive", "2027-01-31", was="fail")
    clauses.append(clause("items-list.known", "waived", fingerprint="71c9de2ed4fa", waiver=waiver))
    gone = replace(waiver, entry="/waiver/1", problem="It passes now; remove the entry.", was="pass")
    clauses.append(clause("items-list.again", "stale", waiver=gone))
    clauses.append(clause("items-list.paginated", "not-offered", actual="it lacks the capability paginated"))
    return _report(tuple(clauses), wire)


def _deep(wire: Wire) -> ClauseResult:
    """Return a clause whose finding points far below the first lines of a long reply."""
    name = "turns-list.long"
    reply = turns(120)
    reply["result"]["data"][99]["status"] = "inProgress"
    found = Finding("statuses", '"completed"', '"inProgress"', 0, "/data/99/status", len(wire.messages) + 1)
    return clause(name, "fail", actual='"inProgress"', findings=(found,), exchanges=(wire.call(name, reply),))


def large(exchanges: int = 10_000) -> Report:
    """Return a run with one clause of so many exchanges, and 200 others."""
    wire = Wire()
    others = tuple(clause(f"handshake.case/{n}") for n in range(200))
    name = "turns-list.endless"
    asked = tuple(wire.call(name, turns(1)) for _ in range(exchanges))
    found = Finding("statuses", '"completed"', '"x"', 0, "/data/0/status", asked[exchanges // 2].reply)
    return _report((*others, clause(name, "fail", findings=(found,), exchanges=asked)), wire)


def _report(clauses: tuple[ClauseResult, ...], wire: Wire) -> Report:
    baseline = Baseline("contracts/baseline.toml", "ef" * 32, 2, 2)
    return Report(
        gate=gate_of(clauses, baseline),
        run=Run("20261130-120000-ab12", "2026-11-30T12:00:00Z", 3.25, "0.1.0", "3.11.9", partial=False),
        target=Target("0.143.0", "codex", "0.143.0", "…/bin/codex", "ab" * 32, ("codex", "app-server")),
        contract=Contract("hive-app-server", "1.0.0", "cd" * 32, "c.json", "History", "#942", ("#944",), "0.142.5"),
        clauses=clauses,
        constraints=(Note("replay-cost", "A page replays the whole history.", "#942"),),
        decisions=(Note("view", "Use the `summary` view.", "#942", "open", ("turns-list.*",)),),
        suites=SUITES,
        news=(News("field", f"extra {HOSTILE}", 3),),
        servers=(Server(0, "five-turns", "hive", "clauses", 40.5, 0, f"one\n{HOSTILE}\n", "eof"),),
        messages=tuple(wire.messages),
        baseline=baseline,
    )


def _figure(name: str) -> Figure:
    """Return a plot of two lines over two pairs of axes."""
    lines = tuple(
        Series(f"{name}, {shape}", tuple((float(x), y * x, y * x, y * x) for x in (100, 1000)))
        for shape, y in (("plain", 0.1), ("images", 0.02))
    )
    panels = [Panel(label, "{:,.0f}".format, lines) for label in ("stored turns", "stored history, MB")]
    return Figure(plot(name, "Numbers in words.", "median time, ms", "{:g}".format, panels), name, "page-20.svg")


def document() -> Document:
    """Return a document with a heat map of 200 clauses by 20 versions, plots, and every other kind of block."""
    tones: tuple[Toned, ...] = (
        Toned("pass", "good"),
        Toned("fail", "bad"),
        Toned("warn", "warn"),
        Toned("none", "dim"),
    )
    rows: tuple[tuple[Line, ...], ...] = tuple(
        ((Code(f"turns-list.some-clause/{n}"),), *((tones[(n * k) % 4 if n % 9 == 0 else 0],) for k in range(20)))
        for n in range(200)
    )
    blocks = (
        Heading((Code("items-list.known"), " since 0.143.0"), small=True),
        Bullets((("It is gone: ", Toned("breaking", "bad")), (HOSTILE,))),
        Collapsed("Transcript of 0.142.5", (Paragraph(("Message 1",)), CodeBlock('{\n "a": 1\n}'))),
    )
    few = Table(("Contract", "Holds on"), ((("hive-app-server",), (Toned("0.142.5", "good"),)),))
    return Document(
        "codex 0.125.0 to 0.144.0",
        (Toned("NO", "bad"), ": 6 clauses do not hold."),
        (
            Unit(1, "table", "", None, (Paragraph(("Each column is one version.",)), few)),
            Unit(1, "table", "", "Clauses by version", (Table(("Clause", *VERSIONS), rows),)),
            Unit(1, "list", "", "What moved", blocks),
            Unit(1, "plots", "", "Plots", (_figure("page of 20"), _figure(f"page of 100 {HOSTILE}"))),
        ),
        "hive-gate matrix 20261130",
    )
