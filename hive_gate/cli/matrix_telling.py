"""What is left of a matrix for its user: the files, the tables on the terminal, why the exit code is not 0."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from rich.console import Console

from hive_gate.exits import Exit
from hive_gate.matrix.document import document
from hive_gate.matrix.formats import SUFFIXES, WIDTH, render
from hive_gate.matrix.model import Matrix
from hive_gate.matrix.summary import exit_code, sentence
from hive_gate.report.blocktext import renderable, to_text
from hive_gate.report.jsonfile import write_text
from hive_gate.report.plain import visible


def write_all(matrix: Matrix, out: Path, *, everything: bool) -> None:
    """Write matrix.json and the other formats beside it.

    Raises:
        UsageError: the folder cannot be written.
    """
    for name, suffix in SUFFIXES.items():
        write_text(render(matrix, name, everything=everything), out / f"matrix{suffix}")


def tell(matrix: Matrix, out: Path, name: str, *, everything: bool, fresh: bool) -> None:
    """Print the matrix on stdout and, on stderr, where the files are and why the exit code is not 0."""
    aside = Console(stderr=True, markup=False, highlight=False)
    if name == "text":
        console = Console(markup=False, highlight=False)
        if console.is_terminal:
            console.print(renderable(document(matrix, console.width, everything=everything)))
        else:
            width = console.width if "COLUMNS" in os.environ else WIDTH
            sys.stdout.write(to_text(document(matrix, width, everything=everything), width))
        aside.print(
            f"Written: {out / 'matrix.json'}, .md, .textile, .html and more; the runs' report.json below it",
            soft_wrap=True,
        )
    else:
        sys.stdout.write(render(matrix, name, everything=everything))
    code = exit_code(matrix)
    aside.print(f"hive-gate: {visible(sentence(matrix))}", soft_wrap=True)
    if code is Exit.TARGET:
        again = "start it again without --fresh" if fresh else "start it again"
        aside.print(f"  do: see above why, and {again}: what was judged is kept", soft_wrap=True)
