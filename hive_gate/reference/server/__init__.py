"""The protocol side of the reference app-server: JSON-RPC on stdio over a thread store.

It behaves as codex app-server 0.142.5 for the part that Hive uses, quirks included, and as "Release N" of the
history-mode plan where that version does not know `historyMode`. How near it comes is measured by
`tests/live/test_reference_fidelity.py`; what remains is listed in `docs/reference-fidelity.md`.
"""
