"""JSON-RPC over a byte stream: framing, messages, transcript, connection, process. Knows nothing of Codex."""
