"""What a client that restores a thread gets to see of what a client that watched it live has seen.

Run: `.venv/bin/python bench/fidelity.py [--codex 0.142.5] [--mode legacy|paginated] [--out FILE.json]`. Each case is a
real turn against the stand-in model, with tool calls, reasoning, images, failures and interruptions in it. What the
server announced while it ran (`item/completed`, `turn/completed`) is the truth; beside it stand what the file stores
and what `thread/turns/list` in `full` and `summary` and `thread/read` give once the server was started again. Nothing
here is timed, so it says the same on any machine.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from hive_gate.contract.load import load_contract
from hive_gate.data import DEFAULT_CONTRACT
from hive_gate.errors import HiveGateError
from hive_gate.probe.observe import Silent
from hive_gate.probe.server import LaneServer, Servers
from hive_gate.probe.subject import Subject, codex
from hive_gate.scene.home import Home
from hive_gate.scene.scratch import scratch_folder
from hive_gate.scene.standin import Answer, Script, StandIn
from hive_gate.wire.transcript import Transcript

PATIENCE = 15.0

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
DATA_URL = f"data:image/png;base64,{base64.b64encode(PIXEL).decode()}"

PATCH = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch\nEOF\n"


def call(name: str, **arguments: Any) -> Answer:
    """Return the model's call of a tool."""
    return {"type": "function_call", "id": f"fc-{name}", "call_id": f"call-{name}", "name": name,
            "arguments": json.dumps(arguments)}  # fmt: skip


def said(text: str, phase: str) -> Answer:
    """Return a message of the model with a phase."""
    content = [{"type": "output_text", "text": text}]
    return {"type": "message", "role": "assistant", "id": f"msg-{phase}", "phase": phase, "content": content}


def named(case: Case, request: int, answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """Return the answers of one request, each message with an id that no other has, as a model's have."""
    return tuple(
        {
            "type": "message",
            "role": "assistant",
            "id": f"msg-{case.name.replace(' ', '-')}-{request}-{number}",
            "content": [{"type": "output_text", "text": answer}],
        }
        if isinstance(answer, str)
        else answer
        for number, answer in enumerate(answers)
    )


@dataclass(frozen=True)
class Case:
    """One turn."""

    name: str
    model: tuple[Script, ...] = (("Done.",),)
    """What the model answers, request by request."""
    more: tuple[dict[str, Any], ...] = ()
    """What the user sends beside the text."""
    meanwhile: str = ""
    """`interrupt` or `steer`, while the model waits; `compact`: no turn of the user's, but a compaction."""


REASONING: Answer = {"type": "reasoning", "id": "rs-1", "summary": [{"type": "summary_text", "text": "I think."}],
                     "content": None, "encrypted_content": None}  # fmt: skip

CASES = (
    Case("one answer"),
    Case("several agent messages", (("First.", "Second.", "Third."),)),
    Case("phases", ((said("I look.", "commentary"), said("It is so.", "final_answer")),)),
    Case("reasoning", ((REASONING, "Done."),)),
    Case("command", (("I look.", call("exec_command", cmd="echo hi")), ("Done.",))),
    Case("command that fails", ((call("exec_command", cmd="exit 3"),), ("It failed.",))),
    Case("file change", ((call("exec_command", cmd=PATCH),), ("Changed.",))),
    Case("plan", ((call("update_plan", plan=[{"step": "look", "status": "in_progress"}]),), ("Planned.",))),
    Case("image from the user", more=({"type": "image", "url": DATA_URL},)),
    Case("local image from the user", more=({"type": "localImage", "path": "${work}/pixel.png"},)),
    Case("image viewed", ((call("view_image", path="pixel.png"),), ("Seen.",))),
    Case("web search", (({"type": "web_search_call", "id": "ws-1", "status": "completed",
                          "action": {"type": "search", "query": "q"}}, "Found."),)),
    Case("image generated", (({"type": "image_generation_call", "id": "ig-1", "status": "completed",
                               "revised_prompt": "a dot", "result": base64.b64encode(PIXEL).decode()}, "Drawn."),)),
    Case("model error", (None,)),
    Case("interrupted", ("waits",), meanwhile="interrupt"),
    Case("steered", ("waits", ("Steered.",)), meanwhile="steer"),
    Case("compaction", (("The story so far.",),), meanwhile="compact"),
)  # fmt: skip


@dataclass
class Seen:
    """One case, as each way of looking shows it: the kinds of its items in order, and its turn's status and error."""

    name: str
    turn: str = ""
    live: list[str] = field(default_factory=list)
    live_end: str = ""
    noted: list[str] = field(default_factory=list)
    """Other notifications of the turn that carry content, such as a plan."""
    full: list[str] = field(default_factory=list)
    summary: list[str] = field(default_factory=list)
    read: list[str] = field(default_factory=list)
    restored_end: str = ""
    same_ids: bool = True
    """Whether the items of `full` have the ids that they had live."""


class Bench:
    """One server at a time on one home."""

    def __init__(self, subject: Subject, home: Home, stand_in: StandIn) -> None:
        self.home, self.stand_in = home, stand_in
        self.transcript = Transcript()
        servers = Servers(load_contract(DEFAULT_CONTRACT), subject.argv, self.transcript, 30.0)
        self.server = LaneServer(servers, home, "fidelity", "hive", "fidelity")

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the result of a request; a refusal ends the run."""
        exchange = await self.server.connection.call(method, params, timeout=PATIENCE)
        body = {} if exchange.reply is None else self.transcript.messages[exchange.reply].body
        if "result" not in body:
            raise SystemExit(f"{method}: {body.get('error') or exchange.failure}")
        result: dict[str, Any] = body["result"]
        return result

    async def until(self, since: int, *methods: str) -> None:
        """Wait for a notification."""
        if await self.server.connection.wait_for(lambda m: m.body["method"] in methods, since, PATIENCE) is None:
            heard = [message.body["method"] for message in self.server.connection.notifications[since:]]
            raise SystemExit(f"no {' or '.join(methods)} came, but {', '.join(heard)}")

    async def run(self, thread: str, case: Case) -> Seen:
        """Run a turn and return what a client saw meanwhile."""
        for number, script in enumerate(case.model):
            self.stand_in.script("fidelity", script if not isinstance(script, tuple) else named(case, number, script))
        since, asked = len(self.server.connection.notifications), len(self.stand_in.requests("fidelity"))
        if case.meanwhile == "compact":
            await self.ask("thread/compact/start", threadId=thread)
        else:
            more = json.loads(json.dumps(case.more).replace("${work}", str(self.home.work)))
            await self.ask("turn/start", threadId=thread, input=[{"type": "text", "text": f"Do: {case.name}"}, *more])
        if case.meanwhile in ("interrupt", "steer"):
            await self.until(since, "turn/started")
            while len(self.stand_in.requests("fidelity")) == asked:  # until the model is asked, and keeps it waiting
                await anyio.sleep(0.01)
            started = next(
                m for m in self.server.connection.notifications[since:] if m.body["method"] == "turn/started"
            )
            turn = started.body["params"]["turn"]["id"]
            if case.meanwhile == "interrupt":
                await self.ask("turn/interrupt", threadId=thread, turnId=turn)
            else:
                steering = [{"type": "text", "text": "And that."}]
                await self.ask("turn/steer", threadId=thread, expectedTurnId=turn, input=steering)
                self.stand_in.release("fidelity")
        await self.until(since, "turn/completed")
        if case.meanwhile == "interrupt":
            self.stand_in.release("fidelity")
        return self._live(case, since)

    def _live(self, case: Case, since: int) -> Seen:
        seen = Seen(case.name)
        for message in self.server.connection.notifications[since:]:
            method, params = message.body["method"], message.body.get("params", {})
            if method == "item/completed":
                seen.live.append(kind(params["item"]))
                seen.noted.append(f"#{params['item'].get('id')}")
            elif method in ("turn/plan/updated", "turn/diff/updated", "error", "thread/compacted"):
                seen.noted.append(method)
            elif method == "turn/completed":
                seen.turn, seen.live_end = params["turn"]["id"], end(params["turn"])
        return seen


def kind(item: dict[str, Any]) -> str:
    """Return what an item is, with what sets it apart from others of its type."""
    name = str(item["type"])
    if name == "userMessage":
        parts = [part["type"] for part in item["content"] if part["type"] != "text"]
        return "+".join([name, *parts])
    if name == "agentMessage" and item.get("phase"):
        return f"{name} ({item['phase']})"
    return f"{name} ({item['status']})" if name == "commandExecution" else name


def end(turn: dict[str, Any]) -> str:
    """Return how a turn ended."""
    return str(turn["status"]) + (" with an error" if turn.get("error") else "")


async def look(subject: Subject, home: Home, stand_in: StandIn, mode: str) -> list[Seen]:
    """Run all cases, start the server again, and return what each way of looking shows."""
    bench = Bench(subject, home, stand_in)
    (home.work / "pixel.png").write_bytes(PIXEL)
    try:
        await bench.server.start()
        made = await bench.ask(
            "thread/start", cwd=str(home.work), sandbox="danger-full-access", approvalPolicy="never", historyMode=mode
        )
        thread = made["thread"]["id"]
        told = [await bench.run(thread, case) for case in CASES]
        await bench.server.stop()
        await bench.server.start()
        pages = {
            view: await bench.ask("thread/turns/list", threadId=thread, limit=100, itemsView=view)
            for view in ("full", "summary")
        }
        read = await bench.ask("thread/read", threadId=thread, includeTurns=True)
    finally:
        await bench.server.stop()
    shown = {name: {turn["id"]: turn for turn in page["data"]} for name, page in pages.items()}
    shown["read"] = {turn["id"]: turn for turn in read["thread"]["turns"]}
    for seen in told:
        for name, turns in shown.items():
            items = turns.get(seen.turn, {}).get("items", [])
            setattr(seen, name, [kind(item) for item in items])
        restored = shown["full"].get(seen.turn)
        seen.restored_end = "gone" if restored is None else end(restored)
        live_ids = {note[1:] for note in seen.noted if note.startswith("#")}
        seen.same_ids = {i["id"] for i in restored["items"]} <= live_ids if restored else False
        seen.noted = [note for note in seen.noted if not note.startswith("#")]
    return told


def tell(told: list[Seen], name: str) -> None:
    """Print the two tables as Markdown."""
    print(f"What is left of a live turn after a restart, {name}\n")
    print("| turn | live | `full` | `summary` | ended live | ended restored |")
    print("|---|---|---|---|---|---|")
    for seen in told:
        live = ", ".join([*seen.live, *(f"[{note}]" for note in dict.fromkeys(seen.noted))])
        cells = (seen.name, live, ", ".join(seen.full), ", ".join(seen.summary), seen.live_end, seen.restored_end)
        print(f"| {' | '.join(cell or '-' for cell in cells)} |")
    print("\n| item | live | `full` | `thread/read` | `summary` |")
    print("|---|---|---|---|---|")
    counts = [Counter(k for seen in told for k in getattr(seen, way)) for way in ("live", "full", "read", "summary")]
    for item in dict.fromkeys(k for counted in counts for k in counted):
        print(f"| {item} | {' | '.join(str(counted[item]) for counted in counts)} |")
    same = sum(seen.same_ids for seen in told)
    print(f"\nItems have the ids that they had live in {same} of {len(told)} turns.")


def main() -> None:
    """Run it and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--codex", default="0.142.5", metavar="SPEC")
    parser.add_argument("--mode", default="legacy", choices=("legacy", "paginated"))
    parser.add_argument("--out", type=Path, metavar="FILE", help="write what was seen as JSON")
    options = parser.parse_args()
    try:
        subject = codex(options.codex, Silent())
        with scratch_folder(keep=False) as root, StandIn() as stand_in:
            home = Home(root)
            home.prepare(stand_in.base_url("fidelity"))
            told = anyio.run(look, subject, home, stand_in, options.mode)
    except HiveGateError as error:
        sys.exit(error.diagnostics())
    tell(told, f"codex {subject.target.version}, {options.mode} thread")
    if options.out:
        kept = [{k: v for k, v in vars(seen).items() if k != "turn"} for seen in told]
        lines = ",\n".join(f"  {json.dumps(each)}" for each in kept)
        options.out.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
