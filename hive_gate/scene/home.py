"""A scratch home for one server: its HOME, its CODEX_HOME and the folder its threads work in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hive_gate.scene import rollout
from hive_gate.scene.truth import ThreadTruth, turn_recipes

_CONFIG = """\
# Written by hive-gate: no account, no model, nothing beyond loopback.
model = "stand-in"
model_provider = "{provider}"
approval_policy = "never"
sandbox_mode = "read-only"

[model_providers.{provider}]
name = "{provider}"
base_url = "{base_url}"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false

[features]
# Otherwise the server tries to reach a public code host at start-up to sync plugins.
plugins = false
# Otherwise each thread runs the machine's login shell, some twenty programs in all, to learn its environment: whatever
# somebody's profile does has no place in a probe, and it takes a quarter of a run's time.
shell_snapshot = false
"""


@dataclass(frozen=True, slots=True)
class Home:
    """The folders of one scratch home; all of them below `root`, which the caller makes and removes."""

    root: Path

    @property
    def home(self) -> Path:
        """HOME."""
        return self.root / "home"

    @property
    def codex(self) -> Path:
        """CODEX_HOME."""
        return self.root / "codex"

    @property
    def work(self) -> Path:
        """The working folder of the threads and of the server."""
        return self.root / "work"

    def prepare(self, base_url: str) -> None:
        """Make the folders and the configuration whose model is the stand-in at `base_url`."""
        for folder in (self.home, self.codex, self.work):
            folder.mkdir(parents=True, exist_ok=True)
        config = _CONFIG.format(provider=rollout.PROVIDER, base_url=base_url)
        (self.codex / "config.toml").write_text(config, encoding="utf-8")

    def names(self) -> dict[str, str]:
        """Return the values that a contract can name: `home`, `codexHome`, `work`."""
        return {"home": str(self.home), "codexHome": str(self.codex), "work": str(self.work)}

    def write(self, recipe: Mapping[str, Any], *owner: str) -> dict[str, ThreadTruth]:
        """Write a recipe's stored threads and return their truth by name.

        Args:
            recipe: a scene recipe, valid under its schema.
            owner: what makes the thread ids of this copy its own: the scene, and for a private copy the clause.
        """
        for name, text in recipe.get("files", {}).items():
            (self.work / name).write_text(text, encoding="utf-8")
        return {
            name: rollout.write_thread(
                self.codex,
                rollout.thread_id(*owner, name),
                turn_recipes(thread["turns"]),
                cwd=self.work,
                archived=thread.get("archived", False),
                history_mode=thread.get("history-mode"),
            )
            for name, thread in recipe["threads"].items()
            if thread.get("made", "stored") == "stored"
        }
