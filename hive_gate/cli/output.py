"""What a command prints or writes: a document in the format that was asked for, or the text of a program's format."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hive_gate.report.document import Document, write_document
from hive_gate.report.jsonfile import write_text

if TYPE_CHECKING:
    from rich.console import Console

LOG_WIDTH = 120
"""Columns where there is no terminal: rich would take 80, and fold each hash and path in two."""


def console() -> Console:
    """Return a console on stdout for results."""
    from rich.console import Console

    made = Console(markup=False, highlight=False)
    if not made.is_terminal and "COLUMNS" not in os.environ:
        made.width = LOG_WIDTH
    return made


def put(text: str, out: Path | None) -> None:
    """Write a text to a file, or print it; as bytes, so that no terminal's encoding can refuse or change anything.

    Raises:
        UsageError: if the file cannot be written.
    """
    if out is not None and str(out) != "-":
        write_text(text, out)
        return
    if sys.stdout is None:  # closed before the start: nobody wants to read it
        return
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def put_document(document: Document, name: str, out: Path | None) -> None:
    """Write a document to a file, or print it; on a terminal as text with colors, as wide as that is.

    Raises:
        UsageError: if there is no such format, or the file cannot be written.
    """
    if name != "text" or (out is not None and str(out) != "-"):
        put(write_document(document, name), out)
        return
    from hive_gate.report.blocktext import renderable, to_text

    made = console()
    if made.is_terminal:
        made.print(renderable(document))
    else:
        put(to_text(document, made.width), None)
