"""Check that the help texts in README.md are what the program prints; `--fix` writes them anew.

A help text is a fenced block right after a marker that names its command::

    <!-- help: hive-gate probe -->
    ```text
    ...
    ```
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

HelpOf = Callable[[str], str]

_BLOCK = re.compile(
    r"(?P<head>^<!-- help: (?P<command>[^\n]+?) -->\n+(?P<fence>`{3,})[a-z]*\n)(?P<body>.*?)(?P<tail>^(?P=fence)$)",
    re.MULTILINE | re.DOTALL,
)
_MARKER = re.compile(r"^\s*<!--\s*help:", re.MULTILINE)

WIDTH = 100
"""Columns of every help text in the README."""


class ReadmeError(Exception):
    """The README has no help text to check, or a command in it cannot be run."""


def help_of(command: str) -> str:
    """Run `command --help` and return what it prints, the same on every machine and terminal.

    Raises:
        ReadmeError: if the command is not installed beside this Python or does not exit with 0.
    """
    words = shlex.split(command)
    program = Path(sys.executable).parent / words[0]
    # A fixed environment: FORCE_COLOR, a CI's own variables or a locale would change the text.
    fixed = {"COLUMNS": str(WIDTH), "LINES": "50", "TERMINAL_WIDTH": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
    env = {**fixed, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", "PATH": os.defpath, "HOME": os.devnull}
    try:
        done = subprocess.run(
            [str(program), *words[1:], "--help"], env=env, capture_output=True, text=True, encoding="utf-8", check=False
        )
    except OSError as error:
        raise ReadmeError(f"`{command} --help` does not start: {error.strerror}") from error
    if done.returncode != 0:
        raise ReadmeError(f"`{command} --help` exits with {done.returncode}: {done.stderr.strip()[-500:]}")
    return tidy(done.stdout)


def tidy(text: str) -> str:
    """Return `text` without blanks at line ends and without empty lines around it, ending in one newline."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n") + "\n"


def renew(text: str, help_text: HelpOf = help_of) -> str:
    """Return the README `text` with each help block as `help_text` gives it now.

    Raises:
        ReadmeError: if there is no help block, or a marker is not followed by a whole fenced block.
    """
    blocks = len(_BLOCK.findall(text))
    markers = len(_MARKER.findall(text))
    if not markers:
        raise ReadmeError("no `<!-- help: COMMAND -->` marker found; the README must show the help of the program")
    if blocks != markers:
        raise ReadmeError(f"{markers} help markers, but only {blocks} with a whole fenced block right after them")
    return _BLOCK.sub(lambda m: m["head"] + help_text(m["command"]) + m["tail"], text)


def main(argv: Sequence[str]) -> int:
    """Check or fix the README; return 0 if it is right (now), 1 if a help text differs, 2 if it cannot be checked."""
    parser = argparse.ArgumentParser(prog="check_readme", description="Are the README's help texts true?")
    parser.add_argument("--fix", action="store_true", help="write the help texts anew")
    parser.add_argument("readme", nargs="?", type=Path, default=Path("README.md"), help="default: README.md")
    args = parser.parse_args(argv)
    path: Path = args.readme
    try:
        old = path.read_text(encoding="utf-8")
        new = renew(old)
    except (OSError, ReadmeError) as error:
        print(f"{path}: {error}", file=sys.stderr)
        return 2
    if new == old:
        return 0
    if args.fix:
        path.write_text(new, encoding="utf-8")
        print(f"{path}: help texts written anew")
        return 0
    sys.stderr.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), "the program"))
    print(f"{path}: help texts are not what the program prints; run `make format`", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
