"""A checkout as CI sees it, in a folder of its own: our files for CI, and a hive-gate that was set up.

That hive-gate is either the real one or a stub that plays what a test wants and joins matrices with the real one.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from hive_gate.data import CONTRACTS, FIXTURES

ROOT = Path(__file__).resolve().parents[2]
REAL = (sys.executable, "-P", "-m", "hive_gate")

HOSTILE = "::error title=from the server::it broke out"
"""A line that the stub prints while it probes, as if a server had said it."""

_MAKEFILE = "setup:\n\t@echo 'set up'\n"

_STUB = '''\
"""Plays hive-gate; see Scenario."""
import json, os, pathlib, signal, sys

at = pathlib.Path(__file__).parent
play = json.loads((at / "scenario.json").read_text())
command, *given = sys.argv[1:]
with open(play["calls"], "a") as file:
    file.write(json.dumps({"words": sys.argv[1:], "cache": os.environ.get("HIVE_GATE_CACHE")}) + "\\n")

def end(code, text=""):
    if text:
        sys.stderr.write(f"hive-gate: {text}\\n  do: something\\n")
    sys.exit(code)

if command == "matrix" and "--merge" in given:
    os.execv(play["real"][0], [*play["real"], *sys.argv[1:]])

if command == "baseline":
    code, told, why = play["baseline"]
    print(told)
    end(code, why)

if command in ("can-i-bump", "drift"):
    code, text = play["bump" if command == "can-i-bump" else "drift"]
    form = given[given.index("--format") + 1] if "--format" in given else "text"
    told = "::error title=a clause::broke\\n" if form == "annotations" else f"{command} as {form}: {text}\\n"
    if "--out" in given:
        pathlib.Path(given[given.index("--out") + 1]).write_text(told)
    else:
        sys.stdout.write(told)
    end(code, text if code else "")

words = given[given.index("--") + 1:]
options = given[:given.index("--")]
if "--plan" in options:
    versions = []
    for word in words:
        if ".." in word:
            if play["published"] is None:
                end(3, "the list of codex versions could not be fetched: npm could not reach its registry")
            versions += play["published"]
        elif word in play["words"]:
            versions.append(play["words"][word])
        elif set(word) <= set("0123456789."):
            versions.append(word)
        else:
            end(2, f"{word!r} names no version of codex")
    if "--shard" in options:
        index, of = map(int, options[options.index("--shard") + 1].split("/"))
        versions = versions[index - 1::of]
    print(json.dumps({"schema": "hive-gate/plan/1", "versions": versions, "shard": None}))
    end(0)

print(play["hostile"])
sys.stderr.write(play["hostile"] + "\\n")
for version in words:
    if version in play["ends"]:
        code = play["ends"][version]
        if code < 0:
            # with all that the machine runs, as if it had gone
            os.kill(os.getppid(), signal.SIGKILL)
        end(code, "as the test wants it")
whole = play["matrix"]
kept = [i for i, column in enumerate(whole["sheets"][0]["columns"]) if column["version"] in words]
columns = []
for sheet in whole["sheets"]:
    columns = sheet["columns"] = [sheet["columns"][i] for i in kept]
    for row in sheet["rows"]:
        row["cells"] = [row["cells"][i] for i in kept]
verdicts = whole["footer"]["verdicts"] = dict.fromkeys(whole["footer"]["verdicts"], 0)
for cell in (cell for sheet in whole["sheets"] for row in sheet["rows"] for cell in row["cells"] if cell):
    verdicts[cell["verdict"]] += 1
whole["footer"]["versions"] = len(kept)
out = pathlib.Path(options[options.index("--out") + 1])
for name, text in [("matrix.json", json.dumps(whole)), *((c["report"], "{}") for c in columns if c["report"])]:
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    (out / name).write_text(text)
gates, states = {c["gate"] for c in columns}, {c["state"] for c in columns}
end(1 if "closed" in gates else 3 if states != {"judged"} else 0)
'''


@dataclass(frozen=True)
class Scenario:
    """What the stub plays."""

    matrix: dict[str, Any] = field(default_factory=dict)
    """matrix.json of all versions; a share of it is what a probe leaves."""
    published: list[str] | None = None
    """What a range means; None: the registry cannot be reached."""
    words: dict[str, str] = field(default_factory=lambda: {"accepted": "0.142.5", "pinned": "0.142.5"})
    ends: dict[str, int] = field(default_factory=dict)
    """Versions at which a probe ends with an exit code and leaves nothing; a negative one takes the job with it."""
    bump: tuple[int, str] = (0, "Yes.")
    """What can-i-bump says: exit code and sentence."""
    drift: tuple[int, str] = (0, "Nothing.")
    baseline: tuple[int, str, str] = (0, "no entries", "")
    """What `baseline check` says: exit code, stdout and sentence."""


def stubbed(folder: Path, scenario: Scenario) -> Path:
    """Make a checkout whose hive-gate plays a scenario."""
    made = _checkout(folder, REAL, ("-IS", str(folder / ".venv" / "bin" / "stub.py")))
    (made / ".venv" / "bin" / "stub.py").write_text(_STUB)
    play = {**asdict(scenario), "hostile": HOSTILE, "real": REAL, "calls": str(folder.with_name("calls"))}
    (made / ".venv" / "bin" / "scenario.json").write_text(json.dumps(play))
    return made


@dataclass(frozen=True)
class Call:
    """How the stub was called."""

    words: list[str]
    cache: str | None
    """What HIVE_GATE_CACHE said."""

    @property
    def versions(self) -> list[str]:
        """The words that are no options."""
        return self.words[self.words.index("--") + 1 :]

    @property
    def probes(self) -> bool:
        """Whether it was to probe."""
        return self.words[0] == "matrix" and not {"--plan", "--merge"} & set(self.words)


def calls(checkout: Path) -> list[Call]:
    """Return how the stub of a checkout was called, in order."""
    file = checkout.with_name("calls")
    return [Call(**json.loads(line)) for line in file.read_text().splitlines()] if file.exists() else []


def real(folder: Path) -> Path:
    """Make a checkout with the hive-gate that the tests are about."""
    return _checkout(folder, REAL, REAL[1:])


def _checkout(folder: Path, python: tuple[str, ...], program: tuple[str, ...]) -> Path:
    shutil.copytree(ROOT / "ci", folder / "ci", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / ".github", folder / ".github")
    shutil.copytree(CONTRACTS, folder / "contracts")
    (folder / "fixtures").symlink_to(FIXTURES)
    (folder / "Makefile").write_text(_MAKEFILE)
    bin_ = folder / ".venv" / "bin"
    bin_.mkdir(parents=True)
    for name, arguments in (("python", python[:1]), ("hive-gate", (python[0], *program))):
        (bin_ / name).write_text(f'#!/bin/sh\nexec {shlex.join(arguments)} "$@"\n')
        (bin_ / name).chmod(0o755)
    return folder


def commit(checkout: Path, message: str) -> None:
    """Put all that is there but `.venv` into the checkout's git repository, which is made if there is none."""
    run = ["git", "-c", "user.name=Kim", "-c", "user.email=kim@example.org", "-c", "init.defaultBranch=main"]
    if not (checkout / ".git").exists():
        (checkout / ".gitignore").write_text(".venv/\n")
        subprocess.run([*run, "init", "--quiet"], cwd=checkout, check=True)
    for words in (["add", "--all"], ["commit", "--quiet", "--allow-empty", "--message", message]):
        subprocess.run([*run, *words], cwd=checkout, check=True)
