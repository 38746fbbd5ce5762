"""Stands between a tap and its server, and notes what really went by: `python shim.py NOTES PROGRAM ARGS...`."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import threading


def main(notes: str, *argv: str) -> None:
    """Pass everything on in both directions; write size and hash of each in the end, and end as the program did."""
    server = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None
    assert server.stdout is not None
    seen = {"sent": hashlib.sha256(), "received": hashlib.sha256()}
    sizes = {"sent": 0, "received": 0}

    def pump(name: str, source: int, target: int) -> None:
        while chunk := os.read(source, 1 << 20):
            seen[name].update(chunk)
            sizes[name] += len(chunk)
            view = memoryview(chunk)
            while view:
                view = view[os.write(target, view) :]
        os.close(target)

    threading.Thread(target=pump, args=("sent", 0, server.stdin.fileno()), daemon=True).start()
    down = threading.Thread(target=pump, args=("received", server.stdout.fileno(), 1))
    down.start()
    code = server.wait()
    down.join()
    with open(notes, "w", encoding="utf-8") as file:  # noqa: PTH123 - no import for one line
        json.dump({name: [sizes[name], seen[name].hexdigest()] for name in seen}, file)
    os._exit(code)


if __name__ == "__main__":
    main(*sys.argv[1:])
