from __future__ import annotations

from pathlib import Path

import pytest

from hive_gate.target import schema
from hive_gate.target.cache import Cache
from hive_gate.target.identify import Program
from hive_gate.target.schema import SchemasUnavailable, generate_schemas

GENERATE = """#!/bin/sh
echo run >> "{log}"
[ "$1 $2 $3 $4" = "app-server generate-json-schema --experimental --out" ] || exit 9
mkdir -p "$5/v2"
echo '{{"title": "{title}"}}' > "$5/v2/Thread.json"
"""


def put(folder: Path, text: str, native: bool = True) -> Program:
    path = folder / "codex"
    path.write_text(text)
    path.chmod(0o755)
    return Program("./codex", path, sha256="a" * 64, size=1, reported_version="0.142.5", native=native)


def runs(log: Path) -> int:
    return len(log.read_text().splitlines())


def test_schemas_are_generated_once_for_a_program_hash(cache: Cache, tmp_path: Path) -> None:
    program = put(tmp_path, GENERATE.format(log=tmp_path / "log", title="one"))
    folders = {generate_schemas(program, cache) for _ in range(3)}
    assert folders == {cache.schemas / ("a" * 64)}
    assert (cache.schemas / ("a" * 64) / "v2" / "Thread.json").read_text() == '{"title": "one"}\n'
    assert runs(tmp_path / "log") == 1
    assert len(list(cache.schemas.iterdir())) == 1


def test_a_script_is_asked_again_each_time(cache: Cache, tmp_path: Path) -> None:
    first, again = (
        generate_schemas(put(tmp_path, GENERATE.format(log=tmp_path / "log", title="one"), native=False), cache)
        for _ in range(2)
    )
    other = generate_schemas(put(tmp_path, GENERATE.format(log=tmp_path / "log", title="two"), native=False), cache)
    assert first == again
    assert isinstance(other, Path)
    assert other != first
    assert "two" in (other / "v2" / "Thread.json").read_text()
    assert runs(tmp_path / "log") == 3


def test_what_any_client_may_use_is_generated_and_kept_apart(cache: Cache, tmp_path: Path) -> None:
    script = '#!/bin/sh\nfor out; do :; done\necho "{\\"title\\": \\"$*\\"}" > "$out/Asked.json"\n'
    program = put(tmp_path, script)
    full, plain = (generate_schemas(program, cache, experimental=kind) for kind in (True, False))
    assert isinstance(full, Path)
    assert isinstance(plain, Path)
    assert (full, plain) == (cache.schemas / ("a" * 64), cache.schemas / f"{'a' * 64}-stable")
    assert "app-server generate-json-schema --experimental --out" in (full / "Asked.json").read_text()
    assert "app-server generate-json-schema --out" in (plain / "Asked.json").read_text()


def test_what_a_killed_run_left_is_not_used(cache: Cache, tmp_path: Path) -> None:
    left = cache.schemas / f"new-{'a' * 64}"
    left.mkdir(parents=True)
    (left / "Half.json").write_text("{")
    folder = generate_schemas(put(tmp_path, GENERATE.format(log=tmp_path / "log", title="one")), cache)
    assert isinstance(folder, Path)
    assert [path.name for path in folder.rglob("*.json")] == ["Thread.json"]


@pytest.mark.parametrize(
    ("text", "reason", "detail"),
    [
        ('#!/bin/sh\necho "unrecognized subcommand" >&2\nexit 2\n', "exit code 2", "unrecognized subcommand"),
        ("#!/bin/sh\nkill -9 $$\n", "signal 9", ""),
        ("#!/bin/sh\nexit 0\n", "it ended well and wrote no schema", ""),
        ('#!/bin/sh\nfor out; do :; done\n: > "$out/Empty.json"\n', "it ended well and wrote no schema", ""),
        ("#!/nowhere/sh\n", "it cannot be started: No such file or directory", ""),
    ],
)
def test_a_program_without_schemas_is_no_error(
    cache: Cache, tmp_path: Path, text: str, reason: str, detail: str
) -> None:
    answer = generate_schemas(put(tmp_path, text), cache)
    assert isinstance(answer, SchemasUnavailable)
    assert (answer.reason, answer.detail) == (reason, detail)
    assert answer.argv[:4] == (str(tmp_path / "codex"), "app-server", "generate-json-schema", "--experimental")
    assert list(cache.schemas.iterdir()) == []


def test_a_program_that_hangs_is_ended(cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "SCHEMA_SECONDS", 0.0)
    answer = generate_schemas(put(tmp_path, "#!/bin/sh\nexec sleep 600\n"), cache)
    assert isinstance(answer, SchemasUnavailable)
    assert answer.reason == "no end within 0 s"


def test_it_runs_in_a_scratch_home_without_a_way_out(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    script = '#!/bin/sh\nfor out; do :; done\nenv > "$out/env.json"\n'
    folder = generate_schemas(put(tmp_path, script), cache)
    assert isinstance(folder, Path)
    environment = (folder / "env.json").read_text()
    assert "HTTPS_PROXY=http://127.0.0.1:9\n" in environment
    assert "OPENAI_API_KEY" not in environment
    assert f"HOME={Path.home()}\n" not in environment
