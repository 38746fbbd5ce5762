"""The environment in which anything of the target is started: nothing of the user's, no way out to a network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
"""Folders of the system's own programs. The caller's PATH may hold shims that change what is under test."""

DEAD_PROXY = "http://127.0.0.1:9"
"""A proxy nobody listens on: a request that would leave the machine fails at once and stays on loopback."""

LOOPBACK = "127.0.0.1,localhost,::1"
"""Hosts that are reached without the dead proxy: the stand-in for the model."""

_WATCHED = ("CODEX_", "OPENAI_")


def scratch_environment(home: Path, codex_home: Path) -> dict[str, str]:
    """Return the whole environment of a program under test.

    It is written from nothing, not filtered from the caller's, so that no setting and no secret can slip through.
    `TMPDIR` is `home/tmp`, which is created: the server refuses to put helper programs into a Codex home that lies
    inside the temporary folder, and warns about it, so the two must be apart.

    Args:
        home: scratch HOME; created if missing.
        codex_home: scratch CODEX_HOME; the caller creates it.
    """
    temporary = home / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    environment = {
        "PATH": SYSTEM_PATH,
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "HOME": str(home),
        "CODEX_HOME": str(codex_home),
        "TMPDIR": str(temporary),
    }
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        environment[name] = environment[name.lower()] = DEAD_PROXY
    environment["NO_PROXY"] = environment["no_proxy"] = LOOPBACK
    return environment


@contextmanager
def scratch_home() -> Iterator[dict[str, str]]:
    """Yield the environment of a scratch home that lasts as long as the context."""
    with TemporaryDirectory(prefix="hive-gate-", ignore_cleanup_errors=True) as name:
        home = Path(name).resolve()
        codex_home = home / "codex"
        codex_home.mkdir()
        yield scratch_environment(home, codex_home)


def inherited_variables(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Return the sorted names, never the values, of the caller's variables that a codex started by hand would obey."""
    return tuple(sorted(name for name in environ if name.startswith(_WATCHED)))
