"""The README's help texts are compared with the program, and written anew on demand."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tools.check_readme import ReadmeError, help_of, main, renew

README = """# Title

<!-- help: tool one -->

```text
old
```

Words between.

<!-- help: tool two -->
```
old
```
The end.
"""


def fake_help(command: str) -> str:
    return f"usage: {command}\n"


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Put a program `tool` that runs Python `code` where the check looks for programs: beside the running Python."""
    (folder / "tool.py").write_text(code)
    (folder / "tool").write_text(f'#!/bin/sh\nexec "{sys.executable}" "{folder}/tool.py" "$@"\n')
    (folder / "tool").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))


def test_each_block_gets_the_help_of_its_own_command_and_the_rest_stays() -> None:
    expected = README.replace("old", "usage: tool one", 1).replace("old", "usage: tool two", 1)
    assert renew(README, fake_help) == expected


def test_a_readme_without_a_help_block_does_not_pass() -> None:
    with pytest.raises(ReadmeError, match="no `<!-- help: COMMAND -->` marker"):
        renew("# Title\n", fake_help)


@pytest.mark.parametrize(
    "broken",
    [
        "<!-- help: tool three -->\nno block\n",
        "<!-- help: tool three -->\n```text\nnever closed\n",
        "<!--help: x -->\n",
    ],
)
def test_a_marker_without_a_whole_block_does_not_pass(broken: str) -> None:
    with pytest.raises(ReadmeError, match="3 help markers, but only 2"):
        renew(README + broken, fake_help)


def test_a_help_text_with_a_fence_in_it_ends_at_the_longer_fence() -> None:
    text = "<!-- help: tool -->\n````text\nold\n```\ninner\n````\nrest\n"
    assert renew(text, fake_help) == "<!-- help: tool -->\n````text\nusage: tool\n````\nrest\n"


def test_the_command_runs_with_help_in_a_fixed_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "33")
    keys = '("COLUMNS", "NO_COLOR", "TERM", "FORCE_COLOR")'
    install(monkeypatch, tmp_path, f"import os, sys; print(sys.argv[1:], [os.environ.get(k) for k in {keys}], '  ')")
    assert help_of("tool sub") == "['sub', '--help'] ['100', '1', 'dumb', None]\n"


def test_a_command_that_fails_is_an_error_with_its_stderr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, tmp_path, "raise SystemExit('no such command')")
    with pytest.raises(ReadmeError, match="exits with 1: no such command"):
        help_of("tool sub")


def test_a_command_that_is_not_installed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(ReadmeError, match="does not start"):
        help_of("tool sub")


def test_a_stale_readme_fails_with_a_diff_and_passes_once_fixed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, tmp_path, "print('now')")
    readme = tmp_path / "README.md"
    readme.write_text(README)
    assert main([str(readme)]) == 1
    assert "-old\n+now\n" in capsys.readouterr().err
    assert readme.read_text() == README
    assert main(["--fix", str(readme)]) == 0
    assert main([str(readme)]) == 0
    assert readme.read_text() == README.replace("old", "now")


def test_a_missing_readme_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "README.md")]) == 2
    assert "No such file" in capsys.readouterr().err
