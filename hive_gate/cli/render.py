"""`hive-gate render`: every format again, from a report.json alone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hive_gate.report.fit import LEAST_BYTES, MAX_BYTES
from hive_gate.report.interface import FORMATS, Options, get_format
from hive_gate.report.jsonfile import read_report, write_text


def render(
    report: Annotated[Path, typer.Argument(metavar="REPORT.json", help="The report.json of a run.")],
    format_name: Annotated[
        str, typer.Option("--format", "-f", metavar="NAME", help=f"One of {', '.join(FORMATS)}.")
    ] = "text",
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where to write it; - is the standard output.")
    ] = Path("-"),
    show_text: Annotated[
        bool | None,
        typer.Option(
            "--show-text/--redact",
            help="Keep or redact user text and absolute paths. By default all but text and JSON are redacted.",
            show_default=False,
        ),
    ] = None,
    max_bytes: Annotated[
        int,
        typer.Option(
            "--max-bytes", min=LEAST_BYTES, metavar="N", help="Most bytes of a note; what is cut is named in it."
        ),
    ] = MAX_BYTES,
) -> None:
    """Make another format from REPORT.json: terminal text, a note for Redmine or GitHub, HTML, JUnit, a transcript.

    Exit codes: 0 made, 2 usage, a report that is not valid, or FILE cannot be written, 4 fault of hive-gate.
    """
    options = Options(redacted=None if show_text is None else not show_text, max_bytes=max_bytes)
    # The format first: a wrong name is told without reading a report of megabytes.
    chosen = get_format(format_name, options)
    text = chosen.render(read_report(report))
    if str(out) == "-":
        # Bytes, so that a terminal's encoding can neither refuse a character nor change a newline.
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    else:
        write_text(text, out)
