"""Generated pages: written, or compared with what is there."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path


def renewed(pages: Mapping[Path, str], docs: Path, folders: Sequence[str] = (), *, check: bool) -> int:
    """Write pages, or check that they are as they would be written; return the exit code.

    Args:
        pages: text by path from `docs`.
        docs: the folder of the docs.
        folders: folders in it that hold generated pages only: one that is there and not in `pages` has to go.
        check: only compare; each page that differs is named on stderr, and the exit code is 1.
    """
    gone = list(_gone(pages, docs, folders))
    if not check:
        for path, text in pages.items():
            (docs / path).parent.mkdir(parents=True, exist_ok=True)
            (docs / path).write_text(text, encoding="utf-8")
        for path in gone:
            path.unlink()
        return 0
    stale = [path for path, text in pages.items() if _text(docs / path) != text]
    for path in stale:
        print(f"docs/{path.as_posix()} is not as it would be made; renew it: make docs-generated", file=sys.stderr)
    for path in gone:
        print(f"docs/{path.relative_to(docs).as_posix()} is made no more; renew: make docs-generated", file=sys.stderr)
    return 1 if stale or gone else 0


def _gone(pages: Mapping[Path, str], docs: Path, folders: Sequence[str]) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in sorted((docs / folder).glob("*.md")) if path.relative_to(docs) not in pages)


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None
