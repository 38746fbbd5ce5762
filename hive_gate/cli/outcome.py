"""What is left of a run for its user: the files, the words on the terminal, the exit code."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hive_gate.exits import Exit

if TYPE_CHECKING:
    from rich.console import Console

    from hive_gate.report.model import Report, Target

FILES = {
    "textile": "note",
    "markdown": "note",
    "github": "note",
    "junit": "junit",
    "transcript": "transcript",
    "text": "report",
    "html": "report",
}
"""Formats that a run writes beside `report.json`, with the stem of the file."""

_LOG_WIDTH = 120
_TAIL = 12


def exit_code(report: Report) -> Exit:
    """Return the exit code that a run's report stands for.

    A required clause that failed by what the server said closes the gate by the contract, whatever else went wrong.
    Where servers only died or kept silent, the target could not be judged.
    """
    from hive_gate.report.verdict import is_broken_by_what_was_said

    verdicts = {c.verdict for c in report.clauses if c.level == "required"}
    if report.run.interrupted:
        return Exit.INTERRUPTED
    if "error" in verdicts:
        return Exit.FAULT
    untrue = "stale" in {c.verdict for c in report.clauses} or (report.baseline and report.baseline.problems)
    if is_broken_by_what_was_said(report) or untrue:
        return Exit.CLOSED
    if report.run.problem is not None or ("blocked" in verdicts and "fail" not in verdicts):
        return Exit.TARGET
    return Exit.OPEN if report.gate == "open" else Exit.CLOSED


def folder_for(target: Target, *, partial: bool = False) -> Path:
    """Return where a run writes if the user names no folder: `reports/` and the version, or a command's program.

    A partial run has a folder of its own: it must not take the place of a note that speaks of everything.
    """
    version = target.version if target.kind == "codex" else None
    text = version or Path(target.path or target.spec).name
    name = "".join(c if c.isalnum() or c in ".-_+" else "-" for c in text)[:80].strip("-.") or "target"
    return Path("reports") / (f"{name}-partial" if partial else name)


def make_folder(folder: Path) -> None:
    """Make the folder for the report and see that it can be written to, before the run and not after.

    Raises:
        UsageError: if it cannot.
    """
    from hive_gate.errors import UsageError

    try:
        folder.mkdir(parents=True, exist_ok=True)
        trial = folder / f".hive-gate-{os.getpid()}"
        trial.touch()
        trial.unlink()
    except OSError as error:
        raise UsageError(
            f"the folder for the report cannot be used: {error.strerror or error}",
            where=str(folder),
            hint="name another one with --out",
        ) from error


def write_files(report: Report, folder: Path) -> None:
    """Write `report.json` and every other format into a folder."""
    from hive_gate.report.interface import get_format
    from hive_gate.report.jsonfile import write_report, write_text

    write_report(report, folder / "report.json")
    for name, stem in FILES.items():
        made = get_format(name)
        write_text(made.render(report), folder / f"{stem}{made.suffix}")


def tell(report: Report, folder: Path, *, as_json: bool, keep_home: bool) -> None:
    """Print the result on stdout and, on stderr, where the files are and why the exit code is not 0."""
    from rich.console import Console

    from hive_gate.report.interface import get_format
    from hive_gate.report.text import renderable

    aside = Console(stderr=True, markup=False, highlight=False)
    if as_json:
        sys.stdout.write(get_format("json").render(report))
    else:
        console = Console(markup=False, highlight=False)
        if not console.is_terminal and "COLUMNS" not in os.environ:
            console.width = _LOG_WIDTH  # rich would take 80 columns, and fold each hash and path in two
        console.print(renderable(report))
        notes = f"{folder / 'note.textile'} (Textile), {folder / 'note.md'} (CommonMark)"
        aside.print(f"Note for Redmine: {notes}", soft_wrap=True)
        aside.print(f"In a browser:     {folder / 'report.html'}", soft_wrap=True)
        aside.print(f"Everything else:  {folder / 'report.json'} and beside it", soft_wrap=True)
    if keep_home and report.scenes:
        homes = {Path(scene["names"]["home"]).parent.parent for scene in report.scenes.values()}
        aside.print(f"Scratch homes:    {', '.join(map(str, sorted(homes)))}", soft_wrap=True)
    _explain(report, aside)


def _explain(report: Report, aside: Console) -> None:
    """Say in one sentence why the exit code is not 0, what a broken server said, and what to do."""
    from hive_gate.report import verdict
    from hive_gate.report.plain import cut, visible

    code = exit_code(report)
    sentence = verdict.headline_text(report)
    blocked = next((c for c in report.clauses if c.verdict == "blocked"), None)
    if blocked is not None and report.run.problem is None:
        sentence += f" {blocked.id}: {cut(blocked.actual, 300)}"
    aside.print(f"hive-gate: {sentence}", soft_wrap=True)
    broken = [s for s in report.servers if s.stop != "eof" and s.stderr_tail.strip()]
    if code is Exit.TARGET and broken:
        for line in broken[-1].stderr_tail.strip().splitlines()[-_TAIL:]:
            aside.print(f"  | {visible(line)}", soft_wrap=True)
    if code is Exit.TARGET:
        late = (report.run.problem or "").startswith("the run's time")
        advice = "raise --run-timeout, or ask for less with --suite and --clause"
        by_hand = (
            "start the command by hand and read what it says; on a slow machine raise --start-timeout and --timeout"
        )
        aside.print(f"  do: {advice if late else by_hand}", soft_wrap=True)
