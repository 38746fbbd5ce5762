"""A package as it came: check that it is the published one, and unpack it."""

from __future__ import annotations

import base64
import hashlib
import io
import tarfile
import zlib
from collections.abc import Callable
from pathlib import Path

from hive_gate.errors import TargetError

_CHUNK = 1024 * 1024

OnBytes = Callable[[int, int], None]
"""Called with bytes done and bytes in all, both of the packed file."""


def verify(tarball: Path, integrity: str, on_bytes: OnBytes) -> None:
    """Compare a file with npm's integrity string (`sha512-<base64>`, maybe with others beside it).

    Raises:
        TargetError: another file than the published one, or nothing to compare with.
        OSError: it cannot be read.
    """
    expected = [part for part in integrity.split() if part.startswith("sha512-")]
    if not expected:
        raise TargetError(
            f"{tarball.name} cannot be verified: the registry names no SHA-512 for it.",
            where=str(tarball),
            hint="use a registry that does (`npm config get registry`)",
        )
    digest, done, total = hashlib.sha512(), 0, tarball.stat().st_size
    with tarball.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
            done += len(chunk)
            on_bytes(done, total)
    actual = "sha512-" + base64.b64encode(digest.digest()).decode()
    # Options may follow a question mark in an integrity string; they do not belong to the hash.
    if actual not in {part.partition("?")[0] for part in expected}:
        raise TargetError(
            f"{tarball.name} is not the package that was published: its SHA-512 differs.",
            where=str(tarball),
            hint="try again; if it stays so, a proxy or mirror between here and the registry changes packages",
            detail=f"published {expected[0]}\nreceived  {actual}",
        )


def unpack(tarball: Path, folder: Path, on_bytes: OnBytes) -> None:
    """Unpack into an existing folder; nothing in the package can write outside of it.

    Raises:
        TargetError: the package is damaged or tries to write elsewhere.
        OSError: no space, no permission.
    """
    try:
        with (
            _Counted(tarball, on_bytes) as packed,
            tarfile.open(fileobj=packed, mode="r|gz", bufsize=_CHUNK) as archive,
        ):
            archive.extractall(folder, filter="data")
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise TargetError(
            f"{tarball.name} cannot be unpacked: {error}.", where=str(tarball), hint="try again"
        ) from error


class _Counted(io.FileIO):
    """A file that tells how much of it was read: the one measure of unpacking that is known from the start."""

    def __init__(self, path: Path, on_bytes: OnBytes) -> None:
        super().__init__(path)
        self._on_bytes = on_bytes
        self._total = path.stat().st_size

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(-1 if size is None else size) or b""
        self._on_bytes(self.tell(), self._total)
        return chunk
