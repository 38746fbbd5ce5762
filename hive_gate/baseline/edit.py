"""Entries put into a baseline file and taken out, with every other byte left as it is.

The file is people's: their comments, their order, their blank lines. So an edit cuts or appends text, and then reads
the result to see that exactly the entries meant have come or gone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import tomlkit

from hive_gate.baseline.load import parse_baseline
from hive_gate.baseline.model import Entry
from hive_gate.errors import UsageError
from hive_gate.report.jsonfile import write_text

_OPAQUE = re.compile(
    r'"""(?:\\.|(?!""").)*"{3,5}' r"|'''(?:(?!''').)*'{3,5}" r'|"(?:\\.|[^"\\\n])*"' r"|'[^'\n]*'" r"|#[^\n]*",
    re.DOTALL,
)
"""Texts and comments, in which a line may look like the beginning of an entry."""

_HEAD = re.compile(r"^[ \t]*\[\[[ \t]*waiver[ \t]*\]\]", re.MULTILINE)
_ASIDE = re.compile(r"[ \t]*(?:#.*)?\r?\n?")
"""A line without a value: blank, or a comment."""


def with_added(data: bytes, path: Path, entries: Sequence[Entry]) -> bytes:
    """Return the bytes of a baseline file with entries at its end; their pointers do not count.

    Raises:
        ContractError: if the file is not valid.
        UsageError: if its entries are not written as `[[waiver]]`, so that none can be appended.
    """
    before = parse_baseline(data, path)
    text = data.decode()
    _spans(text, path, len(before.entries))
    newline = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith("\n"):
        text += newline
    for entry in entries:
        text += (newline if text else "") + entry_text(entry).replace("\n", newline)
    return _checked(text, path, [*before.entries, *entries])


def with_removed(data: bytes, path: Path, pointers: Collection[str]) -> bytes:
    """Return the bytes of a baseline file without some of its entries.

    What goes is the text of the entry from its `[[waiver]]` to its last value, and the blank line before it. Comments
    above and below it stay.

    Raises:
        ContractError: if the file is not valid.
        UsageError: if its entries are not written as `[[waiver]]`.
    """
    before = parse_baseline(data, path)
    text = data.decode()
    spans = _spans(text, path, len(before.entries))
    for entry, (start, end) in reversed(list(zip(before.entries, spans, strict=True))):
        if entry.pointer in pointers:
            text = _before_gap(text[:start], text[end:]) + text[end:]
    return _checked(text, path, [entry for entry in before.entries if entry.pointer not in pointers])


def entry_text(entry: Entry) -> str:
    """Return an entry as TOML, with a newline at its end."""
    table = tomlkit.table()
    table["clause"] = entry.clause
    if entry.at_most is not None:
        table["at-most"] = entry.at_most
    table["versions"] = entry.versions.text
    table["fingerprint"] = entry.fingerprints[0] if len(entry.fingerprints) == 1 else list(entry.fingerprints)
    table["reason"] = entry.reason
    table["owner"] = entry.owner
    table["expires"] = entry.expires
    waivers = tomlkit.aot()
    waivers.append(table)
    document = tomlkit.document()
    document["waiver"] = waivers
    return document.as_string()


def write_baseline(path: Path, before: bytes | None, after: bytes) -> None:
    """Write a baseline file whole or not at all.

    Args:
        path: the file.
        before: what the file held when it was read; None: it was not there.
        after: what it is to hold.

    Raises:
        UsageError: if it is a link, is not to be written, or has changed since it was read.
    """
    if path.is_symlink():
        # To replace the link would leave the file as it was, and to write through it is not all or nothing.
        raise UsageError(
            "the baseline is a symbolic link", where=str(path), hint=f"name the file itself: {path.resolve()}"
        )
    if before is None:
        write_text(after.decode(), path)
        return
    try:
        mode = path.stat().st_mode
        if not mode & 0o222 or not os.access(path, os.W_OK):
            raise UsageError("the baseline is read-only", where=str(path), hint="make it writable first: chmod u+w")
        if path.read_bytes() != before:
            raise UsageError("the baseline was changed meanwhile", where=str(path), hint="start the command again")
        write_text(after.decode(), path)
        path.chmod(mode & 0o7777)
    except OSError as error:
        raise UsageError(
            f"the baseline cannot be written: {error.strerror or error}", where=str(path), hint="check its permissions"
        ) from error


def _spans(text: str, path: Path, count: int) -> list[tuple[int, int]]:
    """Return (start, end) of each entry's text, from its `[[waiver]]` to the end of the line of its last value."""
    plain = _OPAQUE.sub(lambda found: ("#" if found[0][0] == "#" else "x") * len(found[0]), text)
    starts = [found.start() for found in _HEAD.finditer(plain)]
    if len(starts) != count:
        raise UsageError(
            "the entries of the baseline are not written as [[waiver]], so they cannot be edited",
            where=str(path),
            hint="write each entry under a [[waiver]] of its own",
        )
    spans = []
    for start, limit in zip(starts, [*starts[1:], len(plain)], strict=False):
        lines = plain[start:limit].splitlines(keepends=True)
        while _ASIDE.fullmatch(lines[-1]):
            lines.pop()
        spans.append((start, start + sum(map(len, lines))))
    return spans


def _before_gap(head: str, tail: str) -> str:
    """Return what stands before an entry without one blank line before it, if that leaves no two parts in one."""
    if tail and not tail.startswith(("\n", "\r\n")):
        return head
    return re.sub(r"(?<=\n)\r?\n\Z", "", head)


def _checked(text: str, path: Path, expected: Sequence[Entry]) -> bytes:
    data = text.encode()
    found = parse_baseline(data, path).entries
    if [replace(entry, pointer="") for entry in found] != [replace(entry, pointer="") for entry in expected]:
        raise UsageError(
            "the baseline could not be edited without changing more than was asked",
            where=str(path),
            hint="edit the file by hand",
        )
    return data
