"""A report without people's words and folders, for notes that others read.

Redaction is a function from report to report, so every format can be made from either. User text becomes its length
(`‹27 chars›`), absolute paths keep their file name. What evidence needs stays: methods, ids, cursors, codes, error
messages, enum values, counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from hive_gate.report.model import ClauseResult, Finding, Json, Message, Report
from hive_gate.report.paths import PathRedactor, is_absolute, shorten
from hive_gate.report.remember import remember_last

T = TypeVar("T")

# Members whose strings, also those directly in a list, are somebody's words or files.
TEXT_KEYS = frozenset({
    "aggregatedOutput", "aggregated_output", "baseInstructions", "base_instructions", "command", "content", "delta",
    "description", "details", "developerInstructions", "developer_instructions", "diff", "encrypted_content",
    "explanation", "formatted_output", "input", "instructions", "lastMessage", "message", "name", "objective",
    "output", "preview", "prompt", "query", "queries", "review", "revisedPrompt", "snippet", "stderr", "stdout",
    "step", "summary", "text", "threadName", "thread_name", "title", "userInstructions", "user_instructions",
})  # fmt: skip

# Members below which every string is somebody's, whatever its key.
DEEP_KEYS = frozenset({"arguments", "changes", "contentItems", "gitInfo", "structuredContent", "text_elements"})

# Objects whose `message` and `name` are the program's own words: JSON-RPC and turn errors, who speaks to whom.
OWN_WORDS = frozenset({"error", "clientInfo", "serverInfo", "codexErrorInfo"})

# Notifications in which the server speaks to whoever runs it, and the members of their params that it says so in.
_WARNINGS = frozenset({"configWarning", "deprecationNotice"})
_WARNED = frozenset({"summary", "details", "message"})

# Deeper than any message of the protocol. A hostile one must not exhaust the stack.
_DEPTH = 100
# Shorter texts (`ok`, `thread`) would be found in sentences that do not quote them.
_QUOTED = 12

_DONE = re.compile(r"‹\d+ chars›")
_ELIDED = re.compile(r"…‹(\d+) characters, sha256 [0-9a-f]+›\Z")
_LOOKS_JSON = re.compile(r'("(?:' + "|".join(sorted(TEXT_KEYS)) + r')"\s*:\s*)"((?:[^"\\]|\\.)*)("?)')


def chars(text: str) -> str:
    """Return the stand-in for a text: its length; an elided text counts as long as it was."""
    if _DONE.fullmatch(text) or not text:
        return text
    elided = _ELIDED.search(text)
    return f"‹{elided[1] if elided else len(text)} chars›"


@remember_last
def redact(report: Report) -> Report:
    """Return the report with user text and absolute paths redacted; the same report again if it already is."""
    known = _Known()
    for message in report.messages:
        known.look(message.body, None, 0)
    for scene in report.scenes.values():
        known.look(scene, None, 0)
    target = report.target
    baseline = report.baseline.path if report.baseline else None
    known.paths.update(
        p for p in (target.path, target.spec, report.contract.path, baseline, *target.argv) if p and is_absolute(p)
    )
    redactor = _Redactor.knowing(known)
    return replace(
        report,
        run=replace(redactor.strings(report.run), redacted=True),
        target=redactor.strings(target),
        contract=redactor.strings(report.contract),
        baseline=redactor.strings(report.baseline),
        clauses=tuple(redactor.clause(clause) for clause in report.clauses),
        news=tuple(redactor.strings(news) for news in report.news),
        servers=tuple(redactor.strings(server) for server in report.servers),
        messages=tuple(redactor.message(message) for message in report.messages),
        scenes={name: redactor.body(scene) for name, scene in report.scenes.items()},
        oddities=tuple(redactor.strings(oddity) for oddity in report.oddities),
        lacking={name: redactor.phrase(instead) for name, instead in report.lacking.items()},
    )


class _Known:
    """The user texts and absolute paths that occur in a report's messages and scenes."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self.paths: set[str] = set()

    def look(self, value: Json, key: str | None, depth: int, parent: str | None = None, deep: bool = False) -> None:
        if isinstance(value, str):
            if is_absolute(value):
                self.paths.add(value)
            elif _is_text(key, parent, deep) and len(value) >= _QUOTED and not _DONE.fullmatch(value):
                self.texts.add(_ELIDED.sub("", value))
        elif isinstance(value, list) and depth < _DEPTH:
            for item in value:
                self.look(item, key, depth + 1, parent, deep)
        elif isinstance(value, dict) and depth < _DEPTH:
            for name, member in value.items():
                self.look(member, _holder(value, name, depth), depth + 1, key, deep or name in DEEP_KEYS)


@dataclass(frozen=True, slots=True)
class _Redactor:
    paths: PathRedactor
    texts: tuple[str, ...]
    """User texts, the longest first."""
    beginnings: frozenset[str]
    """The first characters of each text, as many as count for a quotation."""

    @classmethod
    def knowing(cls, known: _Known) -> _Redactor:
        """Return a redactor of what occurs in a report."""
        texts = tuple(sorted(known.texts, key=len, reverse=True))
        return cls(PathRedactor.knowing(known.paths), texts, frozenset(text[:_QUOTED] for text in texts))

    def phrase(self, text: str) -> str:
        """Redact a sentence of the gate: paths, and user texts that it quotes whole or from their beginning."""
        # Most sentences quote nothing; to look for each text in each of them takes a third of a note's time.
        if any(text[at : at + _QUOTED] in self.beginnings for at in range(len(text) - _QUOTED + 1)):
            for known in self.texts:
                if known[:_QUOTED] in text:
                    text = self._unquote(text.replace(known, chars(known)), known)
        return self.paths(text)

    @staticmethod
    def _unquote(text: str, known: str) -> str:
        """Redact quotations that end in an ellipsis before the quoted text does."""
        at = text.find(known[:_QUOTED])
        while at >= 0:
            end = at
            while text[end : end + 1] == known[end - at : end - at + 1] != "":
                end += 1
            cut_short = text.startswith(("…", "..."), end)
            shown = chars(known) if cut_short else text[at:end]
            text = text[:at] + shown + text[end:]
            at = text.find(known[:_QUOTED], at + len(shown))
        return text

    def strings(self, value: T) -> T:
        """Redact every string of a record, and those in its tuples and JSON values."""
        return cast(T, self._record(value))

    def _record(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.phrase(value)
        if isinstance(value, tuple):
            return tuple(self._record(item) for item in value)
        if isinstance(value, (dict, list)):
            return self.body(value)
        if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{f.name: self._record(getattr(value, f.name)) for f in fields(value)})
        return value

    def clause(self, clause: ClauseResult) -> ClauseResult:
        """Redact what a clause says; its why and source are the contract's own words."""
        return replace(
            clause,
            expected=self.phrase(clause.expected),
            actual=self.phrase(clause.actual),
            findings=tuple(self._finding(finding) for finding in clause.findings),
            waiver=self.strings(clause.waiver),
            exchanges=tuple(self.strings(exchange) for exchange in clause.exchanges),
            steps=tuple(self.strings(step) for step in clause.steps),
        )

    def _finding(self, finding: Finding) -> Finding:
        return replace(finding, expected=self.phrase(finding.expected), actual=self.phrase(finding.actual))

    def message(self, message: Message) -> Message:
        """Redact a transcript message; a line that is no JSON object is searched for text members."""
        text = message.text
        if text is not None:
            text = self.paths(_LOOKS_JSON.sub(lambda m: f'{m[1]}"{chars(m[2])}{m[3]}', text))
        return replace(message, body=self.body(message.body), text=text)

    def body(
        self, value: Json, key: str | None = None, depth: int = 0, parent: str | None = None, deep: bool = False
    ) -> Json:
        """Redact a JSON value; `key` is the member that holds it and `parent` the member above that."""
        if isinstance(value, str):
            if _is_text(key, parent, deep):
                return chars(value)
            return shorten(value) if is_absolute(value) else self.paths(value)
        if depth >= _DEPTH and isinstance(value, (list, dict)):
            return "…"
        if isinstance(value, list):
            return [self.body(item, key, depth + 1, parent, deep) for item in value]
        if isinstance(value, dict):
            return {
                self.paths(name): self.body(
                    member, _holder(value, name, depth), depth + 1, key, deep or name in DEEP_KEYS
                )
                for name, member in value.items()
            }
        return value


def _holder(value: dict[str, Json], name: str, depth: int) -> str:
    """Return what to call a member of a JSON object: the params of a warning go by its method."""
    method = value.get("method") if name == "params" and depth == 0 else None
    return method if isinstance(method, str) and method in _WARNINGS else name


def _is_text(key: str | None, parent: str | None, deep: bool) -> bool:
    own = parent in OWN_WORDS or (parent in _WARNINGS and key in _WARNED)
    return deep or (key in TEXT_KEYS and not own)
