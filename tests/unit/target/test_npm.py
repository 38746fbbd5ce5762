from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hive_gate.errors import TargetError
from hive_gate.target import npm as npm_module
from hive_gate.target.npm import Npm
from hive_gate.target.platforms import this_platform

if TYPE_CHECKING:
    from .conftest import FakeNpm

HERE = this_platform()


def tick() -> None:
    """Go on."""


@pytest.fixture
def client(npm: FakeNpm, tmp_path: Path) -> Npm:
    return Npm.find(npm.environ, tmp_path / "npm-cache")


def refusal(client: Npm, version: str) -> TargetError:
    with pytest.raises(TargetError) as caught:
        client.integrity(version, HERE, tick)
    return caught.value


def test_the_integrity_comes_from_the_registry(client: Npm, npm: FakeNpm) -> None:
    assert client.integrity("0.142.5", HERE, tick) == npm.integrity
    assert npm.calls[0]["argv"][:3] == ["view", f"@openai/codex@0.142.5-{HERE}", "dist"]


def test_without_npm_it_is_said_what_to_install(tmp_path: Path) -> None:
    with pytest.raises(TargetError, match="There is no npm on PATH") as caught:
        Npm.find({"PATH": str(tmp_path)}, tmp_path)
    assert "install Node.js" in str(caught.value.hint)


@pytest.mark.parametrize(
    ("version", "near"),
    [
        ("0.142.3", "use 0.142.2 or 0.142.5,"),
        ("0.142.9", "use 0.142.5 or 0.143.0-alpha.12,"),
        ("0.143.0-alpha.9", "use 0.142.5 or 0.143.0-alpha.12,"),
        ("0.143.0-rc.1", "use 0.143.0-alpha.12 or 0.143.0,"),
        ("0.9.0", "use 0.142.0,"),
        ("0.1000.0", "use 0.143.0,"),
    ],
)
def test_for_an_unpublished_version_its_neighbors_are_named(client: Npm, version: str, near: str) -> None:
    error = refusal(client, version)
    assert error.message == f"codex {version} is not published."
    assert error.hint == f"{near} the nearest published for {HERE}"


def test_a_version_published_only_for_other_platforms_is_told_apart(client: Npm) -> None:
    error = refusal(client, "0.142.1")
    assert error.message == f"codex 0.142.1 is published, but not for {HERE}."
    assert str(error.hint).startswith("use 0.142.0 or 0.142.2,")


def test_a_registry_with_nothing_for_this_platform_is_told(client: Npm, npm: FakeNpm) -> None:
    npm.versions = ["0.1.0", "0.2.0-win32-x64"]
    npm.save()
    assert f"nothing is published for {HERE}" in str(refusal(client, "0.3.0").hint)


def test_old_npm_that_prints_nothing_for_a_missing_version_is_understood(client: Npm, npm: FakeNpm) -> None:
    npm.say = {"view": ""}
    npm.save()
    assert refusal(client, "0.142.3").message == "codex 0.142.3 is not published."


def test_published_versions_are_sorted_and_without_their_platform(client: Npm, npm: FakeNpm) -> None:
    npm.versions.reverse()
    npm.save()
    names = [str(version) for version in client.published(HERE, tick)]
    assert names == ["0.142.0", "0.142.2", "0.142.5", "0.143.0-alpha.12", "0.143.0"]


def test_a_package_with_a_single_version_is_understood(client: Npm, npm: FakeNpm) -> None:
    npm.say = {"versions": f'"0.142.5-{HERE}"'}
    npm.save()
    assert [str(version) for version in client.published(HERE, tick)] == ["0.142.5"]


@pytest.mark.parametrize(
    ("code", "reason", "hint"),
    [
        ("ENOTFOUND", "npm could not reach its registry (ENOTFOUND)", "check the network"),
        ("ECONNREFUSED", "npm could not reach its registry (ECONNREFUSED)", "check the network"),
        ("E503", "npm could not reach its registry (E503)", "check the network"),
        ("ENOTCACHED", "npm is set to work offline (ENOTCACHED)", "turn `offline` off"),
        ("CERT_HAS_EXPIRED", "npm does not trust its registry's certificate (CERT_HAS_EXPIRED)", "cafile"),
        ("E401", "npm's registry refused access (E401)", "log in"),
        ("ENOSPC", "there is no space left on the disk (ENOSPC)", "free about 700 MB"),
        ("EACCES", "npm was not allowed to write (EACCES)", "HIVE_GATE_CACHE"),
        ("EINTEGRITY", "the package that came is not the one that was published (EINTEGRITY)", "try again"),
        ("EWHATEVER", "npm ended with exit code 1", "npm ping"),
    ],
)
@pytest.mark.parametrize("step", ["view", "pack"])
def test_each_failure_of_npm_says_what_happened_and_what_to_do(
    client: Npm, npm: FakeNpm, tmp_path: Path, step: str, code: str, reason: str, hint: str
) -> None:
    npm.fail = {step: code}
    npm.save()
    with pytest.raises(TargetError) as caught:
        client.integrity("0.142.5", HERE, tick) if step == "view" else client.pack("0.142.5", HERE, tmp_path, tick)
    assert caught.value.message == f"codex 0.142.5 ({HERE}) could not be fetched: {reason}."
    assert hint in str(caught.value.hint)
    assert caught.value.detail == f"code {code}\nit failed"


def test_a_registry_without_the_package_is_told(client: Npm, npm: FakeNpm) -> None:
    npm.fail = {"view": "E404", "versions": "E404"}
    npm.save()
    error = refusal(client, "0.142.5")
    assert "npm's registry does not have it (E404)" in error.message
    assert "npm config get registry" in str(error.hint)


def test_an_error_code_is_also_found_in_the_words_of_npm(client: Npm, npm: FakeNpm) -> None:
    (npm.folder / "npm").write_text("#!/bin/sh\necho 'npm ERR! code ENOTFOUND' >&2\nexit 1\n")
    assert "(ENOTFOUND)" in refusal(client, "0.142.5").message


def test_passwords_in_addresses_do_not_reach_the_user(client: Npm, npm: FakeNpm) -> None:
    npm.fail, npm.summary = {"view": "E500"}, "GET https://me:secret@registry.example/x"
    npm.save()
    error = refusal(client, "0.142.5")
    assert "https://***@registry.example/x" in str(error.detail)
    assert "secret" not in error.diagnostics()


def test_an_npm_that_does_not_end_is_stopped(client: Npm, npm: FakeNpm, monkeypatch: pytest.MonkeyPatch) -> None:
    (npm.folder / "npm").write_text("#!/bin/sh\nexec sleep 600\n")
    monkeypatch.setattr(npm_module, "LOOKUP_SECONDS", 0.0)
    assert "npm was stopped: no end within 0 s" in refusal(client, "0.142.5").message


@pytest.mark.parametrize("text", ["not json", "{}", "[]", '{"integrity": null}'])
def test_an_answer_without_integrity_is_not_trusted(client: Npm, npm: FakeNpm, text: str) -> None:
    npm.say = {"view": text}
    npm.save()
    assert refusal(client, "0.142.5").message.startswith(f"codex 0.142.5 ({HERE}) ")


def test_an_npm_that_leaves_no_package_is_told(client: Npm, npm: FakeNpm, tmp_path: Path) -> None:
    npm.say = {"pack": "[]"}
    npm.save()
    (tmp_path / "into").mkdir()
    with pytest.raises(TargetError, match="left 0 packages") as caught:
        client.pack("0.142.5", HERE, tmp_path / "into", tick)
    assert "npm 7 or later" in str(caught.value.hint)


def test_an_npm_that_cannot_be_started_is_told(client: Npm, npm: FakeNpm) -> None:
    (npm.folder / "npm").write_text("#!/nowhere/node\n")
    assert refusal(client, "0.142.5").message == "npm could not be started: No such file or directory."
