"""The commands that the documentation shows, and the output that it shows below them.

In a block of `console` each line with a `$` before it is a command and what follows is its output; in a block of `sh`
or `bash` each line is a command. A backslash at the end of a line continues a command, as in a shell.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROMPT = "$ "
SHELLS = frozenset({"sh", "bash", "shell", "zsh"})

_FENCE = re.compile(r"(?P<indent>\s*)(?P<fence>`{3,}|~{3,}|:{3,})(?P<info>.*)$")
_EXCERPT = re.compile(r"\s*<!-- in: (?P<file>\S+) -->$")
_COUNT = re.compile(r"(?<![\w./#-])\d+(?![\w./-]*\w)")
"""A number by itself; no part of a version, of a path, of a day or of a fingerprint."""


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block."""

    page: str
    """Path below the project's root, with slashes."""
    line: int
    """Where its first line is, from 1."""
    info: str
    """What its fence says: `console`."""
    lines: tuple[str, ...]
    """Without the indentation of the fence."""
    file: str | None
    """The file that it is an excerpt of, which a comment before it names: `<!-- in: FILE -->`."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command that a page shows."""

    page: str
    line: int
    text: str
    """As the reader types it, continuation lines and all."""
    output: str
    """What is shown below it; empty: nothing."""

    @property
    def where(self) -> str:
        """Page and line."""
        return f"{self.page}:{self.line}"


def pages(root: Path = ROOT) -> list[str]:
    """Return the pages whose commands count, sorted; the built documentation is none of them."""
    docs = (path for path in (root / "docs").rglob("*.md") if "_build" not in path.relative_to(root).parts)
    named = (root / name for name in ("README.md", "README.ko.md", "CONTRIBUTING.md"))
    return sorted(path.relative_to(root).as_posix() for path in (*named, *docs))


def blocks(page: str, text: str) -> Iterator[Block]:
    """Yield the fenced blocks of a page, in order.

    Raises:
        ValueError: a block has no end.
    """
    lines = text.split("\n")
    n = 0
    while n < len(lines):
        opened = _FENCE.match(lines[n])
        if not opened:
            n += 1
            continue
        indent, fence = len(opened["indent"]), opened["fence"]
        closing = re.compile(rf"\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        end = next((at for at in range(n + 1, len(lines)) if closing.match(lines[at])), None)
        if end is None:
            raise ValueError(f"{page}:{n + 1}: this block has no end")
        body = tuple(line[indent:] if not line[:indent].strip() else line for line in lines[n + 1 : end])
        before = next((line for line in reversed(lines[:n]) if line.strip()), "")
        named = _EXCERPT.match(before)
        yield Block(page, n + 2, opened["info"].strip(), body, named["file"] if named else None)
        n = end + 1


def commands(page: str, text: str) -> list[Command]:
    """Return the commands that a page shows, in order.

    Raises:
        ValueError: a block has no end; or a prompt stands where no command is looked for, or a `console` block begins
            with something else. The message names page and line, and what to do.
    """
    found: list[Command] = []
    outside = dict(enumerate(text.split("\n"), 1))
    for block in blocks(page, text):
        for n in range(block.line, block.line + len(block.lines)):
            del outside[n]
        if block.info == "console":
            found += _prompted(block)
        elif block.info in SHELLS:
            found += _typed(block)
        else:
            for n, line in enumerate(block.lines, block.line):
                if line.startswith(PROMPT):
                    raise ValueError(f"{page}:{n}: a command in a block of {block.info!r}; make it ```console")
    for n, line in outside.items():
        if line.lstrip().startswith(PROMPT):
            raise ValueError(f"{page}:{n}: a command in no block; put it into one of ```console")
    return found


def excerpts(page: str, text: str) -> list[Block]:
    """Return the blocks that say which file they are an excerpt of."""
    return [block for block in blocks(page, text) if block.file]


def programs(text: str) -> list[str]:
    """Return what a command starts, in each part of a pipe or a list, after the variables that it sets.

    A part that starts nothing gives an empty word, and so does a substitution, into which this does not look.
    """
    words = shlex.shlex(text.replace("\\\n", " "), posix=True, punctuation_chars=True)
    words.whitespace_split = True
    parts: list[list[str]] = [[]]
    for word in words:
        if set(word) <= set("|&;()"):
            parts.append([])
        else:
            parts[-1].append(word)
    started = [next((word for word in part if not re.match(r"\w+=", word)), "") for part in parts]
    return [*started, ""] if re.search(r"\$\(|`|<\(|>\(", text) else started


def missing(shown: str, real: str) -> str | None:
    """Return the first piece of shown text that a real one lacks; None: they agree.

    What is shown may leave out: a `…` stands for anything. Blanks and line ends do not count, nor does by how much a
    count differs (`of 159 required clauses`), so that a run may be smaller. The pieces have to come in order.
    """
    rest = " ".join(real.split())
    for piece in shown.split("…"):
        words = " ".join(piece.split())
        pattern = r"\d+".join(re.escape(part) for part in _COUNT.split(words))
        found = re.search(pattern, rest)
        if found is None:
            return words
        rest = rest[found.end() :]
    return None


def _prompted(block: Block) -> Iterator[Command]:
    """Yield the commands of a `console` block, each with the lines up to the next."""
    starts = [n for n, line in enumerate(block.lines) if line.startswith(PROMPT)]
    if not starts or any(line.strip() for line in block.lines[: starts[0]]):
        raise ValueError(f"{block.page}:{block.line}: a console block begins with a command: {PROMPT}hive-gate …")
    for start, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
        text, after = _continued(block.lines, start)
        output = "\n".join(block.lines[after:end]).strip("\n")
        yield Command(block.page, block.line + start, text.removeprefix(PROMPT), output)


def _typed(block: Block) -> Iterator[Command]:
    """Yield the commands of a block in which every line is one."""
    n = 0
    while n < len(block.lines):
        text, after = _continued(block.lines, n)
        if text.strip() and not text.lstrip().startswith("#"):
            yield Command(block.page, block.line + n, text, "")
        n = after


def _continued(lines: Sequence[str], start: int) -> tuple[str, int]:
    """Return the command that starts on a line, and the number of the line after it."""
    end = start
    while lines[end].endswith("\\") and end + 1 < len(lines):
        end += 1
    return "\n".join(lines[start : end + 1]), end + 1
