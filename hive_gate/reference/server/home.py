"""The home that a server runs on: its folder and what its config.toml says, as far as it matters here."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hive_gate.errors import UsageError

_BUILT_IN = "openai"
"""Provider of a home that names none; it has no base URL here, so its turns are answered by the built-in script."""


@dataclass(frozen=True, slots=True)
class Home:
    """A CODEX_HOME and its configuration."""

    folder: Path
    """Absolute, links resolved."""
    model: str
    provider: str
    base_urls: Mapping[str, str | None]
    """By the name of each provider; None where it has none."""
    approval_policy: Any
    sandbox_mode: str


def load(folder: Path) -> Home:
    """Read a home's configuration.

    Raises:
        UsageError: the folder does not exist, or its config.toml cannot be read.
    """
    if not folder.is_dir():
        raise UsageError(f"the home {folder} is not a folder", hint="name an existing CODEX_HOME, or --home DIR")
    folder = folder.resolve()
    path = folder / "config.toml"
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (OSError, ValueError) as error:
        raise UsageError(f"the configuration cannot be read: {error}", where=str(path)) from error
    providers = config.get("model_providers")
    urls: dict[str, str | None] = {_BUILT_IN: None}
    for name, settings in (providers if isinstance(providers, dict) else {}).items():
        url = settings.get("base_url") if isinstance(settings, dict) else None
        urls[name] = url if isinstance(url, str) else None
    provider = config.get("model_provider", _BUILT_IN)
    if provider not in urls:
        raise UsageError(f"the model provider `{provider}` is not configured", where=str(path))
    return Home(
        folder,
        model=str(config.get("model", "scripted")),
        provider=provider,
        base_urls=urls,
        approval_policy=config.get("approval_policy", "on-request"),
        sandbox_mode=str(config.get("sandbox_mode", "read-only")),
    )
