"""A wheel carries what the program loads."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_the_wheel_holds_the_contracts_and_fixtures_inside_the_package(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    data = {
        f"hive_gate/_data/{file.relative_to(ROOT).as_posix()}"
        for folder in ("contracts", "fixtures")
        for file in (ROOT / folder).rglob("*.json")
    }
    assert {"hive_gate/_data/contracts/contract.schema.json", "hive_gate/py.typed"} <= names
    assert data <= names
    pages = ROOT / "hive_gate" / "report" / "html"
    parts = {file.relative_to(ROOT).as_posix() for file in pages.rglob("*") if file.suffix in (".j2", ".css", ".js")}
    assert len(parts) > 5
    assert parts <= names
    assert {name.split("/")[0].split("-")[0] for name in names} == {"hive_gate"}
