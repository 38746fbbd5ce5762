"""Make or refresh `.venv` in the project's root: `setup_venv.py run` for a probe, `setup_venv.py dev` for the tests.

Standard library only: this runs before anything is installed. A stamp inside `.venv` says what was installed from which
lock files. It is removed before the first change and written after the last, so a set-up that was interrupted is never
taken for a complete one: the next one starts afresh.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

Level = Literal["run", "dev"]
Action = Literal["nothing", "link", "add", "fresh"]
Runner = Callable[[Sequence[str]], None]

VENV = Path(".venv")
STAMP = VENV / ".hive-gate-setup.json"

# The dev lock holds the other two pin for pin (a test sees to it), so installing it is enough for all three.
HOLDS: dict[Level, tuple[str, ...]] = {"run": ("run", "build"), "dev": ("run", "build", "dev")}
INSTALLS: dict[Level, tuple[str, ...]] = {"run": ("run", "build"), "dev": ("dev",)}


def wanted(root: Path, level: Level) -> dict[str, str]:
    """Return what the stamp must say for `level`: the place, the Python, and a digest of each file that counts."""

    def digest(path: str) -> str:
        return hashlib.sha256((root / path).read_bytes()).hexdigest()

    locks = {f"requirements/{name}.txt" for name in HOLDS[level]}
    return {
        "root": str(root),  # scripts in a venv name their Python by its full path: a moved one is broken
        "python": f"{platform.python_version()} {os.path.realpath(sys.base_prefix)}",
        "pyproject.toml": digest("pyproject.toml"),
        **{lock: digest(lock) for lock in sorted(locks)},
    }


def read_stamp(root: Path) -> dict[str, str]:
    """Return what the stamp says; empty when there is none, it is torn, or the program it vouches for is gone."""
    try:
        stamp = json.loads((root / STAMP).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    usable = isinstance(stamp, dict) and (root / VENV / "bin" / "hive-gate").exists()
    return stamp if usable else {}


def decide(stamp: Mapping[str, str], want: Mapping[str, str]) -> Action:
    """Return the least work that makes the venv what is wanted.

    `link` installs the project again, `add` adds missing locks as well, `fresh` starts from an empty venv: after a lock
    changed, only that leaves nothing behind that the lock no longer names.
    """
    differs = {key for key, value in want.items() if stamp.get(key) != value}
    if not differs:
        return "nothing"
    if not stamp or any(key in stamp for key in differs - {"pyproject.toml"}):
        return "fresh"
    return "link" if differs == {"pyproject.toml"} else "add"


def set_up(root: Path, level: Level, run: Runner) -> Action:
    """Bring `.venv` under `root` to `level`; return what was done.

    Args:
        root: the project's root.
        level: how much to install.
        run: starts one command in `root` and raises if it fails.
    """
    stamp, want = read_stamp(root), wanted(root, level)
    action = decide(stamp, want)
    if action == "nothing":
        return action
    (root / STAMP).unlink(missing_ok=True)
    python = str(VENV / "bin" / "python")
    # -qq: errors only; a note for each index that does not have a package would bury them
    pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
    if action == "fresh":
        stamp = {}
        run([sys.executable, "-m", "venv", "--clear", str(VENV)])
    if action != "link":
        locks = [arg for name in INSTALLS[level] for arg in ("-r", f"requirements/{name}.txt")]
        run([*pip, "--require-hashes", *locks])
    run([*pip, "--no-deps", "--no-build-isolation", "--editable", "."])
    (root / STAMP).write_text(json.dumps({**stamp, **want}, indent=1), encoding="utf-8")
    return action


def main(argv: Sequence[str]) -> int:
    """Set up the level named in `argv`; return 0, 1 (a command failed), 2 (wrong call) or 130 (interrupted)."""
    if len(argv) != 1 or argv[0] not in HOLDS:
        print(f"setup_venv: expected one of {', '.join(HOLDS)}", file=sys.stderr)
        return 2
    level: Level = "dev" if argv[0] == "dev" else "run"
    root = Path(__file__).resolve().parent.parent

    def run(command: Sequence[str]) -> None:
        subprocess.run(command, cwd=root, check=True)

    (root / ".cache").mkdir(exist_ok=True)
    with (root / ".cache" / "setup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # two terminals, one venv
        if decide(read_stamp(root), wanted(root, level)) != "nothing":
            print(f"==> set-up: {VENV} from the locks in requirements/ (half a minute or so)", file=sys.stderr)
        try:
            set_up(root, level, run)
        except subprocess.CalledProcessError as error:
            what = " ".join(error.cmd[1:4])
            print(f"set-up: `{what}` failed, see above; mend that and run make again", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("set-up: interrupted; the next make starts it afresh", file=sys.stderr)
            return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
