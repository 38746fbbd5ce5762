"""The hygiene check finds what it is for, and leaves the rest alone."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tools import check_hygiene
from tools.check_hygiene import ALLOWED, MAX_BYTES, RULES, check, known_to_git, problems_in

# Put together here, so that this file passes the check as well.
HOST = ".".join(("registry", "npmjs", "org"))
SCHEME = "https:" + "//"
HOME = "/" + "home/jo"
ROOT = "/" + "root"
TMP = "/" + "tmp/run-17"
PROMPT = "You are an agent. " * 20


def rules_broken(path: str, text: str) -> set[str]:
    return {line.rsplit("[", 1)[1].rstrip("]") for line in problems_in(path, text)}


@pytest.mark.parametrize(
    ("path", "text", "rule"),
    [
        ("docs/a.md", f"see {HOST} for more", "registry-host"),
        ("requirements/run.txt", f"x @ {SCHEME}example.test/x-1.0{'.whl'}", "index-address"),
        ("Makefile", f"pip install -r a -c {SCHEME}example.test{'/simple/'}", "index-address"),
        ("package-lock.json", f'"resolved": "{SCHEME}example.test/x/-/x-1{".tgz"}"', "index-address"),
        ("requirements/dev.txt", "--extra-index-url somewhere\nx==1", "index-option"),
        ("hive_gate/a.py", f'LOG = "{ROOT}/x.log"', "machine-path"),
        ("tests/unit/a.py", f'"{HOME.replace("jo", "me-too")}/x"', "machine-path"),
        ("reports/evidence/1/report.json", f'"path": "{HOME}/.cache/codex"', "machine-path"),
        ("reports/evidence/1/report.json", f'"path": "{TMP}/home"', "scratch-path"),
        ("fixtures/t.jsonl", json.dumps({"base_instructions": PROMPT}), "vendor-prompt"),
        ("fixtures/t.jsonl", json.dumps({"base_instructions": {"text": PROMPT}}), "vendor-prompt"),
        ("fixtures/t.jsonl", json.dumps({"baseInstructions": 'Say "yes". ' * 40}), "vendor-prompt"),
        ("fixtures/t.jsonl", json.dumps({"line": json.dumps({"base_instructions": PROMPT})}), "vendor-prompt"),
        ("docs/a.md", "the col" + "our of it", "spelling"),
    ],
)
def test_each_rule_finds_what_it_is_for(path: str, text: str, rule: str) -> None:
    assert rules_broken(path, text) == {rule}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/a.md", "the npm registry, PyPI and `npm pack`; see https://example.test/docs/simple.html"),
        ("requirements/run.txt", "x==1 \\\n    --hash=sha256:00\n    # via -c requirements/dev.txt"),
        ("hive_gate/a.py", 'Path.home() / "root" / "x"; "docs/root/x"; "~/root/x"; "/usr/bin/env"'),
        ("tests/unit/a.py", 'redact("/home/alice/x"), redact("/Users/me/x")'),
        ("hive_gate/a.py", f'"a scratch path such as {TMP} is fine in code"'),
        ("fixtures/t.jsonl", json.dumps({"base_instructions": "short", "text": "y" * 500})),
        ("fixtures/schema.json", json.dumps({"baseInstructions": {"type": ["string", "null"], "description": PROMPT}})),
        ("hive_gate/a.py", f"prompt = {json.dumps({'base_instructions': PROMPT})}"),
        ("fixtures/t.jsonl", "the col" + "our of it"),
    ],
)
def test_what_no_rule_forbids_passes(path: str, text: str) -> None:
    assert rules_broken(path, text) == set()


def test_a_problem_names_file_and_line() -> None:
    (line,) = problems_in("docs/a.md", f"one\ntwo {HOST}\n")
    assert line.startswith(f"docs/a.md:2: '{HOST}' names a package registry")


def test_an_allowed_exception_holds_for_its_rule_only() -> None:
    path = ALLOWED[0][0]
    assert rules_broken(path, "behavi" + f"our at {HOST}") == {"registry-host"}


def test_each_exception_names_a_rule_and_gives_a_reason() -> None:
    names = {rule.name for rule in RULES}
    assert all(rule in names and reason for _, rule, reason in ALLOWED)


def test_a_file_over_the_limit_is_a_problem_and_one_at_the_limit_is_not(tmp_path: Path) -> None:
    (tmp_path / "fits.bin").write_bytes(b"a" * MAX_BYTES)
    (tmp_path / "big.bin").write_bytes(b"a" * (MAX_BYTES + 1))
    assert [line.split(":")[0] for line in check(tmp_path, ["fits.bin", "big.bin"])] == ["big.bin"]


def test_new_files_count_and_ignored_and_deleted_ones_do_not(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".gitignore").write_text("*.log\n")
    for name in ("gone.md", "kept.md", "new.md", "x.log"):
        (tmp_path / name).write_text(HOST)
    subprocess.run(["git", "add", "gone.md", "kept.md"], cwd=tmp_path, check=True)
    (tmp_path / "gone.md").unlink()
    found = check(tmp_path, known_to_git(tmp_path))
    assert [line.split(":")[0] for line in found] == ["kept.md", "new.md"]


def test_a_tree_that_git_does_not_know_is_said_not_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tools").mkdir()
    monkeypatch.setattr(check_hygiene, "__file__", str(tmp_path / "tools" / "check_hygiene.py"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert check_hygiene.main() == 2
    assert "git cannot list the files" in capsys.readouterr().err
