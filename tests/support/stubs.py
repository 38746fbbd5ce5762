"""Small programs that stand for a server, each well-behaved but for the one thing that a test is about.

A stub is written into a folder and started with the interpreter that runs the tests. Its body is Python that finds
these names ready:

- ``messages()`` yields what the client sends, as dicts, until its stdin ends
- ``say(raw)`` writes bytes and a newline; ``send(**members)`` writes a message; ``answer(message, result)`` and
  ``refuse(message, code, text)`` reply to one
- ``greet()`` reads up to `initialize` and answers it as codex does
- ``note(text)`` writes to stderr
- ``background(code, **options)`` starts more Python, with what `subprocess.Popen` takes, and returns its pid
"""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from textwrap import dedent

import psutil

_PRELUDE = '''\
import json, os, signal, subprocess, sys, time

def say(raw):
    sys.stdout.buffer.write(raw + b"\\n")
    sys.stdout.buffer.flush()

def send(**members):
    say(json.dumps(members).encode())

def answer(message, result):
    send(id=message["id"], result=result)

def refuse(message, code, text):
    send(id=message["id"], error={"code": code, "message": text})

def note(text):
    sys.stderr.write(text + "\\n")
    sys.stderr.flush()

def messages():
    for line in sys.stdin.buffer:
        yield json.loads(line)

def greet():
    for message in messages():
        if message.get("method") == "initialize":
            answer(message, {"userAgent": "stub/1.2.3 (test)", "codexHome": os.environ.get("CODEX_HOME", "")})
            return

def background(code, **options):
    """Start Python code and return its pid; it holds none of this program's pipes."""
    null = subprocess.DEVNULL
    pipes = {"stdin": null, "stdout": null, "stderr": null}
    return subprocess.Popen([sys.executable, "-I", "-S", "-c", code], **{**pipes, **options}).pid

'''

SLEEP = "import time; time.sleep(600)"
"""Code of a process that stays until it is killed."""

ECHO = """
for message in messages():
    if "id" in message:
        answer(message, message.get("params"))
"""
"""Answers each request with its own params, and ends when its stdin does."""

CODEX = """
def respond(message):
    if message["method"] == "initialize":
        answer(message, {"userAgent": "stub/1.2.3 (test)", "codexHome": os.environ["CODEX_HOME"]})
    elif message["method"] == "thread/turns/list":
        thread = message["params"].get("threadId")
        known = isinstance(thread, str) and len(thread) == 36
        refuse(message, -32600, f"thread not loaded: {thread}" if known else f"invalid thread id: {thread}")
    else:
        refuse(message, -32600, "unknown variant")

"""
"""Defines `respond(message)`, which keeps the clauses named in :data:`KEPT`."""

KEPT = ("turns-list.unknown-thread", "turns-list.malformed-thread-id")
"""Clauses of the shipped contract that a server made of :data:`CODEX` keeps."""

SERVE = """
for message in messages():
    if "id" in message:
        respond(message)
"""
"""After :data:`CODEX`: answer until stdin ends."""


def stub(folder: Path, body: str, name: str = "stub.py") -> list[str]:
    """Write a stub with `body` into `folder` and return the command that starts it."""
    path = folder / name
    path.write_text(_PRELUDE + dedent(body), encoding="utf-8")
    # Isolated and without site: nothing of the machine's Python changes what the stub does, and it starts in 20 ms.
    return [sys.executable, "-I", "-S", str(path)]


def command_line(argv: list[str]) -> str:
    """Return `argv` as `--server-command` takes it."""
    return shlex.join(argv)


def is_running(pid: int) -> bool:
    """Tell whether a process exists and has not ended; a zombie has."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def ends(pid: int, within: float = 5.0) -> bool:
    """Tell whether a process ends by itself; what was killed needs a moment until the kernel has done it."""
    deadline = time.monotonic() + within
    while is_running(pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def processes_naming(text: str) -> list[int]:
    """Return the pids of the running processes with `text` in their command line, the caller's own left out."""
    found: list[int] = []
    for process in psutil.process_iter(["pid", "cmdline", "status"]):
        if process.info["pid"] != os.getpid() and process.info["status"] != psutil.STATUS_ZOMBIE:
            line = " ".join(process.info["cmdline"] or ())
            if text in line:
                found.append(process.info["pid"])
    return found
