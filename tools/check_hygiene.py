"""Check that the tree holds nothing that belongs to one machine, to a package registry or to a vendor.

Each rule is a pattern over the text of the files that git knows or would add. What a rule must not find is put together
from parts, so that this file passes its own check.
"""

from __future__ import annotations

import fnmatch
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.spelling import BRITISH

MAX_BYTES = 5_000_000
"""A file larger than this does not belong in the repository."""

_HOSTS = (
    ("registry", "npmjs", "org"),
    ("registry", "yarnpkg", "com"),
    ("pypi", "org"),
    ("files", "pythonhosted", "org"),
    ("deb", "debian", "org"),
    ("security", "debian", "org"),
    ("snapshot", "debian", "org"),
    ("archive", "ubuntu", "com"),
)
# People that tests make up, to show what happens to a path in somebody's home.
_MADE_UP = r"(?!(?:alice|kim|me|user)(?![\w.-]))"
_RECORDED = ("fixtures/*", "reports/*")
_PROSE = ("*.py", "*.md")


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that no file may hold."""

    name: str
    pattern: re.Pattern[str]
    says: str
    """What is wrong and what to do, after the place."""
    only: tuple[str, ...] = ("*",)
    """Globs of the files it applies to."""


RULES = (
    Rule(
        "registry-host",
        re.compile("|".join(r"\.".join(parts) for parts in _HOSTS)),
        "names a package registry; installing uses the registry that the user has configured",
    ),
    Rule(
        "index-address",
        re.compile(r"\b(?:https?|file)://[^\s\"'<>]*(?:/simple/|\.whl|\.tgz|\.tar\.gz)"),
        "is the address of a package or an index; name the package instead",
    ),
    Rule(
        "index-option",
        re.compile(r"^\s*(?:-i|-f|--(?:extra-)?index-url|--find-links)\b.*", re.MULTILINE),
        "fixes a package index; locks hold names and hashes only",
        ("requirements/*",),
    ),
    Rule(
        "machine-path",
        re.compile(rf"(?<![\w.~/*-])/(?:root|work|(?:home|Users)/{_MADE_UP}[\w.-]+|opt/[\w.-]+)/[\w.*-]*"),
        "is a path of one machine; use a relative path or a placeholder",
    ),
    Rule(
        "scratch-path",
        re.compile(r"(?<![\w.~*-])(?:/private|/var)?/tmp/[\w.-]+|/var/folders/[\w.-]+"),
        "is a scratch path of one run; replace it by a placeholder",
        _RECORDED,
    ),
    Rule(
        "vendor-prompt",
        re.compile(
            # as a string or as an object with a text, also where JSON is quoted within JSON
            r"\\*\"\w*[iI]nstructions\\*\"\s*:\s*(?:\{\s*\\*\"text\\*\"\s*:\s*)?\\*\"(?:[^\"\\]|\\.){200}"
        ),
        "holds a vendor's instruction text; replace it before the file becomes a fixture",
        _RECORDED,
    ),
    Rule("spelling", BRITISH, "is British spelling; this project writes American English", _PROSE),
)

ALLOWED: tuple[tuple[str, str, str], ...] = (
    ("tools/spelling.py", "spelling", "it is the list of these words"),
    ("tests/unit/tools/test_spelling.py", "spelling", "it shows that these words are found"),
    ("LICENSE", "spelling", "not our text"),
)
"""The exceptions: glob of files, name of the rule, why it may be broken there. Keep it short."""


def problems_in(path: str, text: str, rules: Sequence[Rule] = RULES) -> Iterator[str]:
    """Yield each breach of a rule in the `text` of the file `path` as `path:line: what, why`."""
    for rule in rules:
        if not any(fnmatch.fnmatchcase(path, glob) for glob in rule.only):
            continue
        if any(rule.name == name and fnmatch.fnmatchcase(path, glob) for glob, name, _ in ALLOWED):
            continue
        for match in rule.pattern.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{line}: {match[0].strip()[:80]!r} {rule.says} [{rule.name}]"


def check(root: Path, paths: Sequence[str]) -> list[str]:
    """Return every problem in the files `paths` under `root`, each as one line; files that are gone are left out."""
    found: list[str] = []
    for path in paths:
        file = root / path
        if not file.is_file() or file.is_symlink():
            continue
        size = file.stat().st_size
        if size > MAX_BYTES:
            found.append(f"{path}: {size:,} bytes, more than {MAX_BYTES:,}; make it smaller or build it [size]")
            continue
        found.extend(problems_in(path, file.read_text(encoding="utf-8", errors="replace")))
    return found


def known_to_git(root: Path) -> list[str]:
    """Return the files under `root` that git tracks, and new ones that it does not ignore.

    Raises:
        subprocess.CalledProcessError: if `root` is not a git checkout.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return sorted(set(filter(None, done.stdout.split("\0"))))


def main() -> int:
    """Check the checkout that this file is in; return 0, 1 if there are problems, 2 if git cannot list the files."""
    root = Path(__file__).resolve().parent.parent
    try:
        paths = known_to_git(root)
    except (OSError, subprocess.CalledProcessError) as error:
        reason = getattr(error, "stderr", "") or str(error)
        print(f"check_hygiene: git cannot list the files: {reason.strip()}", file=sys.stderr)
        return 2
    found = check(root, paths)
    for line in found:
        print(line, file=sys.stderr)
    if found:
        print(f"check_hygiene: {len(found)} problem(s) in {len(paths)} files", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
