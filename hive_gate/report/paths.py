"""Absolute paths in text, shortened to what they end in.

A JSON pointer looks like a path (`/data/0/items`), so only text below a folder that is known to be one counts: the
usual top folders of the systems that hive-gate runs on, and those that the report itself names where a path must be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

# Top folders of Linux and macOS below which people's, programs' and temporary files live.
_TOPS = (
    "Applications", "Library", "System", "Users", "Volumes", "bin", "boot", "builds", "dev", "etc", "github", "home",
    "lib", "media", "mnt", "nix", "opt", "private", "proc", "root", "run", "sbin", "snap", "srv", "tmp", "usr",
    "var", "workspace", "workspaces",
)  # fmt: skip

# Folders whose last part is a person's name: it goes as well.
_HOMES = re.compile(r"(?:/(?:home|Users)/[^/]+|/root|[A-Za-z]:\\Users\\[^\\]+)[/\\]?")

# `#/` begins a JSON pointer after a file name.
_SEGMENT = r"(?:(?!#/)[^\s/\\\"'`<>|,;:()\[\]{}‹›…])+"
# A path may stand after a space, a quote, a bracket, `=` or `file://`, never inside a word, a URL or a longer path.
_START = r"(?:(?<![\w.~/\\…-])|(?<=file://)|(?<=sqlite://))"
_WINDOWS = rf"[A-Za-z]:(?:\\{{1,2}}{_SEGMENT}(?: [^\s\\]+(?=\\))?)+"


@dataclass(frozen=True, slots=True)
class PathRedactor:
    """Shortens absolute paths in text.

    Args:
        pattern: what counts as an absolute path.
        literal: known absolute paths that the pattern would cut short, since they hold spaces; the longest first.
    """

    pattern: re.Pattern[str]
    literal: tuple[str, ...] = ()

    @classmethod
    def knowing(cls, paths: Iterable[str]) -> PathRedactor:
        """Return a redactor that also knows the top folders of `paths`, which are absolute paths for certain."""
        known = set(paths)
        tops = {path.split("/")[1] for path in known if re.match(r"/[^/\s]+/[^/]", path)} - {*_TOPS}
        # Below a folder that is not a usual one a number means a pointer into a list: `/data/3/id`.
        more = "".join(rf"|/{re.escape(top)}(?!/\d+(?![^\s/]))" for top in sorted(tops))
        posix = rf"(?:/(?:{'|'.join(_TOPS)}){more})(?![^\s/\"'`<>|,;:()\[\]{{}}‹›…])(?:/{_SEGMENT})*/?"
        spaced = {path for path in known if " " in path}
        folders = {path.rpartition("/")[0] for path in spaced}
        literal = sorted(spaced | {f for f in folders if f.count("/") > 1}, key=len, reverse=True)
        return cls(re.compile(rf"{_START}(?:{posix}|{_WINDOWS})"), tuple(literal))

    def __call__(self, text: str) -> str:
        """Return `text` with each absolute path shortened."""
        if "/" not in text and "\\" not in text:
            return text
        for path in self.literal:
            text = text.replace(path, shorten(path))
        return self.pattern.sub(lambda m: shorten(m[0]), text)


def shorten(path: str) -> str:
    """Return an ellipsis and the file name of an absolute path, with its folder only where that is `bin`.

    The folder above a file is often a person's or a project's name, which is what redaction is for.
    """
    if _HOMES.fullmatch(path):
        return "…"
    parts = [part for part in re.split(r"[/\\]+", path) if part]
    if len(parts) < 2:
        return path
    return f"…/bin/{parts[-1]}" if parts[-2] == "bin" else f"…/{parts[-1]}"


def is_absolute(text: str) -> bool:
    """Tell whether the whole of `text` is one absolute path."""
    if text[:1] != "/" and text[1:3] != ":\\":
        return False
    return bool(re.fullmatch(r"/[^/\0\n]+(?:/[^/\0\n]*)*|[A-Za-z]:\\[^\n]*", text)) and "//" not in text
