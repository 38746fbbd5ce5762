"""Where the browser tests take their browser from."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.support.browser import COMMANDS, Machine, NoChromium, chromium


class Fake:
    """A machine with some programs, on which commands may install one."""

    def __init__(
        self, *programs: str, root: bool = True, installs: str | None = None, fails: str | None = None
    ) -> None:
        self.programs = set(programs)
        self.root, self.installs, self.fails = root, installs, fails
        self.ran: list[tuple[str, ...]] = []
        self.said: list[str] = []

    def machine(self, folder: Path, **environ: str) -> Machine:
        return Machine(environ, self.which, self.exists, lambda: self.root, self.run, folder / "lock")

    def which(self, name: str) -> str | None:
        return f"/usr/bin/{name}" if name in self.programs else None

    def exists(self, path: str) -> bool:
        return path in self.programs

    def run(self, command: Sequence[str], seconds: float) -> str | None:
        assert seconds > 0
        self.ran.append(tuple(command))
        if self.fails:
            return self.fails
        if "install" in command and self.installs:
            self.programs.add(self.installs)
        return None


@pytest.fixture
def find(tmp_path: Path) -> Callable[..., str]:
    def found(fake: Fake, **environ: str) -> str:
        return chromium(fake.said.append, fake.machine(tmp_path, **environ))

    return found


def test_the_one_that_is_named_is_taken(find: Callable[..., str]) -> None:
    fake = Fake("chromium", "/opt-chrome/chrome")
    assert find(fake, HIVE_GATE_CHROMIUM="/opt-chrome/chrome") == "/opt-chrome/chrome"
    with pytest.raises(NoChromium, match="HIVE_GATE_CHROMIUM names /none, which is not there"):
        find(fake, HIVE_GATE_CHROMIUM="/none")


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_the_one_on_the_path_is_taken_and_nothing_is_installed(name: str, find: Callable[..., str]) -> None:
    fake = Fake(name, "apt-get")
    assert find(fake) == f"/usr/bin/{name}"
    assert (fake.ran, fake.said) == ([], [])


def test_root_with_apt_gets_one_installed_and_is_told(find: Callable[..., str]) -> None:
    fake = Fake("apt-get", installs="chromium")
    assert find(fake) == "/usr/bin/chromium"
    assert tuple(fake.ran) == COMMANDS
    assert len(fake.said) == 1
    assert "installing it with apt-get" in fake.said[0]


@pytest.mark.parametrize("fake", [Fake(), Fake("apt-get", root=False)])
def test_where_nothing_can_be_installed_a_sentence_says_what_to_do(fake: Fake, find: Callable[..., str]) -> None:
    with pytest.raises(NoChromium, match=r"apt-get install chromium.*HIVE_GATE_CHROMIUM="):
        find(fake)
    assert fake.ran == []


def test_an_installation_that_fails_says_how(find: Callable[..., str]) -> None:
    with pytest.raises(NoChromium, match=r"`apt-get -qq update` failed: no network\. Install Chromium"):
        find(Fake("apt-get", fails="no network"))
    with pytest.raises(NoChromium, match="still none of chromium"):
        find(Fake("apt-get"))


def test_workers_that_come_at_once_install_it_once(tmp_path: Path) -> None:
    fake = Fake("apt-get", installs="chromium")
    paths: list[str] = []
    machine = fake.machine(tmp_path)
    threads = [threading.Thread(target=lambda: paths.append(chromium(fake.said.append, machine))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert paths == ["/usr/bin/chromium"] * 4
    assert tuple(fake.ran) == COMMANDS
