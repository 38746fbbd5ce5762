"""The British spellings that slip in most often, as one pattern; this project writes American English.

Left out are words that are also names in libraries, such as asyncio's `cancelled`.
"""

from __future__ import annotations

import re

_OUR = ("behavi", "col", "fav", "flav", "hon", "lab", "neighb", "rum")
_ISE = (
    "author",
    "capital",
    "categor",
    "character",
    "custom",
    "final",
    "general",
    "initial",
    "local",
    "maxim",
    "minim",
    "normal",
    "optim",
    "organ",
    "priorit",
    "recogn",
    "serial",
    "special",
    "standard",
    "summar",
    "synchron",
    "token",
    "visual",
)
_OTHERS = (
    r"analys(?:ed?|er|ing)(?![a-z])",
    r"artefact",
    r"catalogue",
    r"\bcentred?\b",
    r"\bdefence",
    r"\bgrey\b",
    r"judgement",
    r"(?<!aria-)labell(?:ed|ing)",  # an attribute of HTML is spelled so
    r"\blicence",
    r"modell(?:ed|ing)",
    r"whilst",
)

BRITISH = re.compile(
    "|".join((rf"(?:{'|'.join(_OUR)})our", rf"(?:{'|'.join(_ISE)})is(?:e[drs]?|ing|ation)(?![a-z])", *_OTHERS)),
    re.IGNORECASE,
)
"""Finds a British spelling, also inside an identifier."""
