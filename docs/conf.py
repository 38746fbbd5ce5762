"""Sphinx configuration: nothing is fetched, every warning is an error (see `make docs`)."""

from pathlib import Path
from runpy import run_path

_ROOT = Path(__file__).resolve().parent.parent

project = "hive-gate"
author = "Project Hive X"
copyright = "Project Hive X"
release = run_path(str(_ROOT / "hive_gate" / "_version.py"))["__version__"]
version = release

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
# What servers said stands in the pages, with the quotes that they used.
smartquotes = False

html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["hive-gate.css"]
html_title = f"hive-gate {release}"
html_show_sourcelink = False
html_copy_source = False
