"""hive-gate: does this codex app-server still keep what Hive relies on?"""

from hive_gate._version import __version__

__all__ = ["__version__"]
