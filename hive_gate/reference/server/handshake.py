"""initialize: who the client is and what it may use."""

from __future__ import annotations

import platform
import sys

from hive_gate.reference.server.core import VERSION, Asked, Core
from hive_gate.reference.server.errors import RpcError

_SYSTEMS = {"darwin": "macos", "win32": "windows"}


def initialize(core: Core, asked: Asked) -> None:
    """Answer initialize; a second one is refused."""
    if core.client is not None:
        raise RpcError("Already initialized")
    info, capabilities = asked.params["clientInfo"], asked.params["capabilities"] or {}
    name = info["name"]
    if any((character < " " and character != "\t") or character == "\x7f" for character in name):
        raise RpcError(f"Invalid clientInfo.name: '{name}'. Must be a valid HTTP header value.")
    core.client = name
    core.experimental = bool(capabilities.get("experimentalApi"))
    system = _SYSTEMS.get(sys.platform, sys.platform)
    asked.reply(
        {
            "userAgent": f"{name}/{VERSION} (reference; {platform.machine()}) unknown ({name}; {info['version']})",
            "codexHome": str(core.home.folder),
            "platformFamily": "windows" if system == "windows" else "unix",
            "platformOs": system,
        }
    )
