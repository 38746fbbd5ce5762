from __future__ import annotations

import errno
import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hive_gate.errors import TargetError
from hive_gate.target import install as install_module
from hive_gate.target import process
from hive_gate.target.cache import Cache
from hive_gate.target.hashing import file_sha256
from hive_gate.target.install import install
from hive_gate.target.platforms import this_platform
from hive_gate.target.progress import Progress, silent
from hive_gate.target.spec import parse_version

from .conftest import write_tarball

if TYPE_CHECKING:
    from .conftest import FakeNpm, Lifeline

HERE = this_platform()
SPEC = parse_version("0.142.5")

INSTALL = """
import pathlib, sys
from hive_gate.target.cache import Cache
from hive_gate.target.install import install
from hive_gate.target.spec import parse_version
told = set()
def tell(progress):
    if progress.phase not in told:
        told.add(progress.phase)
        print(progress.phase, flush=True)
print(install(parse_version("0.142.5"), Cache(pathlib.Path(sys.argv[1])), tell).program, flush=True)
"""


def staged(cache: Cache) -> list[Path]:
    return list(cache.staging.iterdir()) if cache.staging.is_dir() else []


def test_a_version_is_fetched_verified_and_described(cache: Cache, npm: FakeNpm) -> None:
    found = install(SPEC, cache, environ=npm.environ)
    assert found == cache.find("0.142.5", HERE)
    assert (found.version, found.platform, found.integrity, found.problem) == ("0.142.5", HERE, npm.integrity, None)
    assert found.sha256 == file_sha256(found.program)
    assert found.program.is_relative_to(cache.programs / f"0.142.5-{HERE}")
    assert os.access(found.program, os.X_OK)
    assert staged(cache) == []


def test_what_is_installed_is_used_without_npm(cache: Cache, npm: FakeNpm) -> None:
    install(SPEC, cache, environ=npm.environ)
    assert install(SPEC, cache, environ={"PATH": ""}) == cache.find("0.142.5", HERE)
    assert npm.steps == ["view", "pack"]


def test_progress_goes_through_the_phases_with_totals_only_where_they_are_known(cache: Cache, npm: FakeNpm) -> None:
    seen: list[Progress] = []
    install(SPEC, cache, seen.append, npm.environ)
    assert list(dict.fromkeys(p.phase for p in seen)) == ["looking up", "downloading", "verifying", "unpacking"]
    size = npm.tarball.stat().st_size
    totals = {p.phase: p.total for p in seen}
    assert totals == {"looking up": None, "downloading": None, "verifying": size, "unpacking": size}
    assert {p.subject for p in seen} == {f"codex 0.142.5 ({HERE})"}
    assert seen[-1].done == size


def test_the_download_reports_the_bytes_that_came(cache: Cache, npm: FakeNpm, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    npm.wait = str(tmp_path / "go")
    npm.save()
    downloaded: list[int] = []

    def release(progress: Progress) -> None:
        if progress.phase == "downloading":
            downloaded.append(progress.done)
            if progress.done and not any(downloaded[:-1]):  # the fake wrote 1000 bytes before it began to wait
                (tmp_path / "go").write_text("go")

    install(SPEC, cache, release, npm.environ)
    assert (downloaded[0], downloaded[-1]) == (0, 1000)


def test_two_processes_at_once_fetch_once(cache: Cache, npm: FakeNpm, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "go")
    npm.wait = str(tmp_path / "go")
    npm.save()
    argv = [sys.executable, "-c", INSTALL, str(cache.root)]

    def start() -> subprocess.Popen[str]:
        return subprocess.Popen(argv, env={**os.environ, **npm.environ}, stdout=subprocess.PIPE, text=True)

    with ExitStack() as stack:
        first = stack.enter_context(start())
        stack.callback(first.kill)
        with (tmp_path / "go").open("w"):  # opens once the first one's npm is in the middle of its download
            second = stack.enter_context(start())
            stack.callback(second.kill)
            assert second.stdout
            assert second.stdout.readline() == "waiting\n"
        # The pipe is closed again, so that npm goes on.
        outputs = [each.communicate(timeout=60)[0].splitlines() for each in (first, second)]
    found = cache.find("0.142.5", HERE)
    assert found
    assert [lines[-1] for lines in outputs] == [str(found.program)] * 2
    assert (first.returncode, second.returncode) == (0, 0)
    assert npm.steps == ["view", "pack"]


def test_what_a_killed_fetch_left_is_not_used_and_is_cleaned(cache: Cache, npm: FakeNpm) -> None:
    left, other = cache.staging / f"0.142.5-{HERE}~dead", cache.staging / f"0.142.5-{HERE}-else~dead"
    for folder in (left, other):
        (folder / "ready" / "package").mkdir(parents=True)
        (folder / "arrived.tgz").write_bytes(b"half")
    found = install(SPEC, cache, environ=npm.environ)
    assert found.problem is None
    assert staged(cache) == [other]


def test_a_package_that_is_not_the_published_one_is_not_installed(cache: Cache, npm: FakeNpm) -> None:
    npm.integrity = "sha512-" + "A" * 86 + "=="
    npm.save()
    with pytest.raises(TargetError, match="is not the package that was published"):
        install(SPEC, cache, environ=npm.environ)
    assert cache.installed() == ()
    assert staged(cache) == []


def test_a_package_without_a_program_is_told(cache: Cache, npm: FakeNpm) -> None:
    npm.integrity = write_tarball(npm.tarball, {"package/README.md": (b"only this", 0o644)})
    npm.save()
    with pytest.raises(TargetError, match="holds no program where one is expected"):
        install(SPEC, cache, environ=npm.environ)
    assert cache.installed() == ()
    assert staged(cache) == []


def test_giving_up_during_the_download_leaves_no_process_and_no_file(
    cache: Cache, npm: FakeNpm, lifeline: Lifeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "TERM_GRACE", 0.1)
    npm.run = lifeline.code + "signal.pause()"
    npm.save()

    def interrupt(progress: Progress) -> None:
        if progress.done:
            lifeline.wait_held()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        install(SPEC, cache, interrupt, npm.environ)
    assert lifeline.wait_gone()
    assert staged(cache) == []
    npm.run = ""
    npm.save()
    assert install(SPEC, cache, environ=npm.environ).problem is None  # nor does the lock stay


@pytest.mark.parametrize(
    ("number", "hint"), [(errno.ENOSPC, "free about 700 MB"), (errno.EACCES, "make the cache folder writable")]
)
def test_a_disk_that_is_full_or_forbidden_is_told_with_what_to_do(
    number: int, hint: str, cache: Cache, npm: FakeNpm, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(number, os.strerror(number), "/some/file")

    monkeypatch.setattr(install_module, "unpack", refuse)
    with pytest.raises(TargetError, match="could not be stored") as caught:
        install(SPEC, cache, environ=npm.environ)
    assert hint in str(caught.value.hint)
    assert caught.value.where == "/some/file"
    assert staged(cache) == []


def test_a_version_for_another_platform_is_refused(cache: Cache) -> None:
    with pytest.raises(TargetError, match="is for win32-arm64") as caught:
        install(parse_version("0.142.5-win32-arm64"), cache, silent, {})
    assert caught.value.hint == "ask for 0.142.5"


def test_a_damaged_program_is_not_replaced_behind_the_users_back(cache: Cache, npm: FakeNpm) -> None:
    install(SPEC, cache, environ=npm.environ).program.write_text("changed")
    with pytest.raises(TargetError, match="is damaged"):
        install(SPEC, cache, environ=npm.environ)
