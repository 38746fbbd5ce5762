"""What the reference server says about itself: JSON Schemas (draft-07) of its methods, replies and notifications.

The layout is that of `codex app-server generate-json-schema`, so that the same tools read both; the wording is our own.
Params are made from the very decoders that the server uses; replies and notifications are stated by hand, and every
run of the gate checks what the server really sends against them.
"""
