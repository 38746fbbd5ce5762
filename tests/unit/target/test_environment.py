from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.target.environment import inherited_variables, scratch_environment, scratch_home


def test_the_environment_is_exactly_the_allow_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "CODEX_HOME", "LC_CTYPE", "PYTHONPATH", "LD_PRELOAD", "HTTPS_PROXY", "RUST_LOG"):
        monkeypatch.setenv(name, "of-the-user")
    home, codex_home = tmp_path / "home", tmp_path / "home" / "codex"
    dead, loopback = "http://127.0.0.1:9", "127.0.0.1,localhost,::1"
    assert scratch_environment(home, codex_home) == {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "HOME": str(home),
        "CODEX_HOME": str(codex_home),
        "TMPDIR": str(home / "tmp"),
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), dead),
        **dict.fromkeys(("NO_PROXY", "no_proxy"), loopback),
    }


def test_the_temporary_folder_exists_and_is_apart_from_the_codex_home(tmp_path: Path) -> None:
    environment = scratch_environment(tmp_path / "home", tmp_path / "home" / "codex")
    assert Path(environment["TMPDIR"]).is_dir()
    assert not Path(environment["CODEX_HOME"]).is_relative_to(environment["TMPDIR"])


def test_a_scratch_home_is_gone_afterwards() -> None:
    with scratch_home() as environment:
        home = Path(environment["HOME"])
        assert Path(environment["CODEX_HOME"]).is_dir()
        (home / "left").touch()
    assert not home.exists()


def test_inherited_variables_are_named_without_their_values() -> None:
    environ = {"OPENAI_API_KEY": "secret", "CODEX_HOME": "/home/me/.codex", "CODEXISH": "1", "PATH": "/bin"}
    assert inherited_variables(environ) == ("CODEX_HOME", "OPENAI_API_KEY")
