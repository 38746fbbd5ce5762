from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hive_gate.scene.home import Home
from hive_gate.scene.rollout import PROVIDER, path_of, thread_id

RECIPE: dict[str, Any] = {
    "why": "w",
    "threads": {
        "main": {"turns": [{"times": 2, "user": "u{n}", "then": [{"agent": "a{n}"}]}]},
        "old": {"archived": True, "turns": []},
        "real": {"made": "by-turns", "turns": [{"user": "u"}]},
    },
}


def test_a_home_has_three_folders_and_their_names(tmp_path: Path) -> None:
    home = Home(tmp_path / "lane")
    home.prepare("http://127.0.0.1:1/lane/v1")
    assert sorted(path.name for path in (tmp_path / "lane").iterdir()) == ["codex", "home", "work"]
    assert home.names() == {
        "home": str(tmp_path / "lane" / "home"),
        "codexHome": str(tmp_path / "lane" / "codex"),
        "work": str(tmp_path / "lane" / "work"),
    }


def test_the_configuration_knows_the_stand_in_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare("http://127.0.0.1:8123/lane/v1")
    config = tomllib.loads((home.codex / "config.toml").read_text(encoding="utf-8"))
    assert config["model_provider"] == PROVIDER
    assert list(config["model_providers"]) == [PROVIDER]
    provider = config["model_providers"][PROVIDER]
    assert provider["base_url"] == "http://127.0.0.1:8123/lane/v1"
    assert (provider["request_max_retries"], provider["stream_max_retries"]) == (0, 0)
    assert not {key for key in provider if "key" in key or "auth" in key}
    assert (config["sandbox_mode"], config["approval_policy"]) == ("read-only", "never")
    assert config["features"]["plugins"] is False


def test_preparing_again_keeps_what_is_stored(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.prepare("http://127.0.0.1:1/a/v1")
    truth = home.write(RECIPE, "scene")
    home.prepare("http://127.0.0.1:2/a/v1")
    assert path_of(home.codex, truth["main"].id, archived=False).is_file()


def test_stored_threads_are_written_and_those_by_turns_left_to_the_server(tmp_path: Path) -> None:
    home = Home(tmp_path)
    truth = home.write(RECIPE, "scene")
    assert list(truth) == ["main", "old"]
    assert truth["main"].id == thread_id("scene", "main")
    assert [turn.items[0].text for turn in truth["main"].turns] == ["u1", "u2"]
    assert truth["old"].archived
    files = sorted(str(path.relative_to(home.codex)) for path in home.codex.rglob("*.jsonl"))
    assert [name.partition("/")[0] for name in files] == ["archived_sessions", "sessions"]


def test_a_clause_s_own_copy_is_another_thread_with_the_same_content(tmp_path: Path) -> None:
    home = Home(tmp_path)
    shared, own = home.write(RECIPE, "scene"), home.write(RECIPE, "scene", "read.mine")
    assert shared["main"].id != own["main"].id
    assert not {turn.id for turn in shared["main"].turns} & {turn.id for turn in own["main"].turns}
    assert [turn.items for turn in shared["main"].turns] == [turn.items for turn in own["main"].turns]
